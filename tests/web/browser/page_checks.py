"""What every page has to keep to: axe finds nothing serious, and it speaks one language."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from franchise.wording.language import language
from franchise.wording.locales.catalogues import read
from web.browser.guest import Guest
from web.browser.painting import painted

PHONE_SIZE = {"width": 390, "height": 844}
# Everything a page says: texts, labels, tooltips, placeholders; without what people or places are called.
SAID = """() => {
  const said = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.parentElement.closest("script, style, label[lang], kbd, .logo, .who")) continue;
    said.add(node.data.trim().replace(/\\s+/g, " "));
  }
  for (const part of document.querySelectorAll("*")) {
    for (const name of ["aria-label", "title", "placeholder"]) said.add((part.getAttribute(name) ?? "").trim());
  }
  return [...said].filter(text => text);
}"""


# The sky behind the pages: below it, axe cannot tell whether words stand out.
WITHOUT_SKY = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("body { background-image: none !important; } body::before { display: none !important; }");
  document.adoptedStyleSheets.push(sheet);
}"""


MEETING = """parts => {
  const shown = parts.filter(part => part.checkVisibility());
  const boxes = shown.map(part => part.getBoundingClientRect());
  return shown.flatMap((part, number) => shown.slice(number + 1).filter((other, more) => {
    const [a, b] = [boxes[number], boxes[number + 1 + more]];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  }).map(other => `${part.textContent.trim()} | ${other.textContent.trim()}`));
}"""  # parts that lie on each other
BEYOND = """parts => parts.filter((part) => part.checkVisibility()
  && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 3))
  .map((part) => `${part.className} ${part.textContent.trim()}`)"""  # words that leave their button, card or line


def complaints(guest: Guest) -> list[str]:
    """What axe finds serious or critical."""
    with painted(guest.page):  # it tells whether colours stand out from each other
        guest.page.evaluate(WITHOUT_SKY)
        found = Axe().run(guest.page).response["violations"]
        guest.page.evaluate("document.adoptedStyleSheets.pop()")
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']} {node['failureSummary']}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def expect_accessible(guest: Guest) -> None:
    found = complaints(guest)
    assert not found, "\n".join(found)


def english_only(code: str) -> set[str]:
    """Messages that read differently in the other language; none of them may be left on its pages."""
    texts = {entry.id: entry.string for entry in read(code) if isinstance(entry.id, str) and not entry.context}
    same = set(texts.values())
    return {
        message
        for message, said in texts.items()
        if said != message and message not in same and "{" not in message and len(message) > 2
    }


def plain(text: str) -> str:
    """With ordinary spaces: French has narrow ones before some signs."""
    return " ".join(text.split())


def expect_language(page: Page, code: str, *messages: str) -> None:
    """The page is in that language: it says so, has these messages in it, and no English ones."""
    expect(page.locator("html")).to_have_attribute("lang", code)
    words = language(code)
    said = {plain(text) for text in page.evaluate(SAID)}
    for message in messages:
        assert any(plain(words.text(message)) in text for text in said), f"{message!r} is missing in {code}"
    if code != "en":
        assert english_only(code) & said == set()
