"""Tables of combinations: what each act does in each state, as tab-separated data beside the tests of a game.

A row has a state, an act, a verdict (legal, refused, or judged for a move) and the rule that it follows from.
`python -m tests.unit.rulesets.combinations GAME` prints the table that the code has now, to compare by eye.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from enfilade.rules.procedures import Act
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene


class Cell(NamedTuple):
    """A cell of a table."""

    state: str
    act: str
    verdict: str
    rule: str


class Combinations(NamedTuple):
    """The states of a game, each with the scene that it makes, and the acts that are tried in each."""

    ruleset: Ruleset
    states: Mapping[str, Callable[[], Scene]]
    acts: Mapping[str, Act]


def verdict_of(ruleset: Ruleset, scene: Scene, act: Act) -> tuple[str, str]:
    """Return the verdict on an act, and the rule that refuses it."""
    if act.kind == "move":
        ruling = ruleset.judge(scene, scene.token(act.token), act.waypoints, act.facing)
        reason = "" if ruling.allowed else ruling.reasons[0]
        return ("legal", "") if ruling.allowed else ("refused", _rule_in(reason))
    refused = refusal(scene, ruleset.acts[act.kind].procedure, act)
    return ("legal", "") if refused is None else ("refused", getattr(refused, "rule", ""))


def _rule_in(reason: str) -> str:
    """Return the ID of the rule at the end of a sentence; "-" if it names none."""
    return reason.rpartition("(")[2].rstrip(").") if reason.endswith((")", ").")) else "-"


def cells(table: Combinations) -> Iterator[Cell]:
    """Yield the cells of a table as the code has them now."""
    for state, make in table.states.items():
        for name, act in table.acts.items():
            yield Cell(state, name, *verdict_of(table.ruleset, make(), act))


def read_table(path: Path) -> list[Cell]:
    """Return the cells of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Cell(*row) for row in csv.reader(file, delimiter="\t")][1:]


def main() -> None:
    module: Any = import_module(f"tests.unit.rulesets.{sys.argv[1]}.test_combinations")
    print("\t".join(Cell._fields))
    for cell in cells(module.TABLE):
        print("\t".join(cell))


if __name__ == "__main__":
    main()
