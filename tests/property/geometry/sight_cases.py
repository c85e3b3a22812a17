"""Sight, cover and pairs: both engines against the oracle, and the symmetries of sight."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from operator import add

from tests.property.geometry.engines import ENGINES, use_engine
from tests.property.geometry.oracle import Oracle, sees
from tests.property.geometry.scenes import SightScene, sight_scene

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import Body, Wall
from enfilade.geometry.board.square import SquareBoard, box, center
from enfilade.geometry.sight.blockers import Blockers, TouchRule
from enfilade.geometry.sight.cover import blocked_layers, box_corners, cover_map, hex_corners
from enfilade.geometry.sight.line_of_sight import first_obstruction, visible
from enfilade.geometry.sight.raster import lattices, visible_mask

Outcome = tuple[int, list[str]]
"""The number of answers compared, and a line for each difference."""


def cells_seen_by(engine, scene: SightScene) -> Mask:
    dark = [
        engine.cast_shadows(each, scene.eye, scene.heights, scene.blockers) for each in lattices(scene.board)
    ]
    return visible_mask(scene.board, dark)


def visible_cells(seed: int) -> Outcome:
    """Compare every cell of a scene, and one line of `first_obstruction`."""
    scene = sight_scene(seed)
    board, oracle = scene.board, Oracle(scene.eye, scene.blockers, scene.heights)
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    expected = Mask.of([cell for cell in cells if oracle.sees(board.center(cell))], board.rows)
    wrong = [
        f"{name}: {seed=} visible {cell}"
        for name, engine in ENGINES.items()
        for cell in set(cells_seen_by(engine.sight, scene)) ^ set(expected)
    ]
    cell = cells[seed % len(cells)]
    stop = first_obstruction(scene.eye, board.center(cell), scene.blockers, scene.heights)
    if (stop is None) != sees(scene.eye, board.center(cell), scene.blockers, scene.heights):
        wrong.append(f"blocked: {seed=} {cell}")
    return len(cells), wrong


def cover_lines(seed: int) -> Outcome:
    """Compare the lines from one cell's corners to those of others."""
    chance = random.Random(seed)
    scene = sight_scene(seed)
    heights = scene.heights if chance.random() < 0.3 else (scene.heights[0],) * 2
    attacker, *targets = (_points(chance, scene.board) for _ in range(3))
    expected = [_blocked_lines(attacker, target, scene.blockers, heights) for target in targets]
    wrong = []
    for name, engine in ENGINES.items():
        counts = engine.sight.blocked_lines(attacker, targets, scene.blockers, heights)
        wrong += [] if counts == expected else [f"{name}: {seed=} cover {counts} not {expected}"]
    return sum(len(target) * len(attacker) for target in targets), wrong


def _points(chance, board):
    cell = (chance.randrange(board.columns), chance.randrange(board.rows))
    if chance.random() < 0.2:
        return [board.center(cell)]
    if isinstance(board, HexBoard):
        return board.corners(cell) if chance.random() < 0.2 else hex_corners(board, cell)
    return box_corners(box(cell), chance.choice((0, 2)))


def _blocked_lines(attacker, target, blockers, heights):
    counts = []
    for eye in attacker:
        oracle = Oracle(eye, blockers, heights)
        past = [point for point in target if not oracle.walls_stop(point)]
        counts += [len(target) - len(past), sum(oracle.bodies_stop(point) for point in past)]
    return counts


def cover_map_cells(seed: int) -> Outcome:
    """Compare the cover map of some cells with the oracle's lines to their corners."""
    chance = random.Random(seed)
    board, blockers, _, heights = sight_scene(seed)
    attacker = _points(chance, board)[: chance.randint(1, 2)]
    cells = [(chance.randrange(board.columns), chance.randrange(board.rows)) for _ in range(4)]
    wrong, lines = [], 0
    for name in ENGINES:
        with use_engine(name):
            found = cover_map(board, attacker, blockers, heights)
        for cell in cells:
            target = hex_corners(board, cell) if isinstance(board, HexBoard) else box_corners(box(cell))
            counts = _blocked_lines(attacker, target, blockers, heights)
            expected = Fraction(sum(counts[0::2]), found.lines), Fraction(sum(counts[1::2]), found.lines)
            lines += found.lines
            if (found.by_walls(cell), found.by_bodies(cell)) != expected:
                wrong.append(f"{name}: {seed=} cover map {cell}")
    return lines, wrong


def blocked_cells(seed: int) -> Outcome:
    """Compare how many lines to some cells walls block, and walls and bodies, each layer by itself."""
    chance = random.Random(seed)
    board, blockers, _, heights = sight_scene(seed)
    heights = heights if chance.random() < 0.3 else (heights[0],) * 2
    points = _points(chance, board)[: chance.randint(1, 2)]
    layers = blockers.with_bodies(()), Blockers(bodies=blockers.all_bodies, touch_rule=blockers.touch_rule)
    cells = [(chance.randrange(board.columns), chance.randrange(board.rows)) for _ in range(4)]
    wrong, lines = [], 0
    for name in ENGINES:
        with use_engine(name):
            found = blocked_layers(board, points, layers, heights)
        for cell in cells:
            target = hex_corners(board, cell) if isinstance(board, HexBoard) else box_corners(box(cell))
            counts = _blocked_lines(points, target, blockers, heights)
            walls, both = min(counts[0::2]), min(map(add, counts[0::2], counts[1::2]))  # from each point
            lines += 2 * len(target) * len(points)
            for layer, blocked in zip(found, (walls, both), strict=True):
                if [cell in least for least in layer] != [count < blocked for count in range(len(target))]:
                    wrong.append(f"{name}: {seed=} blocked lines {cell}")
    return lines, wrong


def pairs(seed: int) -> Outcome:
    """Compare all pairs of some points, before and after a body is added."""
    chance = random.Random(seed)
    board, blockers, _, heights = sight_scene(seed)
    points = list(chain.from_iterable(_points(chance, board)[:1] for _ in range(5)))
    fewer = blockers.with_bodies(blockers.boxes, blockers.bodies[1:])
    changed = [body.bounds for body in blockers.bodies[:1]]
    oracles = [Oracle(point, blockers, heights) for point in points]
    expected = bytearray(oracle.sees(point) for oracle in oracles for point in points)
    wrong = []
    for name, engine in ENGINES.items():
        clear = bytearray(len(points) ** 2)
        engine.sight.clear_pairs(points, fewer, heights, clear)
        engine.sight.clear_pairs(points, blockers, heights, clear, changed)
        wrong += [] if clear == expected else [f"{name}: {seed=} pairs"]
    return len(points) ** 2, wrong


def clear_lines(seed: int) -> Outcome:
    """Compare which pairs of some sets of points a clear line joins."""
    chance = random.Random(seed)
    board, blockers, eye, heights = sight_scene(seed)
    heights = heights if chance.random() < 0.3 else (heights[0],) * 2
    eyes = [_points(chance, board) for _ in range(3)] + [[eye]]
    pairs = [(some, _points(chance, board)) for some in eyes]
    pairs = [pair for pair in pairs if set(pair[0]).isdisjoint(pair[1])]
    oracles = [[Oracle(one, blockers, heights) for one in some] for some, _ in pairs]
    expected = [
        any(oracle.sees(point) for oracle in some for point in ends)
        for some, (_, ends) in zip(oracles, pairs, strict=True)
    ]
    wrong = [
        f"{name}: {seed=} clear lines"
        for name, engine in ENGINES.items()
        if engine.sight.any_clear(pairs, blockers, heights) != expected
    ]
    return sum(len(some) * len(ends) for some, ends in pairs), wrong


def first_hits(seed: int) -> Outcome:
    """Compare where the lines from a point to some cells are stopped first: both engines, and the oracle."""
    chance = random.Random(seed)
    board, blockers, eye, heights = sight_scene(seed)
    heights = heights if chance.random() < 0.3 else (heights[0],) * 2
    points = [eye, *(_points(chance, board)[0] for _ in range(8))]
    clear = [Oracle(eye, blockers, heights).sees(point) for point in points]
    found = {
        name: engine.sight.first_hits(eye, points, blockers, heights) for name, engine in ENGINES.items()
    }
    wrong = [
        f"{name}: {seed=} hits" for name, hits in found.items() if [hit is None for hit in hits] != clear
    ]
    exact = [[hit and (Fraction(*hit[:2]), *hit[2:]) for hit in hits] for hits in found.values()]
    wrong += [] if all(hits == exact[0] for hits in exact) else [f"engines: {seed=} first hits"]
    return len(points), wrong


def seen_by_each(seed: int) -> Outcome:
    """Compare the cells that parties of eyes see, each eye of its own wanted cells."""
    chance = random.Random(seed)
    board, blockers, eye, heights = sight_scene(seed)
    heights = heights if chance.random() < 0.3 else (heights[0],) * 2
    eyes = [eye, *(_points(chance, board)[0] for _ in range(3))]
    cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
    wanted = [[cell for cell in cells if chance.random() < 0.3] for _ in eyes]
    seen = []
    for one, some in zip(eyes, wanted, strict=True):
        oracle = Oracle(one, blockers, heights)
        seen.append({cell for cell in some if oracle.sees(board.center(cell))})
    viewers = [(one, Mask.of(some, board.rows)) for one, some in zip(eyes, wanted, strict=True)]
    cut = chance.randrange(len(eyes) + 1)
    expected = [Mask.of(set().union(*some), board.rows).rows for some in (seen[:cut], seen[cut:], seen)]
    wrong = []
    for name, engine in ENGINES.items():
        parties = [viewers[:cut], viewers[cut:]]
        found = engine.sight.seen_by_each(board, parties, blockers, heights)
        found.append(engine.sight.seen_by_any(board, viewers, blockers, heights))
        wrong += [] if found == expected else [f"{name}: {seed=} seen by each"]
    return 2 * sum(map(len, wanted)), wrong


def fields_of_view(seed: int) -> Outcome:
    """Compare every cell of a field of view past opaque cells."""
    chance = random.Random(seed)
    columns, rows, share = chance.randint(1, 12), chance.randint(1, 12), chance.choice((0.05, 0.2, 0.5))
    opaque = bytes(chance.random() < share for _ in range(columns * rows))
    cell = (chance.randrange(columns), chance.randrange(rows))
    boxes = [box((place % columns, place // columns)) for place, flag in enumerate(opaque) if flag]
    oracle = Oracle(center(cell), Blockers(boxes=boxes, touch_rule=TouchRule(corner="passes")))
    expected = [
        sum(oracle.sees(center((column, row))) << column for column in range(columns)) for row in range(rows)
    ]
    wrong = [
        f"{name}: {seed=} field of view"
        for name, engine in ENGINES.items()
        if engine.sight.field_of_view(columns, rows, opaque, cell) != expected
    ]
    return columns * rows, wrong


def symmetry(seed: int) -> Outcome:
    """Check that sight is symmetric without one-way walls and thresholds; the heights are swapped."""
    board, blockers, _, (low, high) = sight_scene(seed)
    even = [_both_ways(wall) for wall in blockers.walls]
    blockers = replace(blockers, walls=even)
    chance = random.Random(seed)
    here, there = ((chance.randrange(board.columns), chance.randrange(board.rows)) for _ in range(2))
    seen = there in visible(board, board.center(here), blockers, (low, high))
    back = here in visible(board, board.center(there), blockers, (high, low))
    return 2, [] if seen == back else [f"symmetry: {seed=} {here} {there}"]


def _both_ways(wall: Wall) -> Wall:
    return replace(wall, one_way="both", threshold=0)


def turned(seed: int) -> Outcome:
    """Compare a mirrored scene, and on squares one rotated by a right angle."""
    scene = sight_scene(seed)
    seen = set(visible(scene.board, scene.eye, scene.blockers, scene.heights))
    mirrored = _mapped(scene, lambda p: (p[1], p[0]), is_mirror=True)
    wrong = [] if {(y, x) for x, y in _seen(mirrored)} == seen else [f"mirror: {seed=}"]
    if isinstance(scene.board, SquareBoard):
        height = 64 * scene.board.rows
        quarter = _mapped(scene, lambda p: (height - p[1], p[0]), is_mirror=False)
        back = {(y, scene.board.rows - 1 - x) for x, y in _seen(quarter)}
        wrong += [] if back == seen else [f"turned: {seed=}"]
    return len(seen), wrong


def _seen(scene: SightScene):
    return visible(scene.board, scene.eye, scene.blockers, scene.heights)


LAYOUT_MIRRORED = {"odd_r": "odd_q", "odd_q": "odd_r", "even_r": "even_q", "even_q": "even_r"}
SIDE_MIRRORED = {"both": "both", "left": "right", "right": "left"}


def _mapped(scene: SightScene, move, is_mirror: bool) -> SightScene:
    """Return the scene with every point moved by a mapping that swaps across and down."""
    board, blockers, eye, heights = scene
    other = replace(board, columns=board.rows, rows=board.columns)
    if isinstance(board, HexBoard):
        other = replace(other, layout=LAYOUT_MIRRORED[board.layout])
    walls = [_mapped_wall(wall, move, is_mirror) for wall in blockers.walls]
    boxes = [_mapped_box(one, move) for one in blockers.boxes]
    bodies = [_mapped_body(body, move, is_mirror, board.rows) for body in blockers.bodies]
    across, down = blockers.proportions
    return SightScene(
        other, Blockers(walls, boxes, bodies, blockers.touch_rule, (down, across)), move(eye), heights
    )


def _mapped_wall(wall: Wall, move, is_mirror: bool) -> Wall:
    line = move(wall.line[:2]) + move(wall.line[2:])
    return replace(wall, line=line, one_way=SIDE_MIRRORED[wall.one_way] if is_mirror else wall.one_way)


def _mapped_box(one, move):
    (x1, y1), (x2, y2) = move(one[:2]), move(one[2:])
    return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def _mapped_body(body: Body, move, is_mirror: bool, rows: int) -> Body:
    parts = tuple(tuple(map(move, part))[:: -1 if is_mirror else 1] for part in body.parts)
    parts = tuple(part[-1:] + part[:-1] if len(part) == 4 else part for part in parts)
    blocks = tuple(_mapped_block(block, is_mirror, rows) for block in body.cells)
    return replace(
        body, parts=parts, cells=blocks, seams=tuple(move(s[:2]) + move(s[2:]) for s in body.seams)
    )


def _mapped_block(block, is_mirror: bool, rows: int):
    top, bottom, left, right = block
    return (left, right, top, bottom) if is_mirror else (left, right, rows - 1 - bottom, rows - 1 - top)
