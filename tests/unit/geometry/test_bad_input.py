"""Bad input raises ValueError with a sentence, with both engines alike."""

from array import array

import pytest

from enfilade.geometry import (
    Attacker,
    Blockers,
    Body,
    Field,
    Footprint,
    HexBoard,
    Mask,
    MovementGraph,
    Mover,
    SquareBoard,
    TerrainCost,
    TouchRule,
    Wall,
    arc,
    attack_lanes,
    best_sight_line,
    block,
    box_body,
    build_table,
    cover,
    cover_map,
    first_obstruction,
    is_in_arc,
    open_terrain,
    threat,
    visible,
)
from enfilade.geometry.board.arcs import nearest_facing
from enfilade.geometry.board.hexon import HexonLattice
from enfilade.geometry.movement.costs import StepCosts, facing_step_costs
from enfilade.geometry.movement.gridless import GridlessField
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase, SquareBase
from enfilade.geometry.sight.line_of_sight import OpaqueCells
from enfilade.geometry.sight.tracker import VisibilityTracker
from tests.property.geometry.engines import ENGINES, use_engine

BOARD = SquareBoard(4, 3)
SQUARE = ((0, 0), (64, 0), (64, 64), (0, 64))


@pytest.fixture(params=sorted(ENGINES), autouse=True)
def engine(request):
    with use_engine(request.param):
        yield request.param


def graph(**more):
    plain = open_terrain(BOARD)
    return MovementGraph(BOARD, TerrainCost(**{**vars(plain), **more}))


def with_closed_cell():
    return graph(enter=build_table(BOARD, 1, [([(1, 1)], 0)]))


def threat_of(**more):
    lanes = attack_lanes(BOARD, open_terrain(BOARD).barred)
    return threat(graph(), [Attacker(**{"at": (0, 0), "budget": 2, **more})], lanes)


REFUSALS = {
    "a board of width 0": (lambda: SquareBoard(0, 3), "1 to 16,384 cells wide"),
    "a hex board of height 0": (lambda: HexBoard(3, 0, "odd_r"), "not 3 by 0"),
    "a board of a float width": (lambda: SquareBoard(2.5, 3), "not 2.5 by 3"),
    "a board of too many cells": (lambda: SquareBoard(16_000, 16_000), "at most 4,194,304 cells"),
    "an unknown layout": (lambda: HexBoard(3, 3, "odd"), "Unknown layout of a hex board: 'odd'"),
    "an unknown rule for diagonals": (lambda: SquareBoard(3, 3, "5-10-5"), "Unknown rule for diagonals"),
    "an unknown chirality": (lambda: HexonLattice("up"), "not 'up'"),
    "a mask off the board": (lambda: Mask.of([(0, 3)], 3), r"cell \(0, 3\) is not on a board of 3 rows"),
    "a footprint without cells": (lambda: Footprint(()), "one or more different cells"),
    "an empty block": (lambda: block(0, 2), "one or more different cells"),
    "a wall of floats": (lambda: Wall((0, 0, 64.5, 64)), "four integer coordinates"),
    "a wall of three numbers": (lambda: Wall((0, 0, 64)), "four integer coordinates"),
    "a wall of text": (lambda: Wall(("0", "0", "1", "1")), "four integer coordinates"),
    "an unknown sense": (lambda: Wall((0, 0, 0, 64), sight="fog"), "Unknown sight of a wall: 'fog'"),
    "an unknown side": (lambda: Wall((0, 0, 0, 64), one_way="up"), "not 'up'"),
    "a float height": (lambda: Wall((0, 0, 0, 64), top=1.5), "not 1.5"),
    "a body without parts": (lambda: Body((), ()), "at least one part"),
    "a body of two corners": (lambda: Body((SQUARE[:2],), ()), "three or more integer corners"),
    "a counterclockwise body": (lambda: Body((SQUARE[::-1],), ()), "its corners clockwise"),
    "a concave body": (lambda: Body(((*SQUARE[:2], (16, 16), SQUARE[3]),), ()), "convex"),
    "an inverted box": (lambda: box_body((64, 0, 0, 64)), "its corners clockwise"),
    "an unknown touch rule": (lambda: TouchRule(wall="stops"), "'blocks' or 'passes'"),
    "an arc of width 0": (lambda: arc(BOARD, (96, 96), 0, 0), "above 0 degrees"),
    "an arc of a float facing": (lambda: arc(BOARD, (96, 96), 22.5, 90), "not 22.5"),
    "a point in an arc below 0": (lambda: is_in_arc(BOARD, (96, 96), 0, -90, (0, 0)), "above 0 degrees"),
    "no facings": (lambda: nearest_facing(10, ()), "at least one facing"),
    "a table of negative costs": (lambda: build_table(BOARD, -1), "from 0 to 65,535, not -1"),
    "a table of float costs": (lambda: build_table(BOARD, 1, [([(0, 0)], 1.5)]), "not 1.5"),
    "open corners above 2": (lambda: Mover(open_corners=3), "0, 1 or 2 open corners, not 3"),
    "free steps": (lambda: StepCosts(((0,) * 8,), ((0,) * 8,), ((None,),)), "integers from 1 up"),
    "float turns": (lambda: facing_step_costs((0, 90), lambda _: 1, lambda _: 0.5), "points of a turn"),
    "nine facings": (lambda: facing_step_costs(range(9), lambda _: 1, lambda _: 1), "1 to 8 facings, not 9"),
    "terrain of another board": (lambda: graph(leave=array("H", [1])), "built for another board"),
    "a negative toll": (lambda: graph(enter_toll={(0, 0): -1}), "toll is an integer"),
    "a float climb": (
        lambda: MovementGraph(
            BOARD,
            TerrainCost(**{**vars(open_terrain(BOARD)), "heights": {(0, 0): 9}}),
            Mover(climb=lambda rise: rise / 2),
        ),
        "A climb costs an integer",
    ),
    "a start off the board": (lambda: Field(graph(), (4, 0)), r"start \(4, 0\) is not on the board"),
    "a closed start": (lambda: Field(with_closed_cell(), (1, 1)), r"cannot start at \(1, 1\)"),
    "a start too near the edge for a body": (
        lambda: Field(MovementGraph(BOARD, open_terrain(BOARD), Mover(footprint=block(2, 2))), (3, 2)),
        r"cannot start at \(3, 2\)",
    ),
    "a float budget": (lambda: Field(graph(), (0, 0), 2.5), "from 0 up, not 2.5"),
    "a negative budget": (lambda: Field(graph(), (0, 0), -1), "from 0 up, not -1"),
    "an unknown state": (lambda: Field(graph(), (0, 0), 2, state=1), "no state 1"),
    "an attacker off the board": (lambda: threat_of(at=(9, 9)), "not on the board"),
    "an attacker with a float budget": (lambda: threat_of(budget=0.5), "from 0 up, not 0.5"),
    "an attacker with a negative reach": (lambda: threat_of(reach=-1), "from 0 up, not -1"),
    "attack lanes of another board": (lambda: attack_lanes(BOARD, b""), "built for another board"),
    "an eye between units": (lambda: visible(BOARD, (0.5, 0), Blockers()), "Points and heights are integers"),
    "a float height of an eye": (
        lambda: visible(BOARD, (0, 0), Blockers(), (0.5, 0)),
        "Points and heights are integers",
    ),
    "a line of floats": (lambda: first_obstruction((0, 0), (1.5, 1), Blockers()), "are integers"),
    "a sight line without an eye": (lambda: best_sight_line([], [(0, 0)], Blockers()), "an eye and a point"),
    "a float wall among plain segments": (
        lambda: visible(BOARD, (0, 0), Blockers([(0, 0, 1.5, 1)])),
        "four integer coordinates",
    ),
    "cover of floats": (lambda: cover([(0, 0)], [(1.5, 0)], Blockers()), "are integers"),
    "a cover map of no attacker": (lambda: cover_map(BOARD, [], Blockers()), "at least one point"),
    "an opaque cell off the board": (
        lambda: OpaqueCells(BOARD, Mask.of([(4, 0)], 3)),
        r"opaque cell \(4, 0\) is not on the board",
    ),
    "a view from off the board": (
        lambda: OpaqueCells(BOARD, Mask.of([], 3)).visible_from((0, 3)),
        r"cell \(0, 3\) is not on the board",
    ),
    "a tracker with float heights": (
        lambda: VisibilityTracker(BOARD, Blockers(), {"a": box_body((0, 0, 64, 64))}, (0.5, 0)),
        "are integers",
    ),
    "a gridless board of width 0": (lambda: GridlessBoard(0, 640), "above 0"),
    "a round base of negative radius": (lambda: RoundBase((0, 0), -1), "from 0 up, not -1"),
    "a square base of negative size": (lambda: SquareBase((0, 0), -1), "from 0 up, not -1"),
    "a negative gridless budget": (
        lambda: GridlessField(GridlessBoard(640, 640), RoundBase((320, 320), 32), -1),
        "from 0 up, not -1",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_bad_input_is_a_value_error_with_a_sentence(name):
    call, sentence = REFUSALS[name]
    with pytest.raises(ValueError, match=sentence):
        call()
