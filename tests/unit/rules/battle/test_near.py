"""Near tokens: the first searches of a scene look at all tokens, later ones at those in sorted columns."""

from __future__ import annotations

import random

import pytest

from enfilade.geometry.board.square import Diagonals
from enfilade.rules.battle.spaces import UNSORTED, Spaces
from enfilade.scene.model import Grid, Scene, Token

KINDS = ("square", "hex_odd_r", "gridless")


def crowd(kind, unit):
    """Return a scene with tokens of several sizes, one of them off the board."""
    chance = random.Random(7)
    tokens = tuple(
        Token(
            id=f"t{i}",
            name="T",
            side="a",
            at=None if i == 5 else (chance.randrange(30) * unit, chance.randrange(20) * unit),
            size=chance.choice(((1, 1), (2, 2), (3, 3))),
        )
        for i in range(30)
    )
    return Scene(ruleset="any", grid=Grid(kind, 30, 20), tokens=tokens)


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_searches_and_the_later_ones_find_the_same_in_the_same_order(kind):
    unit = 64 if kind == "gridless" else 1
    scene = crowd(kind, unit)
    tokens = scene.tokens
    for length in (0, unit, 3 * unit, 8 * unit):
        for one in (tokens[0], tokens[7], tokens[20]):
            spaces = Spaces(scene, Diagonals.EQUIDISTANT, 3)
            found = [spaces.near(one, length) for _ in range(UNSORTED + 1)]
            assert all(again == found[0] for again in found)
            within = [other for other in spaces.placed if spaces.distance(one, other) <= length]
            assert {other.id for other in within} - {one.id} <= {other.id for other in found[0]}
            assert one not in found[0]


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_are_near_each_other_are_found_at_once_in_the_order_of_the_tokens(kind):
    unit = 64 if kind == "gridless" else 1
    spaces = Spaces(crowd(kind, unit), Diagonals.EQUIDISTANT, 3)
    lengths = {one.id: (number % 4) * unit for number, one in enumerate(spaces.placed) if number % 3}
    found = spaces.near_each(lengths)
    order = {one.id: number for number, one in enumerate(spaces.placed)}
    assert [(order[one.id], order[other.id]) for one, other in found] == sorted(
        (order[one.id], order[other.id]) for one, other in found
    )
    within = {
        (one.id, other.id)
        for one in spaces.placed
        for other in spaces.placed
        if one is not other and spaces.distance(one, other) <= lengths.get(one.id, -1)
    }
    assert within <= {(one.id, other.id) for one, other in found}
    assert len(within) > 9
    assert all(one.id in lengths and one is not other for one, other in found)
