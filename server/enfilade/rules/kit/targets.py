"""Targets: who is an enemy, within range and in sight; with the overlays and the line of sight to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Mask, full_mask
from enfilade.geometry.board.shapes import Body
from enfilade.geometry.sight.blockers import TouchRule
from enfilade.geometry.sight.line_of_sight import best_sight_line, visible
from enfilade.i18n import localize
from enfilade.rules.battle.memo import FEW, identity_cache
from enfilade.rules.kit.board import (
    board_of,
    cell_body,
    cells_of,
    distance_text,
    gap,
    opaque_walls,
    stopped_by,
    wall_blockers,
)
from enfilade.rules.kit.health import OUT
from enfilade.rules.kit.turns import TurnOrder
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps
from enfilade.rules.ruleset import Area, Blocker, Sight
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Terrain, Token, Wall

LAYERS = ("ranges", "sight", "blind")
"""The overlay layers that `areas` answers."""


@dataclass(frozen=True)
class Targets:
    """The targets of an attack: enemies up to `longest` cells away, in sight unless `needs_sight` is off.

    `longest` returns the range of a miniature in cells. A line of sight goes from center to center; walls,
    closed doors and terrain that blocks sight stop it, miniatures do not.
    """

    turns: TurnOrder
    rule: str
    longest: Callable[[Token], int] = lambda _token: 1
    needs_sight: bool = True

    def begin(self, scene: Scene, act: Act, **facts: Any) -> Steps:
        """Check an attack and explain it; return the attacker and the target.

        `facts` are what the preview and the log show, such as `needed`.
        """
        attacker, target = scene.token(act.token), scene.token(act.target)
        if attacker.at is None or target.at is None:
            raise OutOfReach(localize("kit.fight_off_board"), self.rule, "edge")
        yield Require(self.require, (scene, attacker, target))
        explained = {"token": attacker.id, "target": target.id, **facts}
        yield Change(Explained(kind=act.kind, facts=explained))
        return attacker, target

    def finish(self, scene: Scene, act: Act, result: str, damage: int = 0) -> Steps:
        """Explain the result of an attack, and end the attacker's act; return the outcome."""
        yield Change(Explained(kind="result", facts={"result": result}))
        yield from self.turns.after(scene, scene.token(act.token))
        return Outcome(result, damage, OUT if scene.token(act.target).has(OUT) else "")

    def require(self, scene: Scene, attacker: Token, target: Token) -> None:
        """Raise OutOfTurn, IllegalAct or OutOfReach unless a miniature may attack another now."""
        self.turns.require(scene, attacker)
        if scene.are_allies(attacker, target):
            raise IllegalAct(localize("kit.not_an_enemy", name=target.name), self.rule, "target")
        cells, longest = gap(scene, attacker, target), self.longest(attacker)
        if cells > longest:
            steps, most = distance_text(scene, cells), distance_text(scene, longest)
            sentence = localize("kit.out_of_range", name=target.name, distance=steps, longest=most)
            raise OutOfReach(sentence, self.rule, "distance")
        if self.needs_sight and (why := self.sight(scene, attacker, target).why):
            raise OutOfReach(f"{target.name}: {why}", self.rule, "sight")

    def areas(self, scene: Scene, token: Token, layer: str) -> Sequence[Area]:
        """Return the areas of the layers "ranges", "sight" and "blind"; none off the board."""
        board = board_of(scene)
        if token.at is None or token.at not in board or layer not in LAYERS:
            return ()
        if layer == "ranges":
            longest, body = self.longest(token), cells_of(token)
            far = ((cell, min(board.distance(one, cell) for one in body)) for cell in full_mask(board))
            cells = [cell for cell, steps in far if 0 < steps <= longest]
            text = localize("kit.area_range", longest=distance_text(scene, longest))
            return (Area(layer, text, tuple(Mask.of(cells, board.rows).runs())),)
        seen = Mask((0,) * board.rows)
        for cell in cells_of(token):
            if cell in board:
                seen |= visible(board, board.center(cell), _blockers(scene).blockers)
        if layer == "sight":
            return (Area(layer, localize("kit.area_seen"), tuple(seen.runs())),)
        return (Area(layer, localize("kit.area_blind"), tuple((full_mask(board) - seen).runs())),)

    def sight(self, scene: Scene, viewer: Token, target: Token) -> Sight:
        """Return the line of sight between two miniatures, for `Ruleset.sight`."""
        board, start, end = board_of(scene), viewer.at, target.at
        if start is None or end is None or start not in board or end not in board or viewer.id == target.id:
            return Sight()
        known = _blockers(scene)
        bodies = [[cell for cell in cells_of(one) if cell in board] for one in (viewer, target)]
        eyes, points = ([board.center(cell) for cell in body] for body in bodies)
        line, stop = best_sight_line(eyes, points, known.blockers)
        steps = distance_text(scene, gap(scene, viewer, target))
        if stop is None:
            return Sight(is_seen=True, distance=steps, line=line)
        blocker = known.blocker(stop.wall, stop.body)
        why = localize("kit.not_seen", blocker=blocker.name)
        return Sight(is_seen=False, why=why, distance=steps, line=line, at=stop.at, blocker=blocker)


class _SceneBlockers:
    """The walls and the terrain of a scene that block sight."""

    def __init__(self, scene: Scene) -> None:
        board = board_of(scene)
        terrain = list(_hiding(scene, board.columns, board.rows))
        bodies: list[Body] = [cell_body(board, cell) for _, cell in terrain]
        self.blockers = wall_blockers(scene.walls, TouchRule()).with_bodies((), bodies)
        self._walls: list[Wall] = opaque_walls(scene.walls)
        self._terrain: list[Terrain] = [patch for patch, _ in terrain]

    def blocker(self, wall: int | None, body: int | None) -> Blocker:
        """Return what stops a line: the wall, door or terrain of an obstruction."""
        if body is not None:
            return Blocker("terrain", self._terrain[body].id, self._terrain[body].name)
        return stopped_by(None if wall is None else self._walls[wall])


def _hiding(scene: Scene, columns: int, rows: int) -> Iterator[tuple[Terrain, Cell]]:
    for patch in scene.terrain:
        if patch.blocks_sight:
            for x, y in patch.cells:
                if 0 <= x < columns and 0 <= y < rows:
                    yield patch, (x, y)


@identity_cache(FEW)
def _blockers(scene: Scene) -> _SceneBlockers:
    return _SceneBlockers(scene)
