"""The name of a browser, from its User-Agent header."""

import re

from franchise.wording.language import Language

# In this order: most browsers also call themselves by the names of others.
BROWSERS = {
    r"Edg(e|A|iOS)?/": "Edge",
    r"OPR/|Opera": "Opera",
    r"SamsungBrowser/": "Samsung Internet",
    r"Firefox/|FxiOS/": "Firefox",
    r"Chrome/|Chromium/|CriOS/": "Chrome",
    r"Safari/": "Safari",
}
SYSTEMS = {
    r"iPhone": "iPhone",
    r"iPad": "iPad",
    r"Android": "Android",
    r"Windows": "Windows",
    r"Mac OS X|Macintosh": "macOS",
    r"CrOS": "ChromeOS",
    r"Linux": "Linux",
}


def browser_name(agent: str, language: Language) -> str:
    """For example `Firefox on Linux`; unknown parts are not guessed."""
    browser, system = found(BROWSERS, agent), found(SYSTEMS, agent)
    if browser and system:
        return language.text("{browser} on {system}", browser=browser, system=system)
    return browser or system or language.text("unknown browser")


def found(names: dict[str, str], agent: str) -> str:
    return next((name for pattern, name in names.items() if re.search(pattern, agent)), "")
