"""Attacks without damage: their roll, and what they do to their targets (TRN-078 to TRN-081)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.hex import AXIAL_STEPS, Axial
from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.procedures import Call, Change, Choose, Steps, attack_in_words
from enfilade.rulesets.torn.battlefield import battlefield, cell_answers, parse_cell
from enfilade.rulesets.torn.combat.attack_rolls import any_success, effect_roll
from enfilade.rulesets.torn.combat.attack_setup import low_visibility_faces
from enfilade.rulesets.torn.combat.damage import is_immune, panic_test
from enfilade.rulesets.torn.dice import table_dice
from enfilade.rulesets.torn.positions import ForcedMoves, is_free
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def play_effect(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Steps:
    """Roll for a tile without damage, and apply its effect to one target; return the scene."""
    succeeds = yield from roll_effect(scene, attacker, tile, target)
    return (yield from apply_effect(scene, attacker, tile, [target])) if succeeds else scene


def roll_effect(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Steps:
    """Roll the dice of a tile without damage; return whether it succeeds: always without dice (TRN-078)."""
    succeeds = True
    if any(tile.pool):
        rerolled = low_visibility_faces(scene, tile, target)
        topic = attack_in_words(attacker.name, tile.name, target.name)
        pool = (attacker.token.side, table_dice(scene), tile.pool, rerolled)
        succeeds = yield Call(effect_roll, pool, topic=topic)
    result = "effect" if succeeds else "no effect"
    yield Change(Explained(kind="effect", facts={"result": result, "effect": tile.effect}))
    return succeeds


def apply_effect(scene: Scene, attacker: Miniature, tile: Tile, targets: Sequence[Miniature]) -> Steps:
    """Apply the effect of a tile to those that are not immune to its type (TRN-081); return the scene."""
    for affected in targets:
        if is_immune(affected, tile.type):
            yield Change(Explained(kind="immune", facts={"token": affected.id, "to": tile.type}))
        elif tile.effect in _EFFECTS and scene.token(affected.id).at is not None:
            scene = yield from _EFFECTS[tile.effect](scene, attacker.id, affected.id)
    return scene


def _panic(scene: Scene, attacker: str, target: str) -> Steps:
    del attacker
    return (yield from panic_test(scene, target))


def _shift(scene: Scene, attacker: str, target: str) -> Steps:
    """Move infantry one Hex straight from the attacker, if it is free; larger ones stay (house reading).

    After a successful Dexterity Test its owner chooses the Hex.
    """
    miniature = read_miniature(scene.token(target))
    if miniature.token.at is None:
        return scene
    if miniature.profile.size != "infantry":
        yield Change(Explained(kind="too large", facts={"token": target}))
        return scene
    to = hex_behind(scene, read_miniature(scene.token(attacker)), miniature)
    test = (localize("torn.roll_dexterity_test"), table_dice(scene).agility, miniature.profile.agility)
    passes = yield Call(any_success, test)
    free = [cell for cell in battlefield(scene).board.neighbors(miniature.token.at) if is_free(scene, cell)]
    if passes and free:
        answers = cell_answers(free)
        default = answers[free.index(to)].key if to in free and to else answers[0].key
        question = localize("torn.ask_shift", name=miniature.name)
        to = parse_cell((yield Choose(miniature.token.side, question, answers, default, miniature.id)))
    yield Change(Explained(kind="shifted", facts={"token": target, "passes": passes, "moved": to in free}))
    scene, _ = yield from displace(scene, target, to, "shift", ForcedMoves)
    return scene


def hex_behind(scene: Scene, pusher: Miniature, miniature: Miniature) -> Cell:
    """Return the Hex beside a miniature that lies farthest from the pusher's center, on the board or off.

    A huge pusher pushes from the center of its nearest Hexon.
    """
    field = battlefield(scene)
    assert pusher.token.at is not None
    assert miniature.token.at is not None
    own_q, own_r = field.board.axial(miniature.token.at)
    centers = [field.center(hexon) for hexon in sorted(field.place_of(field.body(pusher)))]
    sources = [pusher.token.at] if pusher.profile.size == "infantry" else centers
    q, r = min(map(field.board.axial, sources), key=lambda at: _squared((own_q - at[0], own_r - at[1])))
    step = max(AXIAL_STEPS, key=lambda step: _squared((own_q + step[0] - q, own_r + step[1] - r)))
    return field.board.offset((own_q + step[0], own_r + step[1]))


def _squared(way: Axial) -> int:
    """Return the square of a distance between centers, in Hexes."""
    q, r = way
    return q * q + r * r + q * r


_EFFECTS: dict[str, Callable[[Scene, str, str], Steps]] = {"panic test": _panic, "shift": _shift}
