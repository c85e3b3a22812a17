"""Moments to come, for advice: a creature at the start of its turn, and which of its attacks may be made."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from msgspec.structs import replace

from enfilade.rules.battle.contacts import Meetings
from enfilade.rules.battle.memo import per_token
from enfilade.rules.outlook import Outlook, TargetEffect, refreshed
from enfilade.rules.procedures import Act, Outcome, body_of
from enfilade.rules.resolve import refusal
from enfilade.rulesets.fifth_edition.battlefield import can_see, contacts, cover, is_flanking, is_in_water
from enfilade.rulesets.fifth_edition.combat import Strike
from enfilade.rulesets.fifth_edition.expected import damage_call, damage_key, effect_numbers
from enfilade.rulesets.fifth_edition.masteries import mastery_of
from enfilade.rulesets.fifth_edition.offers import ACTS
from enfilade.rulesets.fifth_edition.profiles import OF_TURN, SEPARATOR, read_creature
from enfilade.rulesets.fifth_edition.terms import has_ally_beside, is_afraid, threat_beside
from enfilade.scene.model import Scene, Token

NEAR = 5
"""The feet within which creatures are beside each other."""


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


def situation(scene: Scene, token: Token, enemy: Token) -> Hashable | None:
    """Return what the attacks of a creature on an enemy depend on of the places of all (SRD-083 to SRD-103).

    None where what an effect does to others may count for the enemy.
    """
    one, other, spaces = read_creature(token), read_creature(enemy), contacts(scene).screens.spaces
    if not (spaces.is_placed(token) and spaces.is_placed(enemy)):
        return None
    apart, limits = spaces.distance(token, enemy), _limits(token)
    if apart > spaces.length(limits[-1]):
        return ()
    covered = cover(scene, token, enemy)
    if covered == "total":
        return ()
    acts = [Act(kind="effect", token=token.id, target=enemy.id, weapon=name) for name in _areas(token)]
    numbers = [effect_numbers(scene, act) for act in acts]
    if None in numbers:
        return None
    return (
        *numbers,
        sum(apart > spaces.length(feet) for feet in limits),
        covered,
        can_see(scene, token, enemy),
        can_see(scene, enemy, token),
        is_flanking(scene, token, enemy),
        is_afraid(scene, one),
        one.profile.has_pack_tactics and has_ally_beside(scene, one, other),
        threat_beside(scene, token.id) is not None,
        is_in_water(scene, token),
        is_in_water(scene, enemy),
    )


def meetings(scene: Scene, token: Token, enemies: Sequence[str]) -> Meetings:
    """Return the enemies that a creature may attack, or that may attack it, at each place (SRD-096)."""
    screens = contacts(scene).screens
    placed = [one for one in screens.spaces.placed if one.id in enemies]
    return Meetings(screens, token, placed, lambda one: screens.spaces.length(_limits(one)[-1]))


@per_token
def _areas(token: Token) -> list[str]:
    """Return the names of a creature's effects that hurt all in an area."""
    effects = read_creature(token).profile.effects
    return [one.name for one in effects if one.damage and one.shape not in ("single", "teleport")]


@per_token
def _limits(token: Token) -> tuple[float, ...]:
    """Return the distances in feet at which the attacks of a creature change, the least first."""
    one = read_creature(token)
    of_attacks = {feet for own in one.attacks.values() for feet in (own.reach, own.normal, own.long)}
    of_effects = {own.range or own.size for own in one.profile.effects}
    return tuple(sorted({NEAR, *of_attacks, *of_effects}))


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


def on_target(scene: Scene, act: Act) -> TargetEffect | None:
    """Return the effect of an attack that takes hit points and does no more (SRD-137).

    None of one with a mastery or a rider, and at a creature with a state, a parry or another answer to a hit.
    """
    one, other = read_creature(scene.token(act.token)), read_creature(scene.token(act.target))
    weapon, target = one.attacks.get(act.weapon), other.profile
    if act.kind != "attack" or weapon is None or weapon.riders or mastery_of(scene, one, weapon):
        return None
    is_plain_act = act.at is None and not body_of(act, Strike).spares
    is_bare = not other.token.conditions and not (target.parry or target.unhealing)
    if not (is_plain_act and is_bare) or target.has_undead_fortitude or one.profile.has_frenzy:
        return None
    call = damage_call(scene, act)
    return None if call is None else TargetEffect(lambda _: call, _wounded)


def _wounded(scene: Scene, target: Token, struck: Outcome) -> Token | None:
    """Return a creature after damage, as `hurt` leaves it; None if it falls."""
    del scene
    creature, shield = read_creature(target), target.track("temp")
    rest = max(0, struck.damage - shield)
    if rest >= creature.hit_points:
        return None
    tracks = dict(target.tracks)
    if shield:
        tracks["temp"] = max(0, shield - struck.damage)
    if rest:
        tracks["hp"] = creature.hit_points - rest
    return replace(target, tracks=tracks)


OUTLOOK = Outlook(
    ready=ready,
    attacks=attacks,
    damage_key=damage_key,
    damage_call=damage_call,
    on_target=on_target,
    damage_tracks=("hp", "temp"),
    situation=situation,
    contacts=meetings,
    down=("out", "dying", "stable"),
    routine=("begin", "stand", "end"),
)
