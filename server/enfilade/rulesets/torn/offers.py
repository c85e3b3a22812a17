"""The acts of a miniature, legal or refused, and the consequences of a change by hand (TRN-033, TRN-102)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.health import remove
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.kit.settling import last_team, pass_turn_on, return_to_battle
from enfilade.rules.procedures import Act, Steps, set_condition
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets.torn.combat.attack import attack, attack_refusal, read_attack
from enfilade.rulesets.torn.combat.attack_setup import (
    others_in_hexon,
)
from enfilade.rulesets.torn.combat.damage import transform_by_itself
from enfilade.rulesets.torn.combat.reactions import concentrate
from enfilade.rulesets.torn.laws import LAWS, TAGS
from enfilade.rulesets.torn.movement import judge, move
from enfilade.rulesets.torn.positions import miniatures
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.rulesets.torn.turn import (
    activate,
    end_activation,
    start_round,
    transform,
)
from enfilade.scene.events import TABLE
from enfilade.scene.model import Scene, Token

ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "melee": ActKind(localize("torn.act_melee"), attack, tags=TAGS["melee"], refusal=attack_refusal),
        "ranged": ActKind(localize("torn.act_ranged"), attack, tags=TAGS["melee"], refusal=attack_refusal),
        "move": ActKind(localize("torn.act_move"), move, tags=TAGS["move"]),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "TRN-033"), body=GroupMove
        ),
        "concentration": ActKind(localize("torn.act_concentration"), concentrate),
        "activate": ActKind(localize("torn.act_activate"), activate),
        "end": ActKind(localize("torn.act_end"), end_activation, tags=frozenset({"ends"})),
        "round": ActKind(localize("torn.act_round"), start_round, is_gm_only=True),
        "transform": ActKind(localize("torn.act_transform"), transform, is_gm_only=True),
    }
)
"""The kinds of act."""


def aims(scene: Scene, token: Token) -> Iterator[Aim]:
    """Yield each act that a miniature could do, attacks first."""
    miniature = read_miniature(token)
    for act in (*_attacks(scene, miniature), *_other_acts(miniature)):
        yield Aim(act, act.weapon)


offers = offers_from(ACTS, aims)


def _attacks(scene: Scene, miniature: Miniature) -> Iterator[Act]:
    """Yield the attacks of a miniature on all others; on an ally only those that do no harm."""
    tiles = [tile for tile in miniature.profile.tiles if tile.is_attack and miniature.token.at]
    harmless = [tile for tile in tiles if tile.is_harmless and not tile.area]
    for other in miniatures(scene) if tiles else ():
        if other.id != miniature.id:
            for tile in harmless if scene.are_allies(miniature.token, other.token) else tiles:
                yield attack_with(miniature, tile, other)


def attack_with(miniature: Miniature, tile: Tile, other: Miniature) -> Act:
    """Return the attack of a miniature with a tile on another."""
    return Act(kind=tile.kind, token=miniature.id, target=other.id, weapon=tile.name)


def _other_acts(miniature: Miniature) -> Iterator[Act]:
    yield from (Act(kind=kind, token=miniature.id) for kind in ("activate", "end", "round"))
    for tile in miniature.profile.tiles:
        if tile.kind == "concentration":
            yield Act(kind=tile.kind, token=miniature.id, weapon=tile.name)
    if miniature.profile.becomes:
        yield Act(kind="transform", token=miniature.id)


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene. No squad is tested for an edited leader."""
    scene = yield from return_to_battle(scene, before, lambda token: read_miniature(token).wounds > 0)
    for token in scene.tokens:
        miniature = read_miniature(token)
        if miniature.wounds <= 0 and not token.has("out"):
            changes = transform_by_itself if miniature.profile.becomes else remove
            scene = yield from changes(scene, token.id)
    scene = yield from pass_turn_on(scene, before, "first")
    side = last_team(scene, before)
    return scene if side is None else (yield set_condition(scene, TABLE, "won", side))


def caught(scene: Scene, act: Act) -> Sequence[str]:
    """Return the other miniatures in the Hexons of an Area Attack's target (TRN-011)."""
    if act.kind not in ("melee", "ranged") or not act.target:
        return ()
    attacker, tile, target = read_attack(scene, act)
    return [one.id for one in others_in_hexon(scene, attacker, target)] if tile.area else ()
