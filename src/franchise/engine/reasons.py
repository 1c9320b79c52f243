"""Why a move is not legal now, in the words of the rules. Only rules.legal decides what is legal."""

from dataclasses import dataclass, field
from typing import Any

from franchise.engine.actions import FORMS, ON_REGIONS, Action
from franchise.engine.layout import FAR, Kind, Phase, Rules, State
from franchise.engine.modules import boom_targets, far_way
from franchise.engine.pieces import empty_spaces, spare
from franchise.engine.regions import waiting_regions
from franchise.facts import BOARD, PRICES

PHASES = {
    Phase.DRAFT_CITIES: "the draft of city tiles",
    Phase.DRAFT_REGIONS: "the draft of region tiles",
    Phase.START: "the set-up, where everyone puts a starting franchise",
    Phase.BOOM_PLACE: "the set-up, where the first player puts the boom marker",
    Phase.BOOM_MOVE: "the start of the turn, where the boom marker may move",
    Phase.EXPAND: "phase 2, expanding",
    Phase.GROW: "phase 3, increasing market share",
    Phase.SCORE: "phase 5, where the active player chooses the region scored next",
}
WHEN = {
    Kind.START: (Phase.START,),
    Kind.GROW: (Phase.GROW,),
    Kind.DOUBLE: (Phase.GROW,),
    Kind.CASH: (Phase.EXPAND, Phase.GROW),
    Kind.END: (Phase.GROW,),
    Kind.BOOM: (Phase.BOOM_PLACE, Phase.BOOM_MOVE),
    Kind.STAY: (Phase.BOOM_MOVE,),
    Kind.TILE: (Phase.DRAFT_CITIES,),
    Kind.REGION: (Phase.DRAFT_REGIONS,),
    Kind.SCORE: (Phase.SCORE,),
}


@dataclass(frozen=True)
class Reason:
    """A message key with the values that go into it."""

    key: str
    values: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.key.format(**self.values)


def why_not(rules: Rules, state: State, action: Action) -> Reason | None:
    """The first reason against the move, or None if there is none."""
    phase = Phase(int(state.phase))
    if action.place >= 0 and not _in_play(rules, action):
        return Reason("{place} is out of play with this number of players", {"place": action.where})
    if phase == Phase.OVER:
        return Reason("the game is over")
    if phase not in WHEN.get(action.kind, (Phase.EXPAND,)):
        return _why_not_now(rules, state, phase, action)
    return _CHECKS[action.kind](rules, state, action)


def _in_play(rules: Rules, action: Action) -> bool:
    """Whether the move's location or region is in play (RULES 1.5)."""
    if action.kind in ON_REGIONS:
        return action.place not in rules.out_of_play
    return bool(rules.in_play >> action.place & 1)


def _why_not_now(rules: Rules, state: State, phase: Phase, action: Action) -> Reason:
    """Why a move of another phase is not possible now."""
    then = WHEN.get(action.kind, (Phase.EXPAND,))[0]
    values = {"form": FORMS[action.verb], "then": PHASES[then], "now": PHASES[phase]}
    if action.kind == Kind.SCORE:
        return Reason("regions are scored automatically, unless a count tile makes their order matter")
    if phase == Phase.BOOM_MOVE and action.kind == Kind.CASH:
        refused = why_no_bonus(rules, state)
        return refused or Reason("cash is possible in phases 2 and 3: first write boom CITY or stay")
    if phase == Phase.BOOM_MOVE and then in (Phase.EXPAND, Phase.GROW):
        return Reason("{form} belongs to {then}; it is now {now}: first write boom CITY or stay", values)
    if phase == Phase.EXPAND and then == Phase.GROW:
        return Reason("{form} belongs to {then}; it is now {now}: first write done", values)
    return Reason("{form} belongs to {then}; it is now {now}", values)


def own_prices(state: State, place: int) -> list[int]:
    """The prices of the active player's links to a place."""
    return [price for number, price in enumerate(PRICES) if state.reach[state.active, number] >> place & 1]


def why_no_bonus(rules: Rules, state: State) -> Reason | None:
    """Why no bonus tile can be used now (RULES 3.1, 6.5)."""
    if state.turn <= rules.players:
        return Reason("bonus tiles cannot be used on a player's first turn")
    if state.bonus_used:
        return Reason("only one bonus tile can be used in a turn")
    if not state.bonus[state.active]:
        return Reason("you have no bonus tile")
    if state.bonus[state.active] <= state.fresh:
        return Reason("a bonus tile gained this turn can be used from the next turn on")
    return None


def why_no_target(rules: Rules, state: State, place: int) -> Reason | None:
    """Why nobody could expand to a place over any link (RULES 2.4, 3.2)."""
    named = {"place": BOARD.locations[place].name}
    if state.held[state.active] >> place & 1:
        return Reason("you already have a franchise in {place}", named)
    if place in (state.marker[0], state.marker[1]):
        return Reason("your expansion marker is already in {place}", named)
    if not state.vacant >> place & 1:
        if rules.towns >> place & 1:
            return Reason("the town {place} is taken", named)
        return Reason("{place} has been scored and has no spaces left", named)
    if spare(state, state.active) <= 0:
        return Reason("you have no franchise left in supply")
    return None


def why_no_link(state: State, action: Action) -> Reason | None:
    """Why no link of that price to that place can be used (RULES 2.3, 2.5)."""
    named = {"place": action.where, "price": action.price}
    prices = own_prices(state, action.place)
    cash = int(state.cash[state.active])
    if not prices:
        return Reason("{place} is not linked to any of your locations", named)
    if action.price not in prices:
        return Reason(
            "no ${price} link leads from one of your locations to {place}; your links there cost {prices}",
            named | {"prices": ", ".join(f"${price}" for price in prices)},
        )
    if not action.free and action.price > cash:
        return Reason("the link to {place} costs ${price}, but you have ${cash}", named | {"cash": cash})
    return None


def _why_no_start(rules: Rules, state: State, action: Action) -> Reason | None:
    if not state.vacant >> action.place & 1:
        return Reason("the town {place} is taken", {"place": action.where})
    return None


def _why_no_expansion(rules: Rules, state: State, action: Action) -> Reason | None:
    again = action.verb == "again"
    if again and state.marker[0] < 0:
        return Reason("a second expansion must follow a first one in the same turn")
    if not again and state.marker[0] >= 0:
        return _why_no_second(rules, state)
    if action.free and state.road != state.active:
        return Reason("you do not have the road tile")
    return (
        (why_no_bonus(rules, state) if again else None)
        or why_no_target(rules, state, action.place)
        or why_no_link(state, action)
    )


def _why_no_second(rules: Rules, state: State) -> Reason:
    """Why `expand` is illegal after an expansion, and what a second one needs (RULES 3.1, 3.2)."""
    if state.turn <= rules.players:
        return Reason("you have expanded; on a player's first turn there is no second expansion")
    if why_no_bonus(rules, state) is not None:
        return Reason("you have expanded this turn; a second expansion would take a bonus tile")
    return Reason("you have expanded this turn; a second expansion is written `again` and takes a bonus tile")


def _why_not_far(rules: Rules, state: State, action: Action) -> Reason | None:
    if state.expansion != state.active:
        return Reason("you do not have the expansion tile")
    if state.marker[0] >= 0:
        return Reason("the expansion tile replaces the first expansion of a turn")
    if action.free and state.road != state.active:
        return Reason("you do not have the road tile")
    unfit = why_no_target(rules, state, action.place)
    if unfit is not None:
        return unfit
    named = {"place": action.where, "cash": int(state.cash[state.active])}
    if own_prices(state, action.place):
        return Reason("{place} is directly linked to one of your locations", named)
    if action.free and far_way(rules, state, action.place, 0) < FAR:
        return Reason("the cheapest route to {place} costs nothing: there is nothing to save", named)
    dollars = int(far_way(rules, state, action.place, int(action.free))) // FAR
    if dollars > state.cash[state.active]:
        return Reason("the cheapest route to {place} costs ${price}, but you have ${cash}", named | {"price": dollars})
    return None


def _why_no_growth(rules: Rules, state: State, action: Action) -> Reason | None:
    named = {"place": action.where}
    if not state.held[state.active] >> action.place & 1:
        if action.place in (state.marker[0], state.marker[1]):
            return Reason("{place} holds only your expansion marker of this turn", named)
        return Reason("you have no franchise in {place}", named)
    if not state.vacant >> action.place & 1:
        return Reason("{place} has been scored and has no spaces left", named)
    grown = state.centre >> action.place & 1
    if action.kind == Kind.DOUBLE:
        if not grown:
            return Reason("{place} can be doubled only after you increase your market share there this turn", named)
        refused = why_no_bonus(rules, state)
        if refused is not None:
            return refused
        if empty_spaces(rules, state, action.place) < 2:
            return Reason("{place} has only one empty space", named)
    elif grown:
        return Reason("you have already increased your market share in {place} this turn", named)
    elif state.cash[state.active] < 1:
        return Reason("increasing market share costs $1, but you have no money")
    if spare(state, state.active) <= 0:
        return Reason("you have no franchise left in supply")
    return None


def _why_no_cash(rules: Rules, state: State, action: Action) -> Reason | None:
    return why_no_bonus(rules, state)


def _nothing(rules: Rules, state: State, action: Action) -> Reason | None:
    return None


def _why_no_boom(rules: Rules, state: State, action: Action) -> Reason | None:
    named = {"place": action.where}
    if state.phase == Phase.BOOM_MOVE:
        if state.boom == action.place:
            return Reason("the boom marker is already in {place}; write stay", named)
        if not boom_targets(rules, state) >> action.place & 1:
            return Reason("{place} has no direct connection to {boom}", named | {"boom": boom_name(state)})
    return None


def boom_name(state: State) -> str | None:
    """The city of the boom marker."""
    return BOARD.locations[state.boom].name if state.boom >= 0 else None


def _why_no_tile(rules: Rules, state: State, action: Action) -> Reason | None:
    named = {"place": action.where, "size": action.size}
    if state.city_size[action.place]:
        return Reason("{place} already has its city tile", named)
    if not state.pool[action.size]:
        return Reason("no city tile of size {size} is left", named)
    return None


def _why_no_region_tile(rules: Rules, state: State, action: Action) -> Reason | None:
    named = {"place": action.where, "tile": BOARD.tiles[action.tile].id}
    if state.region_tile[action.place] >= 0:
        return Reason("{place} already has its region tile", named)
    if not state.region_pool >> action.tile & 1:
        return Reason("the region tile {tile} is not among those left to place", named)
    return None


def _why_no_scoring(rules: Rules, state: State, action: Action) -> Reason | None:
    if not waiting_regions(rules, state) >> action.place & 1:
        return Reason("{place} is not waiting to be scored", {"place": action.where})
    return None


_CHECKS = {
    Kind.START: _why_no_start,
    Kind.EXPAND: _why_no_expansion,
    Kind.AGAIN: _why_no_expansion,
    Kind.GROW: _why_no_growth,
    Kind.DOUBLE: _why_no_growth,
    Kind.CASH: _why_no_cash,
    Kind.DONE: _nothing,
    Kind.END: _nothing,
    Kind.EXPAND_FREE: _why_no_expansion,
    Kind.AGAIN_FREE: _why_no_expansion,
    Kind.FAR: _why_not_far,
    Kind.BOOM: _why_no_boom,
    Kind.STAY: _nothing,
    Kind.TILE: _why_no_tile,
    Kind.REGION: _why_no_region_tile,
    Kind.FAR_FREE: _why_not_far,
    Kind.SCORE: _why_no_scoring,
}
