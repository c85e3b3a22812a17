"""The contract as TypeScript: an interface for each definition of the published JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

Document = dict[str, Any]


def interfaces(documents: Iterable[Document]) -> str:
    """Return an interface for each definition of some schemas, by name; equal names are equal definitions."""
    parts = {name: part for document in documents for name, part in document["$defs"].items()}
    return "\n".join(
        f"{_comment(parts[name])}export interface {name} {type_of(parts[name])}\n" for name in sorted(parts)
    )


def tagged_union(name: str, heads: Mapping[str, Document], common: str, tag: str, value: str) -> str:
    """Return the type of an envelope: the `common` fields, a `tag` and by it the type of a `value`."""
    lines = (
        f"  | {{ {tag}: {json.dumps(kind)}; {value}: {type_of(head)} }}\n" for kind, head in heads.items()
    )
    return f"export type {name} = {common} & (\n{''.join(lines)});\n"


def by_name(name: str, heads: Mapping[str, Document]) -> str:
    """Return the interface of a table with a type for each name."""
    lines = (f"  {json.dumps(kind)}: {type_of(head)};\n" for kind, head in heads.items())
    return f"export interface {name} {{\n{''.join(lines)}}}\n"


def alias(name: str, head: Document) -> str:
    """Return a name for a type."""
    return f"export type {name} = {type_of(head)};\n"


def indented(text: str) -> str:
    """Return a text as the content of a namespace."""
    return "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))


def _comment(part: Document, indent: str = "") -> str:
    lines = part.get("description", "").splitlines()
    if not lines:
        return ""
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "".join(
        [f"{indent}/**\n", *(f"{indent} * {line}".rstrip() + "\n" for line in lines), f"{indent} */\n"]
    )


def type_of(part: Any) -> str:
    """Return the type of what a schema allows."""
    if not isinstance(part, dict):
        return "unknown"
    if "$ref" in part:
        return str(part["$ref"].rpartition("/")[2])
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(map(type_of, part["anyOf"])))
    if "enum" in part or "const" in part:
        return " | ".join(map(json.dumps, part.get("enum", [part.get("const")])))
    kinds = part.get("type", "unknown")
    return " | ".join(_of_kind(part, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _of_kind(part: Document, kind: str) -> str:
    match kind:
        case "object":
            return _object(part)
        case "array":
            return _array(part)
        case "integer" | "number":
            return "number"
    return kind  # string, boolean, null, or unknown: the same words


def _object(part: Document) -> str:
    if "properties" not in part:
        inner = part.get("additionalProperties", {})
        return f"Record<string, {type_of(inner)}>"
    must = part.get("required", ())
    fields = (
        f"{_comment(field, '  ')}  {name}{'' if name in must else '?'}: {type_of(field)};\n"
        for name, field in part["properties"].items()
    )
    return "{\n" + "".join(fields) + "}"


def _array(part: Document) -> str:
    if "prefixItems" in part:
        return f"[{', '.join(map(type_of, part['prefixItems']))}]"
    inner = type_of(part.get("items") or {})
    return f"({inner})[]" if " | " in inner else f"{inner}[]"
