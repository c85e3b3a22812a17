"""What others do about an action: Free Attacks (TRN-065 to TRN-077), Counter Attacks (TRN-092 to TRN-095)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from enfilade.errors import IllegalAct
from enfilade.rules.changes import set_condition
from enfilade.rules.house_rules import is_on
from enfilade.rules.procedures import Act, Answer, Call, Change, Choose, Outcome, Require, Steps
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.attack_setup import Blow, Occasion, blow, why_illegal
from enfilade.rulesets.torn.battlefield import DANGEROUS, VORTEX, are_adjacent, battlefield, enemies
from enfilade.rulesets.torn.damage import suffer
from enfilade.rulesets.torn.decisions import expected
from enfilade.rulesets.torn.profiles import Miniature, Tile, miniature
from enfilade.rulesets.torn.simultaneous import clash
from enfilade.rulesets.torn.turn import must_be_able, spend
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

NO = "no"


def engaged_by(scene: Scene, mini: Miniature) -> list[Miniature]:
    """The enemies in neighbouring Hexes; with any, a miniature is Engaged (TRN-065)."""
    return [other for other in enemies(scene, mini) if are_adjacent(scene, mini, other)]


def free_attackers(scene: Scene, mini: Miniature) -> list[Miniature]:
    """Who may make a Free Attack if this miniature does anything but attack or concentrate (TRN-066)."""
    active = scene.conditions.get("active", "")
    return [
        other
        for other in engaged_by(scene, mini)
        if other.melee_tiles
        and is_free_to_strike(scene, other)
        and not (active and other.token.conditions.get("free attack") == active)
    ]


def is_free_to_strike(scene: Scene, mini: Miniature) -> bool:
    """No Free Attacks with a Condition Marker, on a Vortex or on Dangerous Landscape (TRN-077)."""
    field = battlefield(scene)
    bad = field.cells(VORTEX) | field.cells(DANGEROUS)
    return not mini.has_marker and bad.isdisjoint(field.filled(mini))


def free_attacks(scene: Scene, token_id: str) -> Steps:
    """Every enemy beside may strike at once, each with one melee action (TRN-066 to TRN-077).

    Returns the scene; the miniature may no longer be on the battlefield.
    """
    for attacker in free_attackers(scene, miniature(scene.token(token_id))):
        target = miniature(scene.token(token_id))
        if target.token.at is None:
            break
        tile = yield from _chosen(scene, attacker, target, attacker.melee_tiles, "free")
        if tile is not None:
            scene = yield from _free_attack(scene, attacker, tile, target)
    return scene


def _free_attack(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Steps:
    facts = {"token": attacker.id, "target": target.id, "act": tile.name}
    yield Change(Explained(kind="free attack", facts=facts))
    active = scene.conditions.get("active")
    if active:
        scene = yield set_condition(scene, attacker.id, "free attack", active)
    if tile.damage == 0:
        return scene
    suffered = yield Call(clash, ((blow(scene, "free", attacker, tile, target),),))
    return (yield from suffer(scene, suffered))


def counter_attacks(scene: Scene, attacker: Miniature, targets: Sequence[Miniature]) -> Steps:
    """Those among the targets who have not been activated may strike back (TRN-092 to TRN-094).

    Returns the scene and the blows.
    """
    blows: list[Blow] = []
    for mini in targets:
        tiles = counters(scene, mini, attacker)
        if not tiles:
            continue
        tile = yield from _chosen(scene, mini, attacker, tiles, "counter")
        if tile is None:
            continue
        blows.append(blow(scene, "counter", mini, tile, attacker))
        if is_on(scene, house_rules.COUNTER_ACTIVATES) and scene.track("round"):
            scene = yield set_condition(scene, mini.id, "activated")
    return scene, tuple(blows)


def counters(scene: Scene, mini: Miniature, attacker: Miniature) -> tuple[Tile, ...]:
    """The actions with which a miniature may counter: melee, or ranged with Assault, in reach (TRN-093)."""
    if mini.token.has("activated") or scene.are_allies(mini.token, attacker.token):
        return ()
    return tuple(
        tile
        for tile in mini.profile.tiles
        if (tile.kind == "melee" or (tile.kind == "ranged" and tile.assault))
        and tile.damage
        and why_illegal(scene, mini, tile, attacker)[1] in ("", "TRN-036")
    )


def _chosen(
    scene: Scene, mini: Miniature, target: Miniature, tiles: Sequence[Tile], occasion: Occasion
) -> Steps:
    """Which action a reaction is made with, if any; by default the one that is worth most."""
    worths = {tile.name: _worth(scene, mini, tile, target, occasion) for tile in tiles}
    best = max(tiles, key=lambda tile: worths[tile.name])
    answers = tuple(Answer(tile.name, tile.name) for tile in tiles)
    question = f"{mini.name}: {_NAMES[occasion]} on {target.name}?"
    default = best.name if worths[best.name] > 0 else NO
    answer = yield Choose(mini.token.side, question, (*answers, Answer(NO, "No")), default, mini.token.id)
    return None if answer == NO else mini.tile(answer)


def _worth(scene: Scene, mini: Miniature, tile: Tile, target: Miniature, occasion: Occasion) -> Fraction:
    if tile.damage == 0:
        return Fraction(0)
    return expected(blow(scene, occasion, mini, tile, target).strike)


_NAMES: dict[str, str] = {"free": "Free Attack", "counter": "Counter Attack"}


def concentrate(scene: Scene, act: Act) -> Steps:
    """The action Concentration: what it brings is in a chapter that is missing; it draws no Free Attacks."""
    mini = miniature(scene.token(act.token))
    tile = mini.tile(act.weapon)
    if tile is None or tile.kind != "concentration":
        raise IllegalAct(f"{mini.name} has no Concentration '{act.weapon}'.", "TRN-066")
    yield Require(must_be_able, (scene, mini, tile))
    yield Change(Explained(kind="concentrate", facts={"token": mini.id}))
    yield from spend(scene, mini, tile)
    return Outcome("concentrated")
