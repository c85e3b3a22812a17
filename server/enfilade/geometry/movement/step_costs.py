"""How a mover's steps are counted, where that depends on more than the cell: its facing, its last diagonal.

A gait has states. Each says for each direction, clockwise as the board lists its steps, how many points a
step that way costs and which state it leads to; and what it costs to change state on the spot.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from enfilade.geometry.board.arcs import turn_between
from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.diagonals import Diagonals
from enfilade.geometry.kernel.python_fields import MOST, MOST_STATES, NO_DIRECTION, NO_STEP


@dataclass(frozen=True, slots=True)
class Gait:
    """The states of a mover.

    Attributes:
        points: for each state and each of eight directions the points of a step; None is no step.
        following: for each state and direction the state after the step.
        turns: for each state and each state the points of changing on the spot; None cannot be.

    Raises ValueError where the three do not fit together, a step is free, or a turn costs less than nothing.
    """

    points: tuple[tuple[int | None, ...], ...]
    following: tuple[tuple[int, ...], ...]
    turns: tuple[tuple[int | None, ...], ...]

    def __post_init__(self) -> None:
        count = self.states
        if not 1 <= count <= MOST_STATES:
            raise ValueError(f"A gait has 1 to {MOST_STATES} states, not {count}.")
        if not _is_table(self.points, count, 8, range(1, MOST + 1)):
            raise ValueError(
                "In each state a gait says what a step in each of 8 directions costs, from 1 up."
            )
        if not _is_table(self.following, count, 8, range(count)):
            raise ValueError("After a step in each of 8 directions a gait is in one of its own states.")
        if not _is_table(self.turns, count, count, range(MOST + 1)):
            raise ValueError("For each two states a gait says what turning costs, at least 0.")

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.points)


def _is_table(rows: Sequence[Sequence[int | None]], height: int, width: int, values: range) -> bool:
    return len(rows) == height and all(
        len(row) == width and all(value is None or value in values for value in row) for row in rows
    )


@lru_cache(maxsize=64)
def plain(board: Board) -> Gait:
    """Every step alike; on squares, diagonals by the board's rule and its alternation as the state."""
    rule = getattr(board, "diagonals", None)
    if not isinstance(rule, Diagonals) or not rule.are_legal:
        return Gait(((1,) * 8,), ((0,) * 8,), ((None,),))
    straight, odd, even = rule.value
    first = (straight, odd) * 4
    if not rule.alternate:
        return Gait((first,), ((0,) * 8,), ((None,),))
    return Gait((first, (straight, even) * 4), ((0, 1) * 4, (1, 0) * 4), ((None, None), (None, None)))


def with_facing(
    facings: Sequence[int],
    step: Callable[[int], int | None],
    turn: Callable[[int], int | None],
) -> Gait:
    """A mover that keeps its facing as it goes and pays for turning on the spot.

    Args:
        facings: the compass angles of the board's steps, clockwise, at most eight; state i faces the i-th.
        step: the points of a step at so many degrees from the facing, 0 to 180, or None.
        turn: the points of turning by so many degrees on the spot, or None.
    """
    count = len(facings)
    away = [[turn_between(a, b) for b in facings] for a in facings]
    points = tuple(tuple(step(angle) for angle in row) + (None,) * (8 - count) for row in away)
    following = tuple((state,) * 8 for state in range(count))
    return Gait(points, following, tuple(tuple(turn(angle) for angle in row) for row in away))


@lru_cache(maxsize=64)
def directions_of(board: Board) -> bytes:
    """For each parity of (row, column) and each lane its number among the board's steps, clockwise."""
    table = bytearray([NO_DIRECTION]) * (4 * len(LANES))
    for row in (0, 1):
        for column in (0, 1):
            for number, lane in enumerate(board.lanes((column, row))):
                table[len(LANES) * (2 * row + column) + lane] = number
    return bytes(table)


def table_of(rows: Sequence[Sequence[int | None]]) -> array[int]:
    """Points as the kernel wants them: 16 bits, None as `NO_STEP`."""
    return array("H", [NO_STEP if points is None else points for row in rows for points in row])
