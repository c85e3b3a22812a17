"""Print a table of combinations as the code has it now, or the number of cells of all games.

`python -m tests.unit.rulesets.print_combinations GAME TABLE`. A cell whose verdict is new follows from the
rule of its refusal, or from `?`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from tests.unit.rulesets.combinations import GAMES, Cell, cells, is_rule, read_table, tables_of


def with_sources(made: Sequence[Cell], known: Sequence[Cell]) -> Iterator[Cell]:
    """Yield cells with what they follow from, as the file has it where the verdict is the same."""
    sources = {cell[:4]: cell.follows for cell in known}
    for cell in made:
        yield cell._replace(follows=sources.get(cell[:4], cell.rule or "?"))


def main() -> None:
    """Print a table as it is now, or the number of cells of all games."""
    if len(sys.argv) > 2:
        game, name = sys.argv[1:3]
        print("\t".join(Cell._fields))
        for cell in with_sources(list(cells(tables_of(game)[name])), read_table(game, name)):
            print("\t".join(cell))
        return
    for game in GAMES:
        found = [cell for name in tables_of(game) for cell in read_table(game, name)]
        by_rule = sum(is_rule(cell.follows) for cell in found)
        print(
            f"{game}: {len(found)} cells, {by_rule} follow from a rule, {len(found) - by_rule} from a ruling"
        )


if __name__ == "__main__":
    main()
