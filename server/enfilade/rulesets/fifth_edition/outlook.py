"""Moments to come, for advice: a creature at the start of its turn, and which of its attacks may be made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from enfilade.rules.battle.memo import per_token
from enfilade.rules.outlook import Outlook, refreshed
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import refusal
from enfilade.rulesets.fifth_edition.battlefield import contacts, cover
from enfilade.rulesets.fifth_edition.expected import damage_call, damage_key
from enfilade.rulesets.fifth_edition.offers import ACTS
from enfilade.rulesets.fifth_edition.profiles import OF_TURN, SEPARATOR, read_creature
from enfilade.scene.model import Scene, Token


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which some creatures begin their turns, each as if it came first (SRD-049)."""
    fresh = tuple(
        refreshed(token, {}, ("moved", "extra", "run", "attacks", *OF_TURN, "reacted"))
        if token.id in tokens
        else token
        for token in scene.tokens
    )
    number = max(1, scene.track("round"))
    return replace(
        scene,
        tokens=fresh,
        tracks={**scene.tracks, "round": number},
        conditions={**scene.conditions, **({"turn": SEPARATOR.join(tokens)} if tokens else {})},
    )


def attacks(scene: Scene, token: Token, target: Token) -> Sequence[Act]:
    """Return the legal acts of a creature at an enemy that may hurt it; the range comes first."""
    spaces = contacts(scene).screens.spaces
    if scene.are_allies(token, target) or not (spaces.is_placed(token) and spaces.is_placed(target)):
        return ()
    far = spaces.in_feet(spaces.distance(token, target))
    acts = [
        Act(kind=kind, token=token.id, target=target.id, weapon=name)
        for kind, name, most in _ways(token)
        if far <= most
    ]
    if not acts or cover(scene, token, target) == "total":
        return ()
    return [act for act in acts if refusal(scene, ACTS[act.kind].procedure, act) is None]


@per_token
def _ways(token: Token) -> list[tuple[str, str, float]]:
    """Return the acts by which a creature may hurt another, as kind and name, each with its range in feet."""
    return list(_each_way(token))


def _each_way(token: Token) -> Iterator[tuple[str, str, float]]:
    one = read_creature(token)
    for name, attack in one.attacks.items():
        far = max(attack.reach, attack.normal, attack.long)
        yield "attack", name, far
        if token.has("lightly") and "lgt" in attack.properties:
            yield "offhand", name, far
        if token.conditions.get("readied") == name:
            yield "release", "", far
    for effect in one.profile.effects:
        if effect.damage and effect.shape != "teleport":
            yield "effect", effect.name, effect.range or effect.size


OUTLOOK = Outlook(
    ready=ready,
    attacks=attacks,
    damage_key=damage_key,
    damage_call=damage_call,
    down=("out", "dying", "stable"),
    routine=("begin", "stand", "end"),
)
