"""A wall as geometry sees it: a segment, what it stops, from which side, and between which heights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from enfilade.geometry.board.units import Point, Segment

Sense = Literal["none", "limited", "normal", "proximity", "distance"]
OneWay = Literal["both", "left", "right"]


@dataclass(frozen=True, slots=True)
class Wall:
    """A straight wall, in the board's units. An open door is no wall: leave it out, or set `is_open`.

    `one_way` names the side it stops from, seen along the line from its first point to its second.
    `sight` is one of Foundry's senses: a limited wall stops the line at the second one it meets, a proximity
    wall lets an eye see through that is nearer than `threshold`, a distance wall one that is farther.
    `bottom` and `top` are heights in 64ths of a cell; None reaches without end.
    """

    line: Segment
    stops_movement: bool = True
    sight: Sense = "normal"
    one_way: OneWay = "both"
    bottom: int | None = None
    top: int | None = None
    is_open: bool = False
    threshold: int = 0

    def faces(self, start: Point, end: Point) -> bool:
        """Whether going from start to end comes from a side that this wall stops.

        Going along a one-way wall crosses to neither side, so that is free.
        """
        if self.one_way == "both":
            return True
        x1, y1, x2, y2 = self.line
        across = (x2 - x1) * (end[1] - start[1]) - (y2 - y1) * (end[0] - start[0])
        return across > 0 if self.one_way == "left" else across < 0
