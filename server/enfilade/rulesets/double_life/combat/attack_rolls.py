"""Tests: a value minus a throw, the outcome of an attack, and its damage (DBL-025 to DBL-041, DBL-056)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from enfilade.i18n import localize
from enfilade.rules.dice import numbered
from enfilade.rules.procedures import Call, Change, Roll, Steps
from enfilade.rulesets.double_life.dice import Band, Race, band_of, is_critical, is_fumble, throw
from enfilade.scene.events import Explained

TestKind = Literal["attack", "defense", "agility", "focus"]

LADDER: dict[Band, Fraction] = {
    "total failure": Fraction(0),
    "bad": Fraction(0),
    "blah": Fraction(1, 2),
    "so-so": Fraction(1),
    "good": Fraction(2),
    "excellent": Fraction(3),
}
"""The part of its damage that a second-life does by the band of the test (DBL-037 to DBL-041)."""


SUCCESSES: tuple[Band, ...] = ("so-so", "good", "excellent")
"""The bands in which an attack succeeds (DBL-031 to DBL-033)."""


class DiceTest(NamedTuple):
    """A test of a character: what is tested, its value after any difficulty, and the race that throws."""

    token: str
    kind: TestKind
    value: int
    race: Race


class AttackSpec(NamedTuple):
    """The numbers of an attack: what its odds depend on.

    The results of all `defenses` are subtracted (DBL-049). An easy target is hit at least So-so (C-12).
    `has_ladder` multiplies the damage of the weapon by the band, as that of a second-life is.
    """

    test: DiceTest
    defenses: tuple[DiceTest, ...]
    is_easy: bool
    dice: int
    sides: int
    bonus: int
    has_ladder: bool


class Strike(NamedTuple):
    """The result of an attack: its band, and its damage."""

    band: Band
    damage: int

    @property
    def is_hit(self) -> bool:
        """Return whether the attack succeeds: So-so or better (DBL-031 to DBL-033)."""
        return self.band in SUCCESSES


def roll_test(test: DiceTest) -> Steps:
    """Throw the dice of a test. Returns the value minus the throw (DBL-025, DBL-026, DBL-056)."""
    label = localize(f"double_life.test_{test.kind}")
    thrown = yield Call(throw, (test.race, label))
    result = test.value - thrown
    mark = "critical" if is_critical(test.race, thrown) else "fumble" if is_fumble(test.race, thrown) else ""
    facts = {
        "token": test.token,
        "test": test.kind,
        "value": test.value,
        "throw": thrown,
        "score": result,
        "band": band_of(result),
        "mark": mark,
    }
    yield Change(Explained(kind="test", facts=facts))
    return result


def _roll_all(tests: tuple[DiceTest, ...]) -> Steps:
    """Return the sum of the results of tests; 0 without any."""
    total = 0
    for test in tests:
        total += yield Call(roll_test, (test,))
    return total


def _roll_band(test: DiceTest, defenses: tuple[DiceTest, ...], is_easy: bool) -> Steps:
    """Return the band of an attack: its test minus those of the defenders (DBL-027, C-12)."""
    result = yield Call(roll_test, (test,))
    defense = yield Call(_roll_all, (defenses,))
    difference = result - defense
    if is_easy:
        difference = max(0, difference)
    facts = {"token": test.token, "difference": difference, "band": band_of(difference)}
    yield Change(Explained(kind="outcome", facts=facts))
    return band_of(difference)


def roll_attack(spec: AttackSpec) -> Steps:
    """Roll an attack and, if it hits, its damage. Returns a Strike.

    A second-life does half of its damage, rounded up, with Blah (DBL-038).
    """
    band: Band = yield Call(_roll_band, (spec.test, spec.defenses, spec.is_easy))
    is_focus = spec.test.kind == "focus"
    part = LADDER[band] if is_focus or spec.has_ladder else Fraction(1)
    if not part or not (is_focus or band in SUCCESSES):
        return Strike(band, 0)
    faces = yield Roll(localize("double_life.roll_damage"), numbered(spec.sides), spec.dice)
    damage = max(0, -(-((sum(faces) + spec.bonus) * part) // 1))
    facts = {"dice": sum(faces), "bonus": spec.bonus, "part": str(part), "damage": int(damage)}
    yield Change(Explained(kind="damage", facts=facts))
    return Strike(band, int(damage))
