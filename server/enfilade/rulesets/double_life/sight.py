"""Distances in cases, and the clear line that a second-life needs (DBL-037)."""

from __future__ import annotations

from enfilade.geometry.board.base import Point
from enfilade.geometry.sight.line_of_sight import SightLine
from enfilade.i18n import localize
from enfilade.rules.kit.board import best_line, blocker_of, blockers_of, hiding_terrain
from enfilade.rules.ruleset import Sight
from enfilade.rulesets.double_life.battlefield import Battlefield, battlefield
from enfilade.rulesets.double_life.profiles import Character, read_character, second_life_reach
from enfilade.scene.model import Scene, Token


def _ends(battle: Battlefield, character: Character) -> tuple[Point, ...]:
    return tuple([battle.board.center(cell) for cell in battle.cells(character)])


def sight_line(scene: Scene, viewer: Character, target: Character) -> SightLine:
    """Return the best line between the cases of two characters on the board, and what stops it."""
    battle, blockers = battlefield(scene), blockers_of(scene.walls, hiding_terrain(scene.terrain))
    return best_line(blockers, _ends(battle, viewer), _ends(battle, target))


def can_reach_with_second_life(scene: Scene, doubler: Character, target: Character) -> bool:
    """Return whether a second-life reaches a target: near enough, and on a clear line."""
    if is_beyond_second_life(scene, doubler, target):
        return False
    return sight_line(scene, doubler, target)[1] is None


def is_beyond_second_life(scene: Scene, doubler: Character, target: Character) -> bool:
    """Return whether a target is farther than a second-life reaches, or one of both is off the board."""
    if doubler.token.at is None or target.token.at is None:
        return True
    return battlefield(scene).distance(doubler, target) > second_life_reach(scene, doubler)


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight between two tokens, its blocker and the distance."""
    one, other = read_character(viewer), read_character(target)
    battle = battlefield(scene)
    if one.id == other.id or not all(battle.is_on_board(each) for each in (one, other)):
        return Sight()
    line, stop = sight_line(scene, one, other)
    blocker = blocker_of(stop, scene.walls, hiding_terrain(scene.terrain)) if stop else None
    return Sight(
        is_seen=stop is None,
        why=localize("double_life.unseen", blocker=blocker.name) if blocker else "",
        distance=localize("double_life.cases", count=battle.distance(one, other)),
        line=line,
        at=stop.at if stop else None,
        blocker=blocker,
    )
