"""Throws and tests: the dice of each race, the bands, and the outcome of an attack (DBL-025 to DBL-041)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from enfilade.i18n import localize
from enfilade.rules.dice import D6, D20, Die, numbered
from enfilade.rules.procedures import Call, Change, Roll, Steps
from enfilade.scene.events import Explained

Race = Literal["any", "dwarf", "elf", "gnome", "human", "orc", "troll"]
Band = Literal["total failure", "bad", "blah", "so-so", "good", "excellent"]

ANY: Race = "any"
"""A character without a race throws a D20 (C-1)."""

FORMULAS: dict[Race, str] = {
    "any": "D20",
    "dwarf": "3D6",
    "elf": "11 +/- 2D4",
    "gnome": "D12 + D8",
    "human": "|2D12 - D6| + 1",
    "orc": "D100 mod 2D20, + 1",
    "troll": "D10 x D3",
}
"""The dice throw of each race as players write it (character creation page)."""

EXTREMES: dict[Race, tuple[int, int]] = {
    "any": (1, 20),
    "dwarf": (3, 18),
    "elf": (3, 19),
    "gnome": (2, 20),
    "human": (1, 20),
    "orc": (1, 23),
    "troll": (1, 30),
}
"""The throw that is critical, and the one that is a fumble; humans and orcs fumble above theirs."""

SIGN = Die("sign", ("+", "-"))
"""The coin of an elf's throw: its dice are added or subtracted."""

BANDS: tuple[tuple[int, Band], ...] = (
    (10, "excellent"),
    (5, "good"),
    (0, "so-so"),
    (-5, "blah"),
    (-10, "bad"),
)
"""The least result of each band, the best first; a lower result is a total failure (DBL-028 to DBL-033)."""


def band_of(result: int) -> Band:
    """Return the band of a result."""
    return next((band for least, band in BANDS if result >= least), "total failure")


def throw(race: Race, label: str) -> Steps:
    """Throw the dice of a race. Returns the number thrown; low throws are good."""
    match race:
        case "dwarf":
            return sum((yield Roll(label, D6, 3)))
        case "elf":
            both = sum((yield Roll(label, numbered(4), 2)))
            (sign,) = yield Roll(label, SIGN)
            return 11 + both if sign == "+" else 11 - both
        case "gnome":
            (large,) = yield Roll(label, numbered(12))
            (small,) = yield Roll(label, numbered(8))
            return large + small
        case "human":
            both = sum((yield Roll(label, numbered(12), 2)))
            (small,) = yield Roll(label, D6)
            return abs(both - small) + 1
        case "orc":
            both = yield Call(_sum_of_two, (label,))
            (large,) = yield Roll(label, numbered(100))
            return large % both + 1
        case "troll":
            (large,) = yield Roll(label, numbered(10))
            (small,) = yield Roll(label, numbered(3))
            return large * small
    (face,) = yield Roll(label, D20)
    return face


def _sum_of_two(label: str) -> Steps:
    """Throw 2D20. Returns the sum: odds merge equal sums."""
    return sum((yield Roll(label, D20, 2)))


def is_critical(race: Race, thrown: int) -> bool:
    """Return whether a throw is the best of its race."""
    return thrown == EXTREMES[race][0]


def is_fumble(race: Race, thrown: int) -> bool:
    """Return whether a throw is a fumble of its race."""
    worst = EXTREMES[race][1]
    return thrown > worst if race in ("human", "orc") else thrown == worst


def band_name(band: Band) -> str:
    """Return the name of a band for people; Zero is a Total Failure, and Not bad is So-so (C-4)."""
    return localize(f"double_life.band_{band.replace(' ', '_').replace('-', '_')}")


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
