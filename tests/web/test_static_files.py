"""Static files: kept for ever under addresses that change, compressed once, and nothing outside their folder."""

import gzip
import re

import httpx

from franchise.web.static_files import FOLDER, imported, static, static_file, version
from web.test_pages import open_table

PLAIN = {"Accept-Encoding": "identity"}


def test_a_browser_keeps_what_it_loads_under_the_address_on_a_page(client: httpx.Client) -> None:
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").text)
    assert static("base.css") in addresses
    for address in addresses:
        assert "immutable" in client.get(address).headers["cache-control"], address


def test_a_page_of_another_version_gets_its_files_but_does_not_keep_them(client: httpx.Client) -> None:
    for address in ("/static/0123456789/page.js", "/static/page.js"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
        assert answer.content == static_file("page.js").content


def test_a_file_is_sent_compressed_to_those_who_take_it(client: httpx.Client) -> None:
    address, file = static("table.css"), FOLDER / "table.css"
    compressed, plain = client.get(address), client.get(address, headers=PLAIN)
    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.headers["content-type"] == "text/css; charset=utf-8"
    assert int(compressed.headers["content-length"]) < file.stat().st_size / 4
    assert compressed.content == plain.content == file.read_bytes()
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in client.get(address, headers={"Accept-Encoding": "gzip;q=0"}).headers
    assert gzip.decompress(static_file("table.css").compressed) == file.read_bytes()
    font = client.get(static("vendor/righteous.woff2"))  # compressed already
    assert (font.headers["content-type"], "content-encoding" in font.headers) == ("font/woff2", False)


def test_what_a_browser_has_already_is_not_sent_again(client: httpx.Client) -> None:
    for address in ("/static/page.js", "/board.css", "/roadside/day.svg"):
        first = client.get(address)
        again = client.get(address, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_nothing_outside_the_folder_is_served(client: httpx.Client) -> None:
    for path in (
        "../app.py",
        "%2e%2e/app.py",
        f"{version()}/../../app.py",
        f"{version()}/",
        "",
        "vendor",
        "//etc/passwd",
    ):
        assert client.get(f"/static/{path}").status_code == 404, path


def test_a_table_loads_all_its_scripts_at_once(client: httpx.Client) -> None:
    page = client.get(open_table(client, "me", "me")).text
    preloaded = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
    assert preloaded == [static(name) for name in imported("table.js")]
    written = {name for path in FOLDER.glob("*.js") for name in re.findall(r'from "\./([^"]+)"', path.read_text())}
    assert written <= {*imported("table.js"), "table.js"}, "a script imports what no page loads in advance"
