"""The acts of a miniature: each attack tile at each target, and the acts of its turn, legal or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.cache import MANY, identity_cache
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import offer
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.rulesets.torn.battlefield import battlefield, scene_weight
from enfilade.rulesets.torn.combat.attack import attack
from enfilade.rulesets.torn.combat.attack_setup import Refusal, target_refusal
from enfilade.rulesets.torn.combat.reactions import concentrate
from enfilade.rulesets.torn.movement import judge, move
from enfilade.rulesets.torn.positions import miniatures
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.rulesets.torn.turn import (
    action_refusal,
    activate,
    activation_refusal,
    active_refusal,
    end_activation,
    round_refusal,
    start_round,
    transform,
)
from enfilade.scene.model import Scene, Token
from enfilade.time_budget import checkpoint

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
    attacks = _attack_offers(scene, miniature) if token.at else ()
    return [*attacks, *_other_offers(scene, miniature)]


def _attack_offers(scene: Scene, miniature: Miniature) -> Iterator[Offer]:
    """Yield the attacks of a miniature on all others; on an ally only those that do no harm."""
    tiles = [tile for tile in miniature.profile.tiles if tile.is_attack]
    if not tiles:
        return
    harmless = [tile for tile in tiles if tile.is_harmless and not tile.area]
    # What refuses a tile's action is the same at all targets.
    not_now = {tile.name: action_refusal(scene, miniature, tile) for tile in tiles}
    board = battlefield(scene).board
    is_on_board = miniature.token.at is not None and miniature.token.at in board
    is_odd = len(not_now) < len(tiles) or any(miniature.tile(tile.name) is not tile for tile in tiles)
    for other in miniatures(scene):
        if other.id == miniature.id:
            continue
        checkpoint()
        is_possible = is_on_board and not is_odd and other.token.at is not None and other.token.at in board
        for tile in harmless if scene.are_allies(miniature.token, other.token) else tiles:
            act = attack_with(miniature, tile, other)
            if not is_possible:
                yield _offer(scene, act, tile.name)  # a contradictory scene, with a refusal of its own
            elif refused := not_now[tile.name]:
                yield Offer(act, tile.name, 0, refused.sentence, refused.rule)
            else:
                yield Offer(act, tile.name, 0, *target_refusal(scene, miniature, tile, other))


def attack_with(miniature: Miniature, tile: Tile, other: Miniature) -> Act:
    """Return the attack of a miniature with a tile on another."""
    return Act(kind=tile.kind, token=miniature.id, target=other.id, weapon=tile.name)


def _other_offers(scene: Scene, miniature: Miniature) -> Iterator[Offer]:
    token = miniature.token
    for kind, refused in (
        ("activate", _in_words(activation_refusal(scene, token))),
        ("end", _in_words(active_refusal(scene, token))),
        ("round", _no_round(scene)),
    ):
        yield Offer(Act(kind=kind, token=token.id), ACTS[kind].label, 0, *refused)
    for tile in miniature.profile.tiles:
        if tile.kind == "concentration":
            yield _offer(scene, Act(kind=tile.kind, token=miniature.id, weapon=tile.name), tile.name)
    if miniature.profile.becomes:
        yield _offer(scene, Act(kind="transform", token=miniature.id), ACTS["transform"].label)


@identity_cache(MANY, scene_weight)
def _no_round(scene: Scene) -> Refusal:
    """Return why no round may start now, the same for all miniatures."""
    return _in_words(round_refusal(scene))


def _in_words(refused: IllegalAct | None) -> Refusal:
    return (refused.sentence, refused.rule) if refused else ("", "")


def _offer(scene: Scene, act: Act, label: str) -> Offer:
    return offer(scene, act, ACTS[act.kind].procedure, label)
