"""The acts of a miniature now: its attacks on each enemy and the acts of its turn, legal or refused."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.cache import MANY, identity_cache
from enfilade.rules.kit.offers import offer
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Offer
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield, scene_weight
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Aim, cost_of, enemy_refusal
from enfilade.rulesets.coup_de_grace.combat.spells import cast, spell_acts
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.special_acts import (
    brace,
    brace_cost,
    crawl,
    crawlable,
    entangle,
    recover,
)
from enfilade.rulesets.coup_de_grace.turn import activate, declare_victory, end_activation, start_round
from enfilade.scene.model import Scene, Side, Token
from enfilade.time_budget import checkpoint


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Return all acts of a miniature, those with targets first. A refused one has a sentence and a rule."""
    battle = battlefield(scene)
    one = battle.fighter(token.id)
    if one.token.at is None:
        return list(_turn_offers(scene, one))
    return [
        *_strike_offers(battle, one),
        *_spell_offers(scene, one),
        *_special_offers(scene, one),
        *_turn_offers(scene, one),
    ]


def strikes(battle: Battlefield, attacker: Fighter) -> Iterator[Act]:
    """Yield the attacks of a miniature's hands on each miniature that it may ever attack."""
    for other, aim in _aimed(battle, attacker):
        yield Act(kind=aim.kind, token=attacker.id, target=other.id, weapon=aim.weapon)


def _aimed(battle: Battlefield, attacker: Fighter) -> Iterator[tuple[Fighter, Aim]]:
    """Yield each attack of a miniature's hands on each miniature that it may ever attack."""
    aims = [
        Aim(battle, attacker, weapon, item, kind)
        for weapon, item in attacker.items.items()
        for kind in ("melee", "ranged", "spell")
        if item.can(kind) and item.can_attack
    ]
    sides = {side.id for side in battle.scene.sides if _is_attackable(battle, attacker, side)}
    for other in battle.on_board if aims else ():
        if other.token.side in sides:
            for aim in aims:
                yield other, aim


def strikes_on(battle: Battlefield, attacker: Fighter, other: Fighter) -> Iterator[Act]:
    """Yield the attacks of a miniature's hands on another; none if it may never attack it."""
    if _is_attackable(battle, attacker, battle.scene.side(other.token.side)):
        for weapon, item in attacker.items.items():
            for kind in ("melee", "ranged", "spell"):
                if item.can(kind) and item.can_attack:
                    yield Act(kind=kind, token=attacker.id, target=other.id, weapon=weapon)


def _is_attackable(battle: Battlefield, attacker: Fighter, side: Side) -> bool:
    if battle.is_on(house_rules.ATTACK_ALLIES):
        return side.id != attacker.token.side
    return not battle.scene.side(attacker.token.side).is_ally(side)


def _strike_offers(battle: Battlefield, one: Fighter) -> Iterator[Offer]:
    """Yield the attacks of a miniature on enemies; the label and the cost are the same at all targets."""
    labels: dict[Aim, str] = {}
    for other, aim in _aimed(battle, one):
        checkpoint()
        label = labels.get(aim)
        if label is None:
            item = aim.item.name
            label = labels[aim] = localize("coup_de_grace.offer_attack", item=item, kind=aim.kind)
        act = Act(kind=aim.kind, token=one.id, target=other.id, weapon=aim.weapon)
        refused = enemy_refusal(aim, other)
        if refused:
            yield Offer(act, label, aim.cost, refused.sentence, refused.rule)
        else:
            yield Offer(act, label, aim.cost)


def _spell_offers(scene: Scene, one: Fighter) -> Iterator[Offer]:
    for act in spell_acts(scene, one):
        item = one.items[act.weapon]
        cost = cost_of(battlefield(scene), one, item, "spell")
        yield offer(scene, act, cast, localize("coup_de_grace.offer_spell", item=item.name), cost)


def _special_offers(scene: Scene, one: Fighter) -> Iterator[Offer]:
    battle = battlefield(scene)
    if "entangling weapon" in one.items:
        for other in battle.on_board:
            if not battle.are_allies(one, other):
                act = Act(kind="entangle", token=one.id, target=other.id)
                yield offer(scene, act, entangle, localize("coup_de_grace.offer_entangle"))
    if one.race == "gnome":
        act = Act(kind="brace", token=one.id)
        yield offer(scene, act, brace, localize("coup_de_grace.act_brace"), brace_cost(battle, one))
    if one.is_downed:
        yield offer(scene, Act(kind="recover", token=one.id), recover, localize("coup_de_grace.act_recover"))
        for cell in crawlable(battle, one):
            yield offer(
                scene, Act(kind="crawl", token=one.id, at=cell), crawl, localize("coup_de_grace.act_crawl")
            )


def _turn_offers(scene: Scene, one: Fighter) -> Iterator[Offer]:
    yield offer(scene, Act(kind="activate", token=one.id), activate, localize("coup_de_grace.act_activate"))
    yield offer(scene, Act(kind="end", token=one.id), end_activation, localize("coup_de_grace.act_end"))
    refused = _round_refusal(scene)
    why, rule = (refused.sentence, refused.rule) if refused else ("", "")
    yield Offer(Act(kind="round", token=one.id), localize("coup_de_grace.act_round"), 0, why, rule)
    if battlefield(scene).setting(house_rules.VICTORY) == "scenario":
        act = Act(kind="victory", token=one.id)
        yield offer(scene, act, declare_victory, localize("coup_de_grace.offer_victory"))


@identity_cache(MANY, scene_weight)
def _round_refusal(scene: Scene) -> IllegalAct | None:
    """Return why no round may start now, the same for all miniatures."""
    return refusal(scene, start_round, Act(kind="round"))
