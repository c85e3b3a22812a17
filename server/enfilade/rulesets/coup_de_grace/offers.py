"""The acts of a miniature, legal or refused, and what a change by hand leads to (CDG-067 to CDG-078)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_profile
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.kit.settling import pass_turn_on, return_to_battle, was_healed
from enfilade.rules.procedures import Act, Steps, set_condition, turn_token
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield
from enfilade.rulesets.coup_de_grace.catalog import Held, Item
from enfilade.rulesets.coup_de_grace.combat.attack import attack
from enfilade.rulesets.coup_de_grace.combat.attack_setup import (
    aim_of,
    attack_refusal,
    attack_refusals,
    cost_of,
)
from enfilade.rulesets.coup_de_grace.combat.damage import apply_damage, check_victory, toward_an_enemy
from enfilade.rulesets.coup_de_grace.combat.foci import SPELLS, Cast
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
from enfilade.rulesets.coup_de_grace.turn import activate, declare_victory, end_activation, start_round
from enfilade.scene.model import Scene, Token

_STRIKES, _MOVES, _ENDS = frozenset({"strikes"}), frozenset({"moves"}), frozenset({"ends"})


def _attack_kind(label: str) -> ActKind:
    """Return a kind of attack with a weapon."""
    return ActKind(label, attack, tags=_STRIKES, refusal=attack_refusal, refusal_now=attack_refusals)


ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "melee": _attack_kind(localize("coup_de_grace.act_melee")),
        "ranged": _attack_kind(localize("coup_de_grace.act_ranged")),
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


def aims(scene: Scene, token: Token) -> Iterator[Aim]:
    """Yield each act that a miniature could do, those with targets first."""
    battle = battlefield(scene)
    one = battle.fighter(token.id)
    if one.token.at is not None:
        yield from _strike_aims(battle, one)
        yield from _spell_aims(scene, one)
        yield from _special_aims(battle, one)
    for kind in ("activate", "end", "round"):
        yield Aim(Act(kind=kind, token=one.id))
    if battle.setting(house_rules.VICTORY) == "scenario":
        yield Aim(Act(kind="victory", token=one.id), localize("coup_de_grace.offer_victory"))


offers = offers_from(ACTS, aims)


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


def _attackable(battle: Battlefield, attacker: Fighter) -> Collection[Fighter]:
    """Return the miniatures on the board that a miniature may ever attack."""
    if not battle.is_on(house_rules.ATTACK_ALLIES):
        return battle.enemies_of(attacker).values()
    return [other for other in battle.on_board if _is_attackable(battle, attacker, other)]


def _is_attackable(battle: Battlefield, attacker: Fighter, other: Fighter) -> bool:
    if attacker.token.side == other.token.side:
        return False
    return not battle.are_allies(attacker, other) or battle.is_on(house_rules.ATTACK_ALLIES)


def _strike_aims(battle: Battlefield, one: Fighter) -> list[Aim]:
    """Return the attacks of a miniature on enemies; the label and the cost are the same at all targets."""
    targets = _attackable(battle, one)
    labeled = []
    for weapon, kind in _attacks_with(one.items) if targets else ():
        aim = aim_of(battle.scene, one.id, weapon, kind)
        assert aim is not None
        labeled.append((weapon, kind, _attack_label(aim.item.name, kind), aim.cost))
    return [
        Aim(Act(kind=kind, token=one.id, target=other.token.id, weapon=weapon), label, cost)
        for other in targets
        for weapon, kind, label, cost in labeled
    ]


@cache
def _attack_label(item: Held, kind: str) -> str:
    """Return the label of an attack's button."""
    return localize("coup_de_grace.offer_attack", item=item, kind=kind)


def _spell_aims(scene: Scene, one: Fighter) -> Iterator[Aim]:
    for act in spell_acts(scene, one):
        item = one.items[act.weapon]
        cost = cost_of(battlefield(scene), one, item, "spell")
        yield Aim(act, localize("coup_de_grace.offer_spell", item=item.name), cost)


def _special_aims(battle: Battlefield, one: Fighter) -> Iterator[Aim]:
    if "entangling weapon" in one.items:
        for other in battle.on_board:
            if not battle.are_allies(one, other):
                act = Act(kind="entangle", token=one.id, target=other.id)
                yield Aim(act, localize("coup_de_grace.offer_entangle"))
    if one.race == "gnome":
        yield Aim(Act(kind="brace", token=one.id), cost=brace_cost(battle, one))
    if one.is_downed:
        yield Aim(Act(kind="recover", token=one.id))
        yield from (Aim(Act(kind="crawl", token=one.id, at=cell)) for cell in crawlable(battle, one))


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene."""
    scene = yield from return_to_battle(scene, before, lambda token: token.track("hp") >= 0)
    for token in scene.tokens:
        one = battlefield(scene).fighter(token.id)
        if not one.is_out and one.hit_points <= 0:
            scene = yield from apply_damage(scene, token.id, 0)
        elif one.hit_points > 0 and was_healed(before, token, "downed"):
            scene = yield set_condition(scene, token.id, "downed", None)
            scene = yield turn_token(scene.token(token.id), toward_an_enemy(battlefield(scene), one))
    scene = yield from pass_turn_on(scene, before, "priority")
    return (yield from check_victory(scene)) if _has_lost_some(scene, before) else scene


def _has_lost_some(scene: Scene, before: Scene) -> bool:
    """Return whether a change in play has taken a miniature out of the battle."""
    return scene.track("round") > 0 and len(_in_battle(scene)) < len(_in_battle(before))


def _in_battle(scene: Scene) -> list[str]:
    return [token.id for token in scene.tokens if not token.has("out")]


def caught(scene: Scene, act: Act) -> Sequence[str]:
    """Return the miniatures in the area of a Staff of Air or of Earth."""
    battle = battlefield(scene)
    item = battle.fighter(act.token).items.get(act.weapon) if act.kind == "spell" else None
    if item is None or item.spell != "effect":
        return ()
    area = SPELLS[item.name].area
    return area(Cast(battle, battle.fighter(act.token), act, None)) if area else ()
