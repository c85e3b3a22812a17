"""Step costs that depend on the mover's state: its facing, or the number of diagonals so far.

In each state a table gives, for each direction clockwise as the board lists its steps, the points of a step
and the state after it. Another table gives the points of changing state on the spot.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from enfilade.geometry.board.arcs import angle_between
from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.square import Diagonals
from enfilade.geometry.kernel.python_fields import MAX_COST, MAX_STATES, NO_DIRECTION, NO_STEP


@dataclass(frozen=True, slots=True)
class StepCosts:
    """The states of a mover.

    Attributes:
        points: for each state and each of eight directions the points of a step; None forbids it.
        next_states: for each state and direction the state after the step.
        turns: for each two states the points of a change on the spot; None forbids it.

    Raises ValueError if the tables do not match, a step is free, or a turn costs less than nothing.
    """

    points: tuple[tuple[int | None, ...], ...]
    next_states: tuple[tuple[int, ...], ...]
    turns: tuple[tuple[int | None, ...], ...]

    def __post_init__(self) -> None:
        count = self.states
        if not 1 <= count <= MAX_STATES:
            raise ValueError(f"Step costs have 1 to {MAX_STATES} states, not {count}.")
        if not _is_table(self.points, count, 8, range(1, MAX_COST + 1)):
            raise ValueError("Each state needs the points of a step in 8 directions, integers from 1 up.")
        if not _is_table(self.next_states, count, 8, range(count)):
            raise ValueError("Each state needs the next state after a step in 8 directions.")
        if not _is_table(self.turns, count, count, range(MAX_COST + 1)):
            raise ValueError("Each two states need the points of a turn, integers from 0 up.")

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.points)


def _is_table(rows: Sequence[Sequence[int | None]], height: int, width: int, values: range) -> bool:
    return len(rows) == height and all(
        len(row) == width and all(value is None or _is_integer_in(value, values) for value in row)
        for row in rows
    )


def _is_integer_in(value: int, values: range) -> bool:
    return isinstance(value, int) and value in values


@lru_cache(maxsize=64)
def default_step_costs(board: Board) -> StepCosts:
    """Return the board's own step costs: 1 point each; on squares, diagonals by the board's rule."""
    rule = getattr(board, "diagonals", None)
    if not isinstance(rule, Diagonals) or not rule.are_legal:
        return StepCosts(((1,) * 8,), ((0,) * 8,), ((None,),))
    straight, odd, even = rule.value
    first = (straight, odd) * 4
    if not rule.alternate:
        return StepCosts((first,), ((0,) * 8,), ((None,),))
    return StepCosts((first, (straight, even) * 4), ((0, 1) * 4, (1, 0) * 4), ((None, None), (None, None)))


def facing_step_costs(
    facings: Sequence[int],
    step: Callable[[int], int | None],
    turn: Callable[[int], int | None],
) -> StepCosts:
    """Return the costs of a mover that keeps its facing as it moves and pays for turns on the spot.

    Args:
        facings: the compass angles of the board's steps, clockwise, at most eight; state i faces the i-th.
        step: returns the points of a step, from its angle to the facing in degrees (0 to 180), or None.
        turn: returns the points of a turn on the spot, from its angle in degrees, or None.

    Raises ValueError for more than eight facings, or as `StepCosts` does.
    """
    count = len(facings)
    if not 1 <= count <= 8:
        raise ValueError(f"A mover has 1 to 8 facings, not {count}.")
    angles = [[angle_between(a, b) for b in facings] for a in facings]
    points = tuple(tuple(step(angle) for angle in row) + (None,) * (8 - count) for row in angles)
    next_states = tuple((state,) * 8 for state in range(count))
    return StepCosts(points, next_states, tuple(tuple(turn(angle) for angle in row) for row in angles))


@lru_cache(maxsize=64)
def direction_table(board: Board) -> bytes:
    """Return, for each parity of (row, column) and each lane, its number among the steps, clockwise."""
    table = bytearray([NO_DIRECTION]) * (4 * len(LANES))
    for row in (0, 1):
        for column in (0, 1):
            for number, lane in enumerate(board.lanes((column, row))):
                table[len(LANES) * (2 * row + column) + lane] = number
    return bytes(table)


def points_table(rows: Sequence[Sequence[int | None]]) -> array[int]:
    """Return points as a table for the kernel: 16 bits each, None as `NO_STEP`."""
    return array("H", [NO_STEP if points is None else points for row in rows for points in row])
