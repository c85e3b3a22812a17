"""Distributions with integer weights: multisets of faces, what is read from them, equal results merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import factorial, gcd, lcm
from typing import Any

from enfilade.rules.dice import Die, Faces

Weighed = tuple[tuple[tuple[Any, int], ...], int]
"""Results with integer weights, and the sum of all weights: faster to multiply than fractions."""


def merge_equal(found: dict[int, dict[Any, int]]) -> Weighed:
    """Bring weights with different sums to one common sum, as small as possible."""
    total = lcm(*found)
    merged: dict[Any, int] = {}
    for out_of, results in found.items():
        for result, weight in results.items():
            merged[result] = merged.get(result, 0) + weight * (total // out_of)
    shared = gcd(total, *merged.values())
    return tuple((result, weight // shared) for result, weight in merged.items()), total // shared


def read_results(weighed: Weighed, read: Callable[[Any], Any]) -> Weighed:
    """Return the distribution of what a pure function reads from results."""
    results, total = weighed
    merged: dict[Any, int] = {}
    for result, weight in results:
        reading = read(result)
        merged[reading] = merged.get(reading, 0) + weight
    return tuple(merged.items()), total


@lru_cache(maxsize=256)
def weighed_faces(die: Die, count: int) -> Weighed:
    """Return each multiset of faces of `count` dice, in the order of the die."""
    kinds = tuple(Counter(die.faces).items())
    branches = tuple((faces, int(share * factorial(count))) for faces, share in _spread(kinds, count))
    return branches, len(die.faces) ** count


@lru_cache(maxsize=256)
def weighed_readings(die: Die, count: int, read: Callable[[Faces], Any]) -> Weighed:
    """Return what a function reads from the faces of `count` dice."""
    if read is sum and all(isinstance(face, int) for face in die.faces):
        return _sums(die, count)
    return merge_equal({len(die.faces) ** count: dict(read_results(weighed_faces(die, count), read)[0])})


def _sums(die: Die, count: int) -> Weighed:
    # One die after the other: 20d6 have 101 sums, but 53,130 multisets.
    sums: dict[Any, int] = {0: 1}
    for _ in range(count):
        more: dict[Any, int] = {}
        for total, weight in sums.items():
            for face in die.faces:
                more[total + face] = more.get(total + face, 0) + weight
        sums = more
    return merge_equal({len(die.faces) ** count: sums})


def _spread(kinds: tuple[tuple[Any, int], ...], count: int) -> Iterator[tuple[Faces, Fraction]]:
    (face, copies), rest = kinds[0], kinds[1:]
    for n in range(count + 1) if rest else (count,):
        share = Fraction(copies**n, factorial(n))
        for faces, more in _spread(rest, count - n) if rest else (((), Fraction(1)),):
            yield (face,) * n + faces, share * more
