"""The acts of a creature: each weapon at each enemy and the other actions of its turn, legal or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import offer, offer_unless
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.combat.attack import attack, require_target
from enfilade.rulesets.knights_of_valour.laws import LAWS
from enfilade.rulesets.knights_of_valour.movement import judge, move
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.rulesets.knights_of_valour.special_acts import (
    AT_ENEMY,
    require_beside,
    special_action,
    wrestle,
)
from enfilade.rulesets.knights_of_valour.turn import (
    Intent,
    announce_intent,
    end_turn,
    require_combat_action,
    start_round,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token

_STRIKES = frozenset({"strikes"})

ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "melee": ActKind(localize("knights_of_valour.act_melee"), attack, tags=_STRIKES),
        "ranged": ActKind(localize("knights_of_valour.act_ranged"), attack, tags=_STRIKES),
        "move": ActKind(localize("knights_of_valour.act_move"), move, tags=frozenset({"moves"})),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "KOV-038"), body=GroupMove
        ),
        "shove": ActKind(localize("knights_of_valour.act_shove"), wrestle, tags=_STRIKES),
        "grapple": ActKind(localize("knights_of_valour.act_grapple"), wrestle, tags=_STRIKES),
        "throw": ActKind(localize("knights_of_valour.act_throw"), special_action),
        "release": ActKind(localize("knights_of_valour.act_release"), special_action),
        "spell": ActKind(localize("knights_of_valour.act_spell"), special_action),
        "search": ActKind(localize("knights_of_valour.act_search"), special_action),
        "use": ActKind(localize("knights_of_valour.act_use"), special_action),
        "intent": ActKind(localize("knights_of_valour.act_intent"), announce_intent, body=Intent),
        "end": ActKind(localize("knights_of_valour.act_end"), end_turn, tags=frozenset({"ends"})),
        "round": ActKind(localize("knights_of_valour.act_round"), start_round, is_gm_only=True),
    }
)
"""The kinds of act."""


_PLAIN = ("throw", "release", "spell", "search", "use")
"""The Combat Actions without a target."""


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Return each act of a creature, attacks first; a refused act has its reason and its rule.

    If a creature may take no Combat Action, all of them are refused for one reason, which is looked up once.
    """
    return LAWS.offered(scene, token, _offers(scene, token), ACTS)


def _offers(scene: Scene, token: Token) -> list[Offer]:
    creature = read_creature(token)
    refused = check_refusal(require_combat_action, scene, creature)
    return [
        *([] if token.has("out") else _offers_at_enemies(scene, creature, refused)),
        _offer(scene, Act(kind="intent", token=token.id)),
        *(offer_unless(refused, Act(kind=kind, token=token.id), ACTS[kind].label) for kind in _PLAIN),
        *(_offer(scene, Act(kind=kind, token=token.id)) for kind in ("end", "round")),
    ]


def _offers_at_enemies(scene: Scene, creature: Creature, refused: IllegalAct | None) -> Iterator[Offer]:
    """Yield the Combat Actions at each enemy; `refused` is why a creature may take none."""
    battle = battlefield(scene)
    enemies = [one for one in battle.units if not battle.are_allies(one, creature)]
    for weapon in creature.held:
        for enemy in enemies:
            checkpoint()
            act = Act(kind=weapon.kind, token=creature.id, target=enemy.id, weapon=weapon.name)
            why = refused or check_refusal(require_target, scene, creature, weapon, enemy)
            yield offer_unless(why, act, weapon.name)
    for kind in AT_ENEMY:
        for enemy in enemies:
            checkpoint()
            act = Act(kind=kind, token=creature.id, target=enemy.id)
            why = refused or check_refusal(require_beside, scene, creature, enemy)
            yield offer_unless(why, act, ACTS[kind].label)


def _offer(scene: Scene, act: Act) -> Offer:
    kind = ACTS[act.kind]
    return offer(scene, act, kind.procedure, kind.label)
