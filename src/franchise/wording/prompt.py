"""What can be done now: a sentence, the places to tap on the map, and the buttons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from franchise.engine.actions import ON_REGIONS, TEXTS, Action
from franchise.engine.events import Event
from franchise.engine.layout import EventKind, Kind
from franchise.engine.rules import BONUS_DOLLARS, BONUS_INFLUENCE
from franchise.facts import BOARD
from franchise.game import Game
from franchise.insight.preview import Preview, previews, turn_end
from franchise.wording.ending import SCORING, Chip
from franchise.wording.language import N_, Language

E = EventKind

EXPANSIONS = (Kind.EXPAND, Kind.EXPAND_FREE, Kind.AGAIN, Kind.AGAIN_FREE, Kind.FAR, Kind.FAR_FREE)
SECOND = (Kind.AGAIN, Kind.AGAIN_FREE)
EIGHT = 8  # dollars: the price Milestones count
VERBS = {  # on the button that makes a move
    Kind.START: N_("Start here"),
    Kind.BOOM: N_("Move the boom"),
    Kind.GROW: N_("Grow"),
    Kind.DOUBLE: N_("Grow"),
    Kind.TILE: N_("Put it here"),
    Kind.REGION: N_("Put it here"),
    Kind.EXPAND: N_("Expand"),
    Kind.SCORE: N_("Score"),
}
SIT_DOWN = N_("Waiting for players")
UNDRAWN = {  # while waiting for the seats to be drawn
    "asked": N_("You are asked to play again"),
    "accepting": N_("Waiting for the others to accept"),
    "seating": SIT_DOWN,
}
PHASE_NUMBERS = {"boom": 1, "expand": 2, "grow": 3, "score": 5}
OPENING, REGIONS = 4, 5  # the phases at the end of a turn
NAMED = 2  # places that score and are named in a title; if there are more, one and the number of others

TILE_WORTH = {"bonus_dollars": BONUS_DOLLARS, "bonus_influence": BONUS_INFLUENCE}  # values of texts about bonus tiles


class Choice(NamedTuple):
    """One way to use a place: a move, or two that go together."""

    moves: str  # separated by semicolons
    text: str
    outlook: str
    kind: Kind
    title: str  # the place and what it costs
    verb: str  # on the button that does it
    price: str  # "" if such a move never costs anything
    cash: int  # afterwards
    supply: int  # if the turn ended right after it
    gains: tuple[int, ...]  # influence of each seat, if the turn ended right after it
    link: int | None = None  # price of the link
    note: tuple[Chip, ...] = ()  # what the end of the turn would bring, and to whom


class PlaceChoice(NamedTuple):
    """A place on the map that can be tapped."""

    name: str
    on_region: bool
    badge: str
    choices: tuple[Choice, ...]  # the cheapest first

    def label(self, language: Language) -> str:
        """The text for screen readers."""
        return f"{language.labelled(self.name, self.choices[0].text)}. {self.choices[0].outlook}"


@dataclass(frozen=True)
class Button:
    """A move without a place."""

    moves: str
    text: str
    outlook: tuple[str, ...]
    primary: bool
    key: str  # keyboard shortcut


@dataclass(frozen=True)
class Prompt:
    """What the player can do; without spots and buttons if it is somebody else's turn."""

    title: str
    text: str
    phase: int  # 1 to 5; 0 before the first turn and after the last
    spots: tuple[PlaceChoice, ...] = ()
    buttons: tuple[Button, ...] = ()


def prompt_of(
    game: Game,
    language: Language,
    *,
    live: bool,
    acts: bool,
    several: bool,
    is_bot: bool,
    free: bool,
    undrawn: str = "",
    ended: str = "",
    winners: Sequence[int] = (),
) -> Prompt:
    """What somebody who looks at a game can do, or who is being waited for; while they look back (not live), nothing.

    They act if it is their turn, with the name of the seat if they hold several. The seat to move may be a bot's, or
    free. `undrawn` is a key of UNDRAWN while the game has not begun; `ended` says why it was ended early.
    """
    text, name = language.text, language.player(game.current_player, game)
    phase = PHASE_NUMBERS.get(game.phase, 0)
    if live and ended:
        return Prompt(text("The game was ended"), ended, 0)
    if live and undrawn:
        return Prompt(text(UNDRAWN[undrawn]), text("The seats are drawn when everybody is here."), 0)
    if game.over:
        return Prompt(verdict(game, language, winners), "", 0)
    if acts:
        return acting(game, name if several else None, language)
    if live and free:
        return Prompt(text(SIT_DOWN), "", 0)
    if live and is_bot:
        return Prompt(text("{player} is thinking…", player=name), "", phase)
    return Prompt(text("It is {player}’s turn", player=name), "", phase)


def played(player: str, events: Iterable[Event], language: Language) -> str:
    """Who plays, and what has just scored."""
    scored = [event.where or "" for event in events if event.kind in (E.MAJORITY, E.FULL, E.REGION)]
    places = list(dict.fromkeys(scored))
    if not places:
        return language.text("{player} plays", player=player)
    if len(places) > NAMED:
        places = [places[0], language.plural("{count} more", "{count} more", len(places) - 1)]
    return language.plural(
        "{player} plays: {places} scores",
        "{player} plays: {places} score",
        len(places),
        player=player,
        places=language.listed(places),
    )


def phase_of(phase: str, events: Sequence[Event]) -> int:
    """The number of the phase that a move belongs to, which was made in this phase of the game and did this."""
    kinds = {event.kind for event in events}
    if E.REGION in kinds:
        return REGIONS
    return OPENING if kinds & {E.OPEN, E.MAJORITY, E.FULL} else PHASE_NUMBERS.get(phase, 0)


def verdict(game: Game, language: Language, winners: Sequence[int] = ()) -> str:
    """Who has won: the winners by the rules, unless the table decided otherwise."""
    scores, won = game.scores_and_winners()
    winners = winners or won
    names = [language.player(seat, game) for seat in winners]
    if len(names) > 1:
        return language.text("{names} share the victory", names=", ".join(names))
    score = scores[winners[0]]
    return language.text("{player} wins with {score} influence", player=names[0], score=score)


def acting(game: Game, name: str | None, language: Language) -> Prompt:
    """The prompt for the player to move; with the name if several play at one screen."""
    text = language.text
    kinds = {action.kind for action in game.legal_actions()}
    title = text("{player}, it is your turn", player=name) if name else text("It is your turn")
    phase = PHASE_NUMBERS.get(game.phase, 0)
    spots = spots_of(game, language)
    if game.phase == "draft":
        help_ = text("Choose a city, then its tile.") if Kind.TILE in kinds else text("Choose a region, then its tile.")
        return Prompt(title, help_, phase, spots)
    if game.phase == "start":
        return Prompt(title, text("Choose the town where your chain begins."), phase, spots)
    if game.phase == "boom":
        if Kind.STAY not in kinds:
            return Prompt(title, text("Choose the city where the boom begins."), phase, spots)
        stay = Button("stay", text("Leave the boom marker"), (), True, "d")
        return Prompt(title, text("Move the boom marker to a connected city, or leave it."), phase, spots, (stay,))
    if game.phase == "score":
        help_ = text("Choose the region that is scored next: it changes what a region tile that counts the track pays.")
        return Prompt(title, help_, phase, spots)
    buttons = tuple(buttons_of(game, kinds, language))
    if game.phase == "expand":
        expanded = has_expanded(game)
        if not expanded and spots:
            help_ = text("Expand to a marked place for the price of its link, or go on without expanding.")
        elif not expanded:
            help_ = text("You cannot expand now: no place you are linked to is both free and affordable.")
            spots = grow_ahead(game, language)
        elif second_left(kinds):
            spots = (*spots, *grow_ahead(game, language))
            help_ = text("You have expanded. A bonus tile would let you expand a second time.")
        else:
            spots = grow_ahead(game, language)
            help_ = (
                text("You have expanded. Now increase your market share, or end your turn.")
                if spots
                else text("There is nothing more to increase: end your turn.")
            )
        return Prompt(title, help_, phase, spots, buttons)
    help_ = (
        text("Increase your market share for $1 in any marked city, once in each, or end your turn.")
        if spots
        else text("There is nothing more to increase: end your turn.")
    )
    return Prompt(title, help_, phase, spots, buttons)


def has_expanded(game: Game) -> bool:
    """Whether an expansion marker lies on the board."""
    return bool(game.state["marker"][0, 0] >= 0)


def second_left(kinds: Iterable[Kind]) -> bool:
    return any(kind in SECOND for kind in kinds)


def spots_of(game: Game, language: Language, first: str = "") -> tuple[PlaceChoice, ...]:
    """The legal moves by place, in the order of the board."""
    by_place: dict[tuple[bool, int], list[tuple[int, Choice, str]]] = {}
    legal = game.legal_actions()
    dominated = dominated_links(game, legal)
    for action, seen in zip(legal, previews(game), strict=True):
        if action.place < 0 or action in dominated:
            continue
        what = choice_of(action, seen, game, language, first)
        by_place.setdefault((action.kind in ON_REGIONS, action.place), []).append(
            (order(action, seen), what, badge(action, seen, language))
        )
    spots = []
    for (on_region, place), ways in sorted(by_place.items()):
        ways.sort(key=lambda way: way[0])
        name = (BOARD.regions if on_region else BOARD.locations)[place].name
        spots.append(PlaceChoice(name, on_region, ways[0][2], tuple(choice for _, choice, _ in ways)))
    return tuple(spots)


def dominated_links(game: Game, legal: Iterable[Action]) -> set[Action]:
    """Expansions with the same effect as a cheaper one, which are not offered.

    A dearer link matters only if Milestones count $8 links; a free one only if the road tile saves money.
    """
    counts_eights = "g" in (game.setup.milestones or ())
    best: dict[tuple[int, bool, bool], Action] = {}
    dominated: set[Action] = set()
    for action in legal:
        if action.kind not in EXPANSIONS:
            continue
        free = action.free or action.kind in (Kind.EXPAND_FREE, Kind.AGAIN_FREE)
        same = (action.place, action.kind in SECOND, free)
        if counts_eights and action.price == EIGHT:
            continue
        other = best.setdefault(same, action)
        if other is not action:
            # without the road tile the cheapest is best; with it, all cost nothing
            worse, best[same] = (action, other) if free or action.price >= other.price else (other, action)
            dominated.add(worse)
    for (place, second, free), action in best.items():
        paid = best.get((place, second, False))
        if free and action.kind != Kind.FAR and paid is not None and paid.price == 0:
            dominated.add(action)  # the road tile would save nothing
    return dominated


def choice_of(action: Action, seen: Preview, game: Game, language: Language, first: str) -> Choice:
    """A move as something to choose."""
    text = language.text
    paid = seen.cash_before - seen.cash_after
    price = language.money(paid) if action.kind in EXPANSIONS or action.kind == Kind.GROW else ""
    name = action.where
    return Choice(
        f"{first}{TEXTS[action.id]}",
        describe(action, language),
        boomed(seen, language) if action.kind == Kind.BOOM else tell(seen, game, language, source_of(action, game)),
        action.kind,
        text("{place} for {price}", place=name, price=price) if price else titled(action, language),
        text(VERBS.get(action.kind, "Expand")),
        price,
        seen.cash_after,
        seen.supply_after,
        seen.scores,
        action.price if action.kind in EXPANSIONS and action.kind != Kind.FAR else None,
        tuple(brought(seen.turn_end, game, language)),
    )


def titled(action: Action, language: Language) -> str:
    """A move that costs nothing, as a title."""
    if action.kind in (Kind.TILE, Kind.REGION):  # of several tiles for the place, it says which
        return language.labelled(action.where, describe(action, language))
    return language.text("Boom to {place}", place=action.where) if action.kind == Kind.BOOM else action.where


def source_of(action: Action, game: Game) -> str:
    """The place of one's own that an expansion starts from; "" if it takes more than one link."""
    if action.kind not in EXPANSIONS or action.kind in (Kind.FAR, Kind.FAR_FREE):
        return ""
    held = int(game.state["held"][0, game.current_player])
    own = (source for source in sources(action.place, action.price) if held >> source & 1)
    return next((BOARD.locations[source].name for source in own), "")


@cache
def sources(place: int, price: int) -> tuple[int, ...]:
    """The places that links of a price lead to a place from."""
    links = (link.ends for link in BOARD.links if link.price == price and place in link.ends)
    return tuple(first if second == place else second for first, second in links)


def grow_ahead(game: Game, language: Language) -> tuple[PlaceChoice, ...]:
    """Growth that can be tapped while still in phase 2: the move to phase 3 is made first."""
    later = game.copy()
    later.play("done")
    return spots_of(later, language, first="done; ")


def order(action: Action, seen: Preview) -> int:
    """The cheapest first; choices that cost something other than money last."""
    return -seen.cash_after * 4 + (action.kind in SECOND) * 2 + (action.free or action.kind == Kind.FAR)


def describe(action: Action, language: Language) -> str:
    """A move as an offer."""
    text = language.text
    if action.kind == Kind.START:
        return text("begin here")
    if action.kind == Kind.GROW:
        return text("increase market share for $1")
    if action.kind == Kind.DOUBLE:
        return text("double market share with a bonus tile")
    if action.kind == Kind.BOOM:
        return text("put the boom marker here")
    if action.kind == Kind.TILE:
        return text("city tile of {size}", size=action.size)
    if action.kind == Kind.REGION:
        tile = BOARD.tiles[action.tile]
        return text("region tile {tile} ({values})", tile=tile.id, values="/".join(map(str, tile.values)))
    if action.kind == Kind.FAR:
        return text("expand with the expansion tile")
    if action.kind == Kind.FAR_FREE:
        return text("expand with the expansion tile, one link free with the road tile")
    if action.kind == Kind.SCORE:
        return text("score this region next")
    price = language.money(action.price)
    if action.kind == Kind.EXPAND_FREE:
        return text("expand over a {price} link, free with the road tile", price=price)
    if action.kind == Kind.AGAIN:
        return text("expand a second time over a {price} link, with a bonus tile", price=price)
    if action.kind == Kind.AGAIN_FREE:
        return text("expand a second time over a {price} link, with a bonus tile and the road tile", price=price)
    return text("expand over a {price} link", price=price)


def badge(action: Action, seen: Preview, language: Language) -> str:
    """The few letters beside a glowing place."""
    if action.kind in (Kind.GROW, Kind.DOUBLE):
        return "★+1" if action.kind == Kind.DOUBLE else "+1"
    if action.kind in EXPANSIONS:
        return ("★" if action.kind in SECOND else "") + language.money(seen.cash_before - seen.cash_after)
    return ""


def tell(seen: Preview, game: Game, language: Language, source: str = "") -> str:
    """What a move would do, in a line."""
    text = language.text
    parts = [text("from {place}", place=source)] if source else []
    effects = ahead(seen.turn_end, game, language)
    parts += effects  # first what the cards do not show
    if game.turn:
        parts.append(text("leaves you {cash}", cash=language.money(seen.cash_after)))
        if seen.income_after == seen.income_before and not effects:
            parts.append(text("income stays {income}", income=language.money(seen.income_after)))
        elif seen.income_after != seen.income_before:
            parts.append(
                text(
                    "next income {before} → {after}",
                    before=language.money(seen.income_before),
                    after=language.money(seen.income_after),
                )
            )
    return " · ".join(parts)


def boomed(seen: Preview, language: Language) -> str:
    """What the boom marker would do for one's income."""
    before, after = language.money(seen.income_before), language.money(seen.income_after)
    if before == after:
        return language.text("its empty spaces count double; your income stays {income}", income=after)
    return language.text(
        "its empty spaces count double: your income is {after} instead of {before}", after=after, before=before
    )


def brought(events: Iterable[Event], game: Game, language: Language) -> Iterable[Chip]:
    """Who would gain how much where, and what else ends with the turn."""
    shares: dict[str, dict[int, int]] = {}  # by place and seat
    others = []
    for event in events:
        if event.kind in SCORING:
            here = shares.setdefault(event.where or "", {})
            here[event.seat] = here.get(event.seat, 0) + event.amount
        elif event.kind == E.REGION:
            shares.setdefault(event.where or "", {})
        elif event.kind == E.MILESTONE:
            others.append(Chip(language.text("reaches a milestone")))
        elif event.kind == E.RED_ZONE:
            others.append(Chip(language.text("ends the game")))
    for place, gains in shares.items():
        scored = [(seat, amount) for seat, amount in gains.items() if amount]
        if not scored:
            yield Chip(language.text("completes {place}", place=place))
        for number, (seat, amount) in enumerate(scored):
            yield Chip("" if number else place, f"{amount:+d}".replace("-", "−"), game.colours[seat])
    yield from others


def ahead(events: Iterable[Event], game: Game, language: Language) -> list[str]:
    """The important effects of ending the turn."""
    text = language.text
    parts = []
    for event in events:
        if event.kind in (E.MAJORITY, E.FULL):
            own = event.seat == game.current_player
            message = (
                text("scores {place}: {amount}", place=event.where, amount=event.amount)
                if own
                else text(
                    "scores {place}: {amount} for {player}",
                    place=event.where,
                    amount=event.amount,
                    player=language.player(event.seat, game),
                )
            )
            parts.append(message)
        elif event.kind == E.REGION:
            parts.append(text("completes {place}", place=event.where))
        elif event.kind == E.MILESTONE:
            parts.append(text("reaches a milestone"))
        elif event.kind == E.RED_ZONE:
            parts.append(text("ends the game"))
    return parts


def buttons_of(game: Game, kinds: set[Kind], language: Language) -> Iterable[Button]:
    """The moves without a place in phases 2 and 3; a bonus tile comes last, so the others keep their numbers."""
    text = language.text
    ending = tuple(language.sentence(event, game) for event in turn_end(game) if event.kind not in (E.TURN, E.INCOME))
    if not ending:
        ending = (text("No franchise is opened and nothing is scored."),)
    if Kind.DONE in kinds:
        expanded = has_expanded(game)
        possible = any(kind in EXPANSIONS for kind in kinds)
        if possible and not expanded:  # otherwise growth is offered already
            yield Button("done", text("On to market share"), (), False, "d")
        yield Button("done; end", text("End turn"), ending, expanded or not possible, "e")
    else:
        yield Button("end", text("End turn"), ending, True, "e")
    if Kind.CASH in kinds:
        yield Button("cash", text("Bonus tile for ${amount}", amount=BONUS_DOLLARS), (), False, "c")
