"""The OpenAPI description of the API in readable form, for the page /api/docs and for the documentation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Description = Mapping[str, Any]


@dataclass(frozen=True)
class ApiField:
    """A parameter of a request, or a field of JSON."""

    name: str
    kind: str
    text: str
    required: bool
    where: str = ""  # of a parameter: path, query or header


@dataclass(frozen=True)
class Shape:
    """An object of JSON."""

    name: str
    text: str
    fields: tuple[ApiField, ...]


@dataclass(frozen=True)
class ApiAnswer:
    """A status code with what it means."""

    status: str
    text: str
    kind: str


@dataclass(frozen=True)
class Endpoint:
    """A method of an address."""

    method: str
    path: str
    title: str
    text: str
    parameters: tuple[ApiField, ...]
    body: str  # the kind of JSON it takes; empty where it takes none
    answers: tuple[ApiAnswer, ...]
    token: bool  # whether a token is sent along


def endpoints(openapi: Description) -> list[Endpoint]:
    """All endpoints of the API, in the order of their paths."""
    found = [
        endpoint(method.upper(), path, about)
        for path, methods in openapi["paths"].items()
        for method, about in methods.items()
    ]
    return sorted(found, key=lambda each: each.path)


def endpoint(method: str, path: str, about: Description) -> Endpoint:
    return Endpoint(
        method,
        path,
        about["summary"],
        about.get("description", ""),
        tuple(
            ApiField(each["name"], kind(each["schema"]), description_of(each), each.get("required", False), each["in"])
            for each in about.get("parameters", ())
        ),
        content(about.get("requestBody", {})),
        tuple(
            ApiAnswer(status, "success" if status.startswith("2") else answer["description"], content(answer))
            for status, answer in sorted(about["responses"].items())
        ),
        bool(about.get("security")),
    )


def shapes(openapi: Description) -> list[Shape]:
    """The objects used in requests and answers, by name."""
    return [
        Shape(name, about.get("description", ""), tuple(fields(about)))
        for name, about in sorted(openapi["components"]["schemas"].items())
        if "properties" in about
    ]


def fields(about: Description) -> Iterator[ApiField]:
    for name, schema in about["properties"].items():
        yield ApiField(name, kind(schema), description_of(schema), name in about.get("required", ()))


def description_of(schema: Description) -> str:
    """The description of a field, and its default."""
    text = str(schema.get("description", ""))
    default = schema.get("default", schema.get("schema", {}).get("default"))
    if default is None or default in ("", [], {}):
        return text
    shown = str(default).lower() if isinstance(default, bool) else default
    return f"{text}; default: {shown}" if text else f"default: {shown}"


def content(about: Description) -> str:
    """The kind of a body."""
    for media, described in about.get("content", {}).items():
        return kind(described.get("schema", {})) if media == "application/json" else str(media)
    return ""


def kind(schema: Description) -> str:
    """A type in words: the name of a shape, `list of …`, or what JSON calls it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind(each) for each in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return " or ".join(f'"{value}"' for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}" if schema.get("items") else "list"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {kind(schema['additionalProperties'])}"
    return str(schema.get("type", "anything"))
