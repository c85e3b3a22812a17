"""The battlefield: spaces, cover and sight, reach, moves, and the squares of effects (SRD-001 to SRD-010)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import Diagonals
from enfilade.geometry.board.units import Cell, Point
from enfilade.i18n import localize
from enfilade.rules.battle.contacts import Contacts
from enfilade.rules.battle.corners import Lines, Screens
from enfilade.rules.battle.displace import Landing
from enfilade.rules.battle.forced import ForcedMap
from enfilade.rules.battle.ground import footing_of, ground_of
from enfilade.rules.battle.lasting import sources
from enfilade.rules.battle.memo import per_scene, per_token
from enfilade.rules.battle.obstacles import QUARTERS, TOTAL, Covered
from enfilade.rules.battle.outlines import tokens_in
from enfilade.rules.battle.spaces import spaces_of
from enfilade.rules.battle.strides import Stride
from enfilade.rules.battle.travel import Travel
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import Caught, CoverLevel, Sight
from enfilade.rules.typed_damage import Defenses
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.profiles import NAMED_COVER, Creature, creature_in, read_creature
from enfilade.rulesets.fifth_edition.senses import feels, sees, why_unseen
from enfilade.rulesets.fifth_edition.treads import WATER, tread_of
from enfilade.scene.model import Scene, Token

MOST_TINY = 4
BESIDE = 5
"""The feet within which creatures touch, grapple and help (SRD-002)."""
FIRST_LINES = 16
"""The creatures that are asked at once whether they see another: the first of a crowd is often enough."""
COVER = {"half": 2, "three_quarters": 5}
"""What cover adds to armor class and Dexterity saves (SRD-097)."""


@per_scene
def contacts(scene: Scene) -> Contacts:
    """Return the contacts of a scene: reach by the longest melee attack (SRD-080, SRD-081, SRD-102)."""
    is_flat = setting(scene, house_rules.DIAGONALS) == "5-5-5"
    diagonals = Diagonals.EQUIDISTANT if is_flat else Diagonals.ALTERNATING_1
    spaces = spaces_of(scene, diagonals, 3, setting(scene, house_rules.VERTICAL) == "sum")
    covers = is_on(scene, house_rules.CREATURE_COVER)

    def reacts(token: Token) -> bool:
        return read_creature(token).can_act

    is_solid = _is_upright if covers else lambda _token: False
    choice = setting(scene, house_rules.COVER)
    lines = Lines(by_centers=choice == "center", named=_named_cover if choice == "named" else None)
    return Contacts(
        Screens(spaces, is_solid, lines), lambda one: spaces.length(read_creature(one).reach), reacts
    )


@per_token
def _is_upright(token: Token) -> bool:
    """Return whether a creature is in the way of lines: one that lies is not (SRD-102)."""
    return read_creature(token).states.isdisjoint(("out", "prone"))


def _named_cover(token: Token) -> Covered:
    """Return the cover that a creature's conditions name: the GM's, or its actor's statuses (SRD-100)."""
    named = {NAMED_COVER[state] for state in read_creature(token).states if state in NAMED_COVER}
    if "total" in named:
        return TOTAL
    walls = QUARTERS if "three_quarters" in named else 0
    return Covered(walls, QUARTERS if named else 0)


def cover(scene: Scene, attacker: Token, target: Token) -> CoverLevel:
    """Return the cover of a target: "half", "three_quarters", "total" or "" (SRD-097 to SRD-102)."""
    return cover_of(contacts(scene).screens.covered(attacker, target))


def is_covered(scene: Scene, attacker: Token, target: Token) -> bool:
    """Return whether the cover of a target is total (SRD-096)."""
    return contacts(scene).screens.is_total(attacker, target)


def cover_of(covered: Covered) -> CoverLevel:
    """Return what so many blocked lines mean; creatures give no more than half (SRD-101, SRD-102)."""
    if covered.is_total:
        return "total"
    if covered.walls > 2:
        return "three_quarters"
    return "half" if covered.walls or covered.bodies else ""


@per_scene
def water(scene: Scene) -> frozenset[Cell]:
    """Return the squares that are under water: deep enough to swim in (SRD-019, SRD-190)."""
    return frozenset(cell for patch in scene.terrain if patch.kind == WATER for cell in patch.cells)


def is_in_water(scene: Scene, token: Token) -> bool:
    """Return whether all of a creature's space is under water, and it is not above it."""
    if not water(scene) or token.elevation > 0:  # odds do not read the battle for it on dry ground
        return False
    spaces = contacts(scene).screens.spaces
    return spaces.is_placed(token) and water(scene).issuperset(spaces.cells(token))


def defenses(scene: Scene, one: Creature) -> Defenses:
    """Return what a creature resists where it is: under water also fire (SRD-134, SRD-191)."""
    own = one.defenses
    return own._replace(resistances=own.resistances | {"fire"}) if is_in_water(scene, one.token) else own


def can_see(scene: Scene, viewer: Token, target: Token) -> bool:
    """Return whether a creature sees another (SRD-104, SRD-112, SRD-193)."""
    return sees(contacts(scene).screens, viewer, target) and not is_behind(scene, viewer, target)


def seeing(scene: Scene, viewers: Sequence[Token], target: Token) -> Iterator[Token]:
    """Yield those of some creatures that see another; asks for many lines at once, at first for a few."""
    first, last = 0, FIRST_LINES
    while first < len(viewers):
        some = viewers[first:last]
        contacts(scene).screens.look([(viewer, target) for viewer in some])
        yield from (viewer for viewer in some if can_see(scene, viewer, target))
        first, last = last, 4 * last


def is_behind(scene: Scene, viewer: Token, target: Token) -> bool:
    """Return whether a target is behind a viewer that sees the half before it (SRD-193)."""
    if viewer.facing is None or not is_on(scene, house_rules.FACING):
        return False
    spaces = contacts(scene).screens.spaces
    (x, y), (to_x, to_y) = spaces.center(viewer), spaces.center(target)
    ahead_x, ahead_y = math.sin(math.radians(viewer.facing)), -math.cos(math.radians(viewer.facing))
    return round((to_x - x) * ahead_x + (to_y - y) * ahead_y) < 0


def is_within(scene: Scene, one: Token, other: Token, feet: float) -> bool:
    """Return whether two creatures are at most so far apart (SRD-001)."""
    spaces = contacts(scene).screens.spaces
    return spaces.distance(one, other) <= spaces.length(feet)


def is_beside(scene: Scene, one: Token, other: Token) -> bool:
    """Return whether two creatures are within 5 feet of each other."""
    return is_within(scene, one, other, BESIDE)


@per_scene
def travel(scene: Scene, token_id: str, feet: float) -> Travel:
    """Return the move of a creature within feet of its Speed (SRD-012 to SRD-022, SRD-033, SRD-077)."""
    field, token = contacts(scene), scene.token(token_id)
    one, spaces = creature_in(scene, token), field.screens.spaces
    is_legacy = setting(scene, house_rules.PASSING) == "legacy"

    def passes(other: Token) -> bool:
        its = read_creature(other)
        is_harmless = not is_legacy and (not its.can_act or its.profile.size == "tiny")
        return scene.are_allies(token, other) or is_harmless or abs(its.rank - one.rank) > 1

    def slowed(other: Token) -> bool:
        is_easy = scene.are_allies(token, other) or read_creature(other).profile.size == "tiny"
        return is_legacy or not is_easy

    def zones() -> dict[str, Mask]:
        if token.has("disengaged") or _asks_no_one(scene):
            return {}
        near = field.zones(token, max(lengths.values()), of_allies=_asks_allies(scene))
        dragged = one.listed("grappling")  # they come along, and are never left
        others = [scene.token(key) for key in near if key not in dragged]
        ready = [other for other in others if not other.has("reacted")]
        return {other.id: near[other.id] for other in seeing(scene, ready, token)}

    def shares(other: Token) -> bool:
        return token.id == other.conditions.get("riding") or has_room(scene, token, other)

    known = {other.id: other for other in spaces.placed}
    feared = tuple([known[key] for key in sources(token, "frightened") if key in known])

    part, more = drag_of(scene, one)
    tread = tread_of(one, feet, scene.terrain)
    lengths = {localize("fifth_edition.move"): spaces.length(tread.most / part)}
    if house_rules.is_assistant(scene):
        tread = tread_of(one, feet + one.speed, scene.terrain)
        lengths[localize("fifth_edition.dash")] = spaces.length(tread.most / part)
    extra, squeezes = int("prone" in one.states) + more, str(setting(scene, house_rules.SQUEEZING))
    stride = Stride(passes, slowed, tread.cost, scene.grid.kind == "square", extra, feared, squeezes=squeezes)
    if tread.ceiling is not None:
        ceiling = tread.ceiling
        stride = stride._replace(ceiling=lambda patch: spaces.length(ceiling(patch) / part))
    return Travel(
        spaces, token, lengths, stride, zones, localize("fifth_edition.opportunity"), "SRD-012", shares
    )


def _asks_no_one(scene: Scene) -> bool:
    """Return whether the table plays without opportunity attacks (SRD-077)."""
    return setting(scene, house_rules.ASK_OA) == "never" and not house_rules.is_assistant(scene)


def _asks_allies(scene: Scene) -> bool:
    """Return whether allies too may attack one that leaves their reach (SRD-077)."""
    is_anyone = setting(scene, house_rules.OA) == "anyone"
    return is_anyone and setting(scene, house_rules.ASK_OA) == "everyone"


def may_provoke(scene: Scene, mover: Token, other: Token) -> bool:
    """Return whether one may be asked for an opportunity attack on a creature that moves (SRD-077)."""
    if scene.are_allies(mover, other):
        return _asks_allies(scene)
    return not _asks_no_one(scene)


def drag_of(scene: Scene, one: Creature) -> tuple[int, int]:
    """Return what dragging another does to a move: the divisor of the Speed, and what a foot costs more.

    One whose weight the creature does not feel does nothing (SRD-040).
    """
    placed = contacts(scene).screens.spaces.placed
    held = [token for token in placed if token.conditions.get("grappled") == one.id]
    others = [read_creature(token) for token in held if token.id in one.listed("grappling")]
    if not any(other.profile.size != "tiny" and one.rank - other.rank < 2 for other in others):
        return 1, 0
    return (2, 0) if setting(scene, house_rules.GRAPPLE) == "contest" else (1, 1)


def is_pressed(scene: Scene, token: Token) -> bool:
    """Return whether a creature is where it only squeezes in, by the older rule (SRD-036)."""
    if max(token.size) == 1 or token.at is None or setting(scene, house_rules.SQUEEZING) != "pressed":
        return False
    spaces = contacts(scene).screens.spaces
    ground = ground_of(scene.terrain, scene.walls, spaces.board)
    return not footing_of(ground, spaces.footprint(token)).places[token.at]


def has_room(scene: Scene, one: Token, other: Token) -> bool:
    """Return whether the square of a Tiny creature has room for another: for four in all (SRD-006)."""
    if not all(read_creature(token).profile.size == "tiny" for token in (one, other)):
        return False
    there = [token for token in scene.tokens if token.at == other.at and token.id != one.id]
    return len(there) < MOST_TINY


def may_share(scene: Scene, a: Token, b: Token) -> bool:
    """Return whether two creatures may be in one space: one may lie at the feet of another, or ride it."""
    if has_room(scene, a, b):
        return True
    is_pair = b.id in (a.conditions.get("riding"), a.conditions.get("ridden"))
    return is_pair or any("prone" in read_creature(one).states for one in (a, b))


def forced_map(scene: Scene) -> ForcedMap:
    """Return the map as forced moves meet it (SRD-037)."""
    return ForcedMap(contacts(scene).screens.spaces, lambda a, b: may_share(scene, a, b))


class _FarMap(ForcedMap):
    """The map as one meets it that is nowhere between two places."""

    def way(self, token: Token, to: Cell) -> Landing:
        """Return the place itself."""
        del token
        return Landing(to)


def far_map(scene: Scene) -> ForcedMap:
    """Return the map as those meet it who teleport, or are carried by one that has moved (SRD-039)."""
    return _FarMap(contacts(scene).screens.spaces, forced_map(scene).shares)


def outlined(scene: Scene, outline: Sequence[Point], origin: Point) -> Sequence[Caught]:
    """Return the creatures in a drawn area, with their cover from its origin (SRD-103, SRD-166, SRD-168)."""

    def kind(covered: Covered) -> tuple[str, CoverLevel, int | None]:
        level = cover_of(covered)
        name = localize(f"fifth_edition.cover_{level}") if level else ""
        return name, level, COVER.get(level, 0)

    return tokens_in(contacts(scene).screens, outline, origin, kind)


def is_flanking(scene: Scene, attacker: Token, target: Token) -> bool:
    """Return whether an attacker has a partner at the other side of a target (SRD-192)."""
    if setting(scene, house_rules.FLANKING) == "off" or not can_see(scene, attacker, target):
        return False
    partners = contacts(scene).flankers(target, attacker)
    return any(can_see(scene, one, target) for one in partners)


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight, the distance and the cover between two creatures (SRD-097, SRD-104).

    One that is not seen for another reason than walls has it in words, and whether it is felt (SRD-110).
    """
    screens = contacts(scene).screens
    if viewer.id == target.id or not all(screens.spaces.is_placed(one) for one in (viewer, target)):
        return Sight()
    found = screens.sight(viewer, target)
    kind = cover(scene, viewer, target) if found.is_seen else "total"
    why = [why_unseen(screens, viewer, target)] if found.is_seen else [found.why]
    if any(why) and feels(screens, viewer, target):
        why.append(localize("fifth_edition.felt", name=target.name))
    text = localize(f"fifth_edition.cover_{kind}") if kind and found.is_seen else ""
    bonus = None if kind == "total" else COVER.get(kind, 0)
    found = replace(found, cover=text, cover_level=kind, cover_bonus=bonus)
    return replace(found, is_seen=not any(why), why=" ".join(filter(None, why)))
