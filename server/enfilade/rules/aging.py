"""Rulesets that change and go: profiles of older versions, and a stand-in for a ruleset that is not there.

A ruleset has a version, which its author raises when the shape of its profiles changes. A table knows the
version that its profiles have; a newer ruleset migrates them when the table is opened. The stand-in lets a
table without its ruleset be read, and refuses everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadInput, BadMessage, NotFound
from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Steps
from enfilade.rules.profiles import read_profile
from enfilade.rules.registry import MOVE, Rulesets
from enfilade.rules.ruleset import ActKind, Area, CardLine, Reach, Ruleset, Ruling, Turn
from enfilade.scene.model import GridKind, Scene, Token


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


class _AnyProfile(msgspec.Struct, frozen=True):
    """The shape of a profile that no function reads."""


def rulesets_for(rulesets: Rulesets, scene: Scene, version: int) -> Rulesets:
    """Return the rulesets for a stored table: with a stand-in if its own is missing, older or cannot migrate.

    `version` is that of the table's profiles.
    """
    key = scene.ruleset
    ruleset = rulesets.get(key)
    if ruleset is None:
        return {**rulesets, key: stand_in(key, localize("rules.absent", name=key))}
    if ruleset.version < version:
        values = {"title": ruleset.title, "version": version, "installed": ruleset.version}
        return {**rulesets, key: stand_in(key, localize("rules.too_old", **values))}
    try:
        migrated_scene(ruleset, scene, version)
    except OldProfile as problem:
        return {**rulesets, key: stand_in(key, problem.sentence)}
    return rulesets


def is_stand_in(ruleset: Ruleset) -> bool:
    """Return whether a ruleset only stands for one that is not there."""
    return ruleset.profile is _AnyProfile


def require_installed(ruleset: Ruleset) -> None:
    """Raise NotFound with the reason if a ruleset only stands for one that is not there."""
    if is_stand_in(ruleset):
        raise NotFound(ruleset.conditions[_WHY])


_WHY = "no_ruleset"
"""The condition of a stand-in that holds the reason."""


def stand_in(key: str, why: str) -> Ruleset:
    """Return a ruleset that shows tables and refuses every act with a sentence."""

    def refuse(_scene: Scene, _act: Act) -> Steps:
        if why:
            raise NotFound(why)
        return (yield from ())  # a procedure is a generator

    def card(_scene: Scene, _token: Token) -> tuple[CardLine, ...]:
        return (CardLine(localize("rules.absent_label"), key, why),)

    def reach(_scene: Scene, _token: Token) -> Reach | None:
        return None

    def judge(_scene: Scene, _token: Token, _path: Sequence[Any], _facing: int | None) -> Ruling:
        return Ruling(allowed=False, cost=None, budget=0, reasons=(why,))

    def areas(_scene: Scene, _token: Token, _layer: str) -> Sequence[Area]:
        return ()

    return Ruleset(
        key=key,
        title=localize("rules.absent_title", name=key),
        grids=frozenset(get_args(GridKind)),
        profile=_AnyProfile,
        tracks={},
        conditions={_WHY: why},
        house_rules=(),
        catalog=(),
        acts={MOVE: ActKind(localize("rules.absent_label"), refuse)},
        prepare_token=lambda token: token,
        card=card,
        reach=reach,
        judge=judge,
        areas=areas,
        turn=lambda scene: Turn(round=scene.track("round")),
        offers=lambda _scene, _token: (),
        successes=frozenset(),
        narrate=lambda _scene, _events: "",
        layers=(),
    )
