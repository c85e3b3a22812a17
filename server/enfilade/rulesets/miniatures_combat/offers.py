"""The acts of a model, legal or refused, and the turn that passes on after a change by hand (MNC-006)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.procedures import Act, Procedure, Steps
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.attack import (
    AttackDice,
    Lunge,
    Push,
    Sweep,
    attack,
    distance_fault,
    far_refusals,
    lunge,
    push,
    sweep,
)
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import bonus_dice
from enfilade.rulesets.miniatures_combat.combat.defense import DefenseDice, FallBack, defend, fall_back
from enfilade.rulesets.miniatures_combat.endings import (
    ScenarioEvent,
    begin_turn,
    declare_victory,
    end_activation,
    next_turn,
    record_event,
)
from enfilade.rulesets.miniatures_combat.groups import Group, activate, nearby_group
from enfilade.rulesets.miniatures_combat.laws import LAWS
from enfilade.rulesets.miniatures_combat.movement import judge, move
from enfilade.rulesets.miniatures_combat.movement_dice import (
    MovementDice,
    most_dice,
    movement_dice,
    roll_movement,
)
from enfilade.rulesets.miniatures_combat.profiles import MOST_LEVEL, Fighter, read_fighter
from enfilade.rulesets.miniatures_combat.special_acts import ACTIONS, Carriers, carry, take_action
from enfilade.rulesets.miniatures_combat.turn import active_side, group, is_group_active, undefended
from enfilade.scene.model import Scene, Token, Value

_MOVES, _STRIKES, _ENDS = frozenset({"moves"}), frozenset({"strikes"}), frozenset({"ends"})
_LUNGES, _PUSHES = _MOVES | _STRIKES, _STRIKES | {"forced"}


def _strike(kind: str, label: str, procedure: Procedure, body: type[Value], tags: frozenset[str]) -> ActKind:
    return ActKind(label, procedure, body=body, tags=tags, refusal_now=far_refusals(kind))


ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "activate": ActKind(localize("miniatures_combat.act_activate"), activate, body=Group),
        "roll_movement": ActKind(localize("miniatures_combat.act_roll"), roll_movement, body=MovementDice),
        "move": ActKind(localize("miniatures_combat.act_move"), move, tags=_MOVES),
        GROUP_MOVE: ActKind(
            localize("miniatures_combat.act_move_group"), group_move(judge, move, "MNC-011"), body=GroupMove
        ),
        "defend": ActKind(localize("miniatures_combat.act_defend"), defend, body=DefenseDice),
        "fall_back": ActKind(
            localize("miniatures_combat.act_fall_back"), fall_back, body=FallBack, tags=_MOVES
        ),
        "attack": _strike("attack", localize("miniatures_combat.act_attack"), attack, AttackDice, _STRIKES),
        "lunge": _strike("lunge", localize("miniatures_combat.act_lunge"), lunge, Lunge, _LUNGES),
        "push": _strike("push", localize("miniatures_combat.act_push"), push, Push, _PUSHES),
        "sweep": ActKind(localize("miniatures_combat.act_sweep"), sweep, body=Sweep, tags=_PUSHES),
        "action": ActKind(localize("miniatures_combat.act_action"), take_action),
        "carry": ActKind(localize("miniatures_combat.act_carry"), carry, body=Carriers),
        "end": ActKind(localize("miniatures_combat.act_end"), end_activation, tags=_ENDS),
        "turn": ActKind(
            localize("miniatures_combat.act_turn"), begin_turn, is_gm_only=True, body=ScenarioEvent
        ),
        "event": ActKind(
            localize("miniatures_combat.act_event"), record_event, is_gm_only=True, body=ScenarioEvent
        ),
        "victory": ActKind(
            localize("miniatures_combat.act_victory"), declare_victory, is_gm_only=True, body=ScenarioEvent
        ),
    }
)
"""The kinds of act."""

ACTION_NAMES = {
    "stand": localize("miniatures_combat.action_stand"),
    "mount": localize("miniatures_combat.action_mount"),
    "dismount": localize("miniatures_combat.action_dismount"),
    "use": localize("miniatures_combat.action_use"),
    "climb": localize("miniatures_combat.action_climb"),
}


def aims(scene: Scene, token: Token) -> Iterator[Aim]:
    """Yield each act that a model could do, those at enemies first."""
    return (Aim(act, label) for act, label in _acts(scene, read_fighter(token)))


offers = offers_from(ACTS, aims)


def _acts(scene: Scene, fighter: Fighter) -> Iterator[tuple[Act, str]]:
    yield from _defenses(scene, fighter)
    if _is_in_action(scene, fighter):
        yield from _fighting_acts(scene, fighter)
    yield from _activations(scene, fighter)
    yield _movement_roll(scene, fighter), ACTS["roll_movement"].label
    for action in ACTIONS:
        yield Act(kind="action", token=fighter.id, weapon=action), ACTION_NAMES[action]
    yield _act("end", fighter, None), ACTS["end"].label


def acts_of_kind(scene: Scene, token: Token, kind: str) -> Sequence[Act]:
    """Return the acts of a kind that `offers` has for a model, legal or not."""
    fighter = read_fighter(token)
    if kind == "activate":
        return [act for act, _ in _activations(scene, fighter)]
    if kind == "roll_movement":
        return [_movement_roll(scene, fighter)]
    if kind == "end":
        return [_act("end", fighter, None)]
    if kind == "defend":
        return [act for act, _ in _defenses(scene, fighter) if act.kind == kind]
    return [act for act, _ in _acts(scene, fighter) if act.kind == kind]


def _activations(scene: Scene, fighter: Fighter) -> Iterator[tuple[Act, str]]:
    yield _act("activate", fighter, Group()), localize("miniatures_combat.offer_alone")
    is_in_fight = fighter.id in battlefield(scene).fighters
    near_by = nearby_group(scene, fighter, is_of_its_players=True) if is_in_fight else ()
    if len(near_by) > 1:
        label = localize("miniatures_combat.offer_group", count=len(near_by))
        yield _act("activate", fighter, Group(members=near_by)), label


def _movement_roll(scene: Scene, fighter: Fighter) -> Act:
    members = [fighter, *group(scene)]
    can_pay = min(map(most_dice, members)) >= movement_dice(fighter, 1)
    return _act("roll_movement", fighter, MovementDice(dice=int(can_pay)))


def _act(kind: str, fighter: Fighter, body: Any, target: str = "") -> Act:
    return Act(kind=kind, token=fighter.id, target=target, body=body)


def _is_in_action(scene: Scene, fighter: Fighter) -> bool:
    """Return whether a model is active and still in the fight."""
    return fighter.token.has("active") and fighter.id in battlefield(scene).fighters


def _defenses(scene: Scene, fighter: Fighter) -> Iterator[tuple[Act, str]]:
    """Yield the defenses of an active model, with the dice that suit most."""
    if not _is_in_action(scene, fighter):
        return
    dice = fighter.token.track("dice")
    yield _act("defend", fighter, DefenseDice()), localize("miniatures_combat.offer_defend_all")
    owed = undefended(scene, fighter)
    bonus = bonus_dice(scene, fighter) if owed else 0
    for enemy in owed:
        spare = min(1, bonus)
        body = DefenseDice(dice=0 if spare else min(1, dice), bonus=spare)
        yield _act("defend", fighter, body, enemy.id), ACTS["defend"].label
        yield _act("fall_back", fighter, FallBack(), enemy.id), ACTS["fall_back"].label


def _fighting_acts(scene: Scene, fighter: Fighter) -> Iterator[tuple[Act, str]]:
    """Yield the attacks of an active model, with the dice that suit most, and what it may carry."""
    for enemy in battlefield(scene).enemies(fighter):
        for act in attacks_on(fighter, enemy):
            yield act, ACTS[act.kind].label
    if fighter.profile.two_handed:
        yield _act("sweep", fighter, Sweep(dice=_most_dice(fighter))), ACTS["sweep"].label
    captives = [token for token in scene.tokens if token.has("captured") and token.at is not None]
    for captive in captives:
        if captive.conditions["captured"] == fighter.side:
            yield _act("carry", fighter, Carriers(), captive.id), ACTS["carry"].label


def attacks_on(fighter: Fighter, enemy: Fighter) -> Iterator[Act]:
    """Yield the acts of a model that may harm an enemy, with the dice that suit most."""
    yield _act("attack", fighter, AttackDice(dice=_most_dice(fighter)), enemy.id)
    yield _act("lunge", fighter, Lunge(), enemy.id)
    yield _act("push", fighter, Push(), enemy.id)


def attacks_in_range(fighter: Fighter, enemy: Fighter, gap: int) -> Iterator[Act]:
    """Yield those of them that the distance from base to base allows (MNC-084, MNC-091, MNC-096)."""
    acts = attacks_on(fighter, enemy)
    return (act for act in acts if distance_fault(act.kind, fighter, gap) is None)


def _most_dice(fighter: Fighter) -> int:
    return max(1, min(MOST_LEVEL, fighter.token.track("dice")))


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene. Scenarios say how battles are won."""
    if is_group_active(before) and is_group_active(scene) and not group(scene):
        scene = yield from next_turn(scene, active_side(scene))
    return scene
