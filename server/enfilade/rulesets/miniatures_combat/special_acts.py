"""Other actions for a die, such as standing up, and carrying captives (MNC-107, MNC-111 to MNC-114)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from enfilade.errors import CannotPay, IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps, body_of, set_condition, set_track
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.displacement import ForcedMoves
from enfilade.rulesets.miniatures_combat.laws import CARRY_DISTANCE, LAWS, carriers_of
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter, read_fighter
from enfilade.rulesets.miniatures_combat.turn import find_fighter, pay_dice, require_active
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Value

MOST_SEARCHED = 6 * INCH
"""How far from its place a captive looks for room if another base stands there."""

ACTIONS = ("stand", "mount", "dismount", "use", "climb")
"""The actions that cost one die (house values: the tables of the text are pictures, MNC-107, MNC-111)."""


def take_action(scene: Scene, act: Act) -> Steps:
    """Spend one die on an action: stand up, mount, dismount, use a thing, climb (MNC-107, MNC-111)."""
    fighter = find_fighter(scene, act.token)
    if act.weapon not in ACTIONS:
        raise IllegalAct(
            localize("miniatures_combat.refuse_action", action=act.weapon[:40]), "MNC-111", "request"
        )
    yield Require(require_action, (scene, fighter, act.weapon))
    scene = yield from pay_dice(scene, fighter, 1)
    if act.weapon == "stand":
        scene = yield set_condition(scene, fighter.id, "prone", None)
    if act.weapon == "mount":
        scene = yield set_condition(scene, fighter.id, "dismounted", None)
    if act.weapon == "dismount":
        # The free dice of the horse are gone with it (MNC-112).
        scene = yield set_condition(scene, fighter.id, "dismounted")
        scene = yield set_track(scene, fighter.id, "movement dice", 0)
    yield Change(Explained(kind="action", facts={"token": fighter.id, "act": act.weapon}))
    return Outcome("done")


def require_action(scene: Scene, fighter: Fighter, action: str) -> None:
    """Raise IllegalAct if a model may not take an action now."""
    require_active(scene, fighter.token)
    is_senseless = {
        "stand": not fighter.token.has("prone"),
        "mount": not fighter.profile.mounted or fighter.is_mounted,
        "dismount": not fighter.is_mounted,
    }
    if is_senseless.get(action, False):
        raise IllegalAct(localize("miniatures_combat.refuse_action_now", name=fighter.name), "MNC-111", "ban")
    if not fighter.token.track("dice") + fighter.token.track("movement dice"):
        raise CannotPay(localize("miniatures_combat.refuse_dice", name=fighter.name, left=0), "MNC-111")


class Carriers(Value, frozen=True):
    """The models that help to carry a captive (MNC-114)."""

    members: Annotated[
        tuple[Annotated[str, Meta(max_length=64)], ...],
        Meta(title=localize("miniatures_combat.field_helpers"), max_length=8),
    ] = ()


def carry(scene: Scene, act: Act) -> Steps:
    """Take up a captive with as many carriers as its level; it moves with the first of them (MNC-114)."""
    fighter, prisoner = find_fighter(scene, act.token), read_fighter(scene.token(act.target))
    carriers = tuple(dict.fromkeys((fighter.id, *body_of(act, Carriers).members)))
    helpers = [find_fighter(scene, key) for key in carriers]
    if prisoner.token.at is None:
        raise IllegalAct(
            localize("miniatures_combat.refuse_captive", name=prisoner.name), "MNC-114", "request"
        )
    yield Require(require_carry, (scene, helpers, prisoner))
    yield set_condition(scene, prisoner.id, "carried", " ".join(carriers))
    yield Change(Explained(kind="carry", facts={"token": fighter.id, "target": prisoner.id}))
    return Outcome("carried")


def require_carry(scene: Scene, carriers: Sequence[Fighter], prisoner: Fighter) -> None:
    """Raise IllegalAct if these models cannot carry a captive (MNC-114)."""
    for carrier in carriers:
        require_active(scene, carrier.token)
    is_helpless = prisoner.token.has("captured") or prisoner.token.has("incapacitated")
    if not is_helpless:
        raise IllegalAct(
            localize("miniatures_combat.refuse_captive", name=prisoner.name), "MNC-114", "request"
        )
    field = battlefield(scene)
    apart = [field.distance(carrier.token, prisoner.token) for carrier in carriers]
    if max(apart) > CARRY_DISTANCE:
        raise IllegalAct(
            localize("miniatures_combat.refuse_carry_far", name=prisoner.name), "MNC-114", "distance"
        )
    others = [carriers_of(token) for token in scene.tokens if token.id != prisoner.id]
    is_so_already = carriers_of(prisoner.token) == [one.id for one in carriers]
    for carrier in carriers:
        if is_so_already or any(carrier.id in each for each in others):
            raise IllegalAct(
                localize("miniatures_combat.refuse_carrying", name=carrier.name), "MNC-114", "ban"
            )
    if len(carriers) < prisoner.level:
        sentence = localize("miniatures_combat.refuse_carriers", name=prisoner.name, count=prisoner.level)
        raise IllegalAct(sentence, "MNC-114", "missing")


def carry_along(scene: Scene, carrier: Fighter, start: Cell | None) -> Steps:
    """Move the captive of a group of carriers with the first of them; return the scene."""
    end = scene.token(carrier.id).at
    for token in scene.tokens:
        if carriers_of(token)[:1] != [carrier.id] or None in (start, end, token.at):
            continue
        assert start is not None
        assert end is not None
        assert token.at is not None
        at = (token.at[0] + end[0] - start[0], token.at[1] + end[1] - start[1])
        scene, _ = yield from displace(
            scene, token.id, at, "carry", ForcedMoves, crowd="near", most=MOST_SEARCHED, laws=LAWS
        )
    return scene
