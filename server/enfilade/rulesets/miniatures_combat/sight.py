"""Lines between two models: of melee, from center to center, and of sight for missiles (MNC-064, MNC-076)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.ruleset import Blocker, Engagement, Sight
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.groups import MISSILE_RANGE
from enfilade.rulesets.miniatures_combat.profiles import inches_text
from enfilade.scene.model import Scene, Token, Wall


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
        kind = "terrain" if not isinstance(blocker, Wall) else "door" if blocker.door != "none" else "wall"
        name = "" if isinstance(blocker, Wall) else blocker.name
        why = localize("miniatures_combat.why_blocked")
        found = Blocker(
            "terrain" if kind == "terrain" else "door" if kind == "door" else "wall", blocker.id, name
        )
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


def engagements(scene: Scene) -> tuple[Engagement, ...]:
    """Return the pairs of engaged models (MNC-009)."""
    label = localize("miniatures_combat.engaged")
    return tuple([Engagement(pair, label) for pair in battlefield(scene).engaged_pairs()])
