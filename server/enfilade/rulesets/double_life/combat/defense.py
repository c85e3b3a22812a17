"""The defenders of each attack in phase 2 (DBL-014, DBL-015, DBL-047 to DBL-050, C-14, C-23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.rules.house_rules import setting
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.plans import NO_PLAN, Plan, StanceKind
from enfilade.rulesets.double_life.profiles import Character
from enfilade.scene.model import Scene

Plans = Mapping[str, Plan]

GUARDED: tuple[StanceKind, ...] = ("attack", "defend")
"""What an ally does that another may defend: one that flees or focuses is not defended (DBL-049, DBL-050)."""


class Defenses:
    """The defenders of each attack with a contact weapon in a round.

    `attacks` are pairs of attacker and target. A defender covers one side. One that defends an ally that
    attacks or defends spends its defense on one opponent, the strongest that attacks the ally; two that
    defend each other spend both on one (DBL-049, DBL-050, C-23). An ally that covers a side itself keeps that
    defense against all: only the guard's test is for one opponent.
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
            stance = self._plans.get(ally_id, NO_PLAN).stance
            if not ally_id or guard.id in self._spent or stance.kind not in GUARDED:
                continue
            is_mutual = stance.guarded == guard.id
            wards = {ally_id, guard.id} if is_mutual else {ally_id}
            opponent = next((a for a, ward in self._attacks if self._may_guard(guard, a, ward, wards)), None)
            if opponent is None:
                continue
            self._spend(guard, ally_id, opponent)
            ally = next(one for one in battlefield(self._scene).units if one.id == ally_id)
            if is_mutual:
                self._spend(ally, guard.id, opponent)

    def _may_guard(self, guard: Character, opponent: Character, ward: Character, wards: set[str]) -> bool:
        """Return whether a guard defends one of its wards against an opponent, by the house rules (C-23)."""
        if ward.id not in wards:
            return False
        battle = battlefield(self._scene)
        has_reach = setting(self._scene, house_rules.GUARD_REACH) == "beside the ally"
        covers_back = setting(self._scene, house_rules.GUARDED_SIDES) == "all"
        sides = battle.sides_of(ward, opponent)
        return (has_reach or battle.can_strike(guard, opponent)) and (covers_back or "back" not in sides)

    def _spend(self, guard: Character, ally: str, opponent: Character) -> None:
        self._spent[guard.id] = opponent.id
        self._guards.setdefault(ally, []).append(guard)

    def _spend_others(self) -> None:
        """Spend the defense of all others on the strongest opponent on the side that they cover (C-14)."""
        for attacker, target in self._attacks:
            if self._covers(target, attacker):
                self._spent.setdefault(target.id, attacker.id)
