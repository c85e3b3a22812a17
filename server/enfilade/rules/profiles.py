"""Read the profile of a token and the body of an act in the shapes that their ruleset declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.i18n import localize
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import Ruleset

P = TypeVar("P", bound=msgspec.Struct)


def read_profile(profile: Mapping[str, Any], shape: type[P]) -> P:
    """Convert a profile to its ruleset's shape. Raises BadMessage with each wrong field."""
    return _convert(profile, shape, "profile")


def read_act(ruleset: Ruleset, data: Mapping[str, Any]) -> Act:
    """Return an act from checked JSON, its body in the shape that its kind declares.

    Without a body the act has all defaults. The procedure of an unknown kind is not looked for here.

    Raises:
        BadMessage: the body does not have the shape, or the kind declares none.
    """
    body, kind = data.get("body"), ruleset.acts.get(data["kind"])
    act = msgspec.convert({**data, "body": None}, Act)
    if kind is None or kind.body is None:
        if body:
            raise BadMessage({"act.body": [localize("rules.no_act_body", kind=act.kind)]})
        return act
    unknown = _unknown_fields(body or {}, kind.body, "act.body")
    if unknown:
        raise BadMessage(unknown)
    return replace(act, body=_convert(body or {}, kind.body, "act.body"))


def _convert(values: Mapping[str, Any], shape: type[P], path: str) -> P:
    try:
        return msgspec.convert(values, shape)
    except msgspec.ValidationError:
        raise BadMessage(_wrong_fields(values, shape, path)) from None


def _wrong_fields(values: Mapping[str, Any], shape: type[P], path: str) -> dict[str, list[str]]:
    wrong = _unknown_fields(values, shape, path)
    for field in msgspec.structs.fields(shape):
        problem = _problem(values, field.encode_name, field)
        if problem:
            wrong[f"{path}.{field.encode_name}"] = [problem]
    return wrong


def _unknown_fields(values: Mapping[str, Any], shape: type[P], path: str) -> dict[str, list[str]]:
    known = {field.encode_name for field in msgspec.structs.fields(shape)}
    return {f"{path}.{name}": ["Unknown field."] for name in values if name not in known}


def _problem(values: Mapping[str, Any], name: str, field: msgspec.structs.FieldInfo) -> str:
    if name not in values:
        return "Missing data for required field." if field.required else ""
    try:
        msgspec.convert(values[name], field.type)
    except msgspec.ValidationError as problem:
        return str(problem)
    return ""
