"""How dice fall, in whole weights, and what re-rolling some of them can make of a defence roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import factorial
from typing import NamedTuple

from enfilade.rules.dice import Die
from enfilade.rulesets.torn.dice import BLANK, CRITICAL, SIDES, SUCCESS

Fall = tuple[int, int, int]
"""(successes, criticals, blanks) of some dice."""

KEEP = "keep"
"""The answer that re-rolls nothing."""


@lru_cache(maxsize=512)
def falls(die: Die, count: int) -> tuple[tuple[Fall, int], ...]:
    """Every way so many dice can fall, each with its weight; the weights sum to 6 to the count."""
    on = Counter(die.faces)
    return tuple(
        ((s, c, count - s - c), weight)
        for s in range(count + 1)
        for c in range(count - s + 1)
        if (weight := _weight((s, on[SUCCESS]), (c, on[CRITICAL]), (count - s - c, on[BLANK])))
    )


def _weight(*shown: tuple[int, int]) -> int:
    weight = factorial(sum(count for count, _ in shown))
    for count, copies in shown:
        weight = weight // factorial(count) * copies**count
    return weight


class Wave(NamedTuple):
    """Dice of a kind re-rolled at once: what it is called, and each state it leads to with its weight."""

    answer: str
    dice: int
    leads_to: tuple[tuple[int, int], ...]


class Best(NamedTuple):
    """The least that can be expected for each number of Agility left and each state, and how."""

    values: list[list[int]]
    answers: list[list[str]]


class Rerolls:
    """Every state of a defence roll with Agility to spend, and the waves worth a thought in it.

    As many blanks as can be, or else successes to try for a critical: keeping a success and trying a blank
    is never worse, and what one blank shows cannot change that another is tried.
    """

    def __init__(self, die: Die, dice: int, agility: int) -> None:
        self.states: tuple[Fall, ...] = tuple(
            (s, c, dice - s - c) for s in range(dice + 1) for c in range(dice - s + 1)
        )
        self.index = {state: i for i, state in enumerate(self.states)}
        self.agility = agility
        self.waves = [
            [tuple(self._waves(die, state, g)) for state in self.states] for g in range(agility + 1)
        ]

    def _waves(self, die: Die, state: Fall, agility: int) -> Iterator[Wave]:
        s, c, b = state
        if b and agility:
            count = min(agility, b)
            yield Wave(f"blank {count}", count, self._leads(die, (s, c, b - count), count))
        elif not b:
            for count in range(1, min(agility, s) + 1):
                yield Wave(f"success {count}", count, self._leads(die, (s - count, c, b), count))

    def _leads(self, die: Die, kept: Fall, count: int) -> tuple[tuple[int, int], ...]:
        s, c, b = kept
        return tuple((self.index[s + ds, c + dc, b + db], w) for (ds, dc, db), w in falls(die, count))

    def least(self, kept: Sequence[int]) -> Best:
        """What each state comes to if its re-rolls are chosen for the least; `kept` is what it is worth now.

        Values are scaled by 6 for each Agility left. Blanks are re-rolled on a tie, successes are not.
        """
        found = Best([list(kept)], [[KEEP] * len(kept)])
        for g in range(1, self.agility + 1):
            chosen = [self._least_of(i, g, kept[i], found.values) for i in range(len(kept))]
            found.values.append([value for value, _ in chosen])
            found.answers.append([answer for _, answer in chosen])
        return found

    def _least_of(self, state: int, agility: int, kept: int, values: list[list[int]]) -> tuple[int, str]:
        best, answer = kept * SIDES**agility, KEEP
        for wave in self.waves[agility][state]:
            after = values[agility - wave.dice]
            value = 0
            for there, weight in wave.leads_to:
                value += weight * after[there]
            if value < best or (value == best and wave.answer[0] == "b"):
                best, answer = value, wave.answer
        return best, answer


@lru_cache(maxsize=128)
def rerolls(die: Die, dice: int, agility: int) -> Rerolls:
    """The states of so many dice with at most so much Agility."""
    return Rerolls(die, dice, agility)
