"""Pages that are laid out, but not painted: no test looks at pixels, and they are a third of what a browser costs here.

Everything else is as people have it: boxes, styles, focus, what is hit by a pointer, animations. Only the page as a
whole is transparent, and Chromium then neither rasters nor composes it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page

# `will-change` keeps the areas that the compositor needs to tell a scroll or a pinch from what the map handles itself.
UNPAINTED = """
window.unpainted = new CSSStyleSheet();
unpainted.replaceSync("html { opacity: 0 !important; will-change: opacity !important; }");
document.adoptedStyleSheets = [unpainted];
"""


def is_watched(config: pytest.Config) -> bool:
    """Whether somebody wants to look: with pytest --headed, --screenshot, --video or --tracing."""
    return config.getoption("--headed") or any(
        config.getoption(option) != "off" for option in ("--screenshot", "--video", "--tracing")
    )


@contextmanager
def painted(page: Page) -> Iterator[None]:
    """For as long as this lasts, the page is as opaque as it is for people."""
    page.evaluate("if (window.unpainted) unpainted.disabled = true")
    yield
    page.evaluate("if (window.unpainted) unpainted.disabled = false")
