"""One attack as the dice look at it, and the miniatures' names put away: equal attacks share their odds."""

from __future__ import annotations

from typing import NamedTuple

from enfilade.rulesets.torn.dice import Dice, Pool, Shield


class Strike(NamedTuple):
    """Everything that the seven steps need once the target is legal.

    Attributes:
        attacker, defender: the sides that are asked.
        dice: the table's dice.
        pool: the attack's dice (TRN-003).
        shield: the defender's dice, with those that the situation adds.
        damage: wounds of one attack die.
        lives: wounds the defender has left, beyond which nothing counts.
        strikes_back: wounds of a defence critical, 0 where none deals damage (TRN-024, TRN-037, TRN-073).
        back_lives: wounds the attacker has left.
        must_evade: whether only Evade is possible (TRN-085).
        fades: the attack faces that low visibility has rolled again (TRN-043).
        is_friendly: whether a shot that strays hits an ally, so that its wounds are unwanted (TRN-061).
        keeps_blanks: whether unsuccessful dice are needed for an attack on somebody else (TRN-061).
    """

    attacker: str
    defender: str
    dice: Dice
    pool: Pool
    shield: Shield
    damage: int
    lives: int
    strikes_back: int = 0
    back_lives: int = 0
    must_evade: bool = False
    fades: str = ""
    is_friendly: bool = False
    keeps_blanks: bool = False


class Hits(NamedTuple):
    """An attack roll after agility: what is left of it."""

    successes: int
    criticals: int
    skill: int


class Guard(NamedTuple):
    """A defence roll after agility."""

    successes: int
    criticals: int


class Harm(NamedTuple):
    """What an attack does: wounds to the defender, wounds back, and whether a critical hurt him."""

    dealt: int
    returned: int = 0
    by_critical: bool = False


def compared(strike: Strike, hits: Hits, guard: Guard, on_criticals: int, skill: int | None = None) -> Harm:
    """Steps six and seven (TRN-019 to TRN-030), with so many defence criticals put on criticals.

    Successes and the other criticals go on normal successes; those criticals strike back too, also where
    nothing is left to cancel. Skill dice go one to a die, all of them or as many as given.
    """
    criticals = hits.criticals - on_criticals
    striking = guard.criticals - on_criticals
    left = max(0, hits.successes - guard.successes - striking) + criticals
    skilled = min(hits.skill if skill is None else skill, left)
    dealt = min(strike.damage * (left + skilled), strike.lives)
    returned = min(strike.strikes_back * striking, strike.back_lives)
    return Harm(dealt, returned, criticals > 0 and dealt > 0)


def remaining(hits: Hits, guard: Guard, on_criticals: int) -> int:
    """The attack dice that are left once the defence has been put on them (TRN-025)."""
    normal = hits.successes - guard.successes - guard.criticals + on_criticals
    return max(0, normal) + hits.criticals - on_criticals


def evaded(strike: Strike, hits: Hits, successes: int) -> Harm:
    """An attack against an Evade: each success cancels a normal success and nothing else (TRN-083)."""
    return compared(strike, hits, Guard(successes, 0), 0)
