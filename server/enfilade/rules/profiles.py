"""Profiles of tokens and bodies of acts, read in the shapes that their ruleset declares.

A ruleset has a version, which its author raises when the shape of its profiles changes. A table knows the
version that its profiles have; a newer ruleset migrates them when the table is opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadInput, BadMessage
from enfilade.i18n import localize
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene, Token

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


class OldProfile(BadInput):
    """A ruleset cannot migrate a profile of one of its older versions."""

    code = "bad-ruleset"


def migrated_profile(ruleset: Ruleset, profile: Mapping[str, Any], version: int) -> dict[str, Any]:
    """Return a profile of an older version in the ruleset's shape. Raises OldProfile with the reason."""
    try:
        found = dict(ruleset.migrate(profile, version))
        read_profile(found, ruleset.profile)
    except Exception as problem:  # it is another author's function
        reason = (
            problem.sentence if isinstance(problem, BadMessage) else f"{type(problem).__name__}: {problem}"
        )
        values = {"title": ruleset.title, "version": version, "reason": reason}
        raise OldProfile(localize("rules.old_profile", **values)) from problem
    return found


def migrated_scene(ruleset: Ruleset, scene: Scene, version: int) -> Scene:
    """Return a scene with its profiles, also those of the table's own units, in the ruleset's shape.

    Raises OldProfile.
    """
    if version == ruleset.version:
        return scene
    tokens = tuple(_with_profile(ruleset, token, version) for token in scene.tokens)
    units = tuple(
        replace(unit, profile=migrated_profile(ruleset, unit.profile, version)) for unit in scene.units
    )
    return replace(scene, tokens=tokens, units=units)


def _with_profile(ruleset: Ruleset, token: Token, version: int) -> Token:
    return replace(token, profile=migrated_profile(ruleset, token.profile, version))


def wrong_migrations(ruleset: Ruleset) -> Iterator[str]:
    """Yield a sentence for each older version without an example, and each example that does not migrate."""
    for version in range(1, ruleset.version):
        examples = ruleset.older_profiles.get(version, ())
        if not examples:
            yield f"Version {version} has no example: keep one profile of it in older_profiles."
        for number, example in enumerate(examples, 1):
            try:
                migrated_profile(ruleset, example, version)
            except OldProfile as problem:
                yield f"Example {number} of version {version}: {problem.sentence}"
    for version in sorted(set(ruleset.older_profiles) - set(range(1, ruleset.version))):
        yield f"There are examples of version {version}, which is not older than version {ruleset.version}."
