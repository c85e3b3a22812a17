"""The segments and shapes that a line may meet: a quick first choice among thousands, for exact tests."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from enfilade.geometry.board.units import Box, Point, Segment
from enfilade.geometry.kernel import sight
from enfilade.time_budget import checkpoint


class NearLines:
    """Segments in one table, asked for those that a line may meet."""

    def __init__(self, lines: Iterable[Segment]) -> None:
        numbers = [number for line in lines for number in line]
        self._span = (min(numbers, default=0), max(numbers, default=0))
        self._table: Sequence[int] = numbers
        if self._span[0] >= -(1 << 31) and self._span[1] < 1 << 31:
            self._table = array("i", numbers)

    def near(self, a: Point, b: Point) -> list[int]:
        """Return the numbers of the segments that the line from a to b may meet, in order.

        Every segment that it touches is among them.
        """
        checkpoint()
        return sight.lines_near(self._table, self._span, a, b)


class NearBoxes:
    """Boxes (left, top, right, bottom), asked for those that a line may meet.

    A line that meets a box meets one of its diagonals, so the table holds these.
    """

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._diagonals = NearLines(
            diagonal
            for left, top, right, bottom in boxes
            for diagonal in ((left, top, right, bottom), (left, bottom, right, top))
        )

    def near(self, a: Point, b: Point) -> list[int]:
        """Return the numbers of the boxes that the line from a to b may meet, in order."""
        return list(dict.fromkeys(number // 2 for number in self._diagonals.near(a, b)))
