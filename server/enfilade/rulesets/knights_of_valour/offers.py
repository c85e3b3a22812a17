"""The acts of a creature, legal or refused, and the consequences of a change by hand (KOV-024, KOV-056)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.kit.settling import return_to_battle, win_for_last_team
from enfilade.rules.procedures import Act, Steps
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets.knights_of_valour.battlefield import battlefield, is_defeated
from enfilade.rulesets.knights_of_valour.combat.attack import attack, attack_refusal
from enfilade.rulesets.knights_of_valour.combat.damage import defeat
from enfilade.rulesets.knights_of_valour.laws import LAWS
from enfilade.rulesets.knights_of_valour.movement import judge, move
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.rulesets.knights_of_valour.special_acts import (
    AT_ENEMY,
    draw,
    special_action,
    wrestle,
    wrestle_refusal,
)
from enfilade.rulesets.knights_of_valour.turn import Intent, announce_intent, end_turn, start_round
from enfilade.scene.model import Scene, Token

_STRIKES = frozenset({"strikes"})

ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "melee": ActKind(
            localize("knights_of_valour.act_melee"), attack, tags=_STRIKES, refusal=attack_refusal
        ),
        "ranged": ActKind(
            localize("knights_of_valour.act_ranged"), attack, tags=_STRIKES, refusal=attack_refusal
        ),
        "move": ActKind(localize("knights_of_valour.act_move"), move, tags=frozenset({"moves"})),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "KOV-038"), body=GroupMove
        ),
        "shove": ActKind(
            localize("knights_of_valour.act_shove"), wrestle, tags=_STRIKES, refusal=wrestle_refusal
        ),
        "grapple": ActKind(
            localize("knights_of_valour.act_grapple"), wrestle, tags=_STRIKES, refusal=wrestle_refusal
        ),
        "draw": ActKind(localize("knights_of_valour.act_draw"), draw),
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


def aims(scene: Scene, token: Token) -> Iterator[Aim]:
    """Yield each act that a creature could do, attacks first; one that is defeated attacks no more."""
    creature = read_creature(token)
    if not token.has("out"):
        yield from _aims_at_enemies(scene, creature)
    for name in dict.fromkeys(weapon.name for weapon in creature.stowed):
        label = localize("knights_of_valour.act_draw_weapon", weapon=name)
        yield Aim(Act(kind="draw", token=token.id, weapon=name), label)
    for kind in ("intent", *_PLAIN, "end", "round"):
        yield Aim(Act(kind=kind, token=token.id))


def _aims_at_enemies(scene: Scene, creature: Creature) -> Iterator[Aim]:
    battle = battlefield(scene)
    enemies = [one for one in battle.units if not battle.are_allies(one, creature)]
    for weapon in creature.held:
        for enemy in enemies:
            act = Act(kind=weapon.kind, token=creature.id, target=enemy.id, weapon=weapon.name)
            yield Aim(act, weapon.name)
    for kind in AT_ENEMY:
        yield from (Aim(Act(kind=kind, token=creature.id, target=enemy.id)) for enemy in enemies)


offers = offers_from(ACTS, aims)


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene. The turn follows from the order."""

    def is_alive(token: Token) -> bool:
        return not is_defeated(scene, read_creature(token).points)

    scene = yield from return_to_battle(scene, before, is_alive)
    for token in scene.tokens:
        if not token.has("out") and not is_alive(token):
            scene = yield from defeat(scene, token.id)
    return (yield from win_for_last_team(scene, before))
