"""Measure how even dice are: every die of every ruleset, and the usual numbered dice."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import islice
from unittest.mock import patch

from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.dice import numbered
from enfilade.rules.fair import place, word
from enfilade.rules.resolve import Answers

KEY = bytes(range(32))
FAR = 4.75
"""In standard deviations: fair dice are this far off once in a million tests."""

NUMBERED = tuple(numbered(sides) for sides in (2, 3, 4, 6, 8, 10, 12, 20, 100))


def deviation(seen, places, throws):
    """Return chi-squared of counts that should be equal, as a normal deviate (Wilson, Hilferty)."""
    expected, free = throws / places, places - 1
    chi_squared = sum((seen[i] - expected) ** 2 for i in range(places)) / expected
    spread = 2 / (9 * free)
    return ((chi_squared / free) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


def deviation_of(die, throws):
    """Return the deviation of a die in that many throws."""
    return _deviation_of_places(len(die.faces), throws)


@cache  # dice with as many faces fall on the same places
def _deviation_of_places(count, throws):
    places = Counter(place(lambda attempt, n=n: word(KEY, n, attempt), count) for n in range(throws))
    return deviation(places, count, throws)


def dice_of(ruleset, games=12):
    """Return every die that random games of a ruleset roll, under many house rules."""
    found, roll_faces = set(), Answers.roll_faces

    def noted(self, roll):
        found.add(roll.die)
        return roll_faces(self, roll)

    with patch.object(Answers, "roll_faces", noted):
        for seed in range(games):
            for _ in islice(game(ruleset, skirmish(ruleset, seed), seed), 150):
                pass
    return found
