"""Defensive fighting: dice over the enemies in reach, falling back, and free attacks (MNC-062 to MNC-075)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta

from enfilade.errors import CannotPay, IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.procedures import (
    Act,
    Allocate,
    Answer,
    Call,
    Change,
    Choose,
    Outcome,
    Require,
    Steps,
    body_of,
    set_condition,
)
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import (
    IMPOSSIBLE,
    Strike,
    best_split,
    bonus_dice,
    count_successes,
    fall_back_bonus,
    roll_strike,
    spend_bonus,
    success_chance,
)
from enfilade.rulesets.miniatures_combat.combat.missiles import end_movement
from enfilade.rulesets.miniatures_combat.combat.story import book
from enfilade.rulesets.miniatures_combat.displacement import ForcedMoves, away_from, free_place
from enfilade.rulesets.miniatures_combat.laws import FALL_BACK_DISTANCE
from enfilade.rulesets.miniatures_combat.movement import mark_moved, note_charge
from enfilade.rulesets.miniatures_combat.profiles import (
    INCH,
    MOST_LEVEL,
    Fighter,
    defense_difficulty,
    read_fighter,
)
from enfilade.rulesets.miniatures_combat.turn import (
    find_fighter,
    has_defended,
    note,
    read_notes,
    require_active,
    require_dice,
    spend_dice,
    undefended,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Value

FALL_BACK_DIFFICULTY = 2
"""What falling back adds to the difficulty of a defense (MNC-070)."""


class DefenseDice(Value, frozen=True):
    """The dice of a defense: general ones, and bonus dice of shield, cover and height (MNC-012, MNC-068)."""

    dice: Annotated[int, Meta(ge=0, le=MOST_LEVEL, title=localize("miniatures_combat.field_dice"))] = 0
    bonus: Annotated[int, Meta(ge=0, le=5, title=localize("miniatures_combat.field_bonus"))] = 0


class Defense(NamedTuple):
    """A defense to resolve: against whom, with which dice, at which difficulty."""

    enemy: str
    dice: int
    bonus: int
    needed: int
    is_fall_back: bool = False


# The acts


def defend(scene: Scene, act: Act) -> Steps:
    """Defend against one enemy with the given dice, or against all with a split of the pool (MNC-062)."""
    fighter = find_fighter(scene, act.token)
    enemies = [one.id for one in undefended(scene, fighter)]
    if act.target:
        enemies = [find_enemy(scene, fighter, act.target).id]
    body = body_of(act, DefenseDice)
    yield Require(require_defense, (scene, fighter, act.target))
    if act.target:
        yield Require(require_defense_dice, (scene, fighter, body))
    scene, fighter = yield from begin_fight(scene, fighter)
    if fighter is None:
        return Outcome("fell")
    split: Mapping[str, int] = {}
    if not act.target:
        split = yield from _ask_split(scene, fighter, [battlefield(scene).fighters[key] for key in enemies])
    results = []
    for key in enemies:
        field = battlefield(scene)
        if fighter.id not in field.fighters or key not in field.fighters:
            continue
        fighter = field.fighters[fighter.id]
        dice, bonus = _dice_for(scene, fighter, split[key]) if split else (body.dice, body.bonus)
        needed = defense_difficulty(scene, fighter)
        defense = Defense(key, dice, bonus, needed)
        scene, outcome = yield from resolve_defense(scene, fighter, defense, settles=bool(act.target))
        results.append(outcome)
    failed = [outcome for outcome in results if outcome.result == "failed"]
    if len(failed) == 1:
        return failed[0]
    return Outcome("failed", sum(one.damage for one in failed)) if failed else Outcome("defended")


def find_enemy(scene: Scene, fighter: Fighter, key: str) -> Fighter:
    """Return another model in the fight. Raises NotFound, or IllegalAct for the model itself."""
    found = find_fighter(scene, key)
    if found.id == fighter.id:
        raise IllegalAct(
            localize("miniatures_combat.refuse_not_attacker", name=found.name), "MNC-062", "target"
        )
    return found


def _dice_for(scene: Scene, fighter: Fighter, number: int) -> tuple[int, int]:
    """Return how many general and bonus dice make up a number; bonus dice are used first (MNC-004)."""
    bonus = min(number, bonus_dice(scene, fighter))
    return number - bonus, bonus


def _ask_split(scene: Scene, fighter: Fighter, enemies: Sequence[Fighter]) -> Steps:
    """Ask for the split of the pool over the enemies; what is held back stays in the pool (MNC-012)."""
    bonus = bonus_dice(scene, fighter)
    pool = bonus + fighter.token.track("dice")
    needed = defense_difficulty(scene, fighter)
    chances = tuple(success_chance(needed, dice) for dice in range(pool + 1))
    return (
        yield Allocate(
            side=fighter.side,
            question=localize("miniatures_combat.ask_defense", name=fighter.name, needed=max(1, needed)),
            pool=pool,
            slots=tuple(Answer(one.id, one.name) for one in enemies),
            limits=tuple((0, pool) for _ in enemies),
            default=best_split([one.id for one in enemies], needed, pool, bonus),
            token=fighter.id,
            chances=tuple(chances for _ in enemies),
        )
    )


def require_defense(scene: Scene, fighter: Fighter, target: str) -> None:
    """Raise IllegalAct if a model cannot defend itself now (MNC-062, MNC-072)."""
    require_active(scene, fighter.token)
    if not target:
        if not undefended(scene, fighter):
            raise OutOfReach(
                localize("miniatures_combat.refuse_no_attackers", name=fighter.name), "MNC-062", "target"
            )
        return
    field = battlefield(scene)
    enemy = field.fighters.get(target)
    if enemy is None or enemy.id not in [one.id for one in field.attackers(fighter)]:
        name = scene.token(target).name
        raise OutOfReach(localize("miniatures_combat.refuse_not_attacker", name=name), "MNC-062", "target")
    if has_defended(fighter, enemy):
        raise IllegalAct(localize("miniatures_combat.refuse_defended", name=enemy.name), "MNC-072", "target")


def require_defense_dice(scene: Scene, fighter: Fighter, body: DefenseDice) -> None:
    """Raise CannotPay if a model has not the dice for a defense (MNC-004, MNC-012)."""
    require_dice(fighter, body.dice)
    left = bonus_dice(scene, fighter)
    if not 0 <= body.bonus <= left:
        sentence = localize("miniatures_combat.refuse_bonus", name=fighter.name, left=left)
        raise CannotPay(sentence, "MNC-004")


def begin_fight(scene: Scene, fighter: Fighter) -> Steps:
    """End the movement of an unengaged group: archers fire first (C-20). Return the scene and the model.

    The model is None if it is out of the fight.
    """
    scene, gains = yield from end_movement(scene)
    scene = yield from book(scene, gains)
    return scene, battlefield(scene).fighters.get(fighter.id)


# Resolution


def resolve_defense(scene: Scene, fighter: Fighter, defense: Defense, settles: bool = False) -> Steps:
    """Roll a defense; a failure brings a free attack at once. Return the scene and the outcome.

    (MNC-065 to MNC-069, MNC-071, MNC-075)
    """
    facts = {
        "token": fighter.id,
        "target": defense.enemy,
        "act": "fall back" if defense.is_fall_back else "defend",
        "needed": defense.needed,
        "dice": defense.dice,
        "bonus": defense.bonus,
    }
    yield Change(Explained(kind="defense", facts=facts))
    scene = yield from spend_dice(scene, fighter, defense.dice)
    scene = yield from spend_bonus(scene, fighter, defense.bonus, defense.is_fall_back)
    is_success = yield from _roll_defense(defense.needed, defense.dice + defense.bonus)
    while not is_success and defense.dice + defense.bonus:
        added = yield from _ask_more_dice(scene, fighter.id, defense)
        if not added:
            break
        scene = yield from _spend_added(scene, fighter.id, added, defense)
        is_success = yield from _roll_defense(defense.needed, added)
    scene = yield from note(scene, fighter.id, "defended", defense.enemy, "ok" if is_success else "failed")
    yield Change(Explained(kind="defended", facts={**facts, "is_success": is_success}))
    if is_success:
        return scene, Outcome("fell back" if defense.is_fall_back else "defended")
    field = battlefield(scene)
    strike = Strike(field.fighters[defense.enemy], field.fighters[fighter.id], 1, "free attack")
    scene, outcome, gain = yield from roll_strike(scene, strike, settles, name="failed")
    scene = yield from book(scene, [gain])
    return scene, outcome


def _roll_defense(needed: int, dice: int) -> Steps:
    """Return whether a die reaches the difficulty; at 1 or less any die does, without a roll (MNC-065)."""
    if needed <= 1:
        yield from ()
        return dice > 0
    label = localize("miniatures_combat.roll_defense")
    return (yield Call(count_successes, (dice, needed, label))) > 0


def _ask_more_dice(scene: Scene, key: str, defense: Defense) -> Steps:
    """Ask for dice still in the pool after a failure, before the free attack (MNC-075).

    The default adds one die if a hit could defeat the model.
    """
    fighter = battlefield(scene).fighters[key]
    bonus = (fall_back_bonus if defense.is_fall_back else bonus_dice)(scene, fighter)
    most = fighter.token.track("dice") + bonus
    if not most or defense.needed >= IMPOSSIBLE:
        yield from ()
        return 0
    is_lethal = fighter.token.track("hits") + 1 >= fighter.level
    answers = tuple(Answer(str(count), str(count)) for count in range(most + 1))
    names = {"name": fighter.name, "target": scene.token(defense.enemy).name}
    question = localize("miniatures_combat.ask_more_dice", **names, needed=defense.needed)
    return int((yield Choose(fighter.side, question, answers, str(int(is_lethal)), key)))


def ask_dice(scene: Scene, fighter: Fighter, enemy: Fighter) -> Steps:
    """Ask for the dice of a defense that is made at once; return the general and the bonus dice (MNC-068).

    Bonus dice are used first. The default is one die if that is enough, or if a hit could defeat the model.
    """
    most = fighter.token.track("dice") + bonus_dice(scene, fighter)
    needed = defense_difficulty(scene, fighter)
    if not most or needed >= IMPOSSIBLE:
        yield from ()
        return 0, 0
    answers = tuple(Answer(str(count), str(count)) for count in range(most + 1))
    question = localize(
        "miniatures_combat.ask_dice", name=fighter.name, target=enemy.name, needed=max(1, needed)
    )
    is_lethal = fighter.token.track("hits") + 1 >= fighter.level
    default = str(int(is_lethal or needed <= 1))
    count = int((yield Choose(fighter.side, question, answers, default, fighter.id)))
    return _dice_for(scene, fighter, count)


def _spend_added(scene: Scene, key: str, added: int, defense: Defense) -> Steps:
    fighter = battlefield(scene).fighters[key]
    left = (fall_back_bonus if defense.is_fall_back else bonus_dice)(scene, fighter)
    bonus = min(added, left)
    scene = yield from spend_dice(scene, fighter, added - bonus)
    fighter = battlefield(scene).fighters[key]
    return (yield from spend_bonus(scene, fighter, bonus, defense.is_fall_back))


# Falling back


class FallBack(Value, frozen=True):
    """The dice of a fall back, and how far the model moves if it succeeds, in inches (MNC-070)."""

    dice: Annotated[int, Meta(ge=0, le=MOST_LEVEL, title=localize("miniatures_combat.field_dice"))] = 1
    bonus: Annotated[int, Meta(ge=0, le=3, title=localize("miniatures_combat.field_fall_back_bonus"))] = 0
    inches: Annotated[float, Meta(ge=0, le=2, title=localize("miniatures_combat.field_inches"))] = 2


def fall_back(scene: Scene, act: Act) -> Steps:
    """Defend by falling back: harder, without a shield, and on success straight back (MNC-070, MNC-074)."""
    fighter, enemy, body = (
        read_fighter(scene.token(act.token)),
        scene.token(act.target),
        body_of(act, FallBack),
    )
    yield Require(require_defense, (scene, fighter, enemy.id or "-"))
    yield Require(require_fall_back, (scene, fighter, body))
    scene, fighter = yield from begin_fight(scene, fighter)
    if fighter is None or enemy.id not in battlefield(scene).fighters:
        return Outcome("fell")
    is_first = not read_notes(fighter.token, "defended")
    needed = defense_difficulty(scene, fighter) + FALL_BACK_DIFFICULTY
    defense = Defense(enemy.id, body.dice, body.bonus, needed, is_fall_back=True)
    scene, outcome = yield from resolve_defense(scene, fighter, defense, settles=True)
    if outcome.result == "fell back":
        scene = yield from _move_back(scene, fighter.id, enemy.id, round(body.inches * INCH))
        field = battlefield(scene)
        if is_first and not field.enemies_within(field.fighters[fighter.id], INCH):
            scene = yield set_condition(scene, fighter.id, "must defend", None)
    return outcome


def _move_back(scene: Scene, key: str, enemy: str, distance: int) -> Steps:
    """Move a model straight back from an enemy as far as it touches no other model; return the scene."""
    field = battlefield(scene)
    fighter = field.fighters[key]
    direction = away_from(field, fighter.token, [field.bases[enemy].at])
    at = free_place(field, fighter, direction, min(distance, FALL_BACK_DISTANCE))
    was_engaged = field.is_engaged(fighter)
    if at == fighter.token.at:
        yield Change(Explained(kind="held in place", facts={"token": key}))
        return scene
    scene, _ = yield from displace(scene, key, at, "fall back", ForcedMoves)
    scene = yield from mark_moved(scene, fighter)
    return scene if was_engaged else (yield from note_charge(scene, fighter, lambda: True))


def require_fall_back(scene: Scene, fighter: Fighter, body: FallBack) -> None:
    """Raise CannotPay without the dice (MNC-070, C-29)."""
    require_dice(fighter, body.dice)
    left = fall_back_bonus(scene, fighter)
    if body.bonus > left:
        sentence = localize("miniatures_combat.refuse_bonus", name=fighter.name, left=left)
        raise CannotPay(sentence, "MNC-070")
