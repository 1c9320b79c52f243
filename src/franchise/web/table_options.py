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
    Offer("champion", N_("Champion"), N_("looks as far ahead as it can in five seconds on all cores")),
)

SWITCHES = (
    Offer("introductory", N_("Introductory game"), N_("Starting towns are given: quick to learn.")),
    Offer("milestones", N_("Milestones"), N_("Goals on the way; each brings a bonus tile.")),
    Offer("boom", N_("Boom"), N_("The empty spaces of one city count double.")),
)
EXPERT = (
    Offer("", N_("Off"), N_("All tiles as printed.")),
    Offer("random", N_("Dealt"), N_("Tiles are dealt at random.")),
    Offer("draft", N_("Draft"), N_("Players place the tiles.")),
)
REGIONS = (
    Offer("", N_("Off"), N_("The ten printed tiles.")),
    Offer("mixed", N_("Mixed"), N_("Ten of all thirty tiles.")),
    Offer("new", N_("New"), N_("Ten of the twenty new tiles.")),
)
ORDERS = (
    Offer("", N_("Drawn"), N_("Drawn when all are here.")),
    Offer("1", N_("As shown"), N_("As they sit here.")),
)

CLOCKS = (
    Offer("none", N_("No clock"), N_("Take all the time you need.")),
    Offer("10+15", N_("10 minutes"), N_("10 min each, plus 15 s per turn.")),
    Offer("20+30", N_("20 minutes"), N_("20 min each, plus 30 s per turn.")),
    Offer("45+30", N_("45 minutes"), N_("45 min each, plus 30 s per turn.")),
    Offer("daily 24+3", N_("A day per turn"), N_("And three days of vacation.")),
    Offer("daily 72+7", N_("Three days per turn"), N_("And a week of vacation.")),
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
        return language.text("{count} h per turn", count=clock.hours)
    return language.text("no clock")
