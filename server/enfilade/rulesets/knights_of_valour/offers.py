"""The acts of a creature: each weapon at each enemy and the other actions of its turn, legal or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import offer
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.combat.attack import attack
from enfilade.rulesets.knights_of_valour.movement import judge, move
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.rulesets.knights_of_valour.special_acts import AT_ENEMY, special_action, wrestle
from enfilade.rulesets.knights_of_valour.turn import Intent, announce_intent, end_turn, start_round
from enfilade.scene.model import Scene, Token

ACTS: Mapping[str, ActKind] = {
    "melee": ActKind(localize("knights_of_valour.act_melee"), attack),
    "ranged": ActKind(localize("knights_of_valour.act_ranged"), attack),
    "move": ActKind(localize("knights_of_valour.act_move"), move),
    GROUP_MOVE: ActKind(localize("rules.act_move_group"), group_move(judge, move, "KOV-038"), body=GroupMove),
    "shove": ActKind(localize("knights_of_valour.act_shove"), wrestle),
    "grapple": ActKind(localize("knights_of_valour.act_grapple"), wrestle),
    "throw": ActKind(localize("knights_of_valour.act_throw"), special_action),
    "release": ActKind(localize("knights_of_valour.act_release"), special_action),
    "spell": ActKind(localize("knights_of_valour.act_spell"), special_action),
    "search": ActKind(localize("knights_of_valour.act_search"), special_action),
    "use": ActKind(localize("knights_of_valour.act_use"), special_action),
    "intent": ActKind(localize("knights_of_valour.act_intent"), announce_intent, body=Intent),
    "end": ActKind(localize("knights_of_valour.act_end"), end_turn),
    "round": ActKind(localize("knights_of_valour.act_round"), start_round, is_gm_only=True),
}
"""The kinds of act."""


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Return each act of a creature, attacks first; a refused act has its reason and its rule."""
    creature = read_creature(token)
    at_enemies = [] if token.has("out") else list(_acts_at_enemies(scene, creature))
    others = [Act(kind=kind, token=token.id) for kind in ("intent", *_PLAIN, "end", "round")]
    return [_offer(scene, act) for act in (*at_enemies, *others)]


_PLAIN = ("throw", "release", "spell", "search", "use")


def _acts_at_enemies(scene: Scene, creature: Creature) -> Iterator[Act]:
    enemies = [
        one for one in battlefield(scene).creatures if not battlefield(scene).are_allies(one, creature)
    ]
    for weapon in creature.held:
        for enemy in enemies:
            yield Act(kind=weapon.kind, token=creature.id, target=enemy.id, weapon=weapon.name)
    for kind in AT_ENEMY:
        for enemy in enemies:
            yield Act(kind=kind, token=creature.id, target=enemy.id)


def _offer(scene: Scene, act: Act) -> Offer:
    kind = ACTS[act.kind]
    return offer(scene, act, kind.procedure, act.weapon or kind.label)
