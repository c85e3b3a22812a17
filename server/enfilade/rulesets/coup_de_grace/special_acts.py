"""What the downed may do instead of the usual: crawl, or try to stand up again (CDG-070 to CDG-075).

Their attacks are those of `attack`, at -2.
"""

from __future__ import annotations

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.geometry.board.base import lane_to
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.barriers import barred_steps
from enfilade.rules.changes import move_token, set_condition
from enfilade.rules.dice import D6
from enfilade.rules.procedures import Act, Change, Outcome, Require, Roll, Steps
from enfilade.rulesets.coup_de_grace.battlefield import Battle, battle_of
from enfilade.rulesets.coup_de_grace.damage import stood_up
from enfilade.rulesets.coup_de_grace.effects.races import recovery_needs
from enfilade.rulesets.coup_de_grace.legality import must_have_its_turn
from enfilade.rulesets.coup_de_grace.movement import geometry_wall, is_free
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def crawl(scene: Scene, act: Act) -> Steps:
    """A downed miniature drags itself to an empty square beside it (CDG-072)."""
    battle = battle_of(scene)
    one = battle.fighter(act.token)
    if act.at is None or act.at not in battle.board or one.token.at is None:
        raise OutOfReach("There is no such square to crawl to.", "CDG-072")
    yield Require(_must_be_able_to_crawl, (battle, one, act.at))
    scene = yield from _one_act(scene, one)
    yield move_token(one.token, act.at, None)
    yield Change(Explained(kind="crawl", facts={"token": one.id}))
    return Outcome("crawled")


def _must_be_able_to_crawl(battle: Battle, one: Fighter, there: Cell) -> None:
    _must_be_down(battle, one, "CDG-072")
    if there not in crawlable(battle, one):
        raise OutOfReach(f"{one.name} can only crawl to an empty square beside it.", "CDG-072")


def crawlable(battle: Battle, one: Fighter) -> list[Cell]:
    """The cells a downed miniature may crawl to: empty ones beside it, with no wall between (CDG-072)."""
    at, board = one.token.at, battle.crawling_board
    if at is None:
        return []
    table = barred_steps(board, tuple(map(geometry_wall, battle.scene.walls)))[grid_of(board).index(at)]
    free = [cell for cell in board.neighbors(at) if is_free(battle, cell)]
    return [cell for cell in free if not table >> lane_to(at, cell) & 1]


def recover(scene: Scene, act: Act) -> Steps:
    """Dramatic recovery: on a 5 or 6 a downed miniature stands with 1 hit point (CDG-075)."""
    battle = battle_of(scene)
    one = battle.fighter(act.token)
    if not one.is_downed:
        raise IllegalAct(f"{one.name} is not downed.", "CDG-075")
    yield Require(_must_be_down, (battle, one, "CDG-075"))
    scene = yield from _one_act(scene, one)
    needed = recovery_needs(one.race)
    (face,) = yield Roll("recovery", D6)
    result = "recovered" if face >= needed else "stays down"
    facts = {"token": one.id, "act": "recover", "needed": needed, "total": face, "result": result}
    scene = yield Change(Explained(kind="recover", facts=facts))
    if face >= needed:
        yield from stood_up(scene, one.id)
    return Outcome(result)


def _must_be_down(battle: Battle, one: Fighter, rule: str) -> None:
    if not one.is_downed:
        raise IllegalAct(f"{one.name} is not downed.", rule)
    must_have_its_turn(battle, one)


def _one_act(scene: Scene, one: Fighter) -> Steps:
    """Notes that a downed miniature has used its one act of this activation (CDG-071)."""
    if battle_of(scene).is_in_play:
        scene = yield set_condition(scene, one.id, "acted")
    return scene
