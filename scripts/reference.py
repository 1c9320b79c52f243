"""Writes the reference pages of docs/ from the source: `make reference`.

Commands come from typer, the HTTP API from its OpenAPI description, settings from their class, the Python API from
signatures and docstrings.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

import franchise
from franchise.cli import SECTIONS, app
from franchise.server.app import create_app
from franchise.server.http.api_reference import endpoints, shapes
from franchise.server.settings import Settings

DOCS = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Made by scripts/reference.py: change the source, then run make reference. -->\n"
PLACES = {"database": "a file in the user's data folder"}  # defaults that depend on the machine
OTHERS = {"FRANCHISE_CACHE_DIR": ("the user's cache folder", "folder for compiled kernels")}


def cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def rows(*head: str) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"


def line(*cells: object) -> str:
    return f"| {' | '.join(map(cell, cells))} |"


def commands_page() -> str:
    """Every command with its arguments and options."""
    group: Any = typer.main.get_command(app)
    out = [
        "# Command reference\n",
        NOTE,
        "Every command prints its own help: `franchise COMMAND -h`. Exit codes: 0 for success, 2 for a wrong argument,",
        "1 for anything else that failed, 130 after Ctrl-C. SIGTERM stops `serve` and `worker` with 0.",
        "`franchise` without a command runs `franchise serve`.\n",
    ]
    for title, names in SECTIONS.items():
        out.append(f"## {title}\n")
        for name in names:
            out += command_part(f"franchise {name}", group.commands[name])
    return "\n".join(out).rstrip() + "\n"


def command_part(path: str, command: Any) -> Iterator[str]:
    yield f"### {path}\n"
    yield f"{inspect.cleandoc(command.help or '')}\n"
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from command_part(f"{path} {name}", inner)
        return
    described = [parameter for parameter in command.params if parameter.name != "help"]
    if described:
        yield from rows("argument or option", "default", "meaning")
        for parameter in described:
            option = parameter.param_type_name == "option"
            written = (
                ", ".join(f"`{name}`" for name in parameter.opts) if option else f"`{parameter.human_readable_name}`"
            )
            yield line(written, default_of(parameter), parameter.help or "")
        yield ""


def default_of(parameter: Any) -> str:
    value = parameter.default
    if parameter.required:
        return "required"
    return "" if value is False or value in (None, "", ()) or callable(value) else f"`{value}`"


def http_page() -> str:
    """The API, from its OpenAPI description."""
    described = create_app(Settings(database="sqlite:///reference.db")).openapi()
    names = {shape.name for shape in shapes(described)}

    def linked(kind: str) -> str:
        return " ".join(f"[{word}](#{word.lower()})" if word in names else word for word in kind.split())

    out = [
        "# HTTP API reference\n",
        NOTE,
        "A running server shows this page at `/api/docs`, and the description it is made from at `/openapi.json`.",
        "[The server](server.md) explains tables, versions, tokens and events.\n",
        *rows("request", "what it does"),
    ]
    found = endpoints(described)
    out += [line(f"`{each.method} {each.path}`", each.title) for each in found]
    out.append("\n## Requests\n")
    for each in found:
        out.append(f"### {each.method} {each.path}\n")
        said = (f"{each.title}.", " ".join(each.text.split()), "Takes a token." if each.token else "")
        out.append(" ".join(filter(None, said)) + "\n")
        if each.parameters:
            out += rows("parameter", "in", "type", "meaning")
            out += [line(f"`{f.name}`", f.where, f.kind, f.text) for f in each.parameters]
            out.append("")
        if each.body:
            out.append(f"Body: {linked(each.body)}\n")
        out += rows("status", "answer", "meaning")
        out += [line(answer.status, linked(answer.kind), answer.text) for answer in each.answers]
        out.append("")
    out.append("## Objects\n")
    for shape in shapes(described):
        out.append(f"### {shape.name}\n")
        if shape.text:
            out.append(f"{shape.text}\n")
        out += rows("field", "type", "required", "meaning")
        out += [line(f"`{f.name}`", linked(f.kind), "yes" if f.required else "", f.text) for f in shape.fields]
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def settings_page() -> str:
    """Every environment variable."""
    out = [
        "# Settings reference\n",
        NOTE,
        "Servers, workers and `franchise db` read these environment variables. They do not start with an invalid",
        "value, or with an unknown variable that begins with `FRANCHISE_`, because a misspelled one could otherwise go",
        "unnoticed; a one-line error names the variable.\n",
        *rows("setting", "default", "meaning"),
    ]
    texts = attribute_texts(Settings)
    for name, field in Settings.model_fields.items():
        default = PLACES.get(name) or shown(field.default)
        out.append(line(f"`FRANCHISE_{name.upper()}`", default, texts[name]))
    out += [line(f"`{name}`", *about) for name, about in OTHERS.items()]
    return "\n".join(out) + "\n"


def shown(value: object) -> str:
    if value is None:
        return ""
    return f"`{value:g}`" if isinstance(value, float) else f"`{str(value).lower()}`"


def attribute_texts(kind: type) -> dict[str, str]:
    """The texts below the attributes of a class."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    pairs = zip(body.body, body.body[1:], strict=False)
    return {
        field.target.id: str(text.value.value)
        for field, text in pairs
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


def python_page() -> str:
    """The public names, with their signatures and docstrings."""
    out = [
        "# Python API reference\n",
        NOTE,
        "What `import franchise` offers. These names are stable: they change meaning only with a new major version.\n",
    ]
    for name in franchise.__all__:
        thing = getattr(franchise, name)
        if name == "__version__":
            out += ["## franchise.\\_\\_version\\_\\_\n", "The version of the package, as text.\n"]
        elif inspect.ismodule(thing):
            out += module_part(name, thing)
        else:
            out += class_part(f"franchise.{name}", thing)
    return re.sub(r"RULES (\d[\d., and-]*\d)", linked_clauses, "\n".join(out).rstrip()) + "\n"


def linked_clauses(cited: re.Match[str]) -> str:
    """Clauses that a docstring cites, each with a link to it."""
    return "rules " + re.sub(r"\d+\.\d+", r"[\g<0>](rules.md#\g<0>)", cited[1])


def module_part(name: str, module: Any) -> Iterator[str]:
    yield f"## franchise.{name}\n"
    yield f"{inspect.getdoc(module)}\n"
    for each in module.__all__:
        thing = getattr(module, each)
        if inspect.isclass(thing):
            yield from class_part(f"franchise.{name}.{each}", thing, "###")
        else:
            yield from function_part(f"franchise.{name}.{each}", thing, "###")


def class_part(path: str, kind: type, level: str = "##") -> Iterator[str]:
    yield f"{level} {path}\n"
    if not issubclass(kind, Exception) and not getattr(kind, "_is_protocol", False):
        yield from code(f"{path.rpartition('.')[2]}{signature(kind).removesuffix(' -> None')}")
    yield f"{plain_doc(kind)}\n"
    members = {name: member for name, member in vars(kind).items() if not name.startswith("_")}
    described = [(name, member) for name, member in members.items() if inspect.getdoc(member) and is_own(member)]
    attributes = attribute_comments(kind)
    if (described or attributes) and not issubclass(kind, Exception):
        yield from rows("member", "what it is or does")
        for name, text in attributes.items():
            yield line(f"`{name}`", f"{text[0].upper()}{text[1:]}.")
        for name, member in described:
            inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            call = signature(inner, drop_self=True) if inspect.isfunction(inner) else ""
            yield line(f"`{name}{call}`", " ".join(plain_doc(inner).split()))
        yield ""


def attribute_comments(kind: type) -> dict[str, str]:
    """The comments behind the attributes of a class."""
    source = textwrap.dedent(inspect.getsource(kind))
    (body,) = ast.parse(source).body
    assert isinstance(body, ast.ClassDef)
    lines = source.splitlines()
    found = {}
    for field in body.body:
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            _, _, text = lines[field.lineno - 1][field.end_col_offset :].partition("# ")
            if text and not field.target.id.startswith("_"):
                found[field.target.id] = text
    return found


def is_own(member: Any) -> bool:
    """Whether it is a method, a property or an attribute, instead of a default value or a class."""
    kinds = property | classmethod | staticmethod
    return isinstance(member, kinds) or inspect.isfunction(member) or inspect.ismemberdescriptor(member)


def function_part(path: str, function: Callable[..., Any], level: str) -> Iterator[str]:
    yield f"{level} {path}\n"
    yield from code(f"{path.rpartition('.')[2]}{signature(function)}")
    yield f"{plain_doc(function)}\n"


def code(text: str) -> Iterator[str]:
    yield "```text"
    yield text
    yield "```\n"


def plain_doc(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


def signature(thing: Any, drop_self: bool = False) -> str:
    text = re.sub(r"= '([^']*)'", r'= "\1"', str(inspect.signature(thing))).replace("'", "").replace("<factory>", "{}")
    text = re.sub(r"(?:[a-z_]+\.)+([A-Z])", r"\1", text)
    return re.sub(r"^\((?:self|cls)(?:, )?", "(", text) if drop_self else text


PAGES = {
    "reference-commands.md": commands_page,
    "reference-http.md": http_page,
    "reference-python.md": python_page,
    "reference-settings.md": settings_page,
}

if __name__ == "__main__":
    for name, made in PAGES.items():
        (DOCS / name).write_text(made(), encoding="utf-8")
