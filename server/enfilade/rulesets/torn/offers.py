"""The acts a miniature has now: every attack tile at every target, and its turn's acts, legal or refused."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.rules.procedures import Act, Procedure
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Offer
from enfilade.rulesets.torn.attack import attack
from enfilade.rulesets.torn.attack_setup import is_harmless
from enfilade.rulesets.torn.battlefield import on_battlefield
from enfilade.rulesets.torn.profiles import Miniature, miniature
from enfilade.rulesets.torn.reactions import concentrate
from enfilade.rulesets.torn.turn import activate, end_activation, start_round, transform
from enfilade.scene.model import Scene, Token


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Every act of a miniature, those at targets first; a refused one says why and by which rule."""
    mini = miniature(token)
    at_targets = [_offer(scene, attack, act, act.weapon) for act in _attacks(scene, mini)] if token.at else []
    return [*at_targets, *_turn_offers(scene, mini)]


def _attacks(scene: Scene, mini: Miniature) -> Iterator[Act]:
    for tile in mini.profile.tiles:
        if tile.is_attack:
            for other in on_battlefield(scene):
                is_enemy = not scene.are_allies(mini.token, other.token)
                if is_enemy or (is_harmless(tile) and not tile.area and other.id != mini.id):
                    yield Act(kind=tile.kind, token=mini.id, target=other.id, weapon=tile.name)


def _turn_offers(scene: Scene, mini: Miniature) -> Iterator[Offer]:
    acts: list[tuple[str, str, Procedure]] = [
        ("activate", "Activate", activate),
        ("end", "End activation", end_activation),
        ("round", "Start the next round", start_round),
    ]
    for kind, label, procedure in acts:
        yield _offer(scene, procedure, Act(kind=kind, token=mini.id), label)
    for tile in mini.profile.tiles:
        if tile.kind == "concentration":
            yield _offer(scene, concentrate, Act(kind=tile.kind, token=mini.id, weapon=tile.name), tile.name)
    if mini.profile.becomes:
        yield _offer(scene, transform, Act(kind="transform", token=mini.id), "Transform, by another's doing")


def _offer(scene: Scene, procedure: Procedure, act: Act, label: str) -> Offer:
    refused = refusal(scene, procedure, act)
    return Offer(act, label, 0, refused.sentence, refused.rule) if refused else Offer(act, label)
