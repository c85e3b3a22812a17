"""Walls in the view of seats that do not know of the secret doors in them.

A closed secret door is shown as the wall that it lies in. The board's tool gives it, and the pieces that it
leaves of the wall, the wall's ID with two dots and something random: they are shown as that wall, with its
ID. Earlier versions gave pieces and doors IDs with one start, up to a dot, the first piece the wall's own.
So neither an ID nor a piece more tells of the door, and drawing one changes nothing in this view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import hypot

from msgspec.structs import replace

from enfilade.scene.model import Wall

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
        if not runs or min(span.far) > end + _NEAR or _looks(piece) != _looks(runs[-1][0]):
            runs.append([])
        runs[-1].append(piece)
        end = max(end, *span.far) if len(runs[-1]) > 1 else max(span.far)
    return runs


def _looks(wall: Wall) -> tuple[object, ...]:
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
    is_alike = wall.door == "none" and _looks(wall) == _looks(door)
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
