"""A scene's walls as the geometry takes them, built once for a map and shared by all rulesets on grids."""

from __future__ import annotations

from enfilade.geometry.board.base import Board
from enfilade.geometry.movement.barriers import barred_steps
from enfilade.geometry.sight.blockers import Blockers, TouchRule
from enfilade.i18n import localize
from enfilade.rules.cache import MAPS, identity_cache, map_weight
from enfilade.rules.ruleset import Blocker
from enfilade.scene.model import Wall


@identity_cache(MAPS, map_weight)
def opaque_walls(walls: tuple[Wall, ...]) -> list[Wall]:
    """Return the walls and closed doors that block sight, in order."""
    return [wall for wall in walls if wall.sight != "none" and (wall.door == "none" or not wall.is_open)]


def _weight(walls: tuple[Wall, ...], _touch_rule: TouchRule) -> int:
    return map_weight(walls)


@identity_cache(MAPS, _weight)
def wall_blockers(walls: tuple[Wall, ...], touch_rule: TouchRule) -> Blockers:
    """Return the `opaque_walls` as blockers without bodies, with the tables that `with_bodies` hands on."""
    return Blockers(opaque_walls(walls), touch_rule=touch_rule).with_tables()


@identity_cache(MAPS, map_weight)
def barred_table(walls: tuple[Wall, ...], board: Board) -> bytes:
    """Return the steps that walls and closed doors block, as a table of the board's movement graphs."""
    return barred_steps(board, walls)


def stopped_by(wall: Wall | None) -> Blocker:
    """Return the wall or closed door that stops a line, or a corner between two, with its name for people."""
    if wall is None:
        return Blocker("corner", "", localize("kit.blocker_corner"))
    if wall.door == "door":
        return Blocker("door", wall.id, localize("kit.blocker_door"))
    return Blocker("wall", wall.id, localize("kit.blocker_wall"))
