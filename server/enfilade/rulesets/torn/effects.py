"""Attacks without damage: what they bring about, by the tile's effect (TRN-078 to TRN-081)."""

from __future__ import annotations

from collections.abc import Callable

from enfilade.geometry.units import Cell
from enfilade.rules.changes import put
from enfilade.rules.procedures import Answer, Change, Choose, Do, Steps
from enfilade.rulesets.torn.battlefield import battlefield, hex_distance, is_free
from enfilade.rulesets.torn.blows import others_in_hexon
from enfilade.rulesets.torn.dice import dice_of
from enfilade.rulesets.torn.profiles import Miniature, Tile, miniature
from enfilade.rulesets.torn.states import is_immune, panic_test
from enfilade.rulesets.torn.volley import any_success, effect_roll
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def takes_effect(scene: Scene, attacker: Miniature, tile: Tile) -> Steps:
    """Whether an attack without damage succeeds: always without dice, else by one Attack die (TRN-079)."""
    if not any(tile.pool):
        return True
    return (yield Do(effect_roll, (attacker.token.side, dice_of(scene), tile.pool)))


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
    pusher, mini = miniature(scene.token(attacker)), miniature(scene.token(target))
    if mini.profile.size != "infantry" or mini.token.at is None:
        return scene
    ways = _ways_out(scene, mini)
    away = max(ways, key=lambda cell: _distance_from(scene, pusher, cell), default=None)
    dice = dice_of(scene)
    passes = yield Do(any_success, ("dexterity test", dice.agility, mini.profile.agility))
    if passes and len(ways) > 1 and away is not None:
        answers = tuple(Answer(_key(cell), f"Column {cell[0] + 1}, row {cell[1] + 1}") for cell in ways)
        question = f"Where is {mini.name} shifted?"
        answer = yield Choose(mini.token.side, question, answers, _key(away))
        away = next(cell for cell in ways if _key(cell) == answer)
    elif away is not None and not _is_away(scene, pusher, mini, away):
        away = None
    facts = {"token": target, "passes": passes, "moved": away is not None}
    yield Change(Explained(kind="shifted", facts=facts))
    if away is None:
        return scene
    return (yield put(mini.token, away, mini.token.facing))


def _ways_out(scene: Scene, mini: Miniature) -> list[Cell]:
    assert mini.token.at is not None
    return [cell for cell in battlefield(scene).board.neighbours(mini.token.at) if is_free(scene, cell)]


def _distance_from(scene: Scene, pusher: Miniature, cell: Cell) -> tuple[int, int]:
    field = battlefield(scene)
    distances = sorted(field.board.distance(own, cell) for own in field.filled(pusher))
    return (distances[0], sum(distances))


def _is_away(scene: Scene, pusher: Miniature, mini: Miniature, cell: Cell) -> bool:
    return _distance_from(scene, pusher, cell)[0] > hex_distance(scene, pusher, mini)


def _key(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


_EFFECTS: dict[str, Callable[[Scene, str, str], Steps]] = {"panic test": _panics, "shift": _shifted}
