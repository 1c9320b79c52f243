"""The options of a new table with a sentence each: modules, seats, clocks; and their short form for lists."""

from dataclasses import dataclass

from franchise.engine.setups import PLAYERS, Options
from franchise.server.tables.table import Clock
from franchise.wording.language import N_, Language

__all__ = ["CLOCKS", "EXPERT", "LEVELS", "ORDERS", "PLAYERS", "REGIONS", "SWITCHES", "TIME_OUTS", "Offer"]


@dataclass(frozen=True)
class Offer:
    """An option: the value that a form sends, its name, and its explanation."""

    value: str
    name: str
    text: str


LEVELS = (
    Offer("newcomer", N_("Newcomer"), N_("plausible moves, easy to beat")),
    Offer("casual", N_("Casual"), N_("the best turn at first sight")),
    Offer("regular", N_("Regular"), N_("looks a few turns ahead")),
    Offer("expert", N_("Expert"), N_("looks far ahead, up to two seconds")),
    Offer("champion", N_("Champion"), N_("looks as far ahead as five seconds on all cores allow")),
)

SWITCHES = (
    Offer("introductory", N_("Introductory game"), N_("The starting towns are given: the quickest way to learn.")),
    Offer("milestones", N_("Milestones"), N_("Goals along the way: reach one to take a bonus tile.")),
    Offer("boom", N_("Boom"), N_("The empty spaces of one city count double for income.")),
)
EXPERT = (
    Offer("", N_("Off"), N_("Every city and region has the tile printed for it.")),
    Offer("random", N_("Dealt"), N_("City and region tiles are dealt at random.")),
    Offer("draft", N_("Draft"), N_("Players place the city and region tiles themselves, in turn.")),
)
REGIONS = (
    Offer("", N_("Off"), N_("The ten region tiles of the basic game.")),
    Offer("mixed", N_("Mixed"), N_("Ten of thirty tiles, printed and new, drawn at random.")),
    Offer("new", N_("New"), N_("Ten of the twenty new tiles: some pay dollars, or bring a special tile.")),
)
ORDERS = (
    Offer("", N_("Drawn"), N_("Seats, and so who begins, are drawn when everybody is here.")),
    Offer("1", N_("As shown"), N_("Everybody sits where they sit here.")),
)

CLOCKS = (
    Offer("none", N_("No clock"), N_("Everybody takes the time they need.")),
    Offer("10+15", N_("10 minutes each"), N_("10 minutes for the game and 15 seconds for every turn.")),
    Offer("20+30", N_("20 minutes each"), N_("20 minutes for the game and 30 seconds for every turn.")),
    Offer("45+30", N_("45 minutes each"), N_("45 minutes for the game and 30 seconds for every turn.")),
    Offer("daily 24+3", N_("A day for each turn"), N_("And three days of vacation for turns that take longer.")),
    Offer("daily 72+7", N_("Three days for each turn"), N_("And a week of vacation for turns that take longer.")),
)
TIME_OUTS = (
    Offer("bot", N_("A bot plays on"), N_("Until the person is back; the seat stays theirs.")),
    Offer("remind", N_("A reminder"), N_("The turn stays theirs for as long as it takes.")),
    Offer("end", N_("The game ends"), N_("For everybody, at once; whoever ran out of time has lost.")),
)


def chosen_options(options: Options, language: Language) -> list[str]:
    """The options of a table in a few words each; nothing for the basic game."""
    named = [language.text(offer.name) for offer in SWITCHES if getattr(options, offer.value)]
    if options.expert:
        named.append(language.text("Expert set-up"))
    if options.regions:
        named.append(language.text("New Regions"))
    return named


def chosen_clock(clock: Clock, language: Language) -> str:
    """A clock in a few words."""
    if clock.kind == "live":
        return language.text("{minutes} min + {seconds} s", minutes=clock.minutes, seconds=clock.increment)
    if clock.kind == "daily":
        return language.text("{count} h a turn", count=clock.hours)
    return language.text("no clock")
