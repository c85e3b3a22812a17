"""Every face of every die is as likely as it should be, and nothing but the words decides."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import count

import pytest
from tests.property.fair_dice.evenness import FAR, KEY, deviation, deviation_of, dice_of

from enfilade.rules.dice import Die, numbered
from enfilade.rules.fair import Chain, FairDice, place, sorted_faces, word
from enfilade.rulesets import GAMES

THROWS = 10_000
GAMES_OF_EACH = 4
"""The games of each ruleset whose dice are thrown; `make fair-dice` plays 12."""


@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: ruleset.key)
def test_every_die_of_every_ruleset_is_even(ruleset):
    dice = dice_of(ruleset, GAMES_OF_EACH)
    assert dice
    for die in dice:
        assert abs(deviation_of(die, THROWS)) < FAR, die


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100])
def test_every_numbered_die_is_even(sides):
    faces = FairDice(lambda: KEY).roll(numbered(sides), THROWS)
    assert abs(deviation(Counter(face - 1 for face in faces), sides, THROWS)) < FAR


def test_the_same_test_catches_a_modulo_bias():
    places = Counter((word(KEY, n, 0) & 255) % 100 for n in range(THROWS))
    assert deviation(places, 100, THROWS) > FAR


def test_words_beyond_the_last_whole_multiple_are_rejected():
    sides = 3 << 30  # a quarter of all words lie beyond
    limit = (1 << 32) - (1 << 32) % sides
    draws = iter([limit, (1 << 32) - 1, limit - 1])
    assert place(lambda _: next(draws), sides) == sides - 1


def test_successive_dice_are_independent():
    """Pairs of neighbors fall evenly over all 36 pairs."""
    faces = FairDice(lambda: KEY).roll(numbered(6), THROWS)
    pairs = Counter((a - 1) * 6 + b - 1 for a, b in zip(faces[::2], faces[1::2], strict=True))
    assert abs(deviation(pairs, 36, THROWS // 2)) < FAR


def test_the_order_of_a_dies_faces_changes_nothing():
    one, other = Die("blade", ("hit", "miss", "crit", 2, 1)), Die("blade", (1, 2, "crit", "miss", "hit"))
    assert sorted_faces(one.faces) == (1, 2, "crit", "hit", "miss")
    assert FairDice(lambda: KEY).roll(one, 50) == FairDice(lambda: KEY).roll(other, 50)


def test_dice_after_a_choice_are_the_same_as_without_it():
    five = FairDice(lambda: KEY).roll(numbered(20), 5)
    assert five[:2] + FairDice(lambda: KEY, rolled=2).roll(numbered(20), 3) == five


def test_nothing_is_taken_before_the_first_die():
    taken = count()
    dice = FairDice(lambda: bytes([next(taken)]) * 32)
    assert next(taken) == 0
    dice.roll(numbered(6), 1)
    dice.roll(numbered(6), 1)
    assert next(taken) == 2


@pytest.mark.parametrize("links", [1, 2, 127, 128, 129, 300])
def test_every_link_is_the_hash_of_the_next(links):
    chain = Chain(KEY, links)
    for index in range(links):
        assert hashlib.sha256(chain.link(index + 1)).digest() == chain.link(index)
    assert chain.link(links) == KEY
