"""Training examples from games: the start of every turn as the network's inputs, and the outcome."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from franchise.bots.network import BLOCK, GLOBAL, no_weights
from franchise.bots.self_play import read_positions
from franchise.bots.turns import new_search_memory
from franchise.bots.values import WORK, learned
from franchise.engine.layout import SEATS, Phase
from franchise.engine.walk import duplicate
from franchise.game import Game
from franchise.training.games import Array, PlayedGames, options_of

TURNS = 512  # more than a game has
HELD_OUT = 0.15  # share of the games that are not used for training
CALIBRATES = 0.05  # the part of these that calibrates the chances; the others assess the result


@dataclass(frozen=True)
class Positions:
    """Starts of turns, and set-ups, of games with the same number of players; the seats are in their order."""

    table: Array  # float16, positions x GLOBAL
    blocks: Array  # float16, positions x players x BLOCK
    won: Array  # shares of the victory
    gain: Array  # influence from here to the end
    influence: Array  # so far
    linear: Array  # chances by the linear evaluation
    code: Array  # options
    game: Array  # number of the game

    def __len__(self) -> int:
        return len(self.won)

    @property
    def lot(self) -> Array:
        """A number from 0 to 1 for each position's game: whole games are held out, never single positions."""
        return (self.game.astype(np.int64) * 2654435761 % 2**32) / 2**32

    @property
    def learned_from(self) -> Array:
        """Which positions are used for training."""
        return self.lot >= HELD_OUT

    @property
    def calibrates(self) -> Array:
        """Which positions are used to calibrate the chances."""
        return self.lot < CALIBRATES

    @property
    def held_out(self) -> Array:
        """Which positions are used to assess a network."""
        return (self.lot >= CALIBRATES) & (self.lot < HELD_OUT)


def read(files: Iterable[PlayedGames], players: int) -> Positions:
    """The positions of all games with that many players."""
    memory = new_search_memory(Game(players).rules, learned(), np.zeros(1, WORK), no_weights())
    tables, blocks = np.zeros((TURNS, GLOBAL), np.float32), np.zeros((TURNS, SEATS, BLOCK), np.float32)
    influence, linear, last = np.zeros((TURNS, SEATS)), np.zeros((TURNS, SEATS)), np.zeros(SEATS)
    parts_of: list[list[Array]] = []
    for games in files:
        ends = np.cumsum(games.length)
        for i in np.flatnonzero(games.players == players):
            game = Game(players, int(games.seed[i]), options_of(int(games.code[i])))
            state = game.state.copy()
            duplicate(game.state, state)
            moves = games.moves[ends[i] - games.length[i] : ends[i]].astype(np.int32)
            memory = memory._replace(rules=game.rules)
            count = read_positions(memory, state, moves, tables, blocks, influence, linear, last)
            if state["phase"][0] != Phase.OVER:
                raise ValueError(f"the game of seed {games.seed[i]} does not end: was it played with other rules?")
            so_far = influence[:count, :players].astype(np.float32)
            parts_of.append(
                [
                    tables[:count].astype(np.float16),
                    blocks[:count, :players].astype(np.float16),
                    np.tile(last[:players].astype(np.float32), (count, 1)),
                    state["influence"][0, :players].astype(np.float32) - so_far,
                    so_far,
                    linear[:count, :players].astype(np.float32),
                    np.full(count, games.code[i], np.int16),
                    np.full(count, len(parts_of), np.int32),
                ]
            )
    if not parts_of:
        raise ValueError(f"there are no games of {players} players to learn from")
    return Positions(*(np.concatenate(parts) for parts in zip(*parts_of, strict=True)))
