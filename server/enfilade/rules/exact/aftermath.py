"""The ends of an act: what is known if a walk is broken off, and what the act makes of each token."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from enfilade.errors import TooSlow
from enfilade.rules.exact.callees import BudgetSpentError
from enfilade.rules.exact.parts import Leaf
from enfilade.rules.exact.worlds import World, Worlds
from enfilade.scene.model import Token


class Ends:
    """The leaves of an act and of the rests that it is in, with the chance of the act to come to each."""

    def __init__(self) -> None:
        self._counted: list[tuple[Fraction, list[Leaf]]] = []

    @contextmanager
    def counting(self, share: Fraction, leaves: list[Leaf]) -> Iterator[None]:
        """Count leaves as ends of the act until the block is over and its caller takes them.

        `share` is the chance of the act to end as the block does.
        """
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


class Aftermath:
    """The tokens after an act, up to where it settles: asked of the worlds that the odds were made of.

    The engine knows no damage and no fall: `value` and `test` say what counts, such as hit points.
    """

    def __init__(self, worlds: Worlds, ends: Sequence[tuple[int, World]], total: int) -> None:
        self._worlds, self._ends, self._total = worlds, ends, total
        self._known: dict[str, dict[int, int]] = {}

    @property
    def touched(self) -> list[str]:
        """The tokens that may have changed, by ID."""
        return sorted(set().union(*[world.touched for _, world in self._ends]))

    def states(self, one: str) -> list[tuple[Token, Fraction]]:
        """Return each state that a token may be in, with its probability."""
        tokens, masses = self._worlds.states.tokens, self._masses(one)
        return [(tokens[state], Fraction(mass, self._total)) for state, mass in masses.items()]

    def mean(self, one: str, value: Callable[[Token], int]) -> Fraction:
        """Return the mean of a number of a token, such as its hit points."""
        tokens, masses = self._worlds.states.tokens, self._masses(one)
        return Fraction(sum([mass * value(tokens[state]) for state, mass in masses.items()]), self._total)

    def chance(self, one: str, test: Callable[[Token], bool]) -> Fraction:
        """Return the probability that a token passes a test, such as to have fallen."""
        tokens, masses = self._worlds.states.tokens, self._masses(one)
        return Fraction(sum([mass for state, mass in masses.items() if test(tokens[state])]), self._total)

    def _masses(self, one: str) -> dict[int, int]:
        """Return the weight of each state of a token, by the state's number."""
        found = self._known.get(one)
        if found is None:
            found = self._known[one] = {}
            for weight, world in self._ends:
                for state, mass in self._worlds.masses(world, one).items():
                    found[state] = found.get(state, 0) + weight * mass
        return found

    def number(self, test: Callable[[Token], bool]) -> dict[int, Fraction]:
        """Return the probabilities of how many more tokens pass a test than before."""
        counts = _Counts(self._worlds, test)
        total: dict[int, int] = {}
        for weight, world in self._ends:
            for number, mass in counts.of(world).items():
                total[number] = total.get(number, 0) + weight * mass
        return {number: Fraction(mass, self._total) for number, mass in sorted(total.items())}


class _Counts:
    """The mass of each number of tokens that pass a test, by world."""

    def __init__(self, worlds: Worlds, test: Callable[[Token], bool]) -> None:
        self._worlds, self._test = worlds, test
        self._gains: dict[int, int] = {}
        self._known: dict[int, dict[int, int]] = {worlds.root.number: {0: 1}}

    def of(self, world: World) -> dict[int, int]:
        found = self._known.get(world.number)
        if found is None:
            found = {}
            for older, new, weight in world.parts:
                more = sum([self._gain(one, state) for one, state in new])
                for number, mass in self.of(older).items():
                    found[number + more] = found.get(number + more, 0) + weight * mass
            self._known[world.number] = found
        return found

    def _gain(self, one: str, state: int) -> int:
        if state not in self._gains:
            now, before = self._worlds.states.tokens[state], self._worlds.base[one]
            self._gains[state] = int(self._test(now)) - int(self._test(before))
        return self._gains[state]
