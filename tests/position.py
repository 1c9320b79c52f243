"""Positions written as text, for tests.

    game = position('''
        Chicago: orange orange black
        Detroit: blue
        blue cash 5
        blue to expand
    ''', players=5)

A line with a colon puts franchises on a location, in the order of its spaces, without scoring anything. `COLOUR FIELD
NUMBER` sets cash, supply, bonus, influence, reserve, eights. `COLOUR to expand|grow` says who is active and in which
phase; the turn is then late enough for bonus tiles unless `turn N` says otherwise. `boom CITY`, `quiet N`,
`REGION marker COLOUR`, `track N` (the first N regions of the board that are not named by a line are on the track) set
the rest. The game cannot be undone past the position.
"""

from franchise import Game, Options
from franchise.engine.layout import Phase
from franchise.engine.rules import put_franchise
from franchise.facts import BOARD, COLOURS

PHASES = {"expand": Phase.EXPAND, "grow": Phase.GROW, "boom": Phase.BOOM_MOVE}


def position(text: str, players: int = 4, options: Options | None = None, seed: int = 1) -> Game:
    """The game of a drawn position."""
    game = Game(players, seed, options or Options())
    state, rules = game.state[0], game.rules[0]
    state.turn = 10 * players + 1
    state.active = 0
    state.phase = Phase.EXPAND
    for line in filter(None, (line.split("#")[0].strip() for line in text.splitlines())):
        place, colon, pieces = line.partition(":")
        if colon:
            for colour in pieces.split():
                put_franchise(rules, state, COLOURS.index(colour), BOARD.location_ids[place])
            continue
        words = line.split()
        if words[0] in COLOURS and words[1] == "to":
            state.active = COLOURS.index(words[0])
            state.phase = PHASES[words[2]]
        elif words[0] in COLOURS:
            state[words[1]][COLOURS.index(words[0])] = int(words[2])
        elif words[-2] == "marker":
            state.tie_break[BOARD.region_ids[" ".join(words[:-2])]] = COLOURS.index(words[-1])
        elif words[0] == "boom":
            state.boom = BOARD.location_ids[" ".join(words[1:])]
        elif words[0] == "track":
            fill_track(game, int(words[1]))
        else:
            state[words[0]] = int(words[1])
    return game


def fill_track(game: Game, length: int) -> None:
    """Put that many untouched regions on the track: all their places closed, without franchises."""
    state, rules = game.state[0], game.rules[0]
    taken = int(state.held[0] | state.held[1] | state.held[2] | state.held[3] | state.held[4])
    for region in range(10):
        untouched = not rules.region_mask[region] & taken and not state.done >> region & 1
        if state.on_track < length and untouched:
            state.vacant &= ~rules.region_mask[region]
            state.track[state.on_track] = region
            state.on_track += 1
            state.done |= 1 << region
    assert state.on_track == length, "not enough untouched regions for the track"
