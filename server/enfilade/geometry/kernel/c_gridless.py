"""Gridless movement in C: python_gridless.py with the same answers, to a millionth of a unit."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import chain

from enfilade.errors import TooSlow
from enfilade.geometry.kernel.library import declare, require
from enfilade.geometry.kernel.python_gridless import Arrival, Tangent, turned
from enfilade.geometry.kernel.python_obstacles import Obstacle, Place, discs_of, distance_to, is_clear
from enfilade.i18n import localize
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint

__all__ = ["Search", "distance_to", "is_clear", "turned"]

NUMBERS, PLACES = 9, 3
"""How many numbers and integers C writes for an arrival."""
TOO_SMALL, TOO_LONG = -2, -3
"""C's results if a table is too small, or a search too long."""

_I, _P, _D = ctypes.c_int32, ctypes.c_void_p, ctypes.c_double

_search = declare("enfilade_gridless_search", _I, _I, _P, _I, _P, _D, _P, _P, _P)
_arrive = declare("enfilade_gridless_arrive", _I, _I, _P, _I, _P, _D, _I, _P, _P, _I, _P, _P, _P)


def at(table: array[int] | array[float]) -> int:
    """Return the address of a table's memory."""
    return table.buffer_info()[0]


class Search:
    """See `python_gridless.Search`."""

    def __init__(self, obstacles: Sequence[Obstacle], start: Place, budget: float) -> None:
        checkpoint()
        self.obstacles, self.budget = obstacles, budget
        self.discs = discs_of(obstacles, start)
        self.obstacle_table = array("d", chain.from_iterable(obstacles))
        self.disc_table = array("d", chain.from_iterable(self.discs))
        room = 4 * len(self.discs) + 16
        while self._search(room) == TOO_SMALL:
            room *= 4
        checkpoint()

    def _search(self, room: int) -> int:
        self.numbers, self.places = (
            array("d", bytes(8 * NUMBERS * room)),
            array("i", bytes(4 * PLACES * room)),
        )
        count = array("i", [room])
        done: int = _search(*self._board(), at(self.numbers), at(self.places), at(count))
        if done == TOO_LONG:
            raise TooSlow(localize("geometry.too_many_obstacles"))
        if done != TOO_SMALL:
            require(done)
        self.count = count[0]
        return done

    def _board(self) -> tuple[int, int, int, int, float]:
        tables = self.obstacle_table, self.disc_table
        return len(self.obstacles), at(tables[0]), len(self.discs), at(tables[1]), self.budget

    @lazy
    def arrivals(self) -> list[Arrival]:
        """See `python_gridless.Search`."""
        found = [Arrival(0.0, 0, 1, 0.0)]
        for number in range(1, self.count):
            disc, turn, before = self.places[PLACES * number : PLACES * (number + 1)]
            cost, angle, line = _read(self.numbers, number)
            found.append(Arrival(cost, disc, turn, angle, before, line))
        return found

    def arrive(self, point: Place) -> Arrival | None:
        """See `python_gridless.Search.arrive`."""
        if point == self.discs[0][:2]:
            return self.arrivals[0]
        numbers, before = self._arrive([point])
        cost, _, line = _read(numbers, 0)
        return None if cost < 0 else Arrival(cost, -1, 1, 0.0, before[0], line)

    def costs(self, points: Sequence[Place]) -> list[float | None]:
        """See `python_gridless.Search.costs`."""
        checkpoint()
        numbers, _ = self._arrive(points)
        costs = [None if cost < 0 else cost for cost in numbers[::NUMBERS]]
        start = self.discs[0][:2]
        return [0.0 if point == start else cost for point, cost in zip(points, costs, strict=True)]

    def _arrive(self, points: Sequence[Place]) -> tuple[array[float], array[int]]:
        wanted = array("d", chain.from_iterable(points))
        numbers, before = array("d", bytes(8 * NUMBERS * len(points))), array("i", bytes(4 * len(points)))
        require(
            _arrive(
                *self._board(),
                self.count,
                at(self.numbers),
                at(self.places),
                len(points),
                at(wanted),
                at(numbers),
                at(before),
            )
        )
        return numbers, before


def _read(numbers: array[float], number: int) -> tuple[float, float, Tangent]:
    """Return the cost, the angle and the tangent of an arrival that C wrote."""
    cost, angle, leaves, arrives, length, *places = numbers[NUMBERS * number : NUMBERS * (number + 1)]
    x1, y1, x2, y2 = places
    return cost, angle, Tangent(leaves, arrives, length, (x1, y1), (x2, y2))
