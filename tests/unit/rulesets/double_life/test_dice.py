"""The dice throw of each race and the six bands (DBL-025 to DBL-033, C-1, C-4; vectors of section B)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enfilade.rules.odds import odds
from enfilade.rulesets.double_life.combat.attack_rolls import (
    EXTREMES,
    FORMULAS,
    band_name,
    band_of,
    is_critical,
    is_fumble,
    throw,
)
from enfilade.rulesets.double_life.profiles import experience_bonus
from tests.unit.rulesets.double_life.scenes import attack, dice, do, facts, fighter, foe, scene

EMPTY = scene()


def chances(race):
    """Return the exact chance of each number that a race throws."""
    return odds(EMPTY, lambda _, name: throw(name, "a throw"), (race,)).chances


@pytest.mark.rule("DBL-025")
@pytest.mark.parametrize(
    ("race", "mean", "least", "most"),
    [
        ("any", 10.5, 1, 20),
        ("gnome", 11.0, 2, 20),
        ("dwarf", 10.5, 3, 18),
        ("elf", 11.0, 3, 19),
        ("orc", 10.7, 1, 40),
        ("troll", 11.0, 1, 30),
        ("human", 10.6, 1, 24),
    ],
)
def test_each_race_throws_the_dice_of_its_page(race, mean, least, most):
    found = chances(race)
    assert round(float(sum(number * chance for number, chance in found.items())), 1) == mean
    assert (min(found), max(found)) == (least, most)
    assert set(FORMULAS) == set(EXTREMES)


@pytest.mark.parametrize(
    ("race", "critical", "fumble"),
    [
        ("any", 5.0, 5.0),
        ("elf", 3.1, 3.1),
        ("troll", 3.3, 3.3),
        ("orc", 5.7, 6.9),
        ("gnome", 1.0, 1.0),
        ("dwarf", 0.5, 0.5),
    ],
)
def test_critical_throws_and_fumbles_are_as_likely_as_the_pages_say(race, critical, fumble):
    found = chances(race)
    assert float(100 * sum(p for n, p in found.items() if is_critical(race, n))) == pytest.approx(
        critical, abs=0.06
    )
    assert float(100 * sum(p for n, p in found.items() if is_fumble(race, n))) == pytest.approx(
        fumble, abs=0.06
    )


def test_a_human_and_an_orc_fumble_above_their_worst_throw():
    assert not is_fumble("human", 20)
    assert is_critical("human", 1)
    assert not is_critical("human", 2)
    assert is_fumble("human", 21)
    assert not is_fumble("orc", 23)
    assert is_fumble("orc", 24)
    assert chances("human")[1] == Fraction(
        sum(a + b == c for a in D12 for b in D12 for c in range(1, 7)), 864
    )


D12 = range(1, 13)


@pytest.mark.parametrize(
    ("race", "faces", "thrown"),
    [
        ("any", [7], 7),
        ("dwarf", [1, 5, 6], 12),
        ("elf", [2, 4, "-"], 5),
        ("elf", [2, 4, "+"], 17),
        ("gnome", [12, 1], 13),
        ("human", [3, 4, 6], 2),
        ("human", [12, 9, 1], 21),
        ("orc", [3, 8, 100], 2),
        ("orc", [3, 8, 10], 11),
        ("troll", [7, 3], 21),
    ],
)
@pytest.mark.rule("DBL-056")
def test_a_throw_is_worked_out_from_its_dice(race, faces, thrown):
    board = scene(fighter("ann", (3, 3), race=race), foe("orc", (3, 2) if race != "gnome" else (3, 3)))
    damage = [1] if thrown <= 10 else []
    done = do(board, attack("ann", "orc", stance="attacks"), [*faces, *damage])
    test = facts(done, "test")[0]
    assert (test["throw"], test["value"], test["score"]) == (thrown, 10, 10 - thrown)


def test_the_dice_of_races_are_a_house_rule():
    board = scene(fighter("ann", (3, 3), race="dwarf"), foe("orc", (3, 2)), house_rules={"race_dice": False})
    assert dice(do(board, attack("ann", "orc", stance="attacks"), [14])) == [("d20", [14])]


@pytest.mark.rule("DBL-028", "DBL-029", "DBL-030", "DBL-031", "DBL-032", "DBL-033")
@pytest.mark.parametrize(
    ("result", "band"),
    [
        (-30, "total failure"),
        (-11, "total failure"),
        (-10, "bad"),
        (-6, "bad"),
        (-5, "blah"),
        (-1, "blah"),
        (0, "so-so"),
        (4, "so-so"),
        (5, "good"),
        (9, "good"),
        (10, "excellent"),
        (30, "excellent"),
    ],
)
def test_the_bands_begin_and_end_as_the_table_says(result, band):
    assert band_of(result) == band


def test_bands_have_names_for_people():
    names = ["Total Failure", "Bad", "Blah", "So-so", "Good", "Excellent"]
    assert [band_name(band_of(result)) for result in (-11, -6, -1, 0, 5, 10)] == names


@pytest.mark.parametrize(("points", "bonus"), [(0, 0), (1, 1), (2, 1), (3, 2), (5, 2), (6, 3), (9, 3)])
def test_dbl_t14_experience_gives_a_bonus(points, bonus):
    assert experience_bonus(points) == bonus
