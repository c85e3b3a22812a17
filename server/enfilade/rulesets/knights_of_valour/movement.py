"""The Move Action: the squares in reach, the ruling on a move, and the move itself (KOV-033 to KOV-044)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from enfilade.errors import IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps, set_condition, set_track
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.combat.reactions import (
    opportunity_attacks,
    provocation,
    threats,
)
from enfilade.rulesets.knights_of_valour.laws import LAWS
from enfilade.rulesets.knights_of_valour.move_plan import (
    Start,
    begun_movement,
    budget,
    can_provoke,
    is_able_to_move,
    is_continued,
    path_search,
    plan,
    shown_provocation,
    starts,
)
from enfilade.rulesets.knights_of_valour.movement_costs import reach_costs
from enfilade.rulesets.knights_of_valour.paths import (
    Mover,
    Path,
    Search,
    diagonals_of,
    move_rules,
    sub_actions,
)
from enfilade.rulesets.knights_of_valour.profiles import Creature, movement, read_creature
from enfilade.rulesets.knights_of_valour.sub_actions import (
    CLIMBING,
    Climb,
    Leg,
    climb_of,
    note_climb,
    rest_of,
    way_back,
)
from enfilade.rulesets.knights_of_valour.turn import active_creature
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the squares that a creature may move to now with their costs in feet; None if it cannot move."""
    creature = read_creature(token)
    if not is_able_to_move(scene, creature):
        return None
    feet, begins = budget(scene, creature), starts(scene, creature)
    climb = climb_of(token)
    if climb is not None:
        return Reach(feet, tuple(_cells_from_climb(scene, creature, feet, climb)))
    if not can_provoke(scene, creature):
        costs = reach_costs(scene, creature, feet)
        return Reach(feet, tuple([(*cell, cost) for cell, cost in sorted(costs.items())]))
    found = [search for start in begins if (search := path_search(scene, token.id, start, False))]
    costs = _first_costs([search.costs() for search in found])
    plain = Reach(feet, tuple([(*cell, cost) for cell, cost in sorted(costs.items())]))
    return _reach_with_provocations(scene, creature, begins, plain)


def _cells_from_climb(
    scene: Scene, creature: Creature, feet: int, climb: Climb
) -> Iterator[tuple[int, int, int]]:
    """Yield the squares that a creature that hangs reaches with their costs: its climb's end, or others."""
    at, mover = creature.token.at, Mover(scene, creature)
    assert at is not None
    back, leg = way_back(climb, at, move_rules(scene, creature)).cost, mover.table.leg_to(at, climb.goal)
    costs = Search(mover, at, feet).costs()
    found = {cell: back + cost for cell, cost in costs.items() if back + cost <= feet}
    rest = None if leg is None else rest_of(leg, climb.paid).cost
    if rest is not None and rest <= feet and mover.can_end(climb.goal):
        found[climb.goal] = min(rest, found.get(climb.goal, rest))
    yield from ((*cell, cost) for cell, cost in sorted(found.items()))


def _first_costs(costs: Sequence[dict[Cell, int]]) -> dict[Cell, int]:
    """Return the cost of each square by the first start that reaches it."""
    return costs[0] if len(costs) == 1 else {**costs[-1], **costs[0]}


def may_move(scene: Scene, token: Token) -> bool:
    """Return whether a creature may move now, without its reach, which takes longer to work out."""
    creature = read_creature(token)
    return is_able_to_move(scene, creature) and bool(budget(scene, creature))


def _reach_with_provocations(
    scene: Scene, creature: Creature, begins: Sequence[Start], plain: Reach
) -> Reach:
    """Return a reach with the enemies that the cheapest path to each square provokes, and the safe paths.

    Where a safe path costs no more, it is the one that a move takes.
    """
    costs = {(x, y): cost for x, y, cost in plain.cells}
    by_cell: dict[Cell, frozenset[str]] = {}
    safe_costs: dict[Cell, int | None] = {}
    for start in reversed(begins):
        search = path_search(scene, creature.id, start, False)
        assert search is not None
        found = search.provoked(threats(scene, creature.id))
        found = {cell: ids for cell, ids in found.items() if cell in costs}
        safe = path_search(scene, creature.id, start, True) if found else None
        for cell in search.nodes:
            by_cell.pop(cell, None)
        by_cell |= found
        safe_costs |= {cell: safe.cost(cell) if safe else None for cell in found}
    provoked = {cell: ids for cell, ids in by_cell.items() if safe_costs[cell] != costs[cell]}
    if not provoked:
        return plain
    ids = set().union(*provoked.values())
    enemies = [one for one in battlefield(scene).units if one.id in ids]
    places = {enemy.id: place for place, enemy in enumerate(enemies)}
    marked = [cell for cell in costs if cell in provoked]
    around = ((cell, safe_costs[cell]) for cell in marked)
    return Reach(
        plain.budget,
        plain.cells,
        tuple(shown_provocation(provocation(scene, enemy, creature)) for enemy in enemies),
        tuple((*cell, tuple(sorted(places[one] for one in provoked[cell]))) for cell in marked),
        tuple((*cell, cost) for cell, cost in around if cost is not None),
    )


@LAWS.judging
def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move through squares (KOV-033 to KOV-044). A turn costs nothing (C-23)."""
    del facing
    return plan(scene, token, path).ruling


def facing_after(scene: Scene, token: Token, to: Cell, turned: int | None = None) -> int | None:
    """Return a creature's facing after a step: as turned, or along the step; None without facings (C-23)."""
    if setting(scene, house_rules.FACING) == "none":
        return None
    if turned is not None or token.at is None or token.at == to:
        return token.facing if turned is None else turned
    across, down = to[0] - token.at[0], to[1] - token.at[1]
    return round(math.degrees(math.atan2(across, -down))) % 360


def move(scene: Scene, act: Act) -> Steps:
    """Move a creature through its waypoints; enemies that it leaves attack between its steps.

    A move against the rules is explained, not prevented. A creature that is defeated stops there.
    """
    creature = read_creature(scene.token(act.token))
    at = act.at or creature.token.at
    if at is None:
        raise IllegalAct(localize("knights_of_valour.move_nowhere", name=creature.name), "KOV-038", "request")
    judged, path, goes_on, climb, leaves = plan(scene, creature.token, act.waypoints or (at,))
    facts = {
        "token": creature.id,
        "allowed": judged.allowed,
        "cost": judged.cost,
        "budget": judged.budget,
        "reasons": list(judged.reasons),
        "sub_actions": [[part.how, part.cost] for part in sub_actions(path)],
    }
    yield Change(Explained(kind="move", facts=facts))
    turned = act.facing if act.facing != creature.token.facing else None
    active = active_creature(scene)
    if not (path or climb) or active is None or active.id != creature.id:
        yield from note_climb(scene, creature.id, None)
        yield Step(creature.id, at, facing_after(scene, creature.token, at, turned))
        return Outcome("moved")
    assert judged.cost is not None
    scene = yield from _spend(scene, creature, path, judged.cost, goes_on)
    outcome = yield from _follow(scene, creature.id, path, turned)
    return (yield from _hang_on(creature.id, climb, leaves)) if climb else outcome


def _hang_on(token_id: str, climb: Climb, leg: Leg | None) -> Steps:
    """Let a creature hang on a climb, after the attacks that leaving the ground provokes (KOV-036)."""
    scene = yield Change(Explained(kind="hangs", facts={"token": token_id, "feet": climb.height}))
    if leg is not None and threats(scene, token_id).provoked(leg.start, leg.end):
        scene = yield from opportunity_attacks(scene, token_id, leg)
    if scene.token(token_id).has("out"):
        return Outcome("moved", leaves=localize("knights_of_valour.outcome_defeated"))
    yield from note_climb(scene, token_id, climb)
    return Outcome("moved")


def _spend(scene: Scene, creature: Creature, path: Path, cost: int, goes_on: bool) -> Steps:
    """Spend a Move Action, or the rest of one that has begun; return the scene (KOV-031, C-13)."""
    feet = begun_movement(scene, creature)
    if not goes_on:
        scene, feet = yield from begin_move_action(scene, creature)
    if is_continued(scene):
        scene = yield set_track(scene, creature.id, "movement", max(0, feet - cost))
        scene = yield from _count_diagonals(scene, creature, path, goes_on)
    return scene


def begin_move_action(scene: Scene, creature: Creature) -> Steps:
    """Use a Move Action; return the scene and the feet of it."""
    used = creature.token.track("moves used") + 1
    scene = yield set_track(scene, creature.id, "moves used", used)
    for other in battlefield(scene).units:
        if other.token.conditions.get("provoked") == creature.id:
            scene = yield set_condition(scene, other.id, "provoked", None)
    return scene, movement(scene, creature)


def _count_diagonals(scene: Scene, creature: Creature, path: Path, goes_on: bool) -> Steps:
    """Note whether a Move Action has entered an odd number of diagonals, if they take turns (C-10)."""
    if not battlefield(scene).board.diagonals.alternate:
        return scene
    before = creature.token.track("diagonals") if goes_on else 0
    count = sum((diagonals_of(leg) for leg in path), before)
    return (yield set_track(scene, creature.id, "diagonals", count % 2))


def _follow(scene: Scene, token_id: str, path: Path, turned: int | None) -> Steps:
    """Move a creature leg by leg, each after the Attacks of Opportunity that it provokes (KOV-037).

    It faces along its last leg, or as turned (C-23).
    """
    provoked = threats(scene, token_id).provoked  # no enemy is added on the way
    for leg in path:
        if provoked(leg.start, leg.end):
            scene = yield from opportunity_attacks(scene, token_id, leg)
        token = scene.token(token_id)
        if token.has("out"):
            yield Change(Explained(kind="stopped", facts={"token": token_id}))
            return Outcome("moved", leaves=localize("knights_of_valour.outcome_defeated"))
        facing = facing_after(scene, token, leg.end, turned if leg is path[-1] else None)
        scene = yield Step(token.id, leg.end, facing)
        if token.has(CLIMBING):
            scene = yield from note_climb(scene, token_id, None)
            provoked = threats(scene, token_id).provoked
    return Outcome("moved")
