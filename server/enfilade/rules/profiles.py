"""Read a token's profile in the shape that its ruleset declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from enfilade.errors import BadMessage

P = TypeVar("P", bound=msgspec.Struct)


def read_profile(profile: Mapping[str, Any], shape: type[P]) -> P:
    """Convert a profile to its ruleset's shape. Raises BadMessage with each wrong field."""
    try:
        return msgspec.convert(profile, shape)
    except msgspec.ValidationError:
        raise BadMessage(_wrong_fields(profile, shape)) from None


def _wrong_fields(profile: Mapping[str, Any], shape: type[P]) -> dict[str, list[str]]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(shape)}
    wrong = {f"profile.{name}": ["Unknown field."] for name in profile if name not in fields}
    for name, field in fields.items():
        problem = _problem(profile, name, field)
        if problem:
            wrong[f"profile.{name}"] = [problem]
    return wrong


def _problem(profile: Mapping[str, Any], name: str, field: msgspec.structs.FieldInfo) -> str:
    if name not in profile:
        return "Missing data for required field." if field.required else ""
    try:
        msgspec.convert(profile[name], field.type)
    except msgspec.ValidationError as problem:
        return str(problem)
    return ""
