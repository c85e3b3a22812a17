"""Missile fire at the active group, and volleys: who may shoot, and who takes the hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.i18n import localize
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Allocate, Answer, Call, Change, Steps, set_condition, yes_or_no
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import count_successes
from enfilade.rulesets.miniatures_combat.combat.damage import Gain, absorb, apply_harm
from enfilade.rulesets.miniatures_combat.profiles import Fighter
from enfilade.rulesets.miniatures_combat.sight import sees_target
from enfilade.rulesets.miniatures_combat.turn import group, is_engaged_group
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene

FIRED = "fired"
"""The note of an archer that had its arrows in this activation."""
ARROW_SUCCESS = 6
"""The face with which an arrow hits (MNC-079)."""
ARCHERS_OF_MODEL = 3
"""How many archers may fire for each model of the target group (MNC-077)."""
ARCHERS_AT_ONE = 5
"""How many dice may be rolled against a lone model (MNC-077)."""


def most_archers(scene: Scene, size: int) -> int:
    """Return how many archers may fire at a group (MNC-077, C-9)."""
    if size == 1 and setting(scene, house_rules.ARCHER_CAP) == "5 at one model":
        return ARCHERS_AT_ONE
    return ARCHERS_OF_MODEL * size


def end_movement(scene: Scene) -> Steps:
    """End the movement of an unengaged group, at which archers may now fire; return the scene and the gains.

    An archer fires if it is unengaged and had a member in range and in sight at some time (MNC-076). All
    hostile sides together have as many as the group allows (MNC-077). Charging does not protect: the arrows
    come before the melee (C-20).
    """
    if "movement over" in scene.conditions or is_engaged_group(scene):
        return scene, ()
    return (yield from _let_archers_fire(scene, most_archers(scene, len(group(scene)))))


def end_later_moves(scene: Scene) -> Steps:
    """Let archers fire at an activation's end who saw the group after the first arrows; return the same.

    Only if models still moved then, by a house rule (C-44).
    """
    if "movement over" not in scene.conditions:
        return (yield from end_movement(scene))
    if not moves_by_itself(scene):
        return scene, ()
    return (yield from _let_archers_fire(scene, int(scene.conditions["movement over"] or 0)))


def moves_by_itself(scene: Scene) -> bool:
    """Return whether a model that has not fought may move after others of its group have (C-44)."""
    return setting(scene, house_rules.MOVEMENT_ENDS) == house_rules.MOVEMENT_ENDS.options[1]


def _let_archers_fire(scene: Scene, left: int) -> Steps:
    """Ask each side whether its archers fire, as many as are left; return the scene and the gains."""
    gains = []
    scene = yield set_condition(scene, TABLE, "movement over", str(left) if moves_by_itself(scene) else "")
    for side in scene.sides:
        shooters = [one for one in _archers(scene, side.id) if one.token.conditions.get("in sight") == ""]
        targets = group(scene)
        if not shooters or not targets or not left:
            continue
        question = localize("miniatures_combat.ask_fire", count=len(shooters))
        if (yield yes_or_no(side.id, question, default=True)) == "yes":
            dice = min(left, len(shooters))
            scene, gain = yield from fire(scene, side.id, dice, targets, shooters)
            left -= dice
            gains.append(gain)
        for one in shooters if moves_by_itself(scene) else ():
            scene = yield set_condition(scene, one.id, "in sight", FIRED)
    if moves_by_itself(scene):
        scene = yield set_condition(scene, TABLE, "movement over", str(left))
    return scene, tuple(gains)


def _archers(scene: Scene, side: str) -> list[Fighter]:
    """Return the unengaged missile models of a side that can stand and shoot (MNC-076, C-38)."""
    field = battlefield(scene)
    fires_when_charged = setting(scene, house_rules.CHARGED_ARCHER) == "fires"

    def is_engaged(archer: Fighter) -> bool:
        engaging = [one for one in field.enemies(archer) if field.is_engaged_with(archer, one)]
        return any(not (fires_when_charged and one.token.has("active")) for one in engaging)

    shooters = [one for one in field.fighters.values() if one.side == side and one.profile.missiles]
    return [one for one in shooters if not is_engaged(one)]


def volley_archers(scene: Scene, side: str, targets: Sequence[Fighter]) -> list[Fighter]:
    """Return the archers of a side that can shoot at a group now, whether it is engaged or not (MNC-042).

    By a house rule engaged archers shoot too (C-41).
    """
    field = battlefield(scene)
    archers = [
        one
        for one in field.fighters.values()
        if one.side == side
        and one.profile.missiles
        and (setting(scene, house_rules.VOLLEY_ARCHERS) == "all" or not field.is_engaged(one))
    ]
    return [
        one
        for one in archers
        if any(sees_target(field, one, target, field.bases[target.id].at) for target in targets)
    ]


def fire(scene: Scene, side: str, dice: int, targets: Sequence[Fighter], archers: Sequence[Fighter]) -> Steps:
    """Roll the arrows of a side at a group and spread the hits; return the scene and what the volley gains.

    Half of the hits go to minions first; the owner spreads all of them. The points of all hits are one gain,
    so that there is one story roll (MNC-077 to MNC-083).
    """
    facts = {
        "side": side,
        "dice": dice,
        "needed": ARROW_SUCCESS,
        "targets": [one.id for one in targets],
        "archers": [one.id for one in archers[:dice]],
    }
    yield Change(Explained(kind="arrows", facts=facts))
    hits = yield Call(count_successes, (dice, ARROW_SUCCESS, localize("miniatures_combat.roll_arrows")))
    yield Change(Explained(kind="arrow hits", facts={"needed": ARROW_SUCCESS, "hits": hits}))
    spread = yield from spread_hits(scene, targets, hits)
    gains = []
    for target in targets:
        if spread.get(target.id):
            harm = yield from absorb(scene, side, target.id, spread[target.id])
            scene, gain = yield from apply_harm(scene, harm)
            gains.append(gain)
    if not gains:
        return scene, Gain(side, 0)
    most = max(gains, key=lambda gain: gain.points)
    return scene, most._replace(points=sum(gain.points for gain in gains), is_arrows=True)


def spread_hits(scene: Scene, targets: Sequence[Fighter], hits: int) -> Steps:
    """Return how many hits each target takes (MNC-080, MNC-117, C-24)."""
    minions = [one for one in targets if one.profile.minion]
    characters = [one for one in targets if not one.profile.minion]
    half = hits // 2 if setting(scene, house_rules.MISSILE_HALF) == "rounded down" else -(-hits // 2)
    first = min(half, len(minions)) if characters else hits
    spread: dict[str, int] = {}
    if minions:
        # Without characters no minion takes a second hit before each has one.
        most = -(-first // len(minions))
        spread |= yield from _ask_spread(minions, first, most, first)
    rest = hits - sum(spread.values())
    if characters:
        must_take = any(not one.profile.story_protected for one in characters)
        spread |= yield from _ask_spread(characters, rest, rest, rest if must_take else 0)
    return spread


def _ask_spread(targets: Sequence[Fighter], pool: int, most: int, least: int) -> Steps:
    """Ask the owner to spread hits; there is no question if there is no choice."""
    if pool == least and (len(targets) == 1 or pool == most * len(targets)):
        return dict.fromkeys((one.id for one in targets), pool // len(targets))
    return (
        yield Allocate(
            side=targets[0].side,
            question=localize("miniatures_combat.ask_hits", count=pool),
            pool=pool,
            slots=tuple(Answer(one.id, one.name) for one in targets),
            limits=tuple((0, most) for _ in targets),
            default=best_spread(targets, pool, most) if least else {},
            least=least,
        )
    )


def best_spread(targets: Sequence[Fighter], pool: int, most: int) -> Mapping[str, int]:
    """Return the spread that costs the fewest models: hits that gear or toughness take, the rest on one."""
    room = {
        one.id: max(0, one.level - 1 - one.token.track("hits") + len(one.items))
        for one in sorted(targets, key=lambda one: (one.profile.story_protected, one.level, one.id))
    }
    spread = dict.fromkeys(room, 0)
    for key, free in room.items():
        spread[key] = min(free, most, pool - sum(spread.values()))
    for key in room:
        spread[key] += min(most - spread[key], pool - sum(spread.values()))
    return spread
