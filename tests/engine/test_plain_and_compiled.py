"""The same source runs compiled and as plain Python: after every move of every recorded game the bytes are the same."""

import os
import pickle
import subprocess
import sys

import pytest

from franchise import Game
from games.make import ENTRIES

pytestmark = pytest.mark.slow

# Reads set-ups with numbered moves; prints the mode, then for every set-up and every move a hash of the state, the
# events and the legal moves.
PRINT_HASHES = """
import hashlib, pickle, sys
from franchise import Game
from franchise.engine.jit import COMPILED

print("compiled" if COMPILED else "plain")
for setup, numbers in pickle.load(sys.stdin.buffer):
    game = Game.from_setup(setup)
    events = game.opening()
    for number in [*numbers, None]:
        seen = (game.state.tobytes(), game.legal_numbers(), events)
        print(len(game.actions), hashlib.sha256(repr(seen).encode()).hexdigest())
        events = game.play(number) if number is not None else []
"""


def hashes(disable: str, games: bytes) -> list[str]:
    """The lines an interpreter of its own prints, compiled or plain."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": disable, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, "-c", PRINT_HASHES], input=games, env=environment, capture_output=True, check=True
    )
    return run.stdout.decode().splitlines()


@pytest.mark.compiled_only
def test_every_move_of_every_recorded_game_leaves_the_same_bytes_events_and_legal_moves_plain_and_compiled() -> None:
    games = [Game.from_text(entry.path.read_text(encoding="utf-8")) for entry in ENTRIES]
    given = pickle.dumps([(game.setup, [int(action) for action in game.actions]) for game in games])
    plain, compiled = hashes("1", given), hashes("0", given)
    assert (plain[0], compiled[0]) == ("plain", "compiled")
    assert len(compiled) == 1 + sum(len(game.actions) + 1 for game in games)
    assert compiled[1:] == plain[1:]
