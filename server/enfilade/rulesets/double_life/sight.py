"""Distances in cases, and the clear line that a second-life needs (DBL-037)."""

from __future__ import annotations

from dataclasses import dataclass

from enfilade.geometry.board.shapes import Body, box_body
from enfilade.geometry.board.square import box
from enfilade.geometry.board.units import Point
from enfilade.geometry.sight.blockers import CLOSED, Blockers
from enfilade.geometry.sight.line_of_sight import Obstruction, SightLine, best_sight_line
from enfilade.i18n import localize
from enfilade.rules.cache import MANY, MAPS, identity_cache, map_weight
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rules.walls import opaque_walls, wall_blockers
from enfilade.rulesets.double_life.battlefield import Battlefield, battlefield
from enfilade.rulesets.double_life.profiles import Character, read_character, second_life_reach
from enfilade.scene.model import Scene, Terrain, Token, Wall


@dataclass(frozen=True, eq=False, slots=True)
class _Hiding:
    """The terrain that blocks sight: each of its cases as a body, with its patch."""

    things: list[tuple[Body, Terrain]]


@identity_cache(MAPS, map_weight)
def _hiding(terrain: tuple[Terrain, ...]) -> _Hiding:
    hiding = (patch for patch in terrain if patch.blocks_sight)
    return _Hiding([(box_body(box(cell)), patch) for patch in hiding for cell in patch.cells])


@identity_cache(MAPS, lambda walls, _hiding: map_weight(walls))
def _blockers(walls: tuple[Wall, ...], hiding: _Hiding) -> Blockers:
    return wall_blockers(walls, CLOSED).with_bodies((), [body for body, _ in hiding.things])


@identity_cache(MANY)
def _best_line(blockers: Blockers, eyes: tuple[Point, ...], points: tuple[Point, ...]) -> SightLine:
    return best_sight_line(eyes, points, blockers)


def distance(battle: Battlefield, a: Character, b: Character) -> int:
    """Return the cases between two characters on the board; 0 on one case, 1 if adjacent (C-25)."""
    return min(battle.board.distance(one, other) for one in battle.cells(a) for other in battle.cells(b))


def _ends(battle: Battlefield, character: Character) -> tuple[Point, ...]:
    return tuple([battle.board.center(cell) for cell in battle.cells(character)])


def sight_line(scene: Scene, viewer: Character, target: Character) -> SightLine:
    """Return the best line between the cases of two characters on the board, and what stops it."""
    battle, blockers = battlefield(scene), _blockers(scene.walls, _hiding(scene.terrain))
    return _best_line(blockers, _ends(battle, viewer), _ends(battle, target))


def can_reach_with_second_life(scene: Scene, doubler: Character, target: Character) -> bool:
    """Return whether a second-life reaches a target: near enough, and on a clear line."""
    if doubler.token.at is None or target.token.at is None:
        return False
    if distance(battlefield(scene), doubler, target) > second_life_reach(scene, doubler):
        return False
    return sight_line(scene, doubler, target)[1] is None


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight between two tokens, its blocker and the distance."""
    one, other = read_character(viewer), read_character(target)
    battle = battlefield(scene)
    if one.id == other.id or not all(_is_on_board(battle, each) for each in (one, other)):
        return Sight()
    line, stop = sight_line(scene, one, other)
    blocker = _blocker(scene, stop) if stop else None
    return Sight(
        is_seen=stop is None,
        why=localize("double_life.unseen", blocker=blocker.name) if blocker else "",
        distance=localize("double_life.cases", count=distance(battle, one, other)),
        line=line,
        at=stop.at if stop else None,
        blocker=blocker,
    )


def _is_on_board(battle: Battlefield, character: Character) -> bool:
    cells = battle.cells(character)
    return bool(cells) and all(cell in battle.board for cell in cells)


def _blocker(scene: Scene, stop: Obstruction) -> Blocker:
    if stop.wall is not None:
        wall = opaque_walls(scene.walls)[stop.wall]
        if wall.door == "door":
            return Blocker("door", wall.id, localize("double_life.blocker_door"))
        return Blocker("wall", wall.id, localize("double_life.blocker_wall"))
    things = _hiding(scene.terrain).things
    if stop.body is None:
        return Blocker("corner", "", localize("double_life.blocker_corner"))
    patch = things[stop.body][1]
    return Blocker("terrain", patch.id, patch.name)
