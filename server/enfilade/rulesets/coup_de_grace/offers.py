"""The acts of a miniature now: its attacks on each enemy and the acts of its turn, legal or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_profile, per_scene
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import offer, offer_if, offer_unless
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield
from enfilade.rulesets.coup_de_grace.catalog import Held, Item
from enfilade.rulesets.coup_de_grace.combat.attack import attack
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Aim, cost_of, enemy_refusal
from enfilade.rulesets.coup_de_grace.combat.spells import cast, spell_acts
from enfilade.rulesets.coup_de_grace.laws import LAWS
from enfilade.rulesets.coup_de_grace.movement import judge, move
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.special_acts import (
    brace,
    brace_cost,
    crawl,
    crawlable,
    entangle,
    recover,
)
from enfilade.rulesets.coup_de_grace.turn import (
    activate,
    declare_victory,
    end_activation,
    require_active,
    require_next,
    require_round_over,
    start_round,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token

# The labels of the offers that every miniature has are read once.
_ACTIVATE = localize("coup_de_grace.act_activate")
_END = localize("coup_de_grace.act_end")
_ROUND = localize("coup_de_grace.act_round")


_STRIKES, _MOVES, _ENDS = frozenset({"strikes"}), frozenset({"moves"}), frozenset({"ends"})

ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "melee": ActKind(localize("coup_de_grace.act_melee"), attack, tags=_STRIKES),
        "ranged": ActKind(localize("coup_de_grace.act_ranged"), attack, tags=_STRIKES),
        "spell": ActKind(localize("coup_de_grace.act_spell"), cast),
        "move": ActKind(localize("coup_de_grace.act_move"), move, tags=_MOVES),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "CDG-033"), body=GroupMove
        ),
        "brace": ActKind(localize("coup_de_grace.act_brace"), brace),
        "entangle": ActKind(localize("coup_de_grace.act_entangle"), entangle),
        "activate": ActKind(localize("coup_de_grace.act_activate"), activate),
        "end": ActKind(localize("coup_de_grace.act_end"), end_activation, tags=_ENDS),
        "round": ActKind(localize("coup_de_grace.act_round"), start_round, is_gm_only=True),
        "crawl": ActKind(localize("coup_de_grace.act_crawl"), crawl, tags=_MOVES),
        "recover": ActKind(localize("coup_de_grace.act_recover"), recover),
        "victory": ActKind(localize("coup_de_grace.act_victory"), declare_victory, is_gm_only=True),
    }
)
"""The kinds of act."""


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Return all acts of a miniature, those with targets first. A refused one has a sentence and a rule."""
    return LAWS.offered(scene, token, _offers(scene, token), ACTS)


def _offers(scene: Scene, token: Token) -> list[Offer]:
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
    attacks = _attacks_with(attacker.items)
    for other in _attackable(battle, attacker):
        for weapon, kind in attacks:
            yield Act(kind=kind, token=attacker.id, target=other.id, weapon=weapon)


def strikes_on(battle: Battlefield, attacker: Fighter, other: Fighter) -> Iterator[Act]:
    """Yield the attacks of a miniature's hands on another; none if it may never attack it."""
    if _is_attackable(battle, attacker, other):
        for weapon, kind in _attacks_with(attacker.items):
            yield Act(kind=kind, token=attacker.id, target=other.id, weapon=weapon)


@per_profile
def _attacks_with(items: dict[str, Item]) -> list[tuple[str, str]]:
    """Return the weapon and the kind of each attack with some items, the same for all tokens of a card."""
    return [
        (weapon, kind)
        for weapon, item in items.items()
        for kind in ("melee", "ranged", "spell")
        if item.can(kind) and item.can_attack
    ]


def _attackable(battle: Battlefield, attacker: Fighter) -> list[Fighter]:
    """Return the miniatures on the board that a miniature may ever attack."""
    return [other for other in battle.on_board if _is_attackable(battle, attacker, other)]


def _is_attackable(battle: Battlefield, attacker: Fighter, other: Fighter) -> bool:
    if attacker.token.side == other.token.side:
        return False
    return not battle.are_allies(attacker, other) or battle.is_on(house_rules.ATTACK_ALLIES)


def _strike_offers(battle: Battlefield, one: Fighter) -> Iterator[Offer]:
    """Yield the attacks of a miniature on enemies; the label and the cost are the same at all targets."""
    attacks = _attacks_with(one.items)
    targets = _attackable(battle, one) if attacks else []
    if not targets:
        return
    aims = [Aim(battle, one, weapon, one.items[weapon], kind) for weapon, kind in attacks]
    labeled = [(aim, _attack_label(aim.item.name, aim.kind), aim.cost) for aim in aims]
    for other in targets:
        checkpoint()
        for aim, label, cost in labeled:
            act = Act(kind=aim.kind, token=one.id, target=other.id, weapon=aim.weapon)
            refused = enemy_refusal(aim, other)
            if refused:
                yield Offer(act, label, cost, refused.sentence, refused.rule)
            else:
                yield Offer(act, label, cost)


@cache
def _attack_label(item: Held, kind: str) -> str:
    """Return the label of an attack's button."""
    return localize("coup_de_grace.offer_attack", item=item, kind=kind)


def _spell_offers(scene: Scene, one: Fighter) -> Iterator[Offer]:
    for act in spell_acts(scene, one):
        item = one.items[act.weapon]
        cost = cost_of(battlefield(scene), one, item, "spell")
        yield offer(
            scene, act, ACTS["spell"].procedure, localize("coup_de_grace.offer_spell", item=item.name), cost
        )


def _special_offers(scene: Scene, one: Fighter) -> Iterator[Offer]:
    battle = battlefield(scene)
    if "entangling weapon" in one.items:
        for other in battle.on_board:
            if not battle.are_allies(one, other):
                act = Act(kind="entangle", token=one.id, target=other.id)
                yield _offer(scene, act, localize("coup_de_grace.offer_entangle"))
    if one.race == "gnome":
        act = Act(kind="brace", token=one.id)
        yield offer(
            scene, act, ACTS["brace"].procedure, localize("coup_de_grace.act_brace"), brace_cost(battle, one)
        )
    if one.is_downed:
        yield _offer(scene, Act(kind="recover", token=one.id))
        for cell in crawlable(battle, one):
            yield _offer(scene, Act(kind="crawl", token=one.id, at=cell))


def _offer(scene: Scene, act: Act, label: str = "", cost: int = 0) -> Offer:
    kind = ACTS[act.kind]
    return offer(scene, act, kind.procedure, label or kind.label, cost)


def _turn_offers(scene: Scene, one: Fighter) -> Iterator[Offer]:
    activation, ending = Act(kind="activate", token=one.id), Act(kind="end", token=one.id)
    yield offer_if(require_next, scene, one.token, activation, _ACTIVATE)
    yield offer_if(require_active, scene, one.token, ending, _END)
    yield offer_unless(_round_refusal(scene), Act(kind="round", token=one.id), _ROUND)
    if battlefield(scene).setting(house_rules.VICTORY) == "scenario":
        act = Act(kind="victory", token=one.id)
        yield offer(scene, act, declare_victory, localize("coup_de_grace.offer_victory"))


@per_scene
def _round_refusal(scene: Scene) -> IllegalAct | None:
    """Return why no round may start now, the same for all miniatures."""
    return check_refusal(require_round_over, scene)
