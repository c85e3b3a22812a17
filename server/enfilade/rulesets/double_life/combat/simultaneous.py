"""Phase 2: the attacks of all at once, and the defenders of each (DBL-011 to DBL-022, DBL-047 to DBL-050)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from enfilade.rules.battle.battle import known_scene
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Call, Steps
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield, direction_of
from enfilade.rulesets.double_life.combat.attack import (
    Attack,
    add_strike,
    best_weapon,
    counter_attack,
    declare,
    spec_of,
)
from enfilade.rulesets.double_life.combat.attack_rolls import Strike, roll_attack
from enfilade.rulesets.double_life.combat.damage import Tally, apply_tally, roll_focus
from enfilade.rulesets.double_life.plans import (
    NO_PLAN,
    Plan,
    Stance,
    StanceKind,
)
from enfilade.rulesets.double_life.profiles import (
    Character,
    read_character,
)
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


def planned_attacks(scene: Scene, plans: Plans) -> list[Attack]:
    """Return the attacks that were chosen, with their defenders, and then the opportunity attacks."""
    chosen = [
        (one, plans[one.id].stance, read_character(scene.token(target)))
        for one in battlefield(scene).units
        for target in plans.get(one.id, NO_PLAN).stance.targets
    ]
    contact = [(one, target) for one, stance, target in chosen if not stance.is_second_life]
    defenses = Defenses(scene, plans, contact)
    return [
        *(_chosen_attack(plans, defenses, *each) for each in chosen),
        *_opportunity_attacks(scene, plans),
    ]


def _chosen_attack(
    plans: Plans, defenses: Defenses, attacker: Character, stance: Stance, target: Character
) -> Attack:
    assert stance.weapon is not None
    if stance.is_second_life:
        # One that flees sustains every attack; other easy targets are so for weapons (DBL-019, C-12).
        flees = plans.get(target.id, NO_PLAN).is_flight
        return Attack("second-life", attacker, stance.weapon, target, is_easy=flees)
    is_easy = is_easy_target(plans, target)
    defenders = defenses.of(attacker, target)
    return Attack("attack", attacker, stance.weapon, target, defenders, is_easy and not defenders)


def is_easy_target(plans: Plans, target: Character) -> bool:
    """Return whether an attacker hits a target at least So-so: it fell, focuses or flees (C-12, C-19)."""
    return target.is_fallen or plans.get(target.id, NO_PLAN).stance.kind in ("focus", "flee")


def _opportunity_attacks(scene: Scene, plans: Plans) -> Iterator[Attack]:
    """Yield the attacks of defenders on opponents that flee or focus beside them (DBL-019, DBL-044, C-19).

    Also on those that step or turn while surrounded, if a house rule lets them (DBL-017, C-27).
    """
    battle = battlefield(scene)
    for target in battle.units:
        plan = plans.get(target.id, NO_PLAN)
        kind = plan.stance.kind
        if kind not in ("flee", "focus") and not _takes_a_risk(scene, target, plan):
            continue
        for enemy in battle.enemies(target):
            weapon = best_weapon(enemy)
            is_defending = plans.get(enemy.id, NO_PLAN).stance.kind == "defend"
            if is_defending and weapon and battle.can_strike(enemy, target):
                yield Attack("opportunity attack", enemy, weapon, target, is_easy=kind == "focus")


def _takes_a_risk(scene: Scene, one: Character, plan: Plan) -> bool:
    """Return whether a character steps or turns while it knows that it is surrounded (DBL-018, C-27)."""
    goes = plan.place not in (None, one.token.at)
    turns = plan.direction not in (None, direction_of(one.token))
    return (goes or turns) and battlefield(known_scene(scene, one.id)).is_surrounded(one)


def fight(scene: Scene, plans: Plans) -> Steps:
    """Resolve phase 2: all attacks, whose effects come together at its end; return the scene (DBL-022)."""
    tally, controlling = Tally(), in_control(scene, plans)
    yield from _focus_alone(scene, plans, tally)
    for attack in planned_attacks(scene, plans):
        yield declare(scene, attack)
        strike: Strike = yield Call(roll_attack, (spec_of(scene, attack),))
        add_strike(tally, attack, strike, controlling)
        yield from counter_attack(scene, tally, attack, strike, controlling)
    return (yield from apply_tally(scene, tally))


def in_control(scene: Scene, plans: Plans) -> frozenset[str]:
    """Return the characters that control a second-life in a round: also one that attacks with its own.

    (DBL-043, DBL-045)
    """
    return frozenset(
        one.id
        for one in battlefield(scene).units
        if one.controls_second_life or _attacks_with_second_life(plans.get(one.id, NO_PLAN).stance)
    )


def _attacks_with_second_life(stance: Stance) -> bool:
    return stance.kind == "attack" and stance.is_second_life


def _focus_alone(scene: Scene, plans: Plans, tally: Tally) -> Steps:
    """Test those that focus with no enemy in reach: their second-life appears if they pass (DBL-042)."""
    for one in battlefield(scene).units:
        stance = plans.get(one.id, NO_PLAN).stance
        if stance.kind == "focus" and not stance.targets:
            is_passed = yield from roll_focus(scene, one)
            if is_passed:
                tally.appeared.append(one.id)
