"""The defenders of each attack in phase 2 (DBL-014, DBL-015, DBL-047 to DBL-050, C-14, C-23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.rules.house_rules import setting
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.plans import NO_PLAN, Plan
from enfilade.rulesets.double_life.profiles import Character
from enfilade.scene.model import Scene

Plans = Mapping[str, Plan]


class Defenses:
    """The defenders of each attack with a contact weapon in a round.

    `attacks` are pairs of attacker and target. A defender covers one side. One that defends an ally spends
    its defense on one opponent, the strongest that attacks the ally, and so does an ally that defends too:
    then both tests are added (DBL-049, C-23).
    """

    def __init__(self, scene: Scene, plans: Plans, attacks: Sequence[tuple[Character, Character]]) -> None:
        self._scene = scene
        self._plans = plans
        self._attacks = sorted(attacks, key=lambda pair: (-pair[0].attack, pair[0].id))
        self._spent: dict[str, str] = {}
        self._guards: dict[str, list[Character]] = {}
        self._spend_guards()
        if setting(scene, house_rules.MAX_DEFENDED) == "one":
            self._spend_others()

    def of(self, attacker: Character, target: Character) -> tuple[Character, ...]:
        """Return the characters that defend a target against an attacker, the target first."""
        own = (target,) if self._covers(target, attacker) and self._is_free_for(target, attacker) else ()
        guards = [
            guard for guard in self._guards.get(target.id, []) if self._spent.get(guard.id) == attacker.id
        ]
        return (*own, *guards)

    def _plan(self, character: Character) -> Plan:
        return self._plans.get(character.id, NO_PLAN)

    def _covers(self, target: Character, attacker: Character) -> bool:
        """Return whether a target defends the side that an attacker stands on."""
        stance = self._plan(target).stance
        if stance.kind != "defend":
            return False
        return stance.side in battlefield(self._scene).sides_of(target, attacker)

    def _is_free_for(self, target: Character, attacker: Character) -> bool:
        return self._spent.get(target.id, attacker.id) == attacker.id

    def _spend_guards(self) -> None:
        """Settle on which opponent each guard, and the ally that it joins, spends its defense."""
        for guard in battlefield(self._scene).units:
            ally_id = self._plan(guard).stance.guarded
            if not ally_id or guard.id in self._spent:
                continue
            is_mutual = self._plans.get(ally_id, NO_PLAN).stance.guarded == guard.id
            wards = {ally_id, guard.id} if is_mutual else {ally_id}
            opponent = next((a for a, target in self._attacks if target.id in wards), None)
            if opponent is None:
                continue
            self._spend(guard, ally_id, opponent)
            ally = next(one for one in battlefield(self._scene).units if one.id == ally_id)
            if is_mutual:
                self._spend(ally, guard.id, opponent)
            elif self._covers(ally, opponent):
                self._spent.setdefault(ally.id, opponent.id)

    def _spend(self, guard: Character, ally: str, opponent: Character) -> None:
        self._spent[guard.id] = opponent.id
        self._guards.setdefault(ally, []).append(guard)

    def _spend_others(self) -> None:
        """Spend the defense of all others on the strongest opponent on the side that they cover (C-14)."""
        for attacker, target in self._attacks:
            if self._covers(target, attacker):
                self._spent.setdefault(target.id, attacker.id)
