"""Random play in the kernel, with the same generator compiled and plain, so a seed gives the same game everywhere."""

from typing import Any

from franchise.engine.bits import wide
from franchise.engine.jit import kernel, long_entry_point
from franchise.engine.layout import Log, Moves, Phase, Records, Rules, State
from franchise.engine.rules import apply, legal, winners


@kernel
def scramble(seed: int) -> int:
    """The first state of a generator for a seed: 32 well-mixed bits, never 0."""
    mixed = wide(seed) & 0xFFFFFFFF
    for _ in range(3):
        mixed = ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D + 0x297A2D39) & 0xFFFFFFFF
    return mixed | 1


@kernel
def following(generator: int) -> int:
    """The next state of a 32-bit xorshift generator kept in an int64."""
    generator ^= (generator << 13) & 0xFFFFFFFF
    generator ^= generator >> 17
    generator ^= (generator << 5) & 0xFFFFFFFF
    return generator


@kernel
def play_randomly(rules: Rules, state: State, generator: int, moves: Moves, out: Moves, log: Log) -> int:
    """Play uniformly random legal moves to the end and record them; returns their number."""
    count = 0
    while state.phase != Phase.OVER:
        choices = legal(rules, state, out)
        generator = following(generator)
        action = out[(generator * choices) >> 32]
        moves[count] = action
        count += 1
        apply(rules, state, action, log)
    return count


@long_entry_point
def random_games(
    rules: Records, start: Records, seed: int, games: Any, scratch: Records, moves: Moves, out: Moves, log: Records
) -> None:
    """One game from `start` for each row of `games`, seeded in turn.

    A row receives the number of moves and of turns, the bits of the winners, then the scores. `moves` holds the moves
    of the last game.
    """
    for number in range(games.shape[0]):
        scratch[0] = start[0]
        state = scratch[0]
        games[number, 0] = play_randomly(rules[0], state, scramble(seed + number), moves, out, log[0])
        games[number, 1] = state.turn
        games[number, 2] = winners(rules[0], state)
        for seat in range(rules[0].players):
            games[number, 3 + seat] = state.influence[seat]
