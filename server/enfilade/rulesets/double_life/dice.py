"""The dice throw of each race, and the six bands of a result (DBL-025 to DBL-033, C-1, C-4)."""

from __future__ import annotations

from typing import Literal

from enfilade.i18n import localize
from enfilade.rules.dice import D6, D20, Die, numbered
from enfilade.rules.procedures import Call, Roll, Steps

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
