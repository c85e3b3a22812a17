"""Movement: a few steps, flight, and phase 3 of a round (DBL-017 to DBL-024, C-17, C-18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.errors import IllegalAct
from enfilade.geometry.board.base import Board, Cell
from enfilade.i18n import localize
from enfilade.rules.battle.causes import barred, occupied, off_board, ruling
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.battle.search import TIE_BITS, Search
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import Battlefield, battlefield
from enfilade.rulesets.double_life.laws import LAWS
from enfilade.rulesets.double_life.profiles import Character, read_character
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token


def search(scene: Scene, token_id: str, budget: int) -> Search[Cell]:
    """Return the paths of a character on the board within a budget."""
    character = read_character(scene.token(token_id))
    assert character.token.at is not None
    return battlefield(scene).walker(character).search(character.token.at, budget)


def allowance(scene: Scene, character: Character) -> int:
    """Return the cases that a character may move: a reposition if it is engaged, else free movement."""
    is_engaged = bool(battlefield(scene).engaged(character))
    return int(setting(scene, house_rules.REPOSITION if is_engaged else house_rules.MOVEMENT))


@per_scene
def free_moves(scene: Scene, character: Character) -> Mapping[Cell, int]:
    """Return the cases that a character may step to, with their costs (DBL-017, DBL-018).

    A surrounded character has none, or by a house rule those that it steps to at a risk (C-27). An engaged
    one stays in contact with one of its enemies at least; leaving them all is flight, unless a house rule
    allows it.
    """
    battle = battlefield(scene)
    if battle.is_held(character):
        return {}
    costs = _costs(scene, character, allowance(scene, character))
    engaged = battle.engaged(character)
    if not engaged or setting(scene, house_rules.DISENGAGE) != "only by flight":
        return costs
    return {at: cost for at, cost in costs.items() if _is_in_contact(battle, character, engaged, at)}


@per_scene
def flights(scene: Scene, character: Character) -> Mapping[Cell, int]:
    """Return the cases that a character may flee to: out of contact with its enemies if it can (DBL-019)."""
    battle = battlefield(scene)
    engaged = battle.engaged(character)
    if not engaged:
        return {}
    costs = _costs(scene, character, int(setting(scene, house_rules.MOVEMENT)))
    free = {at: cost for at, cost in costs.items() if not _is_in_contact(battle, character, engaged, at)}
    return free or costs


def _costs(scene: Scene, character: Character, budget: int) -> dict[Cell, int]:
    reached = search(scene, character.id, budget).costs
    return {cell: cost for cell, cost in reached.items() if cell != character.token.at}


def _is_in_contact(battle: Battlefield, one: Character, enemies: Sequence[Character], at: Cell) -> bool:
    return any(battle.are_engaged(one, enemy, at) for enemy in enemies)


def nearest_enemy(scene: Scene, character: Character) -> Character | None:
    """Return the nearest enemy on the board, as the crow flies."""
    at = character.token.at
    enemies = [one for one in battlefield(scene).enemies(character) if one.token.at is not None]
    if at is None or not enemies:
        return None
    board = battlefield(scene).board
    return min(enemies, key=lambda one: (board.distance(at, one.token.at or at), one.id))


def approach(scene: Scene, character: Character) -> Cell | None:
    """Return the case to step to on the way to the nearest enemy; None if it has reached one, or cannot.

    A gnome goes on to the case of its opponent (DBL-054).
    """
    battle, at = battlefield(scene), character.token.at
    moves = free_moves(scene, character)
    if at is None or not moves or battle.is_surrounded(character):
        return None
    enemies = battle.enemies(character)
    if not enemies or any(battle.can_strike(character, enemy) for enemy in enemies):
        return None
    goals = frozenset([cell for enemy in enemies for cell in battle.cells(enemy)])
    far = battle.walker(character).distances(at, allowance(scene, character), goals)
    if at not in far:
        far = {cell: _straight(battle, cell, goals) for cell in (at, *moves)}
    best = min(moves, key=lambda cell: (far.get(cell, _NEVER), moves[cell], _gap(cell, goals), cell))
    return best if far.get(best, _NEVER) < far[at] else None


_NEVER = 1_000_000


def _straight(battle: Battlefield, cell: Cell, goals: frozenset[Cell]) -> int:
    return min(battle.board.distance(cell, goal) for goal in goals)


def _gap(cell: Cell, goals: frozenset[Cell]) -> int:
    """Return the square of the distance to the nearest goal: of equal ways the straighter one is taken."""
    return min((x - cell[0]) ** 2 + (y - cell[1]) ** 2 for x, y in goals)


# Moves outside a round, by a tabletop


def _is_in_combat(scene: Scene) -> bool:
    return scene.track("round") > 0


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the cases that a character may be moved to by hand: only before the first round (DBL-023)."""
    if token.at is None or token.has("out") or _is_in_combat(scene) or token.at not in _board(scene):
        return None
    budget = int(setting(scene, house_rules.MOVEMENT))
    costs = search(scene, token.id, budget).costs
    return Reach(budget, tuple((*cell, cost) for cell, cost in sorted(costs.items())))


def _board(scene: Scene) -> Board:
    return battlefield(scene).board


@LAWS.judging
def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move by hand: before the first round, as far as free movement (DBL-023)."""
    del facing
    at, budget, reasons = path[-1], int(setting(scene, house_rules.MOVEMENT)), list[IllegalAct]()
    if _is_in_combat(scene):
        reasons.append(IllegalAct(localize("double_life.move_in_round"), "DBL-023", "turn"))
    if any(cell not in _board(scene) for cell in battlefield(scene).cells(read_character(token), at)):
        return ruling((*reasons, off_board("DBL-052")), None, budget)
    if not _can_stand(scene, token, at):
        return ruling((*reasons, _no_room(scene, token, at)), None, budget)
    if token.at is None:
        return ruling(reasons, 0, budget, (at,))
    found = _way(scene, token, path, budget)
    if found is None or found[0] > budget:
        return ruling((*reasons, _barred(scene, token, path, budget)), None, budget)
    return ruling(reasons, found[0], budget, found[1])


def _can_stand(scene: Scene, token: Token, at: Cell) -> bool:
    return battlefield(scene).walker(read_character(token)).can_stand(at)


def _no_room(scene: Scene, token: Token, at: Cell) -> IllegalAct:
    """Return the refusal of a place on the board where a character cannot stand."""
    if crowd := battlefield(scene).crowd(token, at):
        return occupied(scene.token(crowd[0]).name, "DBL-052")
    otherwise = IllegalAct(localize("double_life.move_no_room", name=token.name), "DBL-052", "ground")
    return barred(scene, token, lambda less: _can_stand(less, token, at), "DBL-052", otherwise)


def _barred(scene: Scene, token: Token, path: Sequence[Cell], budget: int) -> IllegalAct:
    """Return the refusal of a place that a character does not get to, by what bars the way."""

    def leads_there(less: Scene) -> bool:
        found = _way(less, token, path, budget)
        return found is not None and found[0] <= budget

    far = localize("double_life.move_too_far", name=token.name, budget=budget)
    return barred(scene, token, leads_there, "DBL-023", IllegalAct(far, "DBL-023", "distance"))


def _way(
    scene: Scene, token: Token, path: Sequence[Cell], budget: int
) -> tuple[int, tuple[Cell, ...]] | None:
    """Return the cost and the cases of the cheapest way through waypoints; None if one is out of reach.

    Cases beside each other are a drawn path, which is walked as drawn. No way begins off the board.
    """
    assert token.at is not None
    if token.at not in _board(scene):
        return None
    cost, cells, walker = 0, [token.at], battlefield(scene).walker(read_character(token))
    for at in path:
        here = cells[-1]
        if len(path) > 1 and _board(scene).distance(here, at) <= 1:
            steps = {here: 0, **dict(walker.steps_from(here))}
            costs, leg = {cell: rank >> TIE_BITS for cell, rank in steps.items()}, [here, at]
        else:
            found = walker.search(here, budget)
            costs, leg = found.costs, found.path(at)
        if at not in costs:
            return None
        cost += costs[at]
        cells += leg[1:]
    return cost, tuple(cells)


def move(scene: Scene, act: Act) -> Steps:
    """Move a character by hand, before the first round. A move against the rules is explained."""
    token = scene.token(act.token)
    at = act.at or token.at
    if at is None:
        raise IllegalAct(localize("double_life.move_nowhere", name=token.name), "DBL-023", "request")
    judged = judge(scene, token, act.waypoints or (at,), act.facing)
    reasons = list(judged.reasons)
    facts = {"token": token.id, "allowed": judged.allowed, "cost": judged.cost, "reasons": reasons}
    yield Change(Explained(kind="placed", facts=facts))
    facing = token.facing if act.facing is None else round(act.facing / 45) % 8 * 45
    yield Step(token.id, at, facing)
    return Outcome("moved")
