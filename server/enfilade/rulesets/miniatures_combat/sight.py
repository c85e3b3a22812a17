"""Lines between two models: of melee, from center to center, and of sight for missiles (MNC-064, MNC-076)."""

from __future__ import annotations

from enfilade.geometry.movement.round_bases import RoundBase, gap
from enfilade.i18n import localize
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rulesets.miniatures_combat.battlefield import Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.profiles import (
    INCH,
    Fighter,
    inches_text,
)
from enfilade.scene.model import Scene, Terrain, Token, Wall


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight of a missile between two models, and the distance from base to base."""
    field = battlefield(scene)
    if viewer.id == target.id or viewer.at is None or target.at is None:
        return Sight()
    start, end = field.base(viewer).at, field.base(target).at
    apart = field.distance(viewer, target)
    distance = localize("miniatures_combat.distance", inches=inches_text(apart))
    blocker = field.blocker(start, end)
    drawn = (*field.scale.on_map(start), *field.scale.on_map(end))
    if blocker is not None:
        why, found = localize("miniatures_combat.why_blocked"), _shown(blocker)
        return Sight(is_seen=False, why=why, distance=distance, line=drawn, blocker=found)
    between = field.base_between(viewer.id, target.id, end)
    if between is not None:
        body = Blocker("token", between, scene.token(between).name)
        why = localize("miniatures_combat.why_base", name=body.name)
        return Sight(is_seen=False, why=why, distance=distance, line=drawn, blocker=body)
    if apart > MISSILE_RANGE:
        why = localize("miniatures_combat.why_far")
        return Sight(is_seen=False, why=why, distance=distance, line=drawn)
    return Sight(is_seen=True, distance=distance, line=drawn)


def _shown(blocker: Wall | Terrain) -> Blocker:
    if not isinstance(blocker, Wall):
        return Blocker("terrain", blocker.id, blocker.name)
    return Blocker("wall" if blocker.door == "none" else "door", blocker.id, "")


MISSILE_RANGE = 18 * INCH
"""The range of missile weapons (MNC-076)."""


def sees_target(field: Battlefield, archer: Fighter, target: Fighter, center: tuple[int, int]) -> bool:
    """Return whether an archer has a model within 18" and in sight, if its base is at a center."""
    base = RoundBase(center, field.bases[target.id].radius)
    if gap(field.bases[archer.id], base) > MISSILE_RANGE:
        return False
    is_clear = field.blocker(field.bases[archer.id].at, center) is None
    return is_clear and field.base_between(archer.id, target.id, center) is None
