"""What a diagonal step costs: the seven rules a virtual tabletop offers, by the names Foundry gives them.

Costs are whole points. A rule says how many points one cell is, so that a budget of six cells under
`EXACT` is 6 * 70 points and every sum stays a whole number.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Steps(NamedTuple):
    """The points of one straight step, and of the odd (first, third, ...) and the even diagonal steps.

    A diagonal of None may not be taken at all.
    """

    straight: int
    odd: int | None
    even: int | None


class Diagonals(Enum):
    """How a square board counts diagonals."""

    EQUIDISTANT = Steps(1, 1, 1)
    """A diagonal counts as any step: 5-5-5."""
    EXACT = Steps(70, 99, 99)
    """The square root of two, as 99/70: wrong by one cell in 20,000."""
    APPROXIMATE = Steps(2, 3, 3)
    """One and a half."""
    RECTILINEAR = Steps(1, 2, 2)
    """Two: as long as the way round the corner."""
    ALTERNATING_1 = Steps(1, 1, 2)
    """5-10-5, the first diagonal cheap."""
    ALTERNATING_2 = Steps(1, 2, 1)
    """10-5-10, the first diagonal dear."""
    ILLEGAL = Steps(1, None, None)
    """No diagonal steps: four neighbours."""

    @property
    def are_legal(self) -> bool:
        """Whether a diagonal step may be taken."""
        return self.value.odd is not None

    @property
    def alternate(self) -> bool:
        """Whether the cost of the next diagonal depends on how many came before."""
        return self.value.odd != self.value.even

    def distance(self, across: int, down: int) -> int:
        """The points of the shortest way over so many columns and rows of open board."""
        diagonal, longest = sorted((abs(across), abs(down)))
        straight, odd, even = self.value
        if odd is None or even is None:
            return straight * (diagonal + longest)
        return straight * (longest - diagonal) + odd * ((diagonal + 1) // 2) + even * (diagonal // 2)
