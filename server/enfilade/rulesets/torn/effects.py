"""Attacks without damage: what they bring about, by the tile's effect (TRN-078 to TRN-081)."""

from __future__ import annotations

from collections.abc import Callable

from enfilade.geometry.board.hex import AXIAL_STEPS, Axial
from enfilade.geometry.board.units import Cell
from enfilade.rules.changes import move_token
from enfilade.rules.procedures import Answer, Call, Change, Choose, Steps
from enfilade.rulesets.torn.attack_rolls import any_success, effect_roll
from enfilade.rulesets.torn.attack_setup import others_in_hexon
from enfilade.rulesets.torn.battlefield import battlefield, is_free
from enfilade.rulesets.torn.damage import is_immune, panic_test
from enfilade.rulesets.torn.dice import dice_of
from enfilade.rulesets.torn.profiles import Miniature, Tile, miniature
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def takes_effect(scene: Scene, attacker: Miniature, tile: Tile) -> Steps:
    """Whether an attack without damage succeeds: always without dice, else by one Attack die (TRN-079)."""
    if not any(tile.pool):
        return True
    return (yield Call(effect_roll, (attacker.token.side, dice_of(scene), tile.pool)))


def bring_about(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Steps:
    """What the tile's text says, for its target or every enemy in the Hexon; returns the scene (TRN-080)."""
    targets = [target]
    if tile.area:
        others = others_in_hexon(scene, attacker, target)
        targets += [other for other in others if not scene.are_allies(attacker.token, other.token)]
    for one in targets:
        if is_immune(one, tile.type):
            yield Change(Explained(kind="immune", facts={"token": one.id, "to": tile.type}))
        elif tile.effect in _EFFECTS and scene.token(one.id).at is not None:
            scene = yield from _EFFECTS[tile.effect](scene, attacker.id, one.id)
    return scene


def _panics(scene: Scene, attacker: str, target: str) -> Steps:
    del attacker
    return (yield from panic_test(scene, target))


def _shifted(scene: Scene, attacker: str, target: str) -> Steps:
    """One Hex straight away, or, after a Dexterity Test, where its owner likes; nowhere if that is closed."""
    mini = miniature(scene.token(target))
    if mini.profile.size != "infantry" or mini.token.at is None:
        return scene
    away: Cell | None = straight_away(scene, miniature(scene.token(attacker)), mini)
    passes = yield Call(any_success, ("dexterity test", dice_of(scene).agility, mini.profile.agility))
    free = [cell for cell in battlefield(scene).board.neighbors(mini.token.at) if is_free(scene, cell)]
    if passes and free:
        away = yield from _where(mini, free, away)
    facts = {"token": target, "passes": passes, "moved": away in free}
    yield Change(Explained(kind="shifted", facts=facts))
    return scene if away not in free else (yield move_token(mini.token, away, mini.token.facing))


def straight_away(scene: Scene, pusher: Miniature, mini: Miniature) -> Cell:
    """The Hex beside a miniature that lies straight away from another's middle; it may be off the board."""
    field = battlefield(scene)
    assert pusher.token.at is not None
    assert mini.token.at is not None
    is_infantry = pusher.profile.size == "infantry"
    source = pusher.token.at if is_infantry else field.centre(field.hexon(pusher.token.at))
    (q, r), (own_q, own_r) = field.board.axial(source), field.board.axial(mini.token.at)

    def far(step: Axial) -> int:
        dq, dr = own_q + step[0] - q, own_r + step[1] - r
        return dq * dq + dr * dr + dq * dr

    step = max(AXIAL_STEPS, key=far)
    return field.board.offset((own_q + step[0], own_r + step[1]))


def _where(mini: Miniature, free: list[Cell], away: Cell | None) -> Steps:
    """Its owner says where it is shifted to."""
    answers = tuple(Answer(_key(cell), f"Column {cell[0] + 1}, row {cell[1] + 1}") for cell in free)
    default = _key(away) if away in free and away else answers[0].key
    question = f"Where is {mini.name} shifted?"
    answer = yield Choose(mini.token.side, question, answers, default, mini.token.id)
    return next(cell for cell in free if _key(cell) == answer)


def _key(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


_EFFECTS: dict[str, Callable[[Scene, str, str], Steps]] = {"panic test": _panics, "shift": _shifted}
