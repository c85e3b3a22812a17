"""The battlefield: who stands where, how far, in whose reach, behind what cover (ANY-003 to ANY-016)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.geometry.board.base import Point
from enfilade.geometry.board.mask import Mask
from enfilade.i18n import localize
from enfilade.rules.battle.contacts import Contacts
from enfilade.rules.battle.corners import Screens
from enfilade.rules.battle.drawing import tokens_in
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.battle.spaces import spaces_of
from enfilade.rules.battle.strides import Stride
from enfilade.rules.battle.travel import Travel
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import Caught, Sight
from enfilade.rulesets.any_system import house_rules
from enfilade.rulesets.any_system.profiles import read_creature
from enfilade.rulesets.any_system.systems import TOTAL, cover_kind, diagonals_of, has_flanking, system_of
from enfilade.scene.model import Scene, Terrain, Token


@per_scene
def contacts(scene: Scene) -> Contacts:
    """Return the contacts of a scene, with what is in the way of lines (ANY-008, ANY-010, ANY-012)."""
    spaces = spaces_of(scene, diagonals_of(scene), int(setting(scene, house_rules.LARGE_HEXES)))
    is_cover = is_on(scene, house_rules.CREATURE_COVER)
    screens = Screens(spaces, lambda token: is_cover and read_creature(token).is_solid)

    def reach(token: Token) -> int:
        units = read_creature(token).profile.reach or spaces.cell
        if spaces.is_gridless:
            own = int(setting(scene, house_rules.MELEE_REACH))
            units = (own or units) + int(setting(scene, house_rules.TOLERANCE))
        return spaces.length(units)

    return Contacts(screens, reach, lambda token: read_creature(token).can_react)


@per_scene
def travel(scene: Scene, token_id: str) -> Travel:
    """Return the move of a creature on the board: its speed, and that with a dash (ANY-005, ANY-006)."""
    field, token = contacts(scene), scene.token(token_id)
    one, spaces = read_creature(token), field.screens.spaces
    speed = one.speed(spaces.cell)
    lengths = {localize(f"any_system.mode_{one.mode}"): spaces.length(speed)}
    if is_on(scene, house_rules.DASH):
        lengths[localize("any_system.dash")] = spaces.length(2 * speed)

    def passes(other: Token) -> bool:
        return scene.are_allies(token, other) or not read_creature(other).is_solid

    def in_the_air(patch: Terrain) -> int:
        return 0 if not patch.cost and patch.height >= token.elevation else 1

    def zones() -> dict[str, Mask]:
        return field.zones(token, max(lengths.values())) if system_of(scene).provokes else {}

    stride = Stride(passes, cost=in_the_air if one.mode == "fly" else None)
    return Travel(spaces, token, lengths, stride, zones, localize("any_system.opportunity"), "ANY-005")


def outlined(scene: Scene, outline: Sequence[Point], origin: Point) -> Sequence[Caught]:
    """Return the creatures in a drawn area, with their cover from its origin (ANY-018)."""
    return tokens_in(contacts(scene).screens, outline, origin, lambda covered: cover_kind(scene, covered))


def flankers(scene: Scene, target: Token, one: Token) -> str:
    """Return the names of the allies with whom a creature flanks a target; empty if it does not (ANY-015)."""
    if not has_flanking(scene) or scene.are_allies(one, target):
        return ""
    return ", ".join([ally.name for ally in contacts(scene).flankers(target, one)])


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight, the distance, the cover and the flanking of two tokens (ANY-007, ANY-011)."""
    screens = contacts(scene).screens
    if viewer.id == target.id or not all(screens.spaces.is_placed(one) for one in (viewer, target)):
        return Sight()
    found = screens.sight(viewer, target)
    if not found.is_seen:
        return replace(found, cover_level=TOTAL.level, cover_bonus=TOTAL.bonus)
    kind = cover_kind(scene, screens.covered(viewer, target))
    sentences = [kind.name]
    if allies := flankers(scene, target, viewer):
        names = {"name": viewer.name, "allies": allies, "target": target.name}
        sentences.append(localize("any_system.flanks", **names))
    words = " ".join(filter(None, sentences))
    return replace(found, cover=words, cover_level=kind.level, cover_bonus=kind.bonus)
