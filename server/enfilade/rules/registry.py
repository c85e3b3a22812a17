"""The rulesets of a server: the built-in ones, and those of other packages by entry point.

A ruleset of another package that cannot be imported or lacks something is left out, with a sentence that
names everything; a strict server refuses to start. A table whose ruleset is not there, or does not fit its
profiles, gets a stand-in: it lets the table be read, and refuses everything else.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple, get_args

import msgspec

from enfilade.errors import BadInput, BadMessage, NotFound, WrongGrid
from enfilade.i18n import localize
from enfilade.rules.default_threat import with_threat
from enfilade.rules.procedures import Act, Steps
from enfilade.rules.profiles import OldProfile, migrated_scene, read_profile
from enfilade.rules.ruleset import ActKind, Area, CardLine, Reach, Ruleset, Ruling, Turn
from enfilade.scene.model import GridKind, Scene, Token

ENTRY_POINT_GROUP = "enfilade.rulesets"
MOVE = "move"
"""The kind of act that every ruleset has: it moves a token."""

Rulesets = Mapping[str, Ruleset]
log = logging.getLogger(__name__)


class IncompleteRuleset(BadInput):
    """A ruleset is not playable; the sentence names everything that it lacks."""

    code = "bad-ruleset"


class FoundRulesets(NamedTuple):
    """The rulesets by key, and a sentence for each of another package that is left out."""

    rulesets: Rulesets
    left_out: tuple[str, ...]


def load_rulesets(built_in: Iterable[Ruleset], is_strict: bool = False) -> Rulesets:
    """Return each ruleset by its key: the built-in ones and those found by entry point.

    One of another package that cannot be used is left out, with a warning in the server's log. Raises
    IncompleteRuleset for a built-in one, and, if strict, for every other.
    """
    found = find_rulesets(built_in)
    if is_strict and found.left_out:
        raise IncompleteRuleset(" ".join(found.left_out))
    for sentence in found.left_out:
        log.warning("%s", sentence)
    return found.rulesets


def find_rulesets(built_in: Iterable[Ruleset]) -> FoundRulesets:
    """Return the rulesets that can be played, and why others are left out.

    Raises IncompleteRuleset if a built-in one lacks something or repeats a key.
    """
    rulesets: dict[str, Ruleset] = {}
    left_out = []
    for ruleset in built_in:
        _add(rulesets, ruleset)
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            _add(rulesets, _loaded(point))
        except IncompleteRuleset as problem:
            left_out.append(problem.sentence)
    return FoundRulesets(rulesets, tuple(left_out))


def _add(rulesets: dict[str, Ruleset], ruleset: Any) -> None:
    require_complete(ruleset)
    if ruleset.key in rulesets:
        raise IncompleteRuleset(localize("rules.two_with_key", key=ruleset.key))
    rulesets[ruleset.key] = with_threat(ruleset)


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as problem:  # an import runs another author's code
        reason = f"{type(problem).__name__}: {problem}"
        values = {"name": point.name, "place": point.value, "reason": reason}
        raise IncompleteRuleset(localize("rules.cannot_load", **values)) from problem


def require_complete(ruleset: Any) -> None:
    """Raise IncompleteRuleset with everything that a ruleset lacks."""
    if not isinstance(ruleset, Ruleset):
        raise IncompleteRuleset(f"{ruleset!r} is not a Ruleset.")
    lacking = list(_lacking(ruleset))
    if lacking:
        raise IncompleteRuleset(f"The ruleset '{ruleset.key}' is not complete: {' '.join(lacking)}")


def _lacking(ruleset: Ruleset) -> Iterator[str]:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", ruleset.key):
        yield "Its key must be small letters, digits and underscores."
    if not ruleset.title:
        yield "It has no title."
    if ruleset.version < 1:
        yield "Its version must be 1 or more."
    if not ruleset.grids or ruleset.grids - set(get_args(GridKind)):
        yield f"Its grids must be some of {', '.join(get_args(GridKind))}."
    yield from _lacking_acts(ruleset)
    yield from _lacking_sentences(ruleset)
    yield from _lacking_house_rules(ruleset)
    yield from _lacking_units(ruleset)


def _lacking_acts(ruleset: Ruleset) -> Iterator[str]:
    if MOVE not in ruleset.acts:
        yield f"The act '{MOVE}' is missing."
    for kind, act in ruleset.acts.items():
        if not act.label:
            yield f"The act '{kind}' has no label."
        if act.body is not None:
            required = [field.name for field in msgspec.structs.fields(act.body) if field.required]
            yield from (f"The field '{name}' of the act '{kind}' has no default." for name in required)


def _lacking_sentences(ruleset: Ruleset) -> Iterator[str]:
    for what, sentences in (("track", ruleset.tracks), ("condition", ruleset.conditions)):
        yield from (f"The {what} '{name}' has no sentence." for name in sentences if not sentences[name])


def _lacking_house_rules(ruleset: Ruleset) -> Iterator[str]:
    keys = [house_rule.key for house_rule in ruleset.house_rules]
    yield from (f"The house rule '{key}' is there twice." for key in sorted(set(keys)) if keys.count(key) > 1)
    for house_rule in ruleset.house_rules:
        if house_rule.default not in house_rule.options:
            yield f"The house rule '{house_rule.key}' has a default that is not among its options."
        if not house_rule.sentence:
            yield f"The house rule '{house_rule.key}' has no sentence."


def _lacking_units(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.catalog:
        yield "It has no ready-made unit."
    keys = [unit.key for unit in ruleset.catalog]
    yield from (f"The unit '{key}' is there twice." for key in sorted(set(keys)) if keys.count(key) > 1)
    for unit in ruleset.catalog:
        try:
            read_profile(unit.profile, ruleset.profile)
        except BadMessage as problem:
            yield f"The unit '{unit.key}' does not have its profile's shape ({problem.sentence})."


def find_ruleset(rulesets: Rulesets, key: str) -> Ruleset:
    """Return the ruleset with a key. Raises NotFound."""
    if key not in rulesets:
        known = ", ".join(sorted(rulesets))
        raise NotFound(localize("rules.no_such_ruleset", name=key, known=known))
    return rulesets[key]


def ruleset_for(rulesets: Rulesets, scene: Scene) -> Ruleset:
    """Return the ruleset of a scene. Raises NotFound, or WrongGrid if it does not support the grid."""
    ruleset = find_ruleset(rulesets, scene.ruleset)
    if scene.grid.kind not in ruleset.grids:
        grids = localize("rules.or").join(sorted(ruleset.grids))
        raise WrongGrid(localize("rules.wrong_grid", title=ruleset.title, grids=grids, grid=scene.grid.kind))
    return ruleset


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
