"""The tests that walk the tables of combinations of a game: its test_combinations.py makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.unit.rulesets.combinations import (
    Combinations,
    cells,
    played,
    read_table,
    rulings_of,
    scene_of,
    tables_of,
)


def _states(game: str) -> Iterator[tuple[str, str]]:
    for name, table in tables_of(game).items():
        yield from ((name, state) for state in table.states)


def walks_of(game: str) -> tuple[Callable[..., None], ...]:
    """Return the tests of a game's tables."""
    tables, states = tables_of(game), list(_states(game))

    def of_state(name: str, state: str) -> Combinations:
        return tables[name]._replace(states={state: tables[name].states[state]})

    @pytest.mark.parametrize(("name", "state"), states)
    def test_each_act_has_the_verdict_of_its_cell(name: str, state: str) -> None:
        made = list(cells(of_state(name, state)))
        known = [cell for cell in read_table(game, name) if cell.state == state]
        assert made == [cell._replace(follows="") for cell in known]

    @pytest.mark.parametrize(("name", "state"), states)
    def test_each_act_that_is_not_refused_leaves_a_whole_state(name: str, state: str) -> None:
        table = of_state(name, state)
        for cell in read_table(game, name):
            if cell.state == state and cell.verdict != "refused":
                scene, act = scene_of(table.states[state](), table.acts[cell.act])
                before = table.ruleset.contradictions(scene).keys()
                for done in played(table.ruleset, scene, act):
                    assert not table.ruleset.contradictions(done.scene).keys() - before, cell

    @pytest.mark.parametrize("name", tables)
    def test_each_cell_follows_from_a_rule_or_a_ruling_of_the_page(name: str) -> None:
        table, known = tables[name], read_table(game, name)
        assert [cell[:2] for cell in known] == [(s, act) for s in table.states for act in table.acts]
        assert {cell.follows for cell in known} <= rulings_of(table.ruleset)
        assert all((cell.verdict == "refused") == (cell.rule not in ("", "-")) for cell in known)

    return (
        test_each_act_has_the_verdict_of_its_cell,
        test_each_act_that_is_not_refused_leaves_a_whole_state,
        test_each_cell_follows_from_a_rule_or_a_ruling_of_the_page,
    )
