"""The cost of a path, leg by leg: as the rules judge it, from a seat's view."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.unit.play.duel import SCENE, Duel

from enfilade.errors import BadMessage, NotFound
from enfilade.importers.demo import demo_battle
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Seat, Token
from enfilade.tactics.paths import path_cost

RULESETS = load_rulesets(BUILT_IN)
MIA = Seat("player", "mia")
OWNED = replace(SCENE, tokens=tuple(replace(one, owners=("mia",)) for one in SCENE.tokens))


def reached(ruleset, scene, token):
    reach = ruleset.reach(scene, token)
    return [(column, row) for column, row, _ in reach.cells if (column, row) != token.at] if reach else []


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_the_legs_add_up_to_the_ruling_on_the_whole_path(key):
    ruleset, count = RULESETS[key], 0
    scene = demo_battle(ruleset).scene
    for token in scene.on_board():
        for end in reached(ruleset, scene, token)[:40:3]:
            for between in reached(ruleset, scene, token)[:20:5]:
                found = path_cost(ruleset, scene, token.id, (between, end), 3)
                whole = ruleset.judge(scene, token, (between, end), token.facing)
                assert (found.ruling, found.seq, len(found.costs)) == (whole, 3, 2)
                if None not in found.costs:
                    assert sum(found.costs) == whole.cost
                    count += 1
    assert count or scene.grid.kind == "gridless"


def test_a_leg_costs_more_by_a_detour():
    duel = Duel(scene=OWNED)
    straight = duel.table.path_cost(MIA, "ann", [(1, 2)])
    detour = duel.table.path_cost(MIA, "ann", [(2, 1), (2, 2), (1, 2)])
    assert straight.costs == (straight.ruling.cost,)
    assert len(detour.costs) == 3
    assert detour.ruling.cost > straight.ruling.cost


def test_a_hidden_token_on_the_path_changes_nothing_for_a_player():
    spy = Token(id="spy2", name="Spy", side="red", at=(2, 1), hidden=True)
    without, within = Duel(scene=OWNED), Duel(scene=replace(OWNED, tokens=(*OWNED.tokens, spy)))
    path = [(2, 1), (3, 1)]
    assert within.table.path_cost(MIA, "ann", path) == without.table.path_cost(MIA, "ann", path)


def test_a_path_off_the_board_or_without_a_cell_is_refused():
    for path in ([(1, 1), (99, 1)], []):
        with pytest.raises(BadMessage):
            Duel(scene=OWNED).table.path_cost(MIA, "ann", path)
    with pytest.raises(NotFound):
        Duel(scene=OWNED).table.path_cost(MIA, "nobody", [(1, 1)])


def test_the_answer_has_the_published_shape():
    duel = Duel(scene=OWNED)
    asked = duel.do("path.ask", seat=MIA, token="ann", path=[[2, 1], [2, 2]])
    assert not differences("path", asked.result)
