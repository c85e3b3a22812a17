"""Movement dice: what each model adds to them, and the roll of an unengaged group (MNC-109 to MNC-114)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from enfilade.errors import CannotPay, IllegalAct
from enfilade.geometry.movement.gridless import outline
from enfilade.i18n import localize
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import (
    Act,
    Call,
    Change,
    Outcome,
    Require,
    Roll,
    Steps,
    body_of,
    set_condition,
    set_track,
)
from enfilade.rules.ruleset import Area
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.profiles import INCH, MOST_LEVEL, Fighter, inches_text, read_fighter
from enfilade.rulesets.miniatures_combat.turn import (
    find_fighter,
    group,
    is_engaged_group,
    is_movement_over,
    pay_dice,
    require_active,
    require_dice,
)
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Value

LOWEST, HIGHEST = 3, 6
"""The least and the greatest result of a movement die (MNC-109, MNC-113)."""
ATHLETIC = 1
"""What athletic models add to each movement die (MNC-113)."""


class MovementDice(Value, frozen=True):
    """The action dice that the model spends on the movement roll beside its free ones (MNC-109).

    Each other member of its group pays as many dice in all, its own free ones first.
    """

    dice: Annotated[int, Meta(ge=0, le=MOST_LEVEL, title=localize("miniatures_combat.field_dice"))] = 1


def die_modifier(scene: Scene, fighter: Fighter) -> int:
    """Return what a model adds to each of its movement dice (MNC-113)."""
    total = ATHLETIC * fighter.profile.athletic
    total += int(setting(scene, house_rules.SHORT_MODIFIER)) * fighter.profile.short
    total += int(setting(scene, house_rules.WOUND_MODIFIER)) * fighter.wounds
    total += int(setting(scene, house_rules.LOAD_MODIFIER)) * is_loaded(scene, fighter)
    is_rough = battlefield(scene).is_on_difficult_ground(fighter)
    return total + int(setting(scene, house_rules.DIFFICULT_MODIFIER)) * is_rough


def is_loaded(scene: Scene, fighter: Fighter) -> bool:
    """Return whether a model carries a captive that is not smaller than its carriers (MNC-114)."""
    return any(
        fighter.id in token.conditions.get("carried", "").split()
        and not (read_fighter(token).profile.short and not fighter.profile.short)
        for token in scene.tokens
    )


def moved_by_die(face: int, modifier: int) -> int:
    """Return the inches that a movement die gives (MNC-109, MNC-113)."""
    return max(LOWEST, min(HIGHEST, face + modifier))


def slowest(scene: Scene, members: Sequence[Fighter]) -> tuple[Fighter, int]:
    """Return the slowest member, as all roll the same number of dice, and its modifier (MNC-109)."""
    modifiers = {one.id: die_modifier(scene, one) for one in members}
    found = min(members, key=lambda one: (modifiers[one.id], one.id))
    return found, modifiers[found.id]


def movement_dice(fighter: Fighter, dice: int) -> int:
    """Return how many movement dice a model rolls with some of its action dice: its free ones too."""
    return dice + fighter.token.track("movement dice")


def most_dice(fighter: Fighter) -> int:
    """Return how many movement dice a model can pay for: general ones, and its free ones."""
    return movement_dice(fighter, fighter.token.track("dice"))


def roll_movement(scene: Scene, act: Act) -> Steps:
    """Roll the movement of an unengaged group: the dice of its slowest member count for all (MNC-109)."""
    fighter, dice = find_fighter(scene, act.token), body_of(act, MovementDice).dice
    yield Require(require_movement_roll, (scene, fighter, dice))
    members = group(scene) or [fighter]
    number, (one, modifier) = movement_dice(fighter, dice), slowest(scene, members)
    facts = {"token": fighter.id, "slowest": one.id, "dice": number, "modifier": modifier}
    yield Change(Explained(kind="movement dice", facts=facts))
    inches = yield Call(roll_inches, (number, modifier))
    for member in members:
        scene = yield from pay_dice(scene, member, number)
        scene = yield set_track(scene, member.id, "movement dice", 0)
        scene = yield set_track(scene, member.id, "allowance", inches * INCH)
    yield set_condition(scene, TABLE, "rolled")
    yield Change(Explained(kind="movement roll", facts={"token": fighter.id, "inches": inches}))
    return Outcome("rolled", damage=inches)


def roll_inches(number: int, modifier: int) -> Steps:
    """Roll movement dice; return the inches."""
    faces = yield Roll(localize("miniatures_combat.roll_movement"), D6, number)
    return sum(moved_by_die(face, modifier) for face in faces)


def require_movement_roll(scene: Scene, fighter: Fighter, dice: int) -> None:
    """Raise IllegalAct if the group may not roll for movement now."""
    require_active(scene, fighter.token)
    if is_engaged_group(scene) or "rolled" in scene.conditions or is_movement_over(scene, fighter):
        raise IllegalAct(localize("miniatures_combat.refuse_roll"), "MNC-109", "turn")
    require_dice(fighter, dice)
    number = movement_dice(fighter, dice)
    for member in group(scene):
        left = most_dice(member)
        if left < number:
            sentence = localize("miniatures_combat.refuse_pace", name=member.name, left=left, count=number)
            raise CannotPay(sentence, "MNC-012")


def planned_bands(scene: Scene, fighter: Fighter) -> tuple[Area, ...]:
    """Return the least, the expected and the most that a model or its active group may move by one die.

    Empty for a model that fights: its steps are 2" for a die, and so need no plan (MNC-108, MNC-109).
    """
    token, field = fighter.token, battlefield(scene)
    is_over = token.has("active") and is_movement_over(scene, fighter)
    if is_over or token.has("prone") or field.is_engaged(fighter) or is_engaged_group(scene):
        return ()
    members = group(scene) if token.has("active") else [fighter]
    dice, (_, modifier) = movement_dice(fighter, 1), slowest(scene, members)
    inches = [moved_by_die(face, modifier) for face in range(1, 7)]
    mean = dice * sum(inches) * INCH // 6
    lengths = {
        localize("miniatures_combat.band_least", inches=dice * min(inches)): dice * min(inches) * INCH,
        localize("miniatures_combat.band_mean", inches=inches_text(mean)): mean,
        localize("miniatures_combat.band_most", inches=dice * max(inches)): dice * max(inches) * INCH,
    }
    return bands_of(scene, members, lengths)


def bands_of(scene: Scene, members: Sequence[Fighter], lengths: Mapping[str, int]) -> tuple[Area, ...]:
    """Return where members reach together within each length, by label; empty on a board with cells."""
    if scene.grid.kind != "gridless":
        return ()
    field = battlefield(scene)
    bands = []
    for label, length in lengths.items():
        rings, lines = outline([field.field(one, length) for one in members])
        bands.append(field.scale.area("reach", label, rings, lines))
    return tuple(bands)
