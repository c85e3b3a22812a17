"""The map that players do not see: what lies in the fog, and secret doors within their walls.

`shade` marks the units in the fog as hidden, so that all that keeps hidden tokens from a seat keeps these.
Units that have players are never in the fog, and lift it.

A closed secret door is shown as the wall that it lies in. The board's tool gives it, and the pieces that it
leaves of the wall, the wall's ID with two dots and something random: they are shown as that wall, with its
ID. Earlier versions gave pieces and doors IDs with one start, up to a dot, the first piece the wall's own.
So neither an ID nor a piece more tells of the door, and drawing one changes nothing in this view.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from math import hypot

from msgspec.structs import replace

from enfilade.geometry.board.base import CELL, Cell, Point
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import box_body, hex_body
from enfilade.geometry.board.square import SquareBoard, box
from enfilade.geometry.sight.blockers import Blockers, TouchRule
from enfilade.geometry.sight.line_of_sight import visible
from enfilade.rules.kit.board import Board, board_on, opaque_walls
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import events as ev
from enfilade.scene.model import Grid, Scene, Terrain, Token, Wall

_REMEMBERED = 16
_shaded: deque[tuple[Scene, Scene]] = deque(maxlen=_REMEMBERED)
"""Scenes with fog, and the same with the units in it hidden: each is asked for many times a command."""


def shade(scene: Scene) -> Scene:
    """Return a scene whose units in the fog are hidden; the same value without fog."""
    if not scene.fog.cells:
        return scene
    for known, found in _shaded:
        if known is scene:
            return found
    fog = fog_mask(scene)
    tokens = tuple(_shaded_token(token, scene.grid, fog) for token in scene.tokens)
    found = replace(scene, tokens=tokens)
    _shaded.appendleft((scene, found))
    return found


def _shaded_token(token: Token, grid: Grid, fog: Mask) -> Token:
    checkpoint()
    if token.hidden or token.owners or token.at is None:
        return token
    is_covered = all(cell in fog for cell in _cells_under(token, token.at, grid))
    return replace(token, hidden=True) if is_covered else token


def is_in_fog(scene: Scene, token: Token) -> bool:
    """Return whether a token would stand in the fog of a scene."""
    return bool(scene.fog.cells) and _shaded_token(token, scene.grid, fog_mask(scene)) is not token


def fog_mask(scene: Scene) -> Mask:
    """Return the covered cells of a scene; those off its board are left out."""
    rows = [0] * scene.grid.rows
    for row, first, last in scene.fog.cells:
        if row < len(rows):
            rows[row] |= (1 << last + 1) - (1 << first)
    return Mask(tuple(rows))


def _cells_under(token: Token, at: Cell, grid: Grid) -> Iterator[Cell]:
    """Yield the cells of the board under a token; without cells the square in which it stands."""
    if grid.kind == "gridless":
        yield at[0] // CELL, at[1] // CELL
        return
    columns, rows = token.size if grid.kind == "square" else (1, 1)
    for dx in range(columns):
        for dy in range(rows):
            yield at[0] + dx, at[1] + dy


def walls_out_of_fog(scene: Scene, walls: tuple[Wall, ...]) -> tuple[Wall, ...]:
    """Return the walls beside cells without fog, cut where the fog begins; the same value if all are.

    A door is there as a whole if a part of it is.
    """
    fog = fog_mask(scene)
    shown = tuple(piece for wall in walls for piece in _pieces(wall, fog, scene.grid))
    is_same = len(shown) == len(walls) and all(a is b for a, b in zip(shown, walls, strict=True))
    return walls if is_same else shown


def _pieces(wall: Wall, fog: Mask, grid: Grid) -> Iterator[Wall]:
    """Yield the parts of a wall beside cells without fog."""
    checkpoint()
    steps = _steps(wall)
    lit = [any(cell not in fog for cell in _cells_beside(wall, step, steps, grid)) for step in range(steps)]
    if all(lit) or (wall.door != "none" and any(lit)):
        yield wall
        return
    count = 0
    for step, is_lit in enumerate(lit):
        if not is_lit or (step and lit[step - 1]):
            continue
        end = next((i for i in range(step, steps) if not lit[i]), steps)
        count += 1
        name = wall.id if count == 1 else f"{wall.id[:56]}.{count}"
        line = (*_spot(wall, step, steps), *_spot(wall, end, steps))
        yield replace(wall, id=name, line=line)


def _steps(wall: Wall) -> int:
    """Return the parts, of half a cell or less, in which a wall is looked at."""
    x1, y1, x2, y2 = wall.line
    return max(1, -(-2 * max(abs(x2 - x1), abs(y2 - y1)) // CELL))


def _spot(wall: Wall, step: int, steps: int) -> Point:
    x1, y1, x2, y2 = wall.line
    return x1 + (x2 - x1) * step // steps, y1 + (y2 - y1) * step // steps


def _cells_beside(wall: Wall, step: int, steps: int, grid: Grid) -> Iterator[Cell]:
    """Yield the cells a quarter of a cell from the middle of a part of a wall, on both its sides."""
    x1, y1, x2, y2 = wall.line
    long = max(abs(x2 - x1), abs(y2 - y1), 1)
    x, y = _spot(wall, 2 * step + 1, 2 * steps)
    across, down = (y2 - y1) * CELL // (4 * long), (x1 - x2) * CELL // (4 * long)
    for side in (-1, 1):
        cell = cell_at(grid, (x + side * across, y + side * down))
        if cell is not None:
            yield cell


def cell_at(grid: Grid, point: Point) -> Cell | None:
    """Return the cell in which a point lies, None off the board; on hexes the nearest of their centers."""
    x, y = point
    if grid.kind.startswith("hex"):
        board = board_on(grid)
        near = (
            (column, row)
            for column in range(x // CELL - 2, x // CELL + 3)
            for row in range(y // CELL - 2, y // CELL + 3)
            if (column, row) in board
        )
        return min(near, key=lambda cell: _square_of_distance(board.center(cell), point), default=None)
    cell = x // CELL, y // CELL
    return cell if 0 <= cell[0] < grid.columns and 0 <= cell[1] < grid.rows else None


def _square_of_distance(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def ground_out_of_fog(scene: Scene, terrain: tuple[Terrain, ...]) -> tuple[Terrain, ...]:
    """Return terrain without its cells in the fog; the same value if it has none there."""
    fog = fog_mask(scene)
    shown = []
    for patch in terrain:
        checkpoint()
        cells = tuple([cell for cell in patch.cells if cell not in fog])
        if cells:
            shown.append(patch if len(cells) == len(patch.cells) else replace(patch, cells=cells))
    is_same = len(shown) == len(terrain) and all(a is b for a, b in zip(shown, terrain, strict=True))
    return terrain if is_same else tuple(shown)


def lift_by_sight(before: Scene, after: Scene, events: Iterable[ev.AnyEvent]) -> tuple[ev.AnyEvent, ...]:
    """Return the event that lifts the fog where the units of players see; none if they see nothing new.

    They see from every place that they come to; all of them look anew when a wall, a door, the terrain or the
    fog has changed.
    """
    fog = after.fog
    if not (fog.by_sight and fog.cells):
        return ()
    left = fog_mask(after)
    for token, at in _looks(before, after, events):
        left = left - seen_from(after, token, at)
    cells = tuple(left.runs())
    return () if cells == fog.cells else (ev.FogSet(fog=replace(fog, cells=cells), was=fog),)


def _looks(before: Scene, after: Scene, events: Iterable[ev.AnyEvent]) -> Iterator[tuple[Token, Cell]]:
    """Yield the units of players that may see something new, and where they are then.

    A hidden one lifts nothing: the fog is the same for all, and would tell the others where it is.
    """
    ours = {token.id: token for token in after.tokens if token.owners and not token.hidden}
    is_all = (before.walls, before.terrain, before.fog) != (after.walls, after.terrain, after.fog)
    known = {token.id: token for token in before.tokens}
    for event in events:
        if isinstance(event, ev.TokenMoved) and event.at is not None and event.token in ours:
            yield ours[event.token], event.at
    for token in ours.values():
        was = known.get(token.id)
        is_new = was is None or (was.at, was.owners, was.size) != (token.at, token.owners, token.size)
        if token.at is not None and (is_all or is_new):
            yield token, token.at


def seen_from(scene: Scene, token: Token, at: Cell) -> Mask:
    """Return the cells that a unit sees from a place: by walls, and terrain that blocks sight.

    Terrain that only the GM knows blocks nothing: its shadow in the fog would tell of it.
    """
    grid = scene.grid
    board = SquareBoard(grid.columns, grid.rows) if grid.kind == "gridless" else board_on(grid)
    eye = at if grid.kind == "gridless" else _middle(board, token, at)
    under = [cell for cell in _cells_under(token, at, grid) if cell in board]
    own = Mask.of(under, grid.rows)
    return visible(board, eye, _blockers(scene, board, under)) | own


def _middle(board: Board, token: Token, at: Cell) -> Point:
    x, y = board.center(at)
    if not isinstance(board, SquareBoard):
        return x, y
    return x + (token.size[0] - 1) * CELL // 2, y + (token.size[1] - 1) * CELL // 2


def _blockers(scene: Scene, board: Board, under: Sequence[Cell]) -> Blockers:
    ground = [patch for patch in scene.terrain if patch.blocks_sight and not patch.hidden]
    cells = {cell for patch in ground for cell in patch.cells}
    opaque = sorted(cell for cell in cells.difference(under) if cell in board)
    if isinstance(board, SquareBoard):
        bodies = [box_body(box(cell)) for cell in opaque]
    else:
        assert isinstance(board, HexBoard)
        bodies = [hex_body(board, [cell]) for cell in opaque]
    return Blockers(opaque_walls(scene.walls), bodies=bodies, touch_rule=TouchRule(edge="blocks"))


_NEAR = 1.5
"""How far the ends of pieces may lie apart and beside their line, in 64ths of a cell: they are rounded."""

_COUNTED_DOOR = re.compile(r"d[0-9]+")
"""The IDs that the board's tool gave to doors before their IDs were random."""


def unknown_doors(walls: Sequence[Wall]) -> list[Wall]:
    """Return the secret doors that only the GM knows: the closed ones."""
    return [wall for wall in walls if wall.door == "secret" and not wall.is_open]


def walls_without_secret_doors(walls: Sequence[Wall]) -> tuple[Wall, ...]:
    """Return walls with each closed secret door as a part of the wall that it lies in, or as a wall."""
    unknown = {wall.id for wall in unknown_doors(walls)}
    shown = {w.id: replace(w, door="none", state="closed") if w.id in unknown else w for w in walls}
    for base in {_base(wall) for wall in unknown}:
        pieces = [wall for wall in shown.values() if wall.door == "none" and _base(wall.id) == base]
        if any(wall.id != base for wall in pieces):
            _show_whole(shown, base, pieces)
    for door in unknown:
        if door in shown and _base(door) == door:
            _join(shown, door, unknown)
    return tuple(_renamed(wall, shown) if wall.id in unknown else wall for wall in shown.values())


def _show_whole(shown: dict[str, Wall], base: str, pieces: list[Wall]) -> None:
    """Put walls in the place of the pieces that follow each other; the first gets the ID of all."""
    for piece in pieces:
        del shown[piece.id]
    for number, run in enumerate(_runs(pieces)):
        id = next((piece.id for piece in run if number), base)
        last = max(run, key=lambda piece: max(_Span(run[0], piece).far))
        line = (*run[0].line[:2], *last.line[2:])
        shown[id] = replace(run[0], id=id, line=line)


def _runs(pieces: list[Wall]) -> list[list[Wall]]:
    """Return pieces with one direction as those that touch, in order along it."""
    spans = sorted(((_Span(pieces[0], piece), piece) for piece in pieces), key=lambda one: min(one[0].far))
    runs: list[list[Wall]] = []
    end = 0.0
    for span, piece in spans:
        if not runs or min(span.far) > end + _NEAR or _kind_of(piece) != _kind_of(runs[-1][0]):
            runs.append([])
        runs[-1].append(piece)
        end = max(end, *span.far) if len(runs[-1]) > 1 else max(span.far)
    return runs


def _kind_of(wall: Wall) -> tuple[object, ...]:
    return wall.move, wall.sight, wall.one_way, wall.threshold


def _base(id: str) -> str:
    """Return the ID of the wall that all see of which this is a piece."""
    return id.partition("..")[0]


def _join(shown: dict[str, Wall], door: str, unknown: set[str]) -> None:
    """Put one wall in the place of a door and of the pieces that touch it, the ones that touch those too."""
    start = shown[door]
    pieces = {door: _Span(start, start)}
    waiting = [wall for wall in shown.values() if wall.id != door and _are_pieces(wall, start)]
    while touching := [w for w in waiting if any(p.touches(_Span(start, w)) for p in pieces.values())]:
        pieces |= {wall.id: _Span(start, wall) for wall in touching}
        waiting = [wall for wall in waiting if wall.id not in pieces]
    kept = next((id for id in shown if id in pieces and id not in unknown), door)
    ends = [point for piece in pieces.values() for point in piece.ends]
    (_, first), (_, last) = min(ends), max(ends)
    is_turned = not _Span(start, shown[kept]).is_along
    shown[kept] = replace(shown[kept], line=(*last, *first) if is_turned else (*first, *last))
    for other in pieces.keys() - {kept}:
        del shown[other]


def _are_pieces(wall: Wall, door: Wall) -> bool:
    """Return whether a wall may be a piece of the wall that a door lies in."""
    is_alike = wall.door == "none" and _kind_of(wall) == _kind_of(door)
    return is_alike and (_is_counted(door) or _stem(wall.id) == _stem(door.id))


def _is_counted(door: Wall) -> bool:
    return _COUNTED_DOOR.fullmatch(door.id) is not None


def _stem(id: str) -> str:
    return id.partition(".")[0]


def _renamed(door: Wall, shown: dict[str, Wall]) -> Wall:
    """Return a door that lies in no wall with an ID that does not say "door"."""
    if not _is_counted(door):
        return door
    return replace(door, id=next(id for id in _counted_walls() if id not in shown))


def _counted_walls() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"w{number}"


class _Span:
    """The place of a wall along the line of another: its ends, each with its distance from the start."""

    def __init__(self, line: Wall, wall: Wall) -> None:
        (x, y, *end), (x1, y1, x2, y2) = line.line, wall.line
        length = hypot(end[0] - x, end[1] - y) or 1
        dx, dy = (end[0] - x) / length, (end[1] - y) / length
        along = [((x1 - x) * dx + (y1 - y) * dy, (x1, y1)), ((x2 - x) * dx + (y2 - y) * dy, (x2, y2))]
        self.is_along = along[0] <= along[1]
        self.ends = sorted(along)
        self.far = [far for far, _ in along]
        self.beside = max(abs((px - x) * dy - (py - y) * dx) for _, (px, py) in along)

    def touches(self, other: _Span) -> bool:
        """Return whether both lie on the line, end to end or over each other."""
        (first, _), (last, _) = self.ends
        (start, _), (end, _) = other.ends
        is_straight = max(self.beside, other.beside) <= _NEAR
        return is_straight and start <= last + _NEAR and first <= end + _NEAR
