"""Motions beside plain moves: standing up, dropping, jumps, flight, mounts (SRD-022 to SRD-030, SRD-187)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from enfilade.errors import CannotPay, IllegalAct, OutOfReach
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.displace import straight_cells
from enfilade.rules.battle.ground import ground_of
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import (
    Act,
    Change,
    Outcome,
    Require,
    Step,
    Steps,
    body_of,
    set_condition,
    set_elevation,
    set_track,
)
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, forced_map, is_beside, travel
from enfilade.rulesets.fifth_edition.checks import check
from enfilade.rulesets.fifth_edition.combat import pair
from enfilade.rulesets.fifth_edition.damage import afflict, dismounted
from enfilade.rulesets.fifth_edition.holds import carry
from enfilade.rulesets.fifth_edition.movement import ask_left, feet_left
from enfilade.rulesets.fifth_edition.profiles import creature_in, read_creature
from enfilade.rulesets.fifth_edition.treads import DIFFICULT, GAP, WATER
from enfilade.rulesets.fifth_edition.turn import require_turn
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Terrain, Token, Value

RUN = 10
"""The feet on foot directly before a jump that make it a running one (SRD-026)."""
FOOTING = 10
"""The difficulty to keep the footing where a jump lands, or over an obstacle (SRD-028, SRD-029)."""


class Rise(Value, frozen=True):
    """The body of a flight: the feet by which a flier rises, or sinks."""

    feet: Annotated[int, Meta(ge=-1_000, le=1_000, title="Feet")] = 10


class Ride(Value, frozen=True):
    """The body of a mount: the rider controls it, or leaves it its own turn (SRD-188)."""

    controls: bool = True


def half_speed(scene: Scene, token: Token) -> int:
    """Return what standing up, mounting and dismounting cost (SRD-023, SRD-187)."""
    return int(creature_in(scene, token).speed // 2)


def _spend_feet(scene: Scene, token: Token, feet: float) -> Steps:
    """Spend movement, which ends a run-up; return the scene."""
    scene = yield set_track(scene, token.id, "moved", token.track("moved") + round(feet))
    return (yield set_track(scene, token.id, "run", None)) if token.track("run") else scene


def stand(scene: Scene, act: Act) -> Steps:
    """Stand up for half of the Speed (SRD-023)."""
    token = scene.token(act.token)
    yield Require(_require_stand, (scene, token))
    yield Change(Explained(kind="stand", facts={"token": token.id}))
    cost = half_speed(scene, token)
    scene = yield set_condition(scene, token.id, "prone", None)
    yield from _spend_feet(scene, token, cost)
    return Outcome("stood")


def _require_stand(scene: Scene, token: Token) -> None:
    require_turn(scene, token)
    one = creature_in(scene, token)
    if not token.has("prone"):
        raise IllegalAct(localize("fifth_edition.refuse_not_prone", name=token.name), "SRD-023", "ban")
    if "unconscious" in one.states:
        raise IllegalAct(localize("fifth_edition.refuse_unconscious", name=token.name), "SRD-023", "ban")
    if token.at is not None and travel(scene, token.id, 0).in_the_way(token.at):
        raise IllegalAct(localize("fifth_edition.refuse_crowded", name=token.name), "SRD-035", "occupied")
    if one.speed <= 0:
        raise IllegalAct(localize("fifth_edition.refuse_no_speed", name=token.name), "SRD-023", "ban")
    cost, left = half_speed(scene, token), feet_left(scene, token)
    if left < cost:
        feet = {"cost": f"{cost:g}", "left": f"{left:g}"}
        raise CannotPay(localize("fifth_edition.refuse_stand", name=token.name, **feet), "SRD-023")


def drop(scene: Scene, act: Act) -> Steps:
    """Drop Prone, which is free (SRD-024)."""
    token = scene.token(act.token)
    yield Require(_require_drop, (scene, token))
    yield Change(Explained(kind="drop", facts={"token": token.id}))
    yield from afflict(scene, token.id, "prone")
    return Outcome("prone")


def _require_drop(scene: Scene, token: Token) -> None:
    require_turn(scene, token)
    if token.has("prone") or not creature_in(scene, token).speed:
        raise IllegalAct(localize("fifth_edition.refuse_drop", name=token.name), "SRD-024", "ban")


def rise(scene: Scene, act: Act) -> Steps:
    """Rise or sink in the air (SRD-022)."""
    token, feet = scene.token(act.token), body_of(act, Rise).feet
    yield Require(_require_rise, (scene, token, feet))
    yield Change(Explained(kind="rise", facts={"token": token.id, "feet": feet}))
    spaces = contacts(scene).screens.spaces
    height = token.elevation + round(feet / spaces.cell * spaces.grid.distance)
    scene = yield set_elevation(token, max(0, height))
    scene = yield from carry(scene, token.id)
    yield from _spend_feet(scene, scene.token(token.id), abs(feet))
    return Outcome("flown")


def _require_rise(scene: Scene, token: Token, feet: int) -> None:
    require_turn(scene, token)
    one = creature_in(scene, token)
    flies = one.speeds.get("fly", 0)
    if not flies or "prone" in one.states or not one.can_act:
        raise IllegalAct(localize("fifth_edition.refuse_fly", name=token.name), "SRD-022", "ban")
    if abs(feet) > flies + feet_left(scene, token) - one.speed or not feet:
        raise CannotPay(localize("fifth_edition.refuse_feet", name=token.name), "SRD-013")


# Jumps


def jump(scene: Scene, act: Act) -> Steps:
    """Jump over a gap in a straight line (SRD-026 to SRD-029)."""
    token = scene.token(act.token)
    if token.at is None or act.at is None:
        raise OutOfReach(localize("fifth_edition.refuse_off_board"), "SRD-026", "edge")
    yield Require(_require_jump, (scene, token, act.at))
    feet = jump_feet(scene, token, act.at)
    yield Change(Explained(kind="jump", facts={"token": token.id, "feet": round(feet)}))
    scene, is_stopped = yield from ask_left(scene, token.id, act.at)
    if is_stopped:
        return Outcome("stopped")
    strength, dexterity = map(read_creature(token).skill, ("athletics", "acrobatics"))
    at = act.at
    if _obstacles(scene, token, at):
        scene, is_over = yield from check(scene, token.id, "jump", strength, FOOTING)
        at = at if is_over else _before_obstacle(scene, token, at)
    scene = yield Step(token.id, at, token.facing)
    scene = yield from carry(scene, token.id)
    scene = yield from _spend_feet(scene, scene.token(token.id), feet)
    if any(at in patch.cells and (patch.cost > 1 or patch.kind in DIFFICULT) for patch in scene.terrain):
        scene, is_steady = yield from check(scene, token.id, "landing", dexterity, FOOTING)
        if not is_steady:
            yield from afflict(scene, token.id, "prone")
    return Outcome("jumped")


def high_jump(scene: Scene, act: Act) -> Steps:
    """Jump up: 3 feet and the Strength modifier after a run-up, else half (SRD-030)."""
    token = scene.token(act.token)
    one = read_creature(token)
    feet = max(0, 3 + one.modifier("str")) // (1 if token.track("run") >= RUN else 2)
    yield Require(_require_feet, (scene, token, feet, "SRD-030"))
    hands = feet + 3 * max(token.size) * 5 // 2
    yield Change(Explained(kind="high_jump", facts={"token": token.id, "feet": feet, "hands": hands}))
    yield from _spend_feet(scene, token, feet)
    return Outcome("jumped")


def jump_feet(scene: Scene, token: Token, at: Cell, *, is_over: bool = False) -> float:
    """Return the feet of a jump, from the square left to the square landed on (SRD-027).

    They are what is spent. What Strength must be enough for is its length, `is_over`: by a house rule the
    squares between the two alone.
    """
    spaces, far = contacts(scene).screens.spaces, 0
    if is_over and token.at != at and setting(scene, house_rules.JUMP) == "gap":
        far = -1
    return spaces.in_feet(far + spaces.board.distance(token.at or at, at))


def _require_feet(scene: Scene, token: Token, feet: float, rule: str) -> None:
    require_turn(scene, token)
    if "prone" in read_creature(token).states or token.has("riding"):
        raise IllegalAct(localize("fifth_edition.refuse_jump", name=token.name), rule, "ban")
    if feet > feet_left(scene, token):
        raise CannotPay(localize("fifth_edition.refuse_feet", name=token.name), rule)


def _require_jump(scene: Scene, token: Token, at: Cell) -> None:
    feet = jump_feet(scene, token, at)
    _require_feet(scene, token, feet, "SRD-026")
    score = read_creature(token).score("str")
    most = score if token.track("run") >= RUN else score // 2
    feet = jump_feet(scene, token, at, is_over=True)
    if feet > most or at == token.at:
        sentence = localize("fifth_edition.refuse_far_jump", name=token.name, most=most, far=f"{feet:g}")
        raise OutOfReach(sentence, "SRD-026", "distance")
    obstacles = _obstacles(scene, token, at)
    is_high = any(4 * patch.height > feet for patch in obstacles)
    if is_high or not _is_open(scene, token, at) or travel(scene, token.id, 0).in_the_way(at):
        raise OutOfReach(
            localize("fifth_edition.refuse_landing", name=token.name),
            "SRD-029" if is_high else "SRD-004",
            "ground",
        )


def _is_open(scene: Scene, token: Token, at: Cell) -> bool:
    """Return whether no wall and no solid ground is on the way of a jump, and it lands on ground."""
    board = contacts(scene).screens.spaces.board
    here = token.at or at
    if at not in board:
        return False
    ground = ground_of(scene.terrain, scene.walls, board)
    way = straight_cells(board, here, at)
    solid = [patch for patch in scene.terrain if not patch.cost and patch.kind not in (GAP, WATER)]
    is_barred = any(not ground.is_open(a, b) for a, b in zip((here, *way), way, strict=False))
    is_blocked = any(cell in patch.cells and not patch.height for patch in solid for cell in way)
    return not is_barred and not is_blocked and bool(ground.cost(at))


def _obstacles(scene: Scene, token: Token, at: Cell) -> list[Terrain]:
    """Return the terrain with a height that a jump leads over (SRD-029)."""
    way = set(straight_cells(contacts(scene).screens.spaces.board, token.at or at, at)[:-1])
    return [patch for patch in scene.terrain if patch.height > 0 and not way.isdisjoint(patch.cells)]


def _before_obstacle(scene: Scene, token: Token, at: Cell) -> Cell:
    """Return the square before the first obstacle of a jump."""
    last = token.at or at
    solid = {cell for patch in _obstacles(scene, token, at) for cell in patch.cells}
    for cell in straight_cells(contacts(scene).screens.spaces.board, last, at):
        if cell in solid:
            break
        last = cell
    return last


def landings(scene: Scene, token: Token) -> Iterator[Cell]:
    """Yield the squares beyond a gap, water or a low obstacle that a creature on the board could jump to."""
    spaces = contacts(scene).screens.spaces
    crossed = {
        c for patch in scene.terrain if patch.kind in (GAP, WATER) or patch.height for c in patch.cells
    }
    if not crossed:
        return
    assert token.at is not None
    most = spaces.length(read_creature(token).score("str")) + 1  # by the longest rule for it
    for at in spaces.within(token, most):
        is_end = at not in crossed and at != token.at
        if is_end and not crossed.isdisjoint(straight_cells(spaces.board, token.at, at)):
            yield at


# Mounts


def mount(scene: Scene, act: Act) -> Steps:
    """Mount a willing larger creature within 5 feet (SRD-187)."""
    token, target = pair(scene, act)
    yield Require(_require_mount, (scene, token, target))
    yield Change(Explained(kind="mount", facts={"token": token.id, "target": target.id}))
    scene = yield set_condition(scene, token.id, "riding", target.id)
    scene = yield from _spend_feet(scene, scene.token(token.id), half_speed(scene, token))
    scene = yield set_condition(scene, target.id, "ridden", token.id)
    if body_of(act, Ride).controls:
        scene = yield set_condition(scene, target.id, "led", token.id)
        scene = yield set_track(scene, target.id, "initiative", token.track("initiative"))
    yield from carry(scene, target.id)
    return Outcome("mounted")


def _require_mount(scene: Scene, token: Token, target: Token) -> None:
    _require_feet(scene, token, half_speed(scene, token), "SRD-187")
    one, other = read_creature(token), read_creature(target)
    is_willing = scene.are_allies(token, target) and other.can_act
    are_free = not any(one.has(state) for one in (token, target) for state in ("ridden", "riding"))
    can_ride = is_willing and are_free and other.rank > one.rank
    if not can_ride or not is_beside(scene, token, target) or not _gets_onto(scene, token, target):
        raise IllegalAct(localize("fifth_edition.refuse_mount", name=target.name), "SRD-187", "target")


def _gets_onto(scene: Scene, token: Token, target: Token) -> bool:
    """Return whether no wall and no closed ground is between a rider and its mount."""
    at = target.at
    return at is not None and forced_map(scene).way(token, at).at == at


def dismount(scene: Scene, act: Act) -> Steps:
    """Dismount beside the mount (SRD-187)."""
    token = scene.token(act.token)
    yield Require(_require_dismount, (scene, token))
    yield Change(Explained(kind="dismount", facts={"token": token.id}))
    scene = yield from _spend_feet(scene, token, half_speed(scene, token))
    yield from dismounted(scene, token.id)
    return Outcome("dismounted")


def _require_dismount(scene: Scene, token: Token) -> None:
    require_turn(scene, token)
    if not token.has("riding"):
        raise IllegalAct(localize("fifth_edition.refuse_dismount", name=token.name), "SRD-187", "ban")
    if feet_left(scene, token) < half_speed(scene, token):
        raise CannotPay(localize("fifth_edition.refuse_feet", name=token.name), "SRD-187")
