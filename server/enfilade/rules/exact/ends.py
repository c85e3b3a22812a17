"""The ends of an act that a walk has come to so far: what is known if it is broken off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from enfilade.errors import TooSlow
from enfilade.rules.exact.callees import BudgetSpentError
from enfilade.rules.exact.parts import Leaf


class Ends:
    """The leaves of an act and of the rests that it is in, with the chance of the act to come to each."""

    def __init__(self) -> None:
        self._counted: list[tuple[Fraction, list[Leaf]]] = []

    @contextmanager
    def counting(self, share: Fraction | None, leaves: list[Leaf]) -> Iterator[None]:
        """Count leaves as ends of the act until the block is over and its caller takes them.

        `share` is the chance of the act to end as the block does; None if it goes on after that.
        """
        if share is None:
            yield
            return
        self._counted.append((share, leaves))
        try:
            yield
        except (TooSlow, BudgetSpentError):
            raise  # they stay for `known`
        except BaseException:
            self._counted.pop()
            raise
        self._counted.pop()

    def known(self) -> dict[Any, Fraction]:
        """Return the least chance of each result, after a walk that was broken off."""
        known: dict[Any, Fraction] = {}
        for share, leaves in self._counted:
            for leaf in leaves:
                more = share * Fraction(leaf.weight * leaf.world.mass, leaf.total)
                known[leaf.result] = known.get(leaf.result, Fraction(0)) + more
        return known
