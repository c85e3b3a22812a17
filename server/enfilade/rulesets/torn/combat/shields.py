"""The best defense of a shield against each roll: tables that all attacks on equal shields share.

A defender knows the balance of each state of a defense roll: the wounds dealt, minus those returned, with the
best use of its criticals. The best rerolls depend on these balances alone. Different attacks and rolls often
have the same ones, up to a constant, so that a table works out the rerolls once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import mul, sub
from typing import Any, NamedTuple

from enfilade.rules.battle.memo import Shelf
from enfilade.rules.dice import Die
from enfilade.rulesets.torn.combat.rerolls import KEEP, defense_rerolls, defense_states, getter, transposed
from enfilade.rulesets.torn.dice import SIDES, Shield, roll_distribution

SuccessRerolls = tuple[tuple[tuple[int, int], int], ...]
"""Successes to reroll for each (successes, Agility) once no blank is left; states with none are left out."""

Balances = tuple[int, ...]
"""The balance of each of the `defense_states`."""


class BestDefense(NamedTuple):
    """The value before a defense roll, and the successes that are rerolled in it."""

    value: int
    success_rerolls: SuccessRerolls


def _above_least(balances: Balances) -> tuple[Balances, int]:
    """Return balances above the least of them, and that: a constant more changes no best reroll."""
    least = min(balances)
    return (tuple([one - least for one in balances]) if least else balances), least


class ShieldTable:
    """The best defenses of one shield. Values are scaled by `scale`."""

    def __init__(self, defense: Die, agility: Die, shield: Shield) -> None:
        self.scale: int = SIDES ** (shield.defense + 2 * shield.agility)
        self._rerolls = defense_rerolls(defense, *shield)
        weights = dict(roll_distribution(defense, shield.defense))
        self._weights = [weights.get(state, 0) for state in self._rerolls.states]
        self._tokens = [
            (tokens, chance * SIDES ** (shield.agility - tokens))
            for (tokens, _, _), chance in roll_distribution(agility, shield.agility)
        ]
        self._without_blanks = [(i, s) for i, (s, _, b) in enumerate(self._rerolls.states) if not b]
        self._known = Shelf(_MOST_BALANCES)
        scale, rolls = SIDES ** (shield.defense + shield.agility), roll_distribution(agility, shield.agility)
        self._evades = [(successes, weight * scale) for (successes, _, _), weight in rolls]

    def find(self, attacks: Sequence[Balances]) -> list[BestDefense]:
        """Return the best defense for the balances of each of some attacks; new ones are found together."""
        pairs = [_above_least(balances) for balances in attacks]
        known: dict[Balances, BestDefense] = {
            key: best for key, _ in pairs if (best := self._known.recent.get(key))
        }
        new = [key for key in dict.fromkeys(key for key, _ in pairs) if key not in known]
        if new:
            known |= zip(new, self._work_out(new), strict=True)
            for key in new:
                self._known.add(key, partial(known.__getitem__, key), len(self._weights))
        return [
            BestDefense(known[key].value + least * self.scale, known[key].success_rerolls)
            for key, least in pairs
        ]

    def _work_out(self, attacks: Sequence[Balances]) -> list[BestDefense]:
        found = []
        for best in self._rerolls.minimize_all(transposed(attacks)):
            value = 0
            for tokens, weight in self._tokens:
                value += weight * sum(map(mul, self._weights, best.values[tokens]))
            rerolls = [
                ((s, agility), int(answers[i].split()[1]))
                for agility, answers in enumerate(best.answers[1:], 1)
                for i, s in self._without_blanks
                if answers[i] != KEEP
            ]
            found.append(BestDefense(value, tuple(rerolls)))
        return found

    def evade(self, successes: int, criticals: int, dealt: Sequence[int]) -> int:
        """Return the value of an Evade; `dealt` has the wounds for each number of attack dice left."""
        value = 0
        for cancelled, weight in self._evades:
            value += weight * dealt[(successes - cancelled if successes > cancelled else 0) + criticals]
        return value


_MOST_BALANCES = 2_048
"""How many balances the attacks that a table caches may have together."""


@lru_cache(maxsize=256)
def shield_table(defense: Die, agility: Die, shield: Shield) -> ShieldTable:
    """Return the table of a shield, for a table's Defense and Agility dice."""
    return ShieldTable(defense, agility, shield)


class CriticalUses:
    """The uses of criticals in each state of a defense roll against some hits.

    Each use leaves some attack dice, and strikes back some times. Some states have several uses.
    """

    def __init__(self, uses: Sequence[Sequence[tuple[int, int]]]) -> None:
        """`uses` has the (dice left, strikes back) of each use, for each state."""
        pairs = list(dict.fromkeys(use for of_state in uses for use in of_state))
        place = {use: i for i, use in enumerate(pairs)}
        self._left, self._back = (getter([use[i] for use in pairs]) for i in (0, 1))
        # The first use of each state, the second, and so on; a state with fewer repeats its last.
        most = max(map(len, uses))
        self._options: list[Callable[[Any], Balances]] = [
            getter([place[of_state[min(number, len(of_state) - 1)]] for of_state in uses])
            for number in range(most)
        ]

    def balances(self, dealt: Sequence[int], returned: Sequence[int]) -> Balances:
        """Return the least balance of each state.

        `dealt` has the wounds for each number of attack dice left, `returned` those for each of strikes back.
        """
        of_uses = list(map(sub, self._left(dealt), self._back(returned)))
        if len(self._options) == 1:
            return self._options[0](of_uses)
        return tuple(map(min, *[option(of_uses) for option in self._options]))


@lru_cache(maxsize=1_024)
def uses_of_criticals(successes: int, hit_criticals: int, defense: int, is_strike: bool) -> CriticalUses:
    """Return the uses of criticals of each defense roll against some hits.

    `is_strike` tells whether a critical that cancels no critical strikes back.
    """
    states = defense_states(defense)
    return CriticalUses(
        [_uses(successes, hit_criticals, blocks, criticals, is_strike) for blocks, criticals, _ in states]
    )


def _uses(
    successes: int, hit_criticals: int, blocks: int, criticals: int, is_strike: bool
) -> list[tuple[int, int]]:
    most = min(criticals, hit_criticals)
    # Without a strike back, each critical that cancels a critical is best. With one, as many as there are
    # more blocks than successes: a further one would leave no die less, and strike once less.
    first = 0 if is_strike else most
    last = max(first, min(most, blocks + criticals - successes)) if is_strike else most
    return [
        (
            max(0, successes - blocks - criticals + cancels) + hit_criticals - cancels,
            criticals - cancels if is_strike else 0,
        )
        for cancels in range(first, last + 1)
    ]
