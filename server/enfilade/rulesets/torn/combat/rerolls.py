"""The best rerolls of an attacker and of a defender, for each amount of Agility and each state of the dice.

Two facts keep the search small. To keep a success and reroll a blank is never worse than the reverse, so
blanks go first. And the result of one blank never changes the decision to reroll another, so all blanks of a
kind that Agility pays for are rerolled at once.

Tables keep it fast. The defenses against all results of an attack roll are worked out together: the same
reroll against each of them is one product of large integers, which hold a number for each result. And the
attacker's choices are worked out from the last Agility to the first, so that no state is looked at twice.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter, le, lt, mul
from typing import Any, NamedTuple

from enfilade.rules.dice import Die
from enfilade.rulesets.torn.dice import SIDES, Counts, Dice, Hits, roll_distribution
from enfilade.runtime.time_budget import checkpoint

KEEP = "keep"
"""The answer that rerolls nothing."""


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

    values: Sequence[Sequence[int]]
    answers: Sequence[Sequence[str]]


class DefenseRerolls:
    """The states of a defense roll, and the rerolls to consider in each.

    A state is (successes, criticals, blanks). Successes are rerolled for criticals, if no blank is left.
    """

    def __init__(self, die: Die, dice: int, agility: int) -> None:
        self.states = defense_states(dice)
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
        return self.minimize_all([[value] for value in kept])[0]

    def minimize_all(self, kept: Sequence[Sequence[int]]) -> list[BestRerolls]:
        """Return the best rerolls as `minimize` does, of several attacks: each state has a value for each.

        Values are from 0 up, because large integers hold no negative numbers.
        """
        count = len(kept[0])
        packed = [[_pack(of_state) for of_state in kept]]
        levels = [kept]
        answers: list[list[Sequence[str]]] = [[[KEEP] * count] * len(kept)]
        for agility in range(1, self.agility + 1):
            checkpoint()
            chosen = [self._best(state, agility, packed, count) for state in range(len(kept))]
            packed.append([_pack(values) for values, _ in chosen])
            levels.append([values for values, _ in chosen])
            answers.append([of_state for _, of_state in chosen])
        by_attack, by_answer = (transposed(map(transposed, table)) for table in (levels, answers))
        return list(map(BestRerolls, by_attack, by_answer))

    def _best(
        self, state: int, agility: int, packed: list[list[int]], count: int
    ) -> tuple[Sequence[int], Sequence[str]]:
        """Return the least values of a state, one for each attack, and their answers."""
        best = _unpack(packed[0][state] * SIDES**agility, count)
        answers = [KEEP] * count
        for reroll in self.rerolls[agility][state]:
            after, total = packed[agility - reroll.dice], 0
            for next_state, weight in reroll.results:
                total += weight * after[next_state]
            values, before = _unpack(total, count), best
            best = list(map(min, values, before))
            if reroll.answer.startswith("blank"):
                answers = [reroll.answer] * count
                if best != values:  # seldom
                    answers = [reroll.answer if is_best else KEEP for is_best in map(le, values, before)]
            elif best != before:
                for attack, is_better in enumerate(map(lt, values, before)):
                    if is_better:
                        answers[attack] = reroll.answer
        return best, answers


def _pack(numbers: Sequence[int]) -> int:
    """Return numbers from 0 up as one large integer, 64 bits for each; one number alone is itself."""
    if len(numbers) == 1:
        return numbers[0]
    table = array("Q", numbers)
    if sys.byteorder == "big":
        table.byteswap()
    return int.from_bytes(table.tobytes(), "little")


def _unpack(packed: int, count: int) -> list[int]:
    """Return the numbers of a large integer."""
    if count == 1:
        return [packed]
    table = array("Q")
    table.frombytes(packed.to_bytes(8 * count, "little"))
    if sys.byteorder == "big":
        table.byteswap()
    return table.tolist()


@lru_cache(maxsize=64)
def defense_states(dice: int) -> tuple[Counts, ...]:
    """Return each (successes, criticals, blanks) of some Defense dice."""
    return tuple((s, c, dice - s - c) for s in range(dice + 1) for c in range(dice - s + 1))


@lru_cache(maxsize=128)
def defense_rerolls(die: Die, dice: int, agility: int) -> DefenseRerolls:
    """Return the states of a defense roll with at most this much Agility."""
    return DefenseRerolls(die, dice, agility)


class AttackRerolls:
    """The attacker's best rerolls of a number of dice, for each amount of Agility.

    A state is (successes, criticals); all other Attack dice are blank. `values` and `answers` are lists by
    the Agility left, the Skill successes, and the number of the state in `index`. Values are scaled by 6 for
    each Agility left.

    With the `reached_states` of a roll, only these are worked out, and the rest is meaningless.
    """

    def __init__(
        self, dice: Dice, attack: int, skill: int, kept: list[list[int]], reached: Reached | None = None
    ) -> None:
        """`kept` has the values without rerolls, by Skill successes and state."""
        self.dice, self.attack, self.skill, self._reached = dice, attack, skill, reached
        self.index = attack_states(attack)
        self.values = [kept]
        self.answers = [[[KEEP] * len(self.index) for _ in kept]]

    def require(self, agility: int) -> None:
        """Work out the rerolls up to so much Agility."""
        while len(self.values) <= agility:
            checkpoint()
            left = len(self.values)
            options = attack_dice_rerolls(self.dice.attack, self.attack, left)
            values = [list(of_skill) for of_skill in self.values[0]]
            answers = [list(of_skill) for of_skill in self.answers[0]]
            every = product(range(len(self.index)), range(len(values)))
            for place, skill in every if self._reached is None else self._reached[left]:
                best = self._best(place, skill, left, options[place])
                values[skill][place], answers[skill][place] = best
            self.values.append(values)
            self.answers.append(answers)

    def answer(self, roll: AttackRoll) -> str:
        """Return the best reroll of a roll."""
        return self.answers[roll.agility][roll.skill][self.index[roll.successes, roll.criticals]]

    def covers(self, roll: AttackRoll) -> bool:
        """Return whether the rerolls of a roll are worked out, if these are those of another roll."""
        assert self._reached is not None
        place = self.index[roll.successes, roll.criticals]
        return roll.agility < len(self._reached) and (place, roll.skill) in self._reached[roll.agility]

    def _best(self, state: int, skill: int, agility: int, of_attack: AttackDiceRerolls) -> tuple[int, str]:
        values, best, answer = self.values, SIDES**agility * self.values[0][skill][state], KEEP
        options = [(one.kind, one.number, one.value(values, skill, agility)) for one in of_attack.blanks]
        options += [
            ("skill blank", count, self._after_skill(state, skill, agility - count, count))
            for count in range(1, min(agility, self.skill - skill) + 1)
        ]
        options += [(one.kind, one.number, one.value(values, skill, agility)) for one in of_attack.successes]
        for kind, count, value in options:
            if value > best or (value == best and answer.startswith(kind)):
                best, answer = value, f"{kind} {count}"
        return best, answer

    def _after_skill(self, state: int, skill: int, agility: int, count: int) -> int:
        """Return the value of a reroll of Skill dice."""
        values = self.values[agility]
        rolls = roll_distribution(self.dice.skill, count)
        return sum([weight * values[skill + s][state] for (s, _, _), weight in rolls])


Reached = list[set[tuple[int, int]]]
"""For each amount of Agility left: the numbers of the states, each with the Skill successes."""


def reached_states(dice: Dice, roll: AttackRoll, attack: int, skill: int) -> Reached:
    """Return the states of a roll of so many dice that its rerolls may lead to, with its own."""
    own = (attack_states(attack)[roll.successes, roll.criticals], roll.skill)
    reached: Reached = [*(set() for _ in range(roll.agility)), {own}]
    for left in range(roll.agility, 0, -1):
        checkpoint()
        options = attack_dice_rerolls(dice.attack, attack, left)
        for place, of_skill in reached[left]:
            for reroll in (*options[place].blanks, *options[place].successes):
                reached[left - reroll.number].update([(after, of_skill) for after in reroll.places])
            for count in range(1, min(left, skill - of_skill) + 1):
                results = roll_distribution(dice.skill, count)
                reached[left - count].update([(place, of_skill + s) for (s, _, _), _ in results])
    return reached


@lru_cache(maxsize=64)
def attack_states(attack: int) -> dict[tuple[int, int], int]:
    """Return the (successes, criticals) of some Attack dice, each with its number."""
    states = [(s, c) for s in range(attack + 1) for c in range(attack - s + 1)]
    return {state: i for i, state in enumerate(states)}


class AttackReroll(NamedTuple):
    """Attack dice that are rerolled at once: their kind and number, and the states after it with weights.

    `after` gets the items of a list at the places of these states.
    """

    kind: str
    number: int
    places: Sequence[int]
    after: Any
    weights: Sequence[int]

    def value(self, values: Sequence[Sequence[Sequence[int]]], skill: int, agility: int) -> int:
        """Return the value of the reroll with so many Skill successes and so much Agility."""
        return sum(map(mul, self.weights, self.after(values[agility - self.number][skill])))


class AttackDiceRerolls(NamedTuple):
    """The rerolls of Attack dice in one state: of blanks, and of successes if no blank is left."""

    blanks: Sequence[AttackReroll]
    successes: Sequence[AttackReroll]


@lru_cache(maxsize=48)
def attack_dice_rerolls(die: Die, attack: int, agility: int) -> Sequence[AttackDiceRerolls]:
    """Return the rerolls of each of the `attack_states` with so much Agility: the same for all attacks."""
    found = []
    for s, c in attack_states(attack):
        blanks = attack - s - c
        most, spare = min(agility, blanks), 0 if blanks else min(agility, s)
        of_blanks = [_attack_reroll(die, attack, "attack blank", n, (s, c)) for n in range(1, most + 1)]
        of_successes = [
            _attack_reroll(die, attack, "attack success", n, (s - n, c)) for n in range(1, spare + 1)
        ]
        found.append(AttackDiceRerolls(of_blanks, of_successes))
    return found


def _attack_reroll(die: Die, attack: int, kind: str, count: int, kept: tuple[int, int]) -> AttackReroll:
    index, (s, c) = attack_states(attack), kept
    counts, weights = transposed(roll_distribution(die, count))
    places = [index[s + successes, c + criticals] for successes, criticals, _ in counts]
    return AttackReroll(kind, count, places, getter(places), weights)


def transposed(rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return the columns of a table as rows."""
    return list(zip(*rows, strict=True))


def getter(places: Sequence[int]) -> Any:
    """Return a function that gets the items at some places of a list, as fast as can be."""
    get = itemgetter(*places)
    return get if len(places) > 1 else lambda values: (get(values),)


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
