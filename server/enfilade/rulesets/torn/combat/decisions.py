"""The best choice at each point of an attack: the defaults of automatic sides and of the odds.

The value of an attack is counted for the attacker: the expected wounds of the defender, minus the expected
wounds of the attacker. The attacker maximizes it, the defender minimizes it, and both assume that all later
choices are made so. Values are integers, scaled by 6 for each die that is still to roll.

Two facts keep the search small. To keep a success and reroll a blank is never worse than the reverse, so
blanks go first. And the result of one blank never changes the decision to reroll another, so all blanks of a
kind that Agility pays for are rerolled at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from enfilade.rules.dice import Die
from enfilade.rulesets.torn.dice import (
    CRITICAL,
    SIDES,
    AttackSpec,
    Blocks,
    Counts,
    Hits,
    compare_evade,
    compare_rolls,
    roll_distribution,
)

KEEP = "keep"
"""The answer that rerolls nothing."""

SuccessRerolls = tuple[tuple[tuple[int, int], int], ...]
"""Successes to reroll for each (successes, Agility) once no blank is left; states with none are left out."""


class AttackRoll(NamedTuple):
    """An attack roll while the attacker spends Agility."""

    successes: int
    criticals: int
    blanks: int
    skill: int
    skill_blanks: int
    agility: int

    @property
    def hits(self) -> Hits:
        """Return the result without further rerolls."""
        return Hits(self.successes, self.criticals, self.skill)


class DefenseRoll(NamedTuple):
    """A defense roll while the defender spends Agility."""

    successes: int
    criticals: int
    blanks: int
    agility: int


class Reroll(NamedTuple):
    """Dice that are rerolled at once: the answer, their number, and (next state, weight) of each result."""

    answer: str
    dice: int
    results: tuple[tuple[int, int], ...]


class BestRerolls(NamedTuple):
    """The least expected value and its answer, for each amount of Agility and each state."""

    values: list[list[int]]
    answers: list[list[str]]


class DefenseRerolls:
    """The states of a defense roll, and the rerolls to consider in each.

    A state is (successes, criticals, blanks). Successes are rerolled for criticals, if no blank is left.
    """

    def __init__(self, die: Die, dice: int, agility: int) -> None:
        self.states: tuple[Counts, ...] = tuple(
            (s, c, dice - s - c) for s in range(dice + 1) for c in range(dice - s + 1)
        )
        self.index = {state: i for i, state in enumerate(self.states)}
        self.agility = agility
        self.rerolls = [[tuple(self._rerolls(die, s, g)) for s in self.states] for g in range(agility + 1)]

    def _rerolls(self, die: Die, state: Counts, agility: int) -> Iterator[Reroll]:
        s, c, b = state
        if b and agility:
            count = min(agility, b)
            yield Reroll(f"blank {count}", count, self._results(die, (s, c, b - count), count))
        elif not b:
            for count in range(1, min(agility, s) + 1):
                yield Reroll(f"success {count}", count, self._results(die, (s - count, c, b), count))

    def _results(self, die: Die, kept: Counts, count: int) -> tuple[tuple[int, int], ...]:
        s, c, b = kept
        rolls = roll_distribution(die, count)
        return tuple((self.index[s + ds, c + dc, b + db], weight) for (ds, dc, db), weight in rolls)

    def minimize(self, kept: Sequence[int]) -> BestRerolls:
        """Return the best reroll of each state; `kept` has the value of each state without rerolls.

        Values are scaled by 6 for each Agility left. On a tie blanks are rerolled, successes are not.
        """
        found = BestRerolls([list(kept)], [[KEEP] * len(kept)])
        for agility in range(1, self.agility + 1):
            chosen = [self._best(state, agility, kept[state], found.values) for state in range(len(kept))]
            found.values.append([value for value, _ in chosen])
            found.answers.append([answer for _, answer in chosen])
        return found

    def _best(self, state: int, agility: int, kept: int, values: list[list[int]]) -> tuple[int, str]:
        best, answer = kept * SIDES**agility, KEEP
        for reroll in self.rerolls[agility][state]:
            after = values[agility - reroll.dice]
            value = 0
            for next_state, weight in reroll.results:
                value += weight * after[next_state]
            if value < best or (value == best and reroll.answer[0] == "b"):
                best, answer = value, reroll.answer
        return best, answer


@lru_cache(maxsize=128)
def defense_rerolls(die: Die, dice: int, agility: int) -> DefenseRerolls:
    """Return the states of a defense roll with at most this much Agility."""
    return DefenseRerolls(die, dice, agility)


@lru_cache(maxsize=256)
def attack_value(spec: AttackSpec) -> AttackValue:
    """Return the values of an attack's choices."""
    return AttackValue(spec)


def expected_value(spec: AttackSpec) -> Fraction:
    """Return the expected wounds dealt by an attack, minus the expected wounds returned."""
    # Specs that differ in what cannot matter are one, because a reaction asks for its value each time.
    attack, skill = spec.pool.attack, spec.pool.skill
    most = spec.damage * (attack + min(attack, skill))
    plain = spec._replace(
        attacker_side="",
        defender_side="",
        defender_wounds=min(spec.defender_wounds, most),
        attacker_wounds=spec.attacker_wounds if spec.return_damage else 0,
        is_on_ally=False,
        keeps_blanks=False,
    )
    return _expected(plain)


@lru_cache(maxsize=4096)
def _expected(spec: AttackSpec) -> Fraction:
    """Return the expected value of a spec; cached."""
    return attack_value(spec).expected()


class AttackValue:
    """The value of one attack at each point of it, computed on demand."""

    def __init__(self, spec: AttackSpec) -> None:
        self.spec = spec
        self._after_defense: dict[Hits, int] = {}
        self._attacks: dict[AttackRoll, tuple[int, str]] = {}
        self._best_rerolls: dict[Hits, BestRerolls] = {}
        self._success_rerolls: dict[Hits, SuccessRerolls] = {}
        self._evades: dict[Hits, bool] = {}
        self._low_visibility: dict[Hits, int] = {}
        self._rerolls = defense_rerolls(spec.dice.defense, *spec.shield)
        index, rolls = self._rerolls.index, roll_distribution(spec.dice.defense, spec.shield.defense)
        self._defenses = [(index[counts], weight) for counts, weight in rolls]

    @property
    def scale(self) -> int:
        """Return the scale of `after_defense`."""
        shield = self.spec.shield
        return int(SIDES ** (shield.defense + 2 * shield.agility))

    # The defender's choices

    def criticals_to_cancel(self, hits: Hits, blocks: Blocks) -> int:
        """Return how many defense criticals to put on criticals; on a tie more, which avoids markers."""
        limit = min(blocks.criticals, hits.criticals)
        return min(range(limit + 1), key=lambda count: (self._balance(hits, blocks, count), -count))

    def _balance(self, hits: Hits, blocks: Blocks, on_criticals: int) -> int:
        result = compare_rolls(self.spec, hits, blocks, on_criticals)
        return result.dealt - result.returned

    def success_rerolls(self, hits: Hits) -> SuccessRerolls:
        """Return the states in which the defender rerolls successes for criticals."""
        if not self.spec.shield.agility:
            return ()
        known = self._success_rerolls.get(hits)
        if known is None:
            states = self._rerolls.states
            known = self._success_rerolls[hits] = tuple(
                ((states[i][0], agility), int(answer.split()[1]))
                for agility, answers in enumerate(self._best(hits).answers)
                for i, answer in enumerate(answers)
                if answer[0] == "s"
            )
        return known

    def _best(self, hits: Hits) -> BestRerolls:
        known = self._best_rerolls.get(hits)
        if known is None:
            kept = [self._least_balance(hits, Blocks(s, c)) for s, c, _ in self._rerolls.states]
            known = self._best_rerolls[hits] = self._rerolls.minimize(kept)
        return known

    def _least_balance(self, hits: Hits, blocks: Blocks) -> int:
        least = self._balance(hits, blocks, 0)
        for count in range(1, min(blocks.criticals, hits.criticals) + 1):
            least = min(least, self._balance(hits, blocks, count))
        return least

    def is_evade_better(self, hits: Hits) -> bool:
        """Return whether the defender loses less with the Agility dice alone (TRN-082)."""
        known = self._evades.get(hits)
        if known is None:
            known = self._evades[hits] = self._evade_value(hits) < self._defend_value(hits)
        return known

    def after_defense(self, hits: Hits) -> int:
        """Return the value of an attack roll against the best defense."""
        known = self._after_defense.get(hits)
        if known is None:
            known = self._evade_value(hits)
            if not self.spec.must_evade:
                known = min(known, self._defend_value(hits))
            self._after_defense[hits] = known
        return known

    def _defend_value(self, hits: Hits) -> int:
        dice, shield = self.spec.dice, self.spec.shield
        values = self._best(hits).values
        value = 0
        for (tokens, _, _), chance in roll_distribution(dice.agility, shield.agility):
            level = values[tokens]
            of_level = sum([weight * level[state] for state, weight in self._defenses])
            value += of_level * chance * SIDES ** (shield.agility - tokens)
        return value

    def _evade_value(self, hits: Hits) -> int:
        shield = self.spec.shield
        rolls = roll_distribution(self.spec.dice.agility, shield.agility)
        value = sum(weight * compare_evade(self.spec, hits, s).dealt for (s, _, _), weight in rolls)
        return value * int(SIDES ** (shield.defense + shield.agility))

    # The attacker's choices

    def expected(self) -> Fraction:
        """Return the value of the attack before its first roll."""
        dice, pool = self.spec.dice, self.spec.pool
        value = 0
        for (s, c, b), of_attack in roll_distribution(dice.attack, pool.attack):
            for (skill, _, rest), of_skill in roll_distribution(dice.skill, pool.skill):
                for (tokens, _, _), of_agility in roll_distribution(dice.agility, pool.agility):
                    best = self._attack(AttackRoll(s, c, b, skill, rest, tokens))[0]
                    value += of_attack * of_skill * of_agility * best * SIDES ** (pool.agility - tokens)
        scale = self.scale * SIDES ** (sum(pool) + pool.agility)
        return Fraction(value, scale * SIDES**pool.attack if self.spec.rerolled_faces else scale)

    def best_reroll(self, roll: AttackRoll) -> str:
        """Return the answer with the best attack dice to reroll next; none against an ally."""
        return KEEP if self.spec.is_on_ally else self._attack(roll)[1]

    def _attack(self, roll: AttackRoll) -> tuple[int, str]:
        known = self._attacks.get(roll)
        if known is None:
            known = self._attacks[roll] = self._best_attack(roll)
        return known

    def _best_attack(self, roll: AttackRoll) -> tuple[int, str]:
        best = (SIDES**roll.agility * self._after_low_visibility(roll.hits), KEEP)
        for kind, count in attack_rerolls(roll):
            die = self.spec.dice.skill if kind == "skill blank" else self.spec.dice.attack
            value = sum(
                weight * self._attack(reroll_attack(roll, kind, count, counts))[0]
                for counts, weight in roll_distribution(die, count)
            )
            if value > best[0] or (value == best[0] and best[1].startswith(kind)):
                best = (value, f"{kind} {count}")
        return best

    def _after_low_visibility(self, hits: Hits) -> int:
        if not self.spec.rerolled_faces:
            return self.after_defense(hits)
        known = self._low_visibility.get(hits)
        if known is None:
            count, kept = low_visibility_reroll(self.spec, hits)
            scale = SIDES ** (self.spec.pool.attack - count)
            rolls = roll_distribution(self.spec.dice.attack, count)
            known = self._low_visibility[hits] = sum(
                weight * scale * self.after_defense(Hits(kept.successes + s, kept.criticals + c, hits.skill))
                for (s, c, _), weight in rolls
            )
        return known


def low_visibility_reroll(spec: AttackSpec, hits: Hits) -> tuple[int, Hits]:
    """Return the number of attack dice that low visibility rerolls, and the rest (TRN-043)."""
    if CRITICAL in spec.rerolled_faces:
        return hits.successes + hits.criticals, Hits(0, 0, hits.skill)
    return hits.successes, Hits(0, hits.criticals, hits.skill)


def attack_rerolls(roll: AttackRoll) -> Iterator[tuple[str, int]]:
    """Yield the rerolls to consider: blanks, or successes for criticals if no blank is left."""
    for count in range(1, min(roll.agility, roll.blanks) + 1):
        yield "attack blank", count
    for count in range(1, min(roll.agility, roll.skill_blanks) + 1):
        yield "skill blank", count
    if not roll.blanks:
        for count in range(1, min(roll.agility, roll.successes) + 1):
            yield "attack success", count


def reroll_attack(roll: AttackRoll, kind: str, count: int, counts: Counts) -> AttackRoll:
    """Return an attack roll after `count` dice of a kind were rerolled to `counts`."""
    s, c, b = counts
    left = roll.agility - count
    if kind == "skill blank":
        rest = roll.skill_blanks - count + b
        return roll._replace(skill=roll.skill + s, skill_blanks=rest, agility=left)
    criticals, blanks, successes = roll.criticals + c, roll.blanks + b, roll.successes + s
    if kind == "attack blank":
        blanks -= count
    else:
        successes -= count
    return roll._replace(successes=successes, criticals=criticals, blanks=blanks, agility=left)


def reroll_defense(roll: DefenseRoll, kind: str, count: int, counts: Counts) -> DefenseRoll:
    """Return a defense roll after `count` dice of a kind were rerolled to `counts`."""
    s, c, b = counts
    successes, blanks = roll.successes + s, roll.blanks + b
    if kind == "blank":
        blanks -= count
    else:
        successes -= count
    return DefenseRoll(successes, roll.criticals + c, blanks, roll.agility - count)
