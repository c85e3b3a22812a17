"""The overlay of a miniature: arcs, range bands, sight, threatened cells, and engagements."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import grid_of, runs_in_range, runs_of
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.barriers import attack_lanes
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.threat import Attacker, threat
from enfilade.geometry.sight.line_of_sight import seen_by_any
from enfilade.i18n import localize
from enfilade.rules.battle.memo import large, per_map, per_profile, recent_by_size
from enfilade.rules.kit.board import Board
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import (
    Battlefield,
    battlefield,
    front_arc,
)
from enfilade.rulesets.coup_de_grace.catalog import Item
from enfilade.rulesets.coup_de_grace.combat.attack_setup import cost_of
from enfilade.rulesets.coup_de_grace.movement_costs import (
    STEP,
    doubles_costs,
    doublings,
    is_walled,
    movement_field,
    movement_graph,
    shared_movement_graph,
)
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.sight import (
    NO_RANGE,
    cells_in_range,
    longest_range,
    obstacles,
    ranges_from,
    seen_from,
    straight_ranges,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token, Wall


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of one overlay layer; none for a miniature off the board."""
    battle = battlefield(scene)
    one = battle.fighter(token.id)
    if one.token.at is None or one.token.at not in battle.board or layer not in _LAYERS:
        return ()
    return _LAYERS[layer](battle, one, one.token.at)


def _arc(battle: Battlefield, one: Fighter, at: Cell) -> Sequence[Area]:
    if one.facing is None or one.is_downed:
        return ()
    return (_arc_area(battle.board, at, one.facing),)


def _sight(battle: Battlefield, one: Fighter, at: Cell) -> Sequence[Area]:
    del one
    return (_seen_area(seen_from(battle, at), battle.board),)


def _blind(battle: Battlefield, one: Fighter, at: Cell) -> Sequence[Area]:
    del one
    return (_blind_area(seen_from(battle, at), battle.board),)


# Most acts turn and move no miniature, so these are kept with the board and with what is seen.


@recent_by_size
def _arc_area(board: Board, at: Cell, facing: int) -> Area:
    return _area("arc", localize("coup_de_grace.area_arc"), front_arc(board, at, facing))


@recent_by_size
def _seen_area(seen: Mask, _board: Board) -> Area:
    return _area("sight", localize("coup_de_grace.area_seen"), seen)


@recent_by_size
def _blind_area(seen: Mask, board: Board) -> Area:
    return _area("blind", localize("coup_de_grace.area_blind"), full_mask(board) - seen)


def _ranges(battle: Battlefield, one: Fighter, at: Cell) -> Sequence[Area]:
    shooting = {item.name: item for item in one.items.values() if item.ranged or item.reach}
    return [area for item in shooting.values() for area in _bands(battle, at, item)]


def _bands(battle: Battlefield, at: Cell, item: Item) -> Sequence[Area]:
    increment = int(battle.setting(house_rules.INCREMENT)) if item.increment is None else item.increment
    if battle.setting(house_rules.RANGE) == "path":
        table = ranges_from(battle, at)
        return _areas_of_bands(table, battle.board, item, increment, longest_range(table))
    return _straight_bands(battle.scene.walls, battle.board, at, item, increment)


@recent_by_size
def _straight_bands(
    _walls: tuple[Wall, ...], board: Board, at: Cell, item: Item, increment: int
) -> Sequence[Area]:
    """Return the bands of straight ranges; kept with the map, because no miniature changes them."""
    across, down = (0, board.columns - 1), (0, board.rows - 1)
    longest = max(board.distance(at, (x, y)) for x in across for y in down)
    return _areas_of_bands(straight_ranges(board, at), board, item, increment, longest)


def _areas_of_bands(
    table: array[int], board: Board, item: Item, increment: int, longest: int
) -> Sequence[Area]:
    limit, found = min(item.reach or NO_RANGE, longest), []
    for band in range(limit // increment + 1) if increment else (0,):
        checkpoint()
        last = min(limit, (band + 1) * increment - 1) if increment else limit
        runs = runs_in_range(grid_of(board), table, max(1, band * increment), last)
        if runs:
            found.append(Area("ranges", _band_name(item, increment, band), tuple(runs)))
    return found


def _band_name(item: Item, increment: int, band: int) -> str:
    first, last = max(1, band * increment), (band + 1) * increment - 1
    if item.reach:
        last = min(last, item.reach) if increment else item.reach
    if not band:
        return localize("coup_de_grace.area_range", item=item.name, first=first, last=last)
    return localize("coup_de_grace.area_range_penalty", item=item.name, first=first, last=last, penalty=-band)


def _threat(battle: Battlefield, one: Fighter, at: Cell) -> Sequence[Area]:
    """Return the cells that enemies can attack now, and those that they can attack after a move."""
    del at
    return _threat_of(battle, tuple(battle.enemies_of(one)))


@large
def _threat_of(battle: Battlefield, enemies: tuple[str, ...]) -> Sequence[Area]:
    """Return the areas that some miniatures threaten; cached, because all their enemies show the same."""
    fighters = [battle.fighter(enemy) for enemy in enemies]
    now, after = threatened_now(battle, fighters), threatened_after_a_move(battle, fighters)
    return (
        _area("threat", localize("coup_de_grace.area_threat_now"), now),
        _area("threat", localize("coup_de_grace.area_threat_after_move"), after - now),
    )


def engagements(scene: Scene) -> list[Engagement]:
    """Return the pairs of adjacent enemies of whom at least one doubles the other's costs (CDG-040)."""
    return _engagements(battlefield(scene))


@large
def _engagements(battle: Battlefield) -> list[Engagement]:
    """Return the engagements; cached, because every overlay shows them all."""
    found: dict[tuple[str, str], list[Fighter]] = {}
    for one in battle.on_board:
        checkpoint()
        assert one.token.at is not None
        for other in battle.enemies_beside(one, one.token.at):
            if doubles_costs(battle, other):
                pair = (min(one.id, other.id), max(one.id, other.id))
                found.setdefault(pair, []).append(one)
    return [Engagement(pair, _locked(battle, pair, slowed)) for pair, slowed in found.items()]


def _locked(battle: Battlefield, pair: tuple[str, str], slowed: Sequence[Fighter]) -> str:
    first, second = (battle.fighter(token) for token in pair)
    if len(slowed) > 1:
        return localize("coup_de_grace.area_engaged_both", a=first.name, b=second.name)
    other = second if slowed[0].id == first.id else first
    return localize("coup_de_grace.area_engaged_one", a=other.name, b=slowed[0].name)


def _area(layer: str, label: str, mask: Mask) -> Area:
    return Area(layer, label, runs_of(mask))


_LAYERS = {"arc": _arc, "sight": _sight, "blind": _blind, "ranges": _ranges, "threat": _threat}


def threatened_now(battle: Battlefield, strikers: Iterable[Fighter]) -> Mask:
    """Return the cells that any of some miniatures can attack from its cell and with its facing.

    Each counts as newly activated, with its whole movement allowance (CDG-014, CDG-037 to CDG-051).
    """
    board = battle.board
    sure, viewers = [0] * board.rows, []
    needs_sight, center = battle.is_on(house_rules.DOWNED_NEED_SIGHT), board.center
    for one in strikers:
        checkpoint()
        at = one.token.at
        if at is None or at not in board:
            continue
        melee, ranged = _attacks_with(one.items, one.is_downed)
        if melee:
            for column, row in _in_melee(battle, one, at, melee):
                sure[row] |= 1 << column
        in_range = _in_range(battle, one, at, ranged) if ranged else None
        if in_range is None:
            continue
        if one.is_downed and not needs_sight:
            sure = [bits | more for bits, more in zip(sure, in_range.rows, strict=True)]
        elif any(in_range.rows):
            viewers.append((center(at), in_range))
    return Mask(tuple(sure)) | seen_by_any(board, viewers, obstacles(battle).blockers)


def threatened_after_a_move(battle: Battlefield, strikers: Iterable[Fighter]) -> Mask:
    """Return the cells that any of some miniatures can attack in melee after it walks or turns."""
    found = Mask((0,) * battle.board.rows)
    lanes = _lanes(battle.barred_steps, battle.board, battle.setting(house_rules.ADJACENCY))
    for one, places in _walks(battle, strikers):
        checkpoint()
        found |= threat(_walked_over(battle, one), places, lanes).cells
    return found


@per_map
def _lanes(barred: bytes, board: Board, adjacency: object) -> bytes:
    return attack_lanes(board, barred, adjacency == "edges and corners")


def _walked_over(battle: Battlefield, one: Fighter) -> MovementGraph:
    if one.can_pass_miniatures:
        return movement_graph(battle, one.id)
    return shared_movement_graph(battle, one.token.side)


def _walks(battle: Battlefield, strikers: Iterable[Fighter]) -> Iterator[tuple[Fighter, list[Attacker]]]:
    """Yield a miniature and the starts of all walkers on its graph, one graph per side or halfling."""
    by_side: dict[str, tuple[Fighter, list[Attacker]]] = {}
    for one in strikers:
        checkpoint()
        melee, _ = _attacks_with(one.items, one.is_downed)
        places = [] if one.is_downed or not melee else list(_places(battle, one, melee))
        if not places:
            continue
        if one.can_pass_miniatures:
            yield one, places
        else:
            by_side.setdefault(one.token.side, (one, []))[1].extend(places)
    yield from by_side.values()


def _cell_on_board(battle: Battlefield, one: Fighter) -> Iterator[Cell]:
    if one.token.at is not None and one.token.at in battle.board:
        yield one.token.at


def _in_melee(battle: Battlefield, one: Fighter, at: Cell, attacks: Attacks) -> Iterator[Cell]:
    """Yield the cell straight ahead, or all adjacent cells of a downed miniature (CDG-014, CDG-070)."""
    cells: Iterable[Cell] = ()
    if any(_can_pay(battle, one, *attack) for attack in attacks):
        if one.is_downed:
            cells = battle.board.neighbors(at)
        elif one.facing is not None:
            cells = [battle.cell_toward(at, one.facing)]
    return (cell for cell in cells if cell in battle.board and not is_walled(battle, at, cell))


def _in_range(battle: Battlefield, one: Fighter, at: Cell, attacks: Attacks) -> Mask | None:
    """Return the cells in the front arc and in reach of its weapons, seen or not (CDG-050, CDG-051).

    None without a weapon for it.
    """
    reaches = [item.reach for item, kind in attacks if _can_pay(battle, one, item, kind)]
    if not reaches:
        return None
    # The cells of a shorter reach are among those of a longer one, and a reach of 0 has no limit.
    longest = 0 if 0 in reaches else max(reaches)
    if one.is_downed:
        return _within(battle, at, longest)
    ahead = _ahead(battle, one, at)
    if not longest and battle.setting(house_rules.RANGE) != "path":
        return ahead  # its own cell, the only one out of range, is in no arc
    return ahead & _within(battle, at, longest)


def _ahead(battle: Battlefield, one: Fighter, at: Cell) -> Mask:
    if one.facing is None:
        return Mask((0,) * battle.board.rows)
    return _front_arc(one, battle.board, at)


@recent_by_size
def _front_arc(one: Fighter, board: Board, at: Cell) -> Mask:
    """Return the front arc of a miniature; kept while it stands and faces there."""
    assert one.facing is not None
    return front_arc(board, at, one.facing)


def _within(battle: Battlefield, at: Cell, reach: int) -> Mask:
    if not reach and battle.setting(house_rules.RANGE) != "path":
        return full_mask(battle.board) - Mask.of([at], battle.board.rows)
    return cells_in_range(battle, at, 1, reach or NO_RANGE)


Attacks = Sequence[tuple[Item, str]]
"""Items for melee or for ranged attacks, each with the kind of act."""


@per_profile
def _attacks_with(items: dict[str, Item], is_downed: bool) -> tuple[Attacks, Attacks]:
    """Return the melee and the ranged attacks with some items, which are the same for all tokens of a card.

    A downed miniature casts no spells.
    """
    melee, ranged = [
        [
            (item, kind)
            for item in items.values()
            for kind in (how, "spell")
            if (getattr(item, how) if kind == how else item.spell == how and not is_downed)
        ]
        for how in ("melee", "ranged")
    ]
    return melee, ranged


def _can_pay(battle: Battlefield, one: Fighter, item: Item, kind: str) -> bool:
    return cost_of(battle, one, item, kind) <= one.allowance


def _places(battle: Battlefield, one: Fighter, attacks: Attacks) -> Iterator[Attacker]:
    """Yield the cells from which it can attack in melee after a walk, or after a turn in place."""
    for at in _cell_on_board(battle, one):
        turn = STEP << doublings(battle, one, at)
        if any(item.melee for item in one.items.values()):
            yield from [Attacker(at, one.allowance)] if turn <= one.allowance else ()
            continue
        spells = [item for item, _ in attacks]
        for cell, cost in movement_field(battle, one.id, one.allowance).costs.items() if spells else ():
            dear = min(cost_of(battle, one, item, "spell", cell) for item in spells)
            if (turn if cell == at else cost) + dear <= one.allowance:
                yield Attacker(cell, 0)
