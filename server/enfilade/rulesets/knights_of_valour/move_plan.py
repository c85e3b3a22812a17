"""The plan of a move: the searches of its path, what it costs, and why it is none (KOV-033 to KOV-044)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from enfilade.errors import CannotPay, IllegalAct, OutOfTurn
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.causes import barred, occupied, off_board, ruling
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import PathStep, Provocation, Ruling
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.combat.reactions import (
    Provoked,
    provocations,
    threats,
)
from enfilade.rulesets.knights_of_valour.movement_costs import leads_to, squares_to
from enfilade.rulesets.knights_of_valour.paths import (
    Mover,
    Path,
    Search,
    move_rules,
    route,
)
from enfilade.rulesets.knights_of_valour.profiles import Creature, maximum_weight, movement, read_creature
from enfilade.rulesets.knights_of_valour.sub_actions import (
    Climb,
    Leg,
    broken_off,
    climb_of,
    height_after,
    rest_of,
    way_back,
)
from enfilade.rulesets.knights_of_valour.turn import active_creature, is_in_play, moves_left, turn
from enfilade.scene.model import Scene, Token


def budget(scene: Scene, creature: Creature) -> int:
    """Return the feet that a creature may still move now (KOV-031, KOV-034).

    With split moves, the feet left of a Move Action that has begun count too (C-13).
    """
    if not is_in_play(scene):
        return movement(scene, creature)
    active = active_creature(scene)
    if active is None or active.id != creature.id:
        return 0
    return max(begun_movement(scene, creature), movement(scene, creature) if moves_left(creature) else 0)


def begun_movement(scene: Scene, creature: Creature) -> int:
    """Return the feet left of a Move Action that has begun; 0 if it is not continued (C-13, C-29)."""
    return creature.token.track("movement") if is_continued(scene) else 0


def is_continued(scene: Scene) -> bool:
    """Return whether a Move Action is done in parts: if moves are split, or a weapon is drawn in it."""
    is_part = setting(scene, house_rules.DRAWING) == house_rules.DRAWING.options[1]
    return is_part or is_on(scene, house_rules.SPLIT_MOVES)


class Start(NamedTuple):
    """The beginning of a move: the feet of its Move Action, and the diagonals that it has entered before.

    Diagonals that take turns do so over a whole Move Action, also one that is split (C-10, C-13).
    """

    feet: int
    is_odd: bool = False


def _is_odd(scene: Scene, creature: Creature) -> bool:
    """Return whether a begun Move Action has entered an odd number of diagonals that take turns."""
    return bool(begun_movement(scene, creature) and creature.token.track("diagonals"))


def starts(scene: Scene, creature: Creature) -> tuple[Start, ...]:
    """Return the beginnings of a move now: the rest of a begun Move Action, before another one."""
    whole = Start(budget(scene, creature))
    if not _is_odd(scene, creature):
        return (whole,)
    begun = Start(begun_movement(scene, creature), is_odd=True)
    return (begun, whole) if moves_left(creature) else (begun,)


@per_scene
def path_search(scene: Scene, token_id: str, start: Start, is_safe: bool) -> Search | None:
    """Return the paths of a creature from a start, or those that provoke nothing; None off the board."""
    creature = read_creature(scene.token(token_id))
    at = creature.token.at
    if at is None or at not in battlefield(scene).board:
        return None
    mover = Mover(scene, creature)
    avoided = (threats(scene, token_id),) if is_safe else ()
    return Search(mover, mover.table.node(at, start.is_odd), start.feet, *avoided)


def is_able_to_move(scene: Scene, creature: Creature) -> bool:
    """Return whether a creature on the board may move: it is up and not overloaded (KOV-013)."""
    token = creature.token
    if token.has("out") or turn(scene).is_over or creature.weight > maximum_weight(scene, creature):
        return False
    return token.at is not None and token.at in battlefield(scene).board


class Plan(NamedTuple):
    """A ruling with its path; `goes_on` if that is a part of a Move Action that has begun."""

    ruling: Ruling
    path: Path
    goes_on: bool = False
    climb: Climb | None = None
    """The climb on which the creature hangs after the move (KOV-042)."""
    leaves: Leg | None = None
    """The leg of a climb that begins with the move: it may provoke."""


def plan(scene: Scene, token: Token, waypoints: Sequence[Cell]) -> Plan:
    """Return the ruling on a move through squares, the last its end, with the cheapest path."""
    creature, at = read_creature(token), waypoints[-1]
    feet, reasons = budget(scene, creature), list(_reasons(scene, creature))
    if token.at is None and at in battlefield(scene).board:
        return Plan(_entry_ruling(scene, creature, at, reasons), ())
    mover = Mover(scene, creature)
    if no_place := _no_place(mover, at):
        return Plan(ruling((*reasons, no_place), None, feet), ())
    climb = climb_of(token)
    if climb is not None:
        return _climb_on(scene, mover, waypoints, climb, reasons)
    found = _first_path(scene, mover, waypoints)
    if found is None:
        return Plan(ruling((*reasons, _barred(scene, creature, waypoints)), None, feet), ())
    path, goes_on = found
    cost = sum(leg.cost for leg in path)
    if cost > feet and not reasons:
        begun = broken_off(path, feet, movement(scene, creature))
        if begun is not None and is_in_play(scene) and mover.can_end_or_stay(begun[2].start):
            return _hang(scene, creature, feet, begun)
        reasons.append(_too_dear(cost, feet))
    assert token.at is not None
    cells = (token.at, *(leg.end for leg in path))
    steps = _steps(scene, creature, path)
    return Plan(ruling(reasons, cost, feet, cells, steps), path, goes_on)


def _too_dear(cost: int, feet: int) -> IllegalAct:
    return CannotPay(localize("knights_of_valour.move_cost", cost=cost, budget=feet), "KOV-034")


def _no_place(mover: Mover, at: Cell) -> IllegalAct | None:
    """Return the refusal of a move that begins or ends off the board, or on no ground, or None."""
    creature, board = mover.creature, mover.battle.board
    if at not in board:
        return off_board("KOV-001")
    if creature.token.at is None or creature.token.at not in board:
        sentence = localize("knights_of_valour.move_entry", name=creature.name)
        return IllegalAct(sentence, "KOV-038", "edge")
    return _no_end(mover.battle.scene, at) if at != creature.token.at and not mover.can_end(at) else None


def _no_end(scene: Scene, at: Cell) -> IllegalAct:
    """Return the refusal of a square where a creature cannot end its move (KOV-038)."""
    battle = battlefield(scene)
    if others := battle.at(at):
        return occupied(others[-1].name, "KOV-038")
    is_closed = at in battle.landscape.closed
    sentence = localize("knights_of_valour.move_closed" if is_closed else "knights_of_valour.move_no_ground")
    return IllegalAct(sentence, "KOV-038", "closed" if is_closed else "ground")


def _barred(scene: Scene, creature: Creature, waypoints: Sequence[Cell]) -> IllegalAct:
    """Return the refusal of a path that does not lead there, by what bars it."""

    def leads_there(less: Scene) -> bool:
        is_cut_off = leads_to(less, creature, waypoints[-1]) is False
        return not is_cut_off and _first_path(less, Mover(less, creature), waypoints) is not None

    none = IllegalAct(localize("battle.no_way", name=creature.name), "KOV-034", "ground")
    return barred(scene, creature.token, leads_there, "KOV-034", none)


def _hang(scene: Scene, creature: Creature, feet: int, begun: tuple[Path, Climb, Leg | None]) -> Plan:
    """Return the ruling on a move that ends on a climb, which goes on in the next Move Action (KOV-042)."""
    path, climb, leg = begun
    assert creature.token.at is not None
    said = localize("knights_of_valour.move_hangs", name=creature.name, feet=abs(climb.height))
    cells = (creature.token.at, *(one.end for one in path))
    hangs = Ruling(True, feet, feet, (said,), cells, _steps(scene, creature, path))
    return Plan(hangs, path, climb=climb, leaves=leg)


def _climb_on(
    scene: Scene, mover: Mover, waypoints: Sequence[Cell], climb: Climb, reasons: list[IllegalAct]
) -> Plan:
    """Return the ruling on a move of a creature that hangs: on to the end of its climb, or back and away."""
    creature = mover.creature
    at, feet = creature.token.at, budget(scene, creature)
    assert at is not None
    leg = mover.table.leg_to(at, climb.goal)
    back = way_back(climb, at, move_rules(scene, creature))
    if leg is not None and tuple(waypoints) == (climb.goal,):
        rest = rest_of(leg, climb.paid)
        if rest.cost > feet and not reasons:
            paid = climb.paid + feet
            higher = Climb(climb.goal, paid, height_after(leg, paid))
            return _hang(scene, creature, feet, ((), higher, None))
        path: Path | None = (rest,)
    else:
        onward = [cell for cell in waypoints if cell != at]
        start = Start(feet - back.cost)
        found = _path(scene, mover, onward, start) if onward else ()
        path = None if found is None else (back, *found)
    if path is None:
        return Plan(ruling((*reasons, _barred(scene, creature, waypoints)), None, feet), ())
    cost = sum(leg.cost for leg in path)
    if cost > feet and not reasons:
        reasons.append(_too_dear(cost, feet))
    cells = (at, *(one.end for one in path))
    return Plan(ruling(reasons, cost, feet, cells, _steps(scene, creature, path)), path)


def _first_path(scene: Scene, mover: Mover, waypoints: Sequence[Cell]) -> tuple[Path, bool] | None:
    """Return the path through squares, and whether it is a part of a Move Action that has begun.

    A begun one is used first. None if no path leads there.
    """
    begun = begun_movement(scene, mover.creature)
    path: Path = ()
    for start in starts(scene, mover.creature):
        found = _path(scene, mover, waypoints, start)
        if found is None:
            return None
        path, cost = found, sum(leg.cost for leg in found)
        if cost <= start.feet:
            return path, start.is_odd or (cost <= begun and not _is_odd(scene, mover.creature))
    return path, False


def _path(scene: Scene, mover: Mover, waypoints: Sequence[Cell], start: Start) -> Path | None:
    """Return the cheapest path through squares; None without one.

    To one square it is a path that provokes nothing, if that costs no more.
    """
    at = mover.creature.token.at
    assert at is not None
    if len(waypoints) == 1:
        search = path_search(scene, mover.creature.id, start, False)
        if search is not None and search.cost(waypoints[0]) is not None:
            return _cheapest(scene, mover.creature, search, waypoints[0], start)
        if leads_to(scene, mover.creature, waypoints[0]) is False:
            return None
        # Too far: the squares of the kernel's path take a part of the time of a search among all.
        drawn = squares_to(scene, mover.creature, waypoints[0])
        if drawn:
            return route(mover, drawn, at, start.feet)
    return route(mover, waypoints, mover.table.node(at, start.is_odd), start.feet)


def _cheapest(scene: Scene, creature: Creature, search: Search, end: Cell, start: Start) -> Path:
    """Return the cheapest path to a square within the budget; of those, one that provokes nothing.

    After an odd number of diagonals, two straight steps cost as much as one diagonal: that is taken as meant.
    """
    path = (search.direct(end) if start.is_odd else ()) or search.path(end)
    if not can_provoke(scene, creature):
        return path
    provoked = threats(scene, creature.id).provoked
    if not any(provoked(leg.start, leg.end) for leg in path):
        return path
    safe = path_search(scene, creature.id, start, True)
    return safe.path(end) if safe and safe.cost(end) == search.cost(end) else path


def _steps(scene: Scene, creature: Creature, path: Path) -> tuple[PathStep, ...]:
    """Return the steps of a path with the enemies that each provokes (KOV-036, KOV-037)."""
    found = provocations(scene, creature, path) if can_provoke(scene, creature) else []
    provoked = {id(leg): tuple(shown_provocation(one) for one in enemies) for leg, enemies in found}
    return tuple(
        PathStep(leg.end, ", ".join(part.how for part in leg.parts), leg.cost, provoked.get(id(leg), ()))
        for leg in path
    )


def _reasons(scene: Scene, creature: Creature) -> list[IllegalAct]:
    """Return why a creature may not move at all now."""
    name, limit = creature.name, maximum_weight(scene, creature)
    if turn(scene).is_over:
        return [IllegalAct(localize("knights_of_valour.refuse_over"), "KOV-023", "turn")]
    found = list[IllegalAct]()
    if creature.weight > limit:
        loads = {"name": name, "weight": creature.weight, "limit": limit}
        found.append(IllegalAct(localize("knights_of_valour.move_overloaded", **loads), "KOV-013", "ban"))
    if is_in_play(scene):
        active = active_creature(scene)
        if active is None or active.id != creature.id:
            found.append(OutOfTurn(localize("knights_of_valour.refuse_turn", name=name), "KOV-027"))
        elif not budget(scene, creature):
            found.append(CannotPay(localize("knights_of_valour.move_used", name=name), "KOV-031"))
    return found


def can_provoke(scene: Scene, creature: Creature) -> bool:
    """Return whether enemies may attack a creature that moves: only in its own turn (KOV-037)."""
    active = active_creature(scene)
    return active is not None and active.id == creature.id


def shown_provocation(found: Provoked) -> Provocation:
    """Return an Attack of Opportunity as a reach or a ruling shows it."""
    chance, damage = found.chance.as_integer_ratio(), found.damage.as_integer_ratio()
    return Provocation(found.enemy.id, found.weapon.name, chance, damage)


def _entry_ruling(scene: Scene, creature: Creature, at: Cell, reasons: list[IllegalAct]) -> Ruling:
    """Return the ruling on entering the board: free before the first round, not allowed later."""
    if is_in_play(scene):
        entry = localize("knights_of_valour.move_entry", name=creature.name)
        reasons.append(IllegalAct(entry, "KOV-038", "edge"))
    if not Mover(scene, creature).can_end(at):
        reasons.append(_no_end(scene, at))
    return ruling(reasons, 0, budget(scene, creature), (at,))
