"""Every clause of docs/rules.md has a test that cites it, and every citation names a clause."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
# A clause stands at the start of an item, or inside one after the end of a sentence.
CLAUSE = re.compile(r"(?:^- |(?<=\. ))(\d+)\.(\d+) (?=<a id|[*\w])", re.MULTILINE)


def clauses() -> set[str]:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    return {f"{section}.{number}" for section, number in CLAUSE.findall(text)}


def citations() -> dict[str, list[str]]:
    """The tests that cite a clause, by its number, read off the sources."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
                for argument in node.args:
                    found[str(ast.literal_eval(argument))].append(f"{path.name}:{node.lineno}")
    return found


def test_the_clauses_of_each_section_are_numbered_without_gaps() -> None:
    sections: dict[int, list[int]] = defaultdict(list)
    for clause in clauses():
        section, number = map(int, clause.split("."))
        sections[section].append(number)
    assert sorted(sections) == list(range(1, 10))
    for section, numbers in sections.items():
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), f"section {section}"


def test_clauses_inside_an_item_are_found_and_mere_mentions_are_not() -> None:
    text = "- 8.2 *Dollars*: not IP. 8.3 *Bonus*: see (3.3).\n- 9.4 Red (2.13 sends it) wins 6 IP. 9.5 Chicago, in 8.5."
    assert [".".join(found) for found in CLAUSE.findall(text)] == ["8.2", "8.3", "9.4", "9.5"]


def test_every_clause_has_a_test() -> None:
    missing = clauses() - set(citations())
    assert sorted(missing, key=lambda clause: [*map(int, clause.split("."))]) == []


def test_every_citation_names_a_clause_of_the_rules() -> None:
    known = clauses()
    assert {clause: where for clause, where in citations().items() if clause not in known} == {}
