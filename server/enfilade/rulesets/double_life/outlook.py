"""Moments to come, for advice: the facings after a move, equal attacks, and their effects on a target."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.rules.house_rules import is_on
from enfilade.rules.outlook import Outlook, TargetEffect
from enfilade.rules.procedures import Act, Call, Steps
from enfilade.rules.resolve import refusal
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.combat.attack import COUNTERED, answer_to, spec_of, stated_attack
from enfilade.rulesets.double_life.combat.attack_rolls import AttackSpec, Band, Strike, roll_attack
from enfilade.rulesets.double_life.combat.damage import POISE_EFFECTS
from enfilade.rulesets.double_life.offers import ACTS, attacks_in_reach
from enfilade.rulesets.double_life.profiles import read_character
from enfilade.scene.model import Scene, Token


def facings(scene: Scene, token: Token) -> Sequence[int | None]:
    """Return the eight facings (DBL-055)."""
    del scene, token
    return tuple(range(0, 360, 45))


def attacks(scene: Scene, token: Token, target: Token) -> Sequence[Act]:
    """Return the legal attacks of a character on an enemy, each alone."""
    if token.has("out") or token.at is None:
        return ()
    one, other = read_character(token), read_character(target)
    if not battlefield(scene).is_enemy(one, other):
        return ()
    acts = attacks_in_reach(scene, one, other)
    return [act for act in acts if refusal(scene, ACTS[act.kind].procedure, act) is None]


class _Contacts:
    """The enemies in reach at each place; one with a second-life may be an enemy of all (DBL-037)."""

    def __init__(self, scene: Scene, token: Token, enemies: Sequence[str]) -> None:
        self._battle, self._one = battlefield(scene), read_character(token)
        self._all = {enemy: read_character(scene.token(enemy)) for enemy in enemies}
        self._doublers = {key for key, enemy in self._all.items() if enemy.is_doubler}
        self._filled: dict[Cell, set[str]] = {}
        self._struck: dict[Cell, set[str]] = {}
        for key, enemy in self._all.items():
            for cell in self._battle.cells(enemy):
                self._filled.setdefault(cell, set()).add(key)
            for cell in self._battle.reach(enemy):
                self._struck.setdefault(cell, set()).add(key)

    def attackable(self, at: Cell, facing: int | None) -> Collection[str]:
        del facing
        if self._one.is_doubler:
            return self._all
        reached = self._battle.reach(self._one, at)
        return set[str]().union(*[self._filled[cell] for cell in reached if cell in self._filled])

    def attackers(self, at: Cell) -> Collection[str]:
        cells = self._battle.cells(self._one, at)
        return self._doublers.union(*[self._struck[cell] for cell in cells if cell in self._struck])


def damage_key(scene: Scene, act: Act) -> Hashable | None:
    """Return what the odds of a single attack depend on: its numbers, and the Health of its target.

    Its outcome is settled before poise, footing and counter-attacks. Names do not matter.
    """
    attack = stated_attack(scene, act)
    return _anonymous(spec_of(scene, attack)), attack.target.health


def _anonymous(spec: AttackSpec) -> AttackSpec:
    """Return the numbers of an attack without names: the same for all attackers who are alike."""
    test, *defenses = [one._replace(token="") for one in (spec.test, *spec.defenses)]
    return spec._replace(test=test, defenses=tuple(defenses))


def on_target(scene: Scene, act: Act) -> TargetEffect | None:
    """Return the effect of a single attack on its target: on Health and poise, also by its counter-attack.

    A target that controls a second-life tests its Focus too; without the rule of poise it tests its Agility.
    """
    attack = stated_attack(scene, act)
    if attack.target.controls_second_life or not is_on(scene, house_rules.POISE):
        return None
    counter = answer_to(scene, attack)
    is_contact = attack.kind == "attack"
    answered = _anonymous(spec_of(scene, counter)) if counter else None
    numbers = (_anonymous(spec_of(scene, attack)), is_contact, answered, bool(attack.defenders))
    call = Call(_roll_effects, numbers)
    return TargetEffect(lambda _: call, _suffered, _left)


def _roll_effects(spec: AttackSpec, is_contact: bool, counter: AttackSpec | None, is_defended: bool) -> Steps:
    """Roll an attack and its counter-attack; return the damage of the target, and the change of its poise."""
    strike: Strike = yield Call(roll_attack, (spec,))
    if not is_contact:
        return strike.damage, 0
    _, as_target, as_defender = POISE_EFFECTS[strike.band]
    poise = as_target + (as_defender if is_defended else 0)
    if counter and strike.band in COUNTERED:
        poise += POISE_EFFECTS[(yield Call(roll_attack, (counter,), _band))][0]
    return strike.damage, poise


def _band(strike: Strike) -> Band:
    return strike.band


def _left(target: Token) -> Callable[[tuple[int, int]], tuple[int, int, bool]]:
    """Return what effects leave of a character: its Health, its poise, and if it loses its footing."""
    one = read_character(target)
    health, poise, most, is_fallen = one.health, one.poise, one.starting_poise, one.is_fallen

    def left(effects: tuple[int, int]) -> tuple[int, int, bool]:
        damage, change = effects
        if damage >= health:
            return 0, 0, False
        if is_fallen:
            return health - damage, poise, False
        then = poise + change
        if then <= 0:
            return health - damage, 0, True
        return health - damage, then if then < most else most, False

    return left


def _suffered(scene: Scene, target: Token, effects: tuple[int, int]) -> Token | None:
    """Return a character after the effects of a phase, as `apply_tally` leaves it; None if it is dead."""
    one, (health, poise, has_fallen) = read_character(target), _left(target)(effects)
    if not health:
        return None
    tracks, conditions = dict(target.tracks), target.conditions
    if health != one.health:
        tracks["health"] = health
    if poise != one.poise:
        tracks["poise"] = poise
    if has_fallen:
        conditions = {**conditions, "fallen": str(scene.track("round"))}
    return replace(target, tracks=tracks, conditions=conditions)


OUTLOOK = Outlook(
    facings=facings,
    attacks=attacks,
    damage_key=damage_key,
    on_target=on_target,
    damage_tracks=("health", "poise"),
    contacts=_Contacts,
)
