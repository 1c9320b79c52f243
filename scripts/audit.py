"""Looks the pinned requirements up in the database of known weaknesses at osv.dev: `make audit`.

Ends with 0 where none is known, 1 where one is, and 2 where the database could not be asked.
"""

import json
import re
import sys
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

SERVICE = "https://api.osv.dev/v1/querybatch"
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*])?==([^ ;\\]+)")
SECONDS = 30


def pins(text: str) -> list[tuple[str, str]]:
    """The packages and versions of a requirements file."""
    found = (PIN.match(line.strip()) for line in text.splitlines())
    return [(match[1], match[2]) for match in found if match]


def ask(packages: list[tuple[str, str]]) -> list[list[str]]:
    """The names of what is known about each package; URLError where nobody answers."""
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in packages]
    request = Request(SERVICE, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=SECONDS) as answer:
        results = json.load(answer)["results"]
    return [[weakness["id"] for weakness in result.get("vulns", [])] for result in results]


def main(*files: str) -> int:
    packages = sorted({pin for file in files for pin in pins(Path(file).read_text(encoding="utf-8"))})
    try:
        known = ask(packages)
    except (URLError, OSError, ValueError, KeyError) as error:
        print(f"NOT CHECKED: {len(packages)} pinned packages, but {SERVICE} cannot be asked from here ({error}).")
        return 2
    weak = [(package, ids) for package, ids in zip(packages, known, strict=True) if ids]
    for (name, version), ids in weak:
        print(f"{name} {version}: {', '.join(ids)}")
    print(f"{len(packages)} pinned packages, {len(weak)} with known weaknesses.")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or ["requirements.txt", "requirements-dev.txt"])))
