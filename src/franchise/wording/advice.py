"""A hint in words: the steps of the turn, and one sentence about their effects. Every clause is a fact of the game."""

from collections.abc import Sequence
from dataclasses import dataclass

from franchise.engine.actions import Action
from franchise.engine.layout import Kind
from franchise.engine.rules import BONUS_DOLLARS
from franchise.game import Game
from franchise.insight.hint import Hint
from franchise.insight.turn_effects import Effect, EffectKind
from franchise.wording.language import Language
from franchise.wording.prompt import Prompt, describe

GAINS = 2  # reasons given


@dataclass(frozen=True)
class Advice:
    """A hint as it is shown."""

    moves: str  # the first step, as the prompt offers it
    place: str  # where it is on the map; "" for a button
    steps: tuple[str, ...]
    why: str


def advice_of(hint: Hint, prompt: Prompt, language: Language) -> Advice:
    """The hint for the player who asked."""
    moves, place = offer(hint.turn, prompt)
    return Advice(moves, place, tuple(steps(hint.turn, language)), why(hint, language))


def offer(turn: Sequence[Action], prompt: Prompt) -> tuple[str, str]:
    """The choice in the prompt that covers most of the turn's first moves, and its place."""
    offers = [(choice.moves, spot.name) for spot in prompt.spots for choice in spot.choices]
    offers += [(button.moves, "") for button in prompt.buttons]
    texts = [str(action) for action in turn]
    fitting = [offer for offer in offers if (parts := offer[0].split("; ")) == texts[: len(parts)]]
    if not fitting and turn[0].place >= 0:  # over a link that is not offered, because a cheaper one leads there
        fitting = [offer for offer in offers if offer[1] and offer[1] == turn[0].where][:1]
    return max(fitting, key=lambda offer: offer[0].count(";"), default=(texts[0], ""))


def steps(turn: Sequence[Action], language: Language) -> list[str]:
    """Each move of a turn in words, without moves that only lead to the next phase if more follow."""
    return [step(action, language) for action in turn if action.kind not in (Kind.DONE, Kind.STAY) or len(turn) == 1]


def step(action: Action, language: Language) -> str:
    """A move in words."""
    text = language.text
    if action.kind == Kind.END:
        return text("End turn")
    if action.kind == Kind.DONE:
        return text("On to market share")
    if action.kind == Kind.CASH:
        return text("Bonus tile for ${amount}", amount=BONUS_DOLLARS)
    if action.kind == Kind.STAY:
        return text("Leave the boom marker")
    return language.labelled(action.where, describe(action, language))


def worded_line(game: Game, line: Sequence[Action | str], language: Language) -> list[tuple[int, list[str]]]:
    """How a game might continue: the seats that move, each with the moves of its turn in words."""
    walk, turns = game.copy(), []
    while line and not walk.over:
        number, seat = walk.turn, walk.current_player
        turn: list[Action] = []
        while len(turn) < len(line) and not walk.over and (walk.turn, walk.current_player) == (number, seat):
            turn.append(walk.action(line[len(turn)]))
            walk.play(turn[-1])
        turns.append((seat, steps(turn, language)))
        line = line[len(turn) :]
    return turns


def why(hint: Hint, language: Language) -> str:
    """One sentence: the most important facts, and what the turn costs."""
    gains = weightiest(hint.effects) or [effect for effect in hint.effects if effect.kind == EffectKind.SAVED]
    costs = [effect for effect in hint.effects if effect.kind == EffectKind.COST]
    clauses = [clause(effect, language) for effect in gains]
    if not clauses:
        return language.text("Of the turns it tried, this one looked best to the bot.")
    sentence = (
        language.text("{first}, and {second}", first=clauses[0], second=clauses[1]) if len(clauses) > 1 else clauses[0]
    )
    if costs:
        sentence = language.text("{gains}; but {cost}", gains=sentence, cost=clause(costs[0], language))
    return sentence[:1].upper() + sentence[1:] + "."


def weightiest(effects: Sequence[Effect]) -> list[Effect]:
    """The first facts, without repeating the same one for two places."""
    kinds = {EffectKind.RACE: EffectKind.LEAD}
    first: dict[EffectKind, Effect] = {}
    for effect in effects:
        if effect.kind not in (EffectKind.COST, EffectKind.SAVED):
            first.setdefault(kinds.get(effect.kind, effect.kind), effect)
    return list(first.values())[:GAINS]


def clause(effect: Effect, language: Language) -> str:
    """A fact as a main clause without its full stop."""
    text, plural, money = language.text, language.plural, language.money
    place, amount, before = effect.place, effect.amount, effect.before
    match effect.kind:
        case EffectKind.WIN:
            return text("the game ends and you win")
        case EffectKind.REGION:
            return plural(
                "you complete {place}, which brings you {count} influence",
                "you complete {place}, which brings you {count} influence",
                amount, place=place,
            )  # fmt: skip
        case EffectKind.CITY:
            return plural(
                "you score {place} for {count} influence",
                "you score {place} for {count} influence",
                amount, place=place,
            )  # fmt: skip
        case EffectKind.MILESTONE:
            return text("you reach a milestone")
        case EffectKind.PAID:
            return text("you take {after} of income now instead of {before}", after=money(amount), before=money(before))
        case EffectKind.LEAD:
            return text("you then have the most franchises in the region {place}", place=place)
        case EffectKind.RACE:
            return text("you then have the most franchises in {place}", place=place)
        case EffectKind.INCOME:
            return text("your next income rises from {before} to {after}", before=money(before), after=money(amount))
        case EffectKind.COST:
            return text("your next income falls from {before} to {after}", before=money(before), after=money(amount))
        case EffectKind.REACH:
            return plural("{count} more place comes within reach", "{count} more places come within reach", amount)
        case EffectKind.SPACES:
            return plural(
                "{count} more empty space counts for your income",
                "{count} more empty spaces count for your income",
                amount,
            )
        case EffectKind.TOWN:
            return text("the town {place} will count 1 influence at the end", place=place)
        case EffectKind.START:
            return plural(
                "{count} place is linked with {place}, for {price}",
                "{count} places are linked with {place}, the cheapest for {price}",
                amount, place=place, price=money(before),
            )  # fmt: skip
        case EffectKind.SAVED:
            return text("you keep {cash} for later turns", cash=money(amount))
