"""The outgoing contract, from the Structs that are sent: JSON Schemas, and types for the page.

A message is complete: every field of a Struct is sent, so every property is required. The text below a field
becomes its description. Bounds are documentation (`Meta(extra_json_schema=...)`): they cost no decoder time.

`python -m enfilade.messages.contract FILE` writes the types.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import msgspec

from enfilade.rules.modifiers import Modifier
from enfilade.rules.ruleset import Ruling
from enfilade.scene.entry import RedactedEntry
from enfilade.scene.model import Scene
from enfilade.tactics.advice import DecisionMap
from enfilade.tactics.overlays import Overlay
from enfilade.tactics.verdicts import Verdict

DIALECT = "http://json-schema.org/draft-07/schema#"

OUTGOING: Mapping[str, Any] = {
    "overlay": Overlay,
    "log-entry": RedactedEntry,
    "scene": Scene,
    "verdict": Verdict,
    "decision-map": DecisionMap,
}

_NAMES = {"RedactedEntry": "LogEntry", "Preview": "Target"}
"""The names of Structs that the contract calls otherwise."""


class Roll(TypedDict):
    """A roll: the die, all faces in order, and whether a person typed them."""

    label: str
    die: str
    faces: list[int | str]
    typed: bool
    die_faces: NotRequired[list[int | str]]


class TokenChange(TypedDict):
    """A miniature after a step: its place, facing, tracks and conditions."""

    token: str
    at: tuple[int, int] | None
    facing: int | None
    tracks: dict[str, int]
    conditions: dict[str, str]


class ActStep(TypedDict):
    """A step of an act: its sentences, who acts on whom, and the tokens that it changes."""

    text: str
    token: str
    target: str
    changes: list[TokenChange]


class Facts(TypedDict, total=False):
    """The facts that the log shows beside an entry's sentences. Each part is optional."""

    token: str
    target: str
    act: str
    ruling: Ruling
    rolls: list[Roll]
    modifiers: list[Modifier]
    defenses: list[Modifier]
    total: int
    needed: int
    result: str
    damage: int
    hit_points: tuple[int, int]
    override: str
    counts: dict[str, int]
    steps: list[ActStep]


_LOOSE: Mapping[tuple[str, str], Any] = {
    ("Act", "body"): dict[str, Any] | None,
    ("RedactedEntry", "facts"): Facts,
    ("Preview", "modifiers"): tuple[Modifier, ...],
    ("Preview", "defenses"): tuple[Modifier, ...],
}
"""The shapes of fields that stay plain dictionaries here: a shape would drop what it does not know."""

Document = dict[str, Any]


def schemas() -> dict[str, Document]:
    """Return the JSON Schema of each outgoing message, by its name."""
    kinds = (*OUTGOING.values(), *_LOOSE.values())
    heads, parts = msgspec.json.schema_components(kinds, ref_template="#/definitions/{name}")
    for (name, field), shape in zip(_LOOSE, heads[len(OUTGOING) :], strict=True):
        parts[name]["properties"][field] = shape
    heads = heads[: len(OUTGOING)]
    found = {_NAMES.get(name, name): _portable(part) for name, part in parts.items()}
    for kind in _structs(kinds):
        _complete(found[_NAMES.get(kind.__name__, kind.__name__)], kind)
    return {
        name: {"$schema": DIALECT, **_portable(head), "definitions": _reached(head, found)}
        for name, head in zip(OUTGOING, heads, strict=True)
    }


def types() -> str:
    """Return the same as TypeScript."""
    parts = {name: part for one in schemas().values() for name, part in one["definitions"].items()}
    return "// Written by `make schemas`.\n" + "\n".join(
        _declared(name, parts[name]) for name in sorted(parts)
    )


def _complete(part: Document, kind: Any) -> None:
    """Make every sent field required, without a default, and describe it by the text below it."""
    part["required"] = sorted(part["properties"])
    part["description"] = inspect.cleandoc(kind.__doc__ or "")
    for name, text in _field_texts(kind).items():
        part["properties"].get(name, {})["description"] = text
    for field in part["properties"].values():
        field.pop("default", None)
        if "$ref" in field:  # what stands beside a reference is ignored in draft 7
            field.pop("description", None)


def _field_texts(kind: Any) -> dict[str, str]:
    """Return the texts below the fields of a Struct and of those that it extends."""
    found: dict[str, str] = {}
    for base in reversed([one for one in kind.__mro__ if issubclass(one, msgspec.Struct)][:-1]):
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0].body  # type: ignore[attr-defined]
        for field, text in pairwise(body):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                found[field.target.id] = inspect.cleandoc(text.value.value)  # type: ignore[union-attr, attr-defined]
    return found


def _structs(kinds: Any) -> Iterator[Any]:
    """Yield the Structs of some types and of all their fields, each once."""
    seen: set[Any] = set()
    waiting = [msgspec.inspect.type_info(kind) for kind in kinds]
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in seen:
                continue
            seen.add(info.cls)
            yield info.cls
            waiting += [field.type for field in info.fields]
        if isinstance(info, msgspec.inspect.TypedDictType):
            waiting += [field.type for field in info.fields]
        for name in ("types", "item_types"):
            waiting += getattr(info, name, ())
        waiting += [
            inner for name in ("item_type", "value_type", "type") if (inner := getattr(info, name, None))
        ]


def _portable(document: Any) -> Any:
    """Return a schema in draft 7, which has no `prefixItems`, with the contract's names."""
    if isinstance(document, list):
        return [_portable(inner) for inner in document]
    if not isinstance(document, dict):
        return document
    left_out = () if isinstance(document.get("title"), dict) else ("title", "discriminator")
    found = {key: _portable(inner) for key, inner in document.items() if key not in left_out}
    if "prefixItems" in found:
        found["items"] = found.pop("prefixItems")
    if "$ref" in found:
        start, _, name = found["$ref"].rpartition("/")
        found["$ref"] = f"{start}/{_NAMES.get(name, name)}"
    return found


def _reached(head: Any, parts: Mapping[str, Document]) -> dict[str, Document]:
    found: dict[str, Document] = {}
    waiting = list(_references(_portable(head)))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = parts[name]
            waiting += _references(parts[name])
    return found


def _references(document: Any) -> Iterator[str]:
    for inner in document.values() if isinstance(document, dict) else document:
        if isinstance(inner, dict | list):
            yield from _references(inner)
    if isinstance(document, dict) and "$ref" in document:
        yield document["$ref"].rpartition("/")[2]


# TypeScript


def _declared(name: str, part: Document) -> str:
    return f"{_comment(part)}export interface {name} {_type(part)}\n"


def _comment(part: Document, indent: str = "") -> str:
    lines = part.get("description", "").splitlines()
    if not lines:
        return ""
    return "".join(
        [f"{indent}/**\n", *(f"{indent} * {line}".rstrip() + "\n" for line in lines), f"{indent} */\n"]
    )


def _type(part: Document) -> str:  # noqa: C901 - one case for each keyword
    if "$ref" in part:
        return str(part["$ref"].rpartition("/")[2])
    if "anyOf" in part:
        return " | ".join(map(_type, part["anyOf"]))
    if "enum" in part or "const" in part:
        return " | ".join(msgspec.json.encode(one).decode() for one in part.get("enum", [part.get("const")]))
    match part.get("type"):
        case "object" if "properties" in part:
            must = part.get("required", ())
            fields = (
                f"{_comment(field, '  ')}  {name}{'' if name in must else '?'}: {_type(field)};\n"
                for name, field in part["properties"].items()
            )
            return "{\n" + "".join(fields) + "}"
        case "object":
            inner = part.get("additionalProperties", {})
            return f"Record<string, {_type(inner) if inner else 'unknown'}>"
        case "array" if isinstance(part.get("items"), list):
            return f"[{', '.join(map(_type, part['items']))}]"
        case "array":
            inner = _type(part.get("items") or {})
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as same:
            return str(same)
    return "unknown"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(types(), encoding="utf-8")
