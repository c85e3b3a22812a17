"""JSON Schema 2020-12 of both directions: of the values that are sent, and of the schemas that are loaded.

A message that is sent is complete: every field of a Struct is sent, so every property is required. The text
below a field becomes its description, the docstring of a class that of its type. marshmallow-jsonschema
writes draft 7; its documents are rewritten here.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, cast

import msgspec
from marshmallow import Schema
from marshmallow_jsonschema import JSONSchema

from enfilade.messages.fields import DIALECT, Strict

Document = dict[str, Any]
Shapes = Mapping[tuple[str, str], Any]
"""The published shape of fields that are plain dictionaries here, by the names of type and field."""


# What is sent


def sent_schemas(kinds: Mapping[str, Any], names: Mapping[str, str], shapes: Shapes) -> dict[str, Document]:
    """Return a JSON Schema for each type of value that is sent, by the same names.

    `names` are the published names of types that are called otherwise here.
    """
    every = (*kinds.values(), *shapes.values())
    heads, parts = msgspec.json.schema_components(every, ref_template="#/$defs/{name}")
    for (name, field), shape in zip(shapes, heads[len(kinds) :], strict=True):
        parts[name]["properties"][field] = shape
    for kind in _types_in(every):
        _complete(parts[kind.__name__], kind)
    found = {names.get(name, name): _renamed(part, names) for name, part in parts.items()}
    published = {}
    for name, head in zip(kinds, heads[: len(kinds)], strict=True):
        published[name] = _document(_renamed(head, names), found)
    return published


def _complete(part: Document, kind: Any) -> None:
    """Make every sent field required, without a default, and describe it by the text below it."""
    if issubclass(kind, msgspec.Struct):
        part["required"] = list(part["properties"])
    part["required"] = sorted(part.get("required", ()))
    part["additionalProperties"] = False
    part["description"] = _in_json(inspect.cleandoc(kind.__doc__ or ""))
    texts = _field_texts(kind)
    for name, field in part["properties"].items():
        field.pop("default", None)
        if name in texts:
            field["description"] = _in_json(texts[name])


def _in_json(text: str) -> str:
    """Return a docstring with the words of JSON for what Python calls otherwise."""
    return _PYTHON_WORDS.sub(lambda found: _JSON_WORDS[found.group()], text)


_JSON_WORDS = {"None": "null", "True": "true", "False": "false"}
_PYTHON_WORDS = re.compile(r"\b(None|True|False)\b")


@cache
def _field_texts(kind: Any) -> Mapping[str, str]:
    """Return the texts below the fields of a type and of those that it extends."""
    node = cast(ast.ClassDef, ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0])
    found: dict[str, str] = {}
    for base in node.bases:  # a typed dictionary does not keep its bases
        extended = vars(sys.modules[kind.__module__]).get(base.id if isinstance(base, ast.Name) else "")
        if isinstance(extended, type) and extended.__module__.startswith("enfilade."):
            found.update(_field_texts(extended))
    for field, text in pairwise(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            said = cast(ast.Constant, text.value).value
            found[cast(ast.Name, field.target).id] = inspect.cleandoc(str(said))
    return found


def _types_in(kinds: Iterable[Any]) -> Iterator[Any]:
    """Yield the Structs and the typed dictionaries of some types and of all their fields, each once."""
    seen: set[Any] = set()
    waiting: list[Any] = [msgspec.inspect.type_info(kind) for kind in kinds]
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.TypedDictType):
            if info.cls in seen:
                continue
            seen.add(info.cls)
            yield info.cls
            waiting += [field.type for field in info.fields]
        for name in ("types", "item_types"):
            waiting += getattr(info, name, ())
        waiting += [inner for name in ("item_type", "value_type") if (inner := getattr(info, name, None))]


def _renamed(document: Any, names: Mapping[str, str]) -> Any:
    """Return a schema with the published names, without titles and hints for OpenAPI."""
    if isinstance(document, list):
        return [_renamed(inner, names) for inner in document]
    if not isinstance(document, dict):
        return document
    left_out = () if isinstance(document.get("title"), dict) else ("title", "discriminator")
    found = {key: _renamed(inner, names) for key, inner in document.items() if key not in left_out}
    if isinstance(found.get("$ref"), str):
        start, _, name = found["$ref"].rpartition("/")
        found["$ref"] = f"{start}/{names.get(name, name)}"
    return found


# What is loaded


def loaded_schema(schema: type[Schema]) -> Document:
    """Return the JSON Schema of a schema that loads a message, with the docstrings as descriptions."""
    written = JSONSchema().dump(schema())
    classes = {kind.__name__: kind for kind in _subclasses(Strict)}
    found: dict[str, Document] = {}
    for name, part in written["definitions"].items():
        portable = _portable(part)
        found[_published(name)] = {
            "description": inspect.cleandoc(classes[name].__doc__ or ""),
            **portable,
            "required": portable.get("required", []),
        }
    return _document(_portable({"$ref": written["$ref"]}), found)


def _subclasses(kind: type[Schema]) -> Iterator[type[Schema]]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


def _published(name: str) -> str:
    return name.removesuffix("Schema")


def _portable(document: Any, is_named: bool = False) -> Any:
    r"""Return a draft-7 schema in 2020-12: tuples, references, and patterns that end in `$`, not in `\Z`.

    `is_named`: its keys are names of fields, and no keywords.
    """
    if isinstance(document, list):
        return [_portable(inner) for inner in document]
    if not isinstance(document, dict):
        return document
    if is_named:
        return {name: _portable(inner) for name, inner in document.items()}
    found = {
        key: _portable(inner, is_named=key == "properties")
        for key, inner in document.items()
        if key not in ("title", "enumNames", "default")
    }
    if isinstance(found.get("items"), list):
        found["prefixItems"], found["items"] = found["items"], False
    if "$ref" in found:
        found["$ref"] = f"#/$defs/{_published(found['$ref'].rpartition('/')[2])}"
    if "pattern" in found:
        found["pattern"] = found["pattern"].replace(r"\Z", "$")
    return found


# Both


def _document(head: Document, parts: Mapping[str, Document]) -> Document:
    """Return a schema with the definitions that it needs."""
    found: dict[str, Document] = {}
    waiting = list(_references(head))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = parts[name]
            waiting += _references(parts[name])
    return {"$schema": DIALECT, **head, "$defs": found}


def _references(document: Any) -> Iterator[str]:
    for inner in document.values() if isinstance(document, dict) else document:
        if isinstance(inner, dict | list):
            yield from _references(inner)
    if isinstance(document, dict) and isinstance(document.get("$ref"), str):
        yield document["$ref"].rpartition("/")[2]
