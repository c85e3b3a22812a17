"""The battlefield: spaces, cover and sight, reach, moves, and the squares of effects (SRD-001 to SRD-010)."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.geometry.board.areas import cone, cube, line, sphere
from enfilade.geometry.board.bitboard import bitboard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import Diagonals
from enfilade.geometry.board.units import CELL, HALF, Point
from enfilade.i18n import localize
from enfilade.rules.battle.contacts import Contacts
from enfilade.rules.battle.corners import Covered, Screens
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.battle.spaces import spaces_of
from enfilade.rules.battle.strides import Stride
from enfilade.rules.battle.travel import Travel
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import Sight
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.profiles import Effect, read_creature
from enfilade.scene.model import Scene, Token

COVER = {"half": 2, "three_quarters": 5}
"""What cover adds to armor class and Dexterity saves (SRD-097)."""


@per_scene
def contacts(scene: Scene) -> Contacts:
    """Return the contacts of a scene: reach by the longest melee attack (SRD-080, SRD-081, SRD-102)."""
    is_flat = setting(scene, house_rules.DIAGONALS) == "5-5-5"
    spaces = spaces_of(scene, Diagonals.EQUIDISTANT if is_flat else Diagonals.ALTERNATING_1)
    covers = is_on(scene, house_rules.CREATURE_COVER)

    def is_solid(token: Token) -> bool:
        return covers and not token.has("out") and "prone" not in read_creature(token).states

    def reacts(token: Token) -> bool:
        return read_creature(token).can_act

    return Contacts(Screens(spaces, is_solid), lambda one: spaces.length(read_creature(one).reach), reacts)


def cover(scene: Scene, attacker: Token, target: Token) -> str:
    """Return the cover of a target: "half", "three_quarters", "total" or "" (SRD-097 to SRD-102)."""
    return cover_of(contacts(scene).screens.covered(attacker, target))


def cover_of(covered: Covered) -> str:
    """Return what so many blocked lines mean; creatures give no more than half (SRD-101, SRD-102)."""
    if covered.is_total:
        return "total"
    if covered.walls > 2:
        return "three_quarters"
    return "half" if covered.walls or covered.bodies else ""


def can_see(scene: Scene, viewer: Token, target: Token) -> bool:
    """Return whether a creature sees another (SRD-104, SRD-109, SRD-111, SRD-112)."""
    screens = contacts(scene).screens
    if not screens.sees(viewer, target):
        return False
    one, distance = read_creature(viewer), screens.spaces.distance(viewer, target)
    special = [one.profile.senses.get(sense, 0) for sense in ("blindsight", "truesight")]
    if distance <= screens.spaces.length(max(special)) and max(special):
        return True
    return "blinded" not in one.states and "invisible" not in read_creature(target).states


def feet_apart(scene: Scene, one: Token, other: Token) -> float:
    """Return the distance of two creatures in feet, 5 if they touch (SRD-002)."""
    spaces = contacts(scene).screens.spaces
    return spaces.in_feet(spaces.distance(one, other))


def is_within(scene: Scene, one: Token, other: Token, feet: float) -> bool:
    """Return whether two creatures are at most so far apart (SRD-001)."""
    spaces = contacts(scene).screens.spaces
    return spaces.distance(one, other) <= spaces.length(feet)


@per_scene
def travel(scene: Scene, token_id: str, feet: float) -> Travel:
    """Return the move of a creature within so many feet (SRD-012 to SRD-020, SRD-033, SRD-077)."""
    field, token = contacts(scene), scene.token(token_id)
    one, spaces = read_creature(token), field.screens.spaces
    lengths = {localize("fifth_edition.move"): spaces.length(feet)}

    def passes(other: Token) -> bool:
        its = read_creature(other)
        is_easy = scene.are_allies(token, other) or not its.can_act or its.profile.size == "tiny"
        return is_easy or abs(its.rank - one.rank) > 1

    def slowed(other: Token) -> bool:
        return not scene.are_allies(token, other) and read_creature(other).profile.size != "tiny"

    def zones() -> dict[str, Mask]:
        if token.has("disengaged"):
            return {}
        near = field.zones(token, max(lengths.values()))
        ready = {key: zone for key, zone in near.items() if not scene.token(key).has("reacted")}
        return {key: zone for key, zone in ready.items() if can_see(scene, scene.token(key), token)}

    extra = 1 if "prone" in one.states else 0
    stride = Stride(passes, slowed, keeps_corners=scene.grid.kind == "square", extra=extra)
    return Travel(spaces, token, lengths, stride, zones, localize("fifth_edition.opportunity"), "SRD-012")


def may_share(scene: Scene, a: Token, b: Token) -> bool:
    """Return whether two creatures may be in one space: one may lie at the feet of another (SRD-035)."""
    del scene
    return any("prone" in read_creature(one).states for one in (a, b))


def area_of(scene: Scene, caster: Token, target: Token, effect: Effect) -> Mask:
    """Return the squares of an effect that is aimed at a creature (SRD-166 to SRD-175).

    A sphere has its origin at a corner of the target's space, a cone, a cube and a line at the middle of the
    side of the caster's own space that faces the target. Squares in total cover from the origin are out.
    """
    spaces = contacts(scene).screens.spaces
    size = round(effect.size * CELL / spaces.cell)
    if effect.shape == "emanation":
        return spaces.within(caster, spaces.length(effect.size)) - Mask.of(
            spaces.cells(caster), spaces.board.rows
        )
    origin, toward = aim(scene, caster, target, effect)
    match effect.shape:
        case "cone":
            found = cone(spaces.board, origin, toward, size)
        case "line":
            found = line(spaces.board, origin, toward, size, round(effect.width * CELL / spaces.cell))
        case "cube":
            found = cube(spaces.board, origin, toward, size)
        case _:
            found = sphere(spaces.board, origin, size)
    bits, screens = bitboard(spaces.board), contacts(scene).screens
    return found - bits.mask(screens.hidden_from(origin))


def aim(scene: Scene, caster: Token, target: Token, effect: Effect) -> tuple[Point, Point]:
    """Return the origin of an effect and a vector along it (SRD-169, SRD-174)."""
    spaces = contacts(scene).screens.spaces
    (x, y), (to_x, to_y) = spaces.center(caster), spaces.center(target)
    if effect.shape == "sphere":
        return spaces.outer_corner(target), (1, 0)
    across, down = to_x - x, to_y - y
    half = max(caster.size) * CELL // 2
    if abs(across) >= abs(down):
        origin = x + (half if across >= 0 else -half), y
    else:
        origin = x, y + (half if down >= 0 else -half)
    toward = to_x - origin[0], to_y - origin[1]
    return origin, toward if any(toward) else (across or 1, down)


def caught_in(scene: Scene, caster: Token, target: Token, effect: Effect) -> list[str]:
    """Return the creatures in an effect, each of which has a square in it (SRD-168, SRD-176)."""
    spaces, cells = contacts(scene).screens.spaces, area_of(scene, caster, target, effect)
    there = [one for one in spaces.placed if not one.has("out")]
    return [one.id for one in there if any(cell in cells for cell in spaces.cells(one))]


def cover_from(scene: Scene, caster: Token, target: Token, effect: Effect, one: str) -> str:
    """Return the cover of a creature from the origin of an effect (SRD-103)."""
    screens = contacts(scene).screens
    if effect.shape == "emanation":
        return cover(scene, caster, scene.token(one)) if one != caster.id else ""
    origin, _ = aim(scene, caster, target, effect)
    return cover_of(screens.covered_from((origin,), HALF, scene.token(one)))


def is_flanking(scene: Scene, attacker: Token, target: Token) -> bool:
    """Return whether an attacker has a partner at the other side of a target (SRD-192)."""
    if setting(scene, house_rules.FLANKING) == "off" or not can_see(scene, attacker, target):
        return False
    partners = contacts(scene).flankers(target, attacker)
    return any(can_see(scene, one, target) for one in partners)


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight, the distance and the cover between two creatures (SRD-097, SRD-104)."""
    screens = contacts(scene).screens
    if viewer.id == target.id or not all(screens.spaces.is_placed(one) for one in (viewer, target)):
        return Sight()
    found = screens.sight(viewer, target)
    kind = cover(scene, viewer, target) if found.is_seen else ""
    return replace(found, cover=localize(f"fifth_edition.cover_{kind}") if kind else "")
