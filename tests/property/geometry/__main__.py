"""`make fuzz-geometry`: the geometry engines against oracles that share no code with them.

Every seed makes one scene of each kind, many of them degenerate. The last line is the verdict, and the status
is 1 if any answer differs: geometry-fuzz: PASS cells=200000 differences=0. A difference names its seed:
`python -m tests.property.geometry --seed SEED --cells 1` runs that scene alone.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import count

from tests.property.geometry import arc_cases, field_cases, gridless_cases, shapely_cases, sight_cases
from tests.property.geometry.engines import ENGINES

CASES = (
    sight_cases.visible_cells,
    sight_cases.cover_lines,
    sight_cases.pairs,
    sight_cases.first_hits,
    sight_cases.clear_lines,
    sight_cases.seen_by_each,
    sight_cases.fields_of_view,
    sight_cases.symmetry,
    sight_cases.turned,
    sight_cases.cover_map_cells,
    sight_cases.blocked_cells,
    field_cases.field_cells,
    field_cases.body_field_cells,
    field_cases.jump_field_cells,
    field_cases.changed_field_cells,
    field_cases.drawn_path_steps,
    arc_cases.arc_cells,
    gridless_cases.gridless_paths,
    gridless_cases.gridless_outlines,
    gridless_cases.gridless_reach,
    gridless_cases.base_contact,
    *([shapely_cases.walls_by_shapely] if shapely_cases.IS_THERE else []),
)
BATCH = 20
SHOWN = 20


def run(first: int, seeds: int = BATCH) -> tuple[int, list[str]]:
    """Run all cases of some seeds. Return the number of answers compared, and the differences."""
    outcomes = [case(seed) for seed in range(first, first + seeds) for case in CASES]
    return sum(cells for cells, _ in outcomes), [line for _, wrong in outcomes for line in wrong]


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz-geometry", description=__doc__)
    parser.add_argument("--cells", type=int, default=200_000, help="the least number of answers to compare")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    names = [*ENGINES, "oracle", *(["shapely"] if shapely_cases.IS_THERE else [])]
    print(f"geometry-fuzz: comparing {', '.join(names)}", flush=True)
    cells, differences = compare(arguments.cells, arguments.seed, arguments.workers)
    for line in differences[:SHOWN]:
        print(line)
    verdict = "FAIL" if differences else "PASS"
    print(f"geometry-fuzz: {verdict} cells={cells} differences={len(differences)}")
    return 1 if differences else 0


def compare(cells: int, seed: int, workers: int) -> tuple[int, list[str]]:
    """Run batches until so many answers have been compared; one scene if `cells` is 1."""
    if cells <= 1:
        return run(seed, 1)
    done, differences, batches = 0, [], count(seed, BATCH)
    with ProcessPoolExecutor(workers) as pool:
        while done < cells and len(differences) < SHOWN:
            for compared, wrong in pool.map(run, [next(batches) for _ in range(4 * workers)]):
                done += compared
                differences += wrong
    return done, differences


if __name__ == "__main__":
    sys.exit(main())
