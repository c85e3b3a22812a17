"""The threat of a ruleset that draws none itself, from what it tells of each enemy: its reach and its ranges.

An enemy counts as at the start of its turn. A wall between it and a cell in range hides that cell, as it
hides targets of most games; a game with other lines of sight draws its own layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import runs_of
from enfilade.geometry.movement.barriers import LaneMasks, attack_lanes
from enfilade.geometry.sight.blockers import TouchRule
from enfilade.geometry.sight.line_of_sight import seen_by_any
from enfilade.i18n import localize
from enfilade.rules.kit.board import barred_table, board_of, cells_of, wall_blockers
from enfilade.rules.ruleset import Area, Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token

LAYER = "threat"
MELEE = 2
"""The longest range in cells of an attack that counts after a move: a shot from anywhere tells nothing."""


def with_threat(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset with a threat layer: its own, or the one that follows from its layer of ranges."""
    if LAYER in ruleset.layers or "ranges" not in ruleset.layers:
        return ruleset

    def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
        return threat(ruleset, scene, token) if layer == LAYER else ruleset.areas(scene, token, layer)

    return replace(ruleset, layers=(*ruleset.layers, LAYER), areas=areas)


class _Enemy(NamedTuple):
    """An enemy with all its actions left, the scene in which it has them, and its ranges."""

    scene: Scene
    token: Token
    ranges: Sequence[Area]


def threat(ruleset: Ruleset, scene: Scene, token: Token) -> Sequence[Area]:
    """Return where enemies can attack now, and where in melee after a move; nothing off the board."""
    if token.at is None:
        return ()
    enemies = [one for one in _enemies(ruleset, scene, token) if one.ranges]
    if not enemies:
        return ()
    now, later = localize("rules.area_threat_now"), localize("rules.area_threat_after_move")
    if scene.grid.kind == "gridless":
        areas = [area for one in enemies for area in one.ranges]
        rings = tuple([ring for area in areas for ring in area.rings])
        return (Area(LAYER, now, rings=rings, lines=tuple([line for area in areas for line in area.lines])),)
    attacked = _attacked_now(scene, enemies)
    after = _attacked_after_a_move(ruleset, scene, enemies)
    return (Area(LAYER, now, runs_of(attacked)), Area(LAYER, later, runs_of(after - attacked)))


def _enemies(ruleset: Ruleset, scene: Scene, token: Token) -> Iterator[_Enemy]:
    sides: dict[str, list[str]] = {}
    for one in scene.on_board():
        if not scene.are_allies(one, token):
            sides.setdefault(one.side, []).append(one.id)
    for ids in sides.values():
        ready = ruleset.outlook.ready(scene, tuple(ids))
        for key in ids:
            checkpoint()
            enemy = ready.token(key)
            yield _Enemy(ready, enemy, ruleset.areas(ready, enemy, "ranges"))


def _cells(enemy: _Enemy, rows: int) -> Mask:
    """Return the cells in any range of an enemy."""
    found = [0] * rows
    for area in enemy.ranges:
        for row, first, last in area.runs:
            found[row] |= (2 << last) - (1 << first)
    return Mask(tuple(found))


def _attacked_now(scene: Scene, enemies: Sequence[_Enemy]) -> Mask:
    board = board_of(scene)
    viewers = []
    for enemy in enemies:
        wanted = _cells(enemy, board.rows)
        viewers += [(board.center(cell), wanted) for cell in cells_of(enemy.token) if cell in board]
    return seen_by_any(board, viewers, wall_blockers(scene.walls, TouchRule()))


def _attacked_after_a_move(ruleset: Ruleset, scene: Scene, enemies: Sequence[_Enemy]) -> Mask:
    board = board_of(scene)
    ways, open_ways = _lanes(scene, has_walls=True), _lanes(scene, has_walls=False)
    ends: dict[int, set[tuple[int, int]]] = {}
    for enemy in enemies:
        steps = _melee_steps(enemy, open_ways, board.rows)
        reach = ruleset.reach(enemy.scene, enemy.token) if steps else None
        for x, y, _ in reach.cells if reach else ():
            ends.setdefault(steps, set()).update(cells_of(enemy.token, (x, y)))
    found = Mask((0,) * board.rows)
    for steps, cells in ends.items():
        reached = Mask.of([cell for cell in cells if cell in board], board.rows)
        for _ in range(steps):
            reached |= ways.follow(reached)
        found |= reached
    return found


def _melee_steps(enemy: _Enemy, lanes: LaneMasks, rows: int) -> int:
    """Return the longest range of an enemy's attacks of at most `MELEE` cells; 0 without one."""
    longest, reached = 0, Mask.of(cells_of(enemy.token), rows)
    around = []
    for _ in range(MELEE):
        reached |= lanes.follow(reached)
        around.append(reached)
    for area in enemy.ranges:
        cells = _cells(enemy._replace(ranges=(area,)), rows)
        steps = next((number for number, near in enumerate(around, 1) if not len(cells - near)), 0)
        longest = max(longest, steps if cells else 0)
    return longest


def _lanes(scene: Scene, has_walls: bool) -> LaneMasks:
    board = board_of(scene)
    barred = barred_table(scene.walls if has_walls else (), board)
    return LaneMasks(board, attack_lanes(board, barred))
