"""What every choice of an attack is worth: the defaults that the sides would regret least.

Worth is counted from the attacker's side: the wounds the defender can be expected to lose, less those the
attacker loses. He chooses what makes it most, the defender what makes it least, each knowing that the rest
will be chosen so too. Everything is a whole number, scaled by 6 for every die that is still to fall.

A blank is always re-rolled before a success: keeping the success and trying the blank is never worse. And
as many blanks of one kind as may be at once, since what they show cannot change that they are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from enfilade.rulesets.torn.dice import CRITICAL, SIDES
from enfilade.rulesets.torn.falls import KEEP, Best, Fall, falls, rerolls
from enfilade.rulesets.torn.strike import Guard, Hits, Strike, compared, evaded


class Rolled(NamedTuple):
    """An attack roll while Agility is spent."""

    successes: int
    criticals: int
    blanks: int
    skill: int
    skill_blanks: int
    agility: int

    @property
    def hits(self) -> Hits:
        """What it comes to if nothing more is re-rolled."""
        return Hits(self.successes, self.criticals, self.skill)


class Warded(NamedTuple):
    """A defence roll while Agility is spent."""

    successes: int
    criticals: int
    blanks: int
    agility: int


@lru_cache(maxsize=256)
def worth_of(strike: Strike) -> Worth:
    """The worth of an attack's choices."""
    return Worth(strike)


Plan = tuple[tuple[tuple[int, int], int], ...]
"""How many successes to re-roll with (successes, Agility) once no blank is left; what is not named, none."""


def expected(strike: Strike) -> Fraction:
    """The wounds a strike can be expected to deal, less those it can be expected to bring back."""
    return worth_of(strike).expected()


class Worth:
    """The worth of one strike at every point of it, worked out as far as it is asked."""

    def __init__(self, strike: Strike) -> None:
        self.strike = strike
        self._defended: dict[Hits, int] = {}
        self._attacks: dict[Rolled, tuple[int, str]] = {}
        self._guards: dict[Hits, Best] = {}
        self._plans: dict[Hits, Plan] = {}
        self._evades: dict[Hits, bool] = {}
        self._faded: dict[Hits, int] = {}
        self._rerolls = rerolls(strike.dice.defence, *strike.shield)

    @property
    def scale(self) -> int:
        """What `defended` is scaled by."""
        shield = self.strike.shield
        return int(SIDES ** (shield.defence + 2 * shield.agility))

    # The defender's choices

    def on_criticals(self, hits: Hits, guard: Guard) -> int:
        """How many defence criticals to put on criticals; on a tie more, for the markers they avert."""
        most = min(guard.criticals, hits.criticals)
        return min(range(most + 1), key=lambda x: (self._balance(hits, guard, x), -x))

    def _balance(self, hits: Hits, guard: Guard, on_criticals: int) -> int:
        harm = compared(self.strike, hits, guard, on_criticals)
        return harm.dealt - harm.returned

    def plan(self, hits: Hits) -> Plan:
        """When to try successes for criticals."""
        if not self.strike.shield.agility:
            return ()
        known = self._plans.get(hits)
        if known is None:
            known = self._plans[hits] = self._planned(self._guard(hits))
        return known

    def _planned(self, best: Best) -> Plan:
        states = self._rerolls.states
        return tuple(
            ((states[i][0], g), int(answer.split()[1]))
            for g, answers in enumerate(best.answers)
            for i, answer in enumerate(answers)
            if answer[0] == "s"
        )

    def _guard(self, hits: Hits) -> Best:
        known = self._guards.get(hits)
        if known is None:
            kept = [self._least_balance(hits, Guard(s, c)) for s, c, _ in self._rerolls.states]
            known = self._guards[hits] = self._rerolls.least(kept)
        return known

    def _least_balance(self, hits: Hits, guard: Guard) -> int:
        most = min(guard.criticals, hits.criticals)
        return min(self._balance(hits, guard, x) for x in range(most + 1))

    def is_better_to_evade(self, hits: Hits) -> bool:
        """Whether the defender does better with his Agility dice alone (TRN-082)."""
        known = self._evades.get(hits)
        if known is None:
            known = self._evades[hits] = self._evading(hits) < self._guarding(hits)
        return known

    def defended(self, hits: Hits) -> int:
        """What is left of an attack roll once the defender has done his best."""
        known = self._defended.get(hits)
        if known is None:
            known = self._evading(hits)
            if not self.strike.must_evade:
                known = min(known, self._guarding(hits))
            self._defended[hits] = known
        return known

    def _guarding(self, hits: Hits) -> int:
        dice, shield = self.strike.dice, self.strike.shield
        values, index = self._guard(hits).values, self._rerolls.index
        value = 0
        for (tokens, _, _), chance in falls(dice.agility, shield.agility):
            level = values[tokens]
            rolls = falls(dice.defence, shield.defence)
            of_level = sum(weight * level[index[fall]] for fall, weight in rolls)
            value += of_level * chance * SIDES ** (shield.agility - tokens)
        return value

    def _evading(self, hits: Hits) -> int:
        shield = self.strike.shield
        falling = falls(self.strike.dice.agility, shield.agility)
        value = sum(weight * evaded(self.strike, hits, s).dealt for (s, _, _), weight in falling)
        return value * int(SIDES ** (shield.defence + shield.agility))

    # The attacker's choices

    def expected(self) -> Fraction:
        """What the strike is worth before the first die has fallen."""
        dice, pool = self.strike.dice, self.strike.pool
        value = 0
        for (s, c, b), of_attack in falls(dice.attack, pool.attack):
            for (skill, _, rest), of_skill in falls(dice.skill, pool.skill):
                for (tokens, _, _), of_agility in falls(dice.agility, pool.agility):
                    worth = self._attack(Rolled(s, c, b, skill, rest, tokens))[0]
                    left = SIDES ** (pool.agility - tokens)
                    value += of_attack * of_skill * of_agility * worth * left
        scale = self.scale * SIDES ** (sum(pool) + pool.agility)
        return Fraction(value, scale * SIDES**pool.attack if self.strike.fades else scale)

    def attack_wave(self, rolled: Rolled) -> str:
        """Which dice of the attack to re-roll next; none where an ally is hit."""
        return KEEP if self.strike.is_friendly else self._attack(rolled)[1]

    def _attack(self, rolled: Rolled) -> tuple[int, str]:
        known = self._attacks.get(rolled)
        if known is None:
            known = self._attacks[rolled] = self._best_attack(rolled)
        return known

    def _best_attack(self, rolled: Rolled) -> tuple[int, str]:
        best = (SIDES**rolled.agility * self._seen_through(rolled.hits), KEEP)
        for kind, count in attack_waves(rolled):
            die = self.strike.dice.skill if kind == "skill blank" else self.strike.dice.attack
            value = sum(
                weight * self._attack(attack_after(rolled, kind, count, fall))[0]
                for fall, weight in falls(die, count)
            )
            if value > best[0] or (value == best[0] and best[1].startswith(kind)):
                best = (value, f"{kind} {count}")
        return best

    def _seen_through(self, hits: Hits) -> int:
        """What an attack roll is worth, in low visibility before its successes are rolled again."""
        if not self.strike.fades:
            return self.defended(hits)
        known = self._faded.get(hits)
        if known is None:
            known = self._faded[hits] = sum(w * self.defended(h) for h, w in self._rolled_again(hits))
        return known

    def _rolled_again(self, hits: Hits) -> Iterator[tuple[Hits, int]]:
        again, kept = faded(self.strike, hits)
        scale = SIDES ** (self.strike.pool.attack - again)
        for (s, c, _), weight in falls(self.strike.dice.attack, again):
            yield Hits(kept.successes + s, kept.criticals + c, hits.skill), weight * scale


def faded(strike: Strike, hits: Hits) -> tuple[int, Hits]:
    """How many successful attack dice low visibility has rolled again, and what is kept (TRN-043)."""
    if CRITICAL in strike.fades:
        return hits.successes + hits.criticals, Hits(0, 0, hits.skill)
    return hits.successes, Hits(0, hits.criticals, hits.skill)


def attack_waves(rolled: Rolled) -> Iterator[tuple[str, int]]:
    """The re-rolls worth a thought: blanks, or successes where no blank is left to try for a critical."""
    for count in range(1, min(rolled.agility, rolled.blanks) + 1):
        yield "attack blank", count
    for count in range(1, min(rolled.agility, rolled.skill_blanks) + 1):
        yield "skill blank", count
    if not rolled.blanks:
        for count in range(1, min(rolled.agility, rolled.successes) + 1):
            yield "attack success", count


def attack_after(rolled: Rolled, kind: str, count: int, fall: Fall) -> Rolled:
    """An attack roll after so many dice of a kind have been re-rolled."""
    s, c, b = fall
    left = rolled.agility - count
    if kind == "skill blank":
        rest = rolled.skill_blanks - count + b
        return rolled._replace(skill=rolled.skill + s, skill_blanks=rest, agility=left)
    criticals, blanks, successes = rolled.criticals + c, rolled.blanks + b, rolled.successes + s
    if kind == "attack blank":
        blanks -= count
    else:
        successes -= count
    return rolled._replace(successes=successes, criticals=criticals, blanks=blanks, agility=left)


def guard_after(ward: Warded, kind: str, count: int, fall: Fall) -> Warded:
    """A defence roll after so many dice of a kind have been re-rolled."""
    s, c, b = fall
    successes, blanks = ward.successes + s, ward.blanks + b
    if kind == "blank":
        blanks -= count
    else:
        successes -= count
    return Warded(successes, ward.criticals + c, blanks, ward.agility - count)
