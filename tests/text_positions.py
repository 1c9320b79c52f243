"""Positions written as text, for tests.

    game = position('''
        Chicago: orange orange black
        Detroit: blue
        blue cash 5
        blue to expand
    ''', players=5)

A line with a colon puts franchises on a location, in the order of its spaces, without scoring anything; with `scored`
at its end the city's tile is gone and the franchises named are those that stayed. `COLOUR FIELD NUMBER` sets cash,
supply, bonus, influence, reserve, eights. `COLOUR to expand|grow|boom` says who is active and in which phase; the turn
is then late enough for bonus tiles unless `turn N` says otherwise. `boom CITY`, `quiet N`, `REGION marker COLOUR`,
`track N` (the first N regions of the board that are not named by a line are on the track) set the rest. The game cannot
be undone past the position.
"""

from typing import Any

from franchise import Event, Game, Options
from franchise.engine.instructions import popcount
from franchise.engine.layout import EventKind, Phase
from franchise.engine.pieces import own_spaces, put_franchise
from franchise.facts import BOARD, COLOURS

PHASES = {"expand": Phase.EXPAND, "grow": Phase.GROW, "boom": Phase.BOOM_MOVE}


# Red, who holds both alone, completes New York and Florida by growing in Jacksonville and Pittsburgh.
TWO_REGIONS = """
New York: red scored
Pittsburgh: red
New York marker red
Jacksonville: red
Atlanta: red scored
Montgomery: red
Huntsville: red
Florida marker red
track 2
red cash 2
red to grow
"""


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
            for word in pieces.split():
                if word == "scored":
                    take_city_tile(game, BOARD.location_ids[place])
                else:
                    put_franchise(rules, state, COLOURS.index(word), BOARD.location_ids[place])
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


def take_city_tile(game: Game, city: int) -> None:
    """A city that was scored earlier: it takes no franchises any more, and those that stand there stay.

    Unless the region has a marker already, the first player who is there scored it, or else the player to move.
    """
    state = game.state[0]
    pieces = [popcount(own_spaces(game.rules[0], state, seat, city)) for seat in range(len(COLOURS))]
    left = state.city_size[city] - sum(pieces)
    for seat, own in enumerate(pieces):
        state.empty[seat] -= left if own else 0
        state.veterans[seat] += own
    state.vacant &= ~(1 << city)
    region = game.rules[0].region_of[city]
    if state.tie_break[region] < 0:
        state.tie_break[region] = next((seat for seat, own in enumerate(pieces) if own), state.active)


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


def play(game: Game, moves: str) -> list[Event]:
    """Play moves separated by semicolons; everything that happened, in order."""
    return [event for move in moves.split(";") for event in game.play(move)]


def happened(events: list[Event], kind: EventKind) -> list[tuple[str, str | None, int]]:
    """The events of a kind, each as colour, place and amount."""
    return [(COLOURS[event.seat], event.where, event.amount) for event in events if event.kind == kind]


def legal(game: Game, verb: str) -> list[str]:
    """The legal moves that begin with the verb."""
    return [str(action) for action in game.legal_actions() if action.verb == verb]


def player(game: Game, colour: str) -> dict[str, Any]:
    """What the view says about a player."""
    found: dict[str, Any] = game.view()["players"][COLOURS.index(colour)]
    return found


def drawn(game: Game) -> str:
    """A position as `position` reads it, for whoever looks at a test that failed."""
    view = game.view()
    lines = []
    for name, place in view["locations"].items():
        pieces = [colour for colour in place["spaces"] if colour]
        if pieces or place["scored"]:
            lines.append(f"{name}: {' '.join([*pieces, 'scored'] if place['scored'] else pieces)}")
    lines += [f"{name} marker {region['marker']}" for name, region in view["regions"].items() if region["marker"]]
    for row in view["players"]:
        figures = {"cash": row["cash"], "influence": row["influence"], "supply": row["supply"]}
        figures |= {"bonus": row["bonus_tiles"], "reserve": row.get("reserve"), "eights": row.get("eights")}
        lines += [f"{row['colour']} {name} {figure}" for name, figure in figures.items() if figure is not None]
    if view.get("boom"):
        lines.append(f"boom {view['boom']}")
    lines.append(f"# on the track: {', '.join(view['track']) or 'nothing'}; markers: {view['markers']}")
    lines.append(f"turn {view['turn']}")
    lines.append(f"{COLOURS[view['current_player']]} to {view['phase']}")
    return "\n".join(lines)
