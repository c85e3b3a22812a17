"""The acts of a miniature: each attack tile at each target, and the acts of its turn, legal or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import offer
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.rulesets.torn.battlefield import miniatures
from enfilade.rulesets.torn.combat.attack import attack
from enfilade.rulesets.torn.combat.reactions import concentrate
from enfilade.rulesets.torn.movement import judge, move
from enfilade.rulesets.torn.profiles import Miniature, read_miniature
from enfilade.rulesets.torn.turn import activate, end_activation, start_round, transform
from enfilade.scene.model import Scene, Token

ACTS: Mapping[str, ActKind] = {
    "melee": ActKind(localize("torn.act_melee"), attack),
    "ranged": ActKind(localize("torn.act_ranged"), attack),
    "move": ActKind(localize("torn.act_move"), move),
    GROUP_MOVE: ActKind(localize("rules.act_move_group"), group_move(judge, move, "TRN-033"), body=GroupMove),
    "concentration": ActKind(localize("torn.act_concentration"), concentrate),
    "activate": ActKind(localize("torn.act_activate"), activate),
    "end": ActKind(localize("torn.act_end"), end_activation),
    "round": ActKind(localize("torn.act_round"), start_round, is_gm_only=True),
    "transform": ActKind(localize("torn.act_transform"), transform, is_gm_only=True),
}
"""The kinds of act."""


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Return each act of a miniature, attacks first; a refused act has its reason and its rule."""
    miniature = read_miniature(token)
    attacks = [_offer(scene, act, act.weapon) for act in _attacks(scene, miniature)] if token.at else []
    return [*attacks, *_other_offers(scene, miniature)]


def _attacks(scene: Scene, miniature: Miniature) -> Iterator[Act]:
    for other in miniatures(scene):
        if other.id != miniature.id:
            yield from attacks_on(miniature, other, not scene.are_allies(miniature.token, other.token))


def attacks_on(miniature: Miniature, other: Miniature, is_enemy: bool) -> Iterator[Act]:
    """Yield the attacks of a miniature's tiles on another; on an ally only those that do no harm."""
    for tile in miniature.profile.tiles:
        if tile.is_attack and (is_enemy or (tile.is_harmless and not tile.area)):
            yield Act(kind=tile.kind, token=miniature.id, target=other.id, weapon=tile.name)


def _other_offers(scene: Scene, miniature: Miniature) -> Iterator[Offer]:
    for kind in ("activate", "end", "round"):
        yield _offer(scene, Act(kind=kind, token=miniature.id), ACTS[kind].label)
    for tile in miniature.profile.tiles:
        if tile.kind == "concentration":
            yield _offer(scene, Act(kind=tile.kind, token=miniature.id, weapon=tile.name), tile.name)
    if miniature.profile.becomes:
        yield _offer(scene, Act(kind="transform", token=miniature.id), ACTS["transform"].label)


def _offer(scene: Scene, act: Act, label: str) -> Offer:
    return offer(scene, act, ACTS[act.kind].procedure, label)
