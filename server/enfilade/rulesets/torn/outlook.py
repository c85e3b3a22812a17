"""Moments to come, for advice: new activations, actions that are spent, and equal attacks."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Mask
from enfilade.rules.battle.memo import large, recent
from enfilade.rules.outlook import Contacts, Outlook, TargetEffect, refreshed, with_token
from enfilade.rules.procedures import Act, Call, Choose, ChooseAll, Outcome, Steps
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.combat.attack import gather_attacks, read_attack
from enfilade.rulesets.torn.combat.attack_setup import AttackInstance, shot_refusal, target_refusal
from enfilade.rulesets.torn.combat.decisions import without_sides
from enfilade.rulesets.torn.combat.reactions import free_attackers
from enfilade.rulesets.torn.combat.simultaneous import matters, resolve_simultaneous
from enfilade.rulesets.torn.dice import table_dice
from enfilade.rulesets.torn.movement import may_move, move
from enfilade.rulesets.torn.offers import attack_with
from enfilade.rulesets.torn.positions import distance, miniatures, stands_on_board
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.rulesets.torn.routes import reachable_hexes
from enfilade.rulesets.torn.sight import is_in_smoke, unseen_reason
from enfilade.rulesets.torn.threat import hexes_in_range, hexes_in_sight, threatened_now
from enfilade.rulesets.torn.turn import ROUND_CONDITIONS, is_in_play, may_act, used_tiles
from enfilade.rulesets.torn.ways import Routes
from enfilade.scene.apply import fold
from enfilade.scene.model import Scene, Token


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which miniatures have all actions; several are as before the first round."""
    fresh = scene
    for token_id in tokens:
        fresh = with_token(fresh, refreshed(scene.token(token_id), {}, ROUND_CONDITIONS))
    number = 0 if len(tokens) > 1 else max(1, scene.track("round"))
    active = {"active": tokens[0]} if len(tokens) == 1 else {}
    return replace(fresh, tracks={**scene.tracks, "round": number}, conditions={**scene.conditions, **active})


def arrive(scene: Scene, token: Token, at: Cell, facing: int | None, cost: int) -> Scene | None:
    """Return the scene after a move, its action spent (TRN-066).

    A large miniature moves infantry out from under its base. Free Attacks are left out, and with them that.
    """
    del facing, cost
    if at == token.at or not is_in_play(scene):
        return with_token(scene, replace(token, at=at))
    miniature = read_miniature(token)
    if miniature.profile.size != "infantry" and not free_attackers(scene, miniature):
        return resolve(scene, move, (Act(kind="move", token=token.id, at=at),), Answers()).scene
    route = _routes(scene, token.id).get(at)
    if route is None:
        return None
    used = "; ".join([*used_tiles(token), route.tile.name])
    return with_token(scene, replace(token, at=at, conditions={**token.conditions, "used": used}))


@large
def _routes(scene: Scene, token_id: str) -> Routes:
    """Return the routes of a miniature; cached, because a map asks for each of its Hexes."""
    return reachable_hexes(scene, read_miniature(scene.token(token_id)))


def attacks(scene: Scene, token: Token, target: Token) -> Sequence[Act]:
    """Return the legal attacks of a miniature on another."""
    if scene.are_allies(token, target):
        return ()
    attacker = read_miniature(token)
    left = _tiles_left(scene, attacker)
    if not left or not (stands_on_board(scene, token) and stands_on_board(scene, target)):
        return ()
    other = read_miniature(target)
    tiles = [tile for tile in left if _is_legal(scene, attacker, tile, other)]
    return [attack_with(attacker, tile, other) for tile in tiles]


@recent
def _tiles_left(scene: Scene, attacker: Miniature) -> tuple[Tile, ...]:
    """Return the tiles with which a miniature may attack now; the same at all targets."""
    tiles = (tile for tile in attacker.profile.tiles if tile.is_attack)
    return tuple([tile for tile in tiles if may_act(scene, attacker, tile)])


def _is_legal(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> bool:
    """Return whether an attack is legal. The range comes first: it is cheap, and refuses the most."""
    if distance(scene, attacker, target, tile.unit) > tile.range:
        return False
    return target_refusal(scene, attacker, tile, target) is None


NO_ATTACK = "no attack"
"""The situation in which a miniature has no legal attack on another."""


def situation(scene: Scene, token: Token, enemy: Token) -> Hashable | None:
    """Return what shots of infantry at infantry alone depend on: the legal tiles, and smoke (TRN-043).

    Other miniatures matter to melee attacks and Area Attacks.
    """
    field, attacker, target = battlefield(scene), read_miniature(token), read_miniature(enemy)
    for one in (attacker, target):
        at = one.token.at
        if one.profile.size != "infantry" or at is None or at not in field.board:
            return None
    start, end = field.body(attacker), field.body(target)
    near = [tile for tile in _tiles_left(scene, attacker) if field.apart(start, end, tile.unit) <= tile.range]
    if not near:
        return NO_ATTACK
    if any(tile.kind == "melee" or tile.area for tile in near):
        return None
    if unseen_reason(scene, attacker, target):
        return NO_ATTACK
    legal = [tile.name for tile in near if shot_refusal(scene, attacker, tile) is None]
    return (*legal, is_in_smoke(scene, target)) if legal else NO_ATTACK


def damage_key(scene: Scene, act: Act) -> Hashable | None:
    """Return what the odds of an attack depend on: the simultaneous attacks that may hurt its target."""
    _, tile, _ = read_attack(scene, act)
    if tile.is_harmless:
        return table_dice(scene), tile.pool, tile.effect
    return _rolls_on_target(scene, act)


def damage_call(scene: Scene, act: Act) -> Call | None:
    """Return the callee that rolls the damage of an attack to its target, without that to the attacker."""
    _, tile, _ = read_attack(scene, act)
    return None if tile.is_harmless else Call(_roll_outcome, _rolls_on_target(scene, act))


ATTACKER, TARGET = "0", "1"
"""The attacker and the target in attacks without names."""


def _rolls_on_target(scene: Scene, act: Act) -> tuple[tuple[AttackInstance, ...], int]:
    """Return the simultaneous attacks of an act that may hurt its target, and the wounds that this has left.

    Counter Attacks take their defaults.
    """
    attacker, tile, target = read_attack(scene, act)
    _, attacks = _instances(scene, attacker, tile, target)
    return _those_on(attacks, attacker, target), target.wounds


def _those_on(
    attacks: tuple[AttackInstance, ...], attacker: Miniature, target: Miniature
) -> tuple[AttackInstance, ...]:
    """Return the first of simultaneous attacks and the others that may hurt its target, without names."""
    names, concerned = {attacker.id: ATTACKER, target.id: TARGET}, ((target.id, target.wounds),)
    first, *others = attacks
    some = (first, *(other for other in others if matters(other, concerned)))
    return tuple([_plain(one, names) for one in some])


def _roll_outcome(attacks: tuple[AttackInstance, ...], wounds: int) -> Steps:
    damage = yield Call(resolve_simultaneous, (attacks, ((TARGET, wounds),)))
    dealt = sum(one.wounds for one in damage)
    return Outcome("hit" if dealt else "miss", dealt)


def _instances(
    scene: Scene, attacker: Miniature, tile: Tile, target: Miniature
) -> tuple[Scene, tuple[AttackInstance, ...]]:
    """Return all simultaneous attacks of an act, and the scene after Counter Attacks took their defaults."""
    steps = gather_attacks(scene, attacker, tile, target)
    answer: Any = None
    try:
        while True:
            request: Any = steps.send(answer)
            if isinstance(request, Choose):
                answer = request.default
            elif isinstance(request, ChooseAll):
                answer = tuple(choice.default for choice in request.choices)
            else:
                scene = answer = fold(scene, request.event)
    except StopIteration as end:
        _, instances, _ = end.value
    return scene, instances


def on_target(scene: Scene, act: Act) -> TargetEffect | None:
    """Return the effect of an attack with damage on its target, unless that transforms at its last wound.

    Odds of an attack leave out the markers that it gives, so there are none here.
    """
    attacker, tile, target = read_attack(scene, act)
    if tile.is_harmless or target.profile.becomes:
        return None

    def call(token: Token) -> Call:
        wounded = read_miniature(token)
        after, attacks = _instances(with_token(scene, token), attacker, tile, wounded)
        has_countered = after.token(token.id).has("activated") and not token.has("activated")
        return Call(_roll_wounds, (_those_on(attacks, attacker, wounded), wounded.wounds, has_countered))

    return TargetEffect(call, _wounded)


def _roll_wounds(attacks: tuple[AttackInstance, ...], wounds: int, has_countered: bool) -> Steps:
    """Roll attacks; return the wounds of their target, and whether its activation went to a counter."""
    damage = yield Call(resolve_simultaneous, (attacks, ((TARGET, wounds),)))
    return sum(one.wounds for one in damage), has_countered


def _wounded(scene: Scene, target: Token, result: tuple[int, bool]) -> Token | None:
    """Return a miniature after wounds, as `apply_damage` leaves it; None if it is removed."""
    del scene
    (wounds, has_countered), tracks, conditions = result, target.tracks, target.conditions
    if has_countered:
        conditions = {**conditions, "activated": ""}
    if wounds:
        left = read_miniature(target).wounds - wounds
        if left <= 0:
            return None
        tracks = {**tracks, "wounds": left}
    return replace(target, tracks=tracks, conditions=conditions)


def _plain(attack: AttackInstance, names: dict[str, str]) -> AttackInstance:
    """Return an attack without what the damage to its target does not depend on.

    That are names, its marker, and others beside the target, whom failed dice hurt instead (TRN-061).
    """
    attacker, defender = (names.get(token, "") for token in (attack.attacker, attack.defender))
    return AttackInstance(attack.occasion, attacker, defender, "", "", without_sides(attack.spec))


class _Contacts:
    """The Hexes that each enemy can attack, and those within the token's range of it, as bits."""

    def __init__(self, scene: Scene, token: Token, enemies: Sequence[str]) -> None:
        field, miniature = battlefield(scene), read_miniature(token)
        self._attacked: dict[str, frozenset[Cell]] = {}
        self._in_range: dict[str, frozenset[Cell]] = {}
        for enemy in enemies:
            one = read_miniature(scene.token(enemy))
            if not stands_on_board(scene, one.token):
                continue
            # A tabletop may put infantry under a base, so its own Hexes count too.
            body = field.body(one)
            cells = Mask.of((cell for cell in body if cell in field.board), scene.grid.rows)
            for tile in miniature.attacks:
                cells |= hexes_in_range(scene, one, tile)
            self._in_range[enemy] = frozenset(hexes_in_sight(scene, one, cells))
            self._attacked[enemy] = body.union(threatened_now(scene, [one]))

    def attackable(self, at: Cell, facing: int | None) -> Collection[str]:
        """Return the enemies in range of a tile and in sight (TRN-006 to TRN-009)."""
        del facing
        return [enemy for enemy, cells in self._in_range.items() if at in cells]

    def attackers(self, at: Cell) -> Collection[str]:
        """Return the enemies of which infantry in a Hex is a legal target."""
        return [enemy for enemy, cells in self._attacked.items() if at in cells]


def contacts(scene: Scene, token: Token, enemies: Sequence[str]) -> Contacts | None:
    """Return the contacts of infantry; a large miniature fills many Hexes and moves others.

    A huge miniature gives cover to some and not to others (TRN-056), which one mask cannot show.
    """
    is_plain = read_miniature(token).profile.size == "infantry"
    is_plain &= all(one.profile.size != "huge" for one in miniatures(scene))
    return _Contacts(scene, token, enemies) if is_plain else None


OUTLOOK = Outlook(
    ready=ready,
    arrive=arrive,
    attacks=attacks,
    situation=situation,
    damage_key=damage_key,
    damage_call=damage_call,
    on_target=on_target,
    damage_tracks=("wounds",),
    contacts=contacts,
    may_move=may_move,
    routine=("activate", "end"),
)
