"""Back to where its turn began: one unit's moves are taken back, and the acts of others stay."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import KIT, MIA, WRAITH, SecretsTable, with_hidden

from enfilade.errors import Forbidden, IllegalAct, NotFound
from enfilade.scene.model import GM, Fog


@pytest.fixture
def game():
    return SecretsTable()


def at(game, token="bran"):
    return game.table.scene.token(token).at


def back(game, seat=MIA, token="bran"):
    return game.do("token.back", seat=seat, token=token)


def test_all_moves_of_a_unit_are_taken_back_and_the_moves_of_others_stay(game):
    game.move([2, 3])
    game.do("token.move", seat=GM, token="orc-3", at=[6, 6])
    game.move([2, 5])
    before = game.table.scene.token("orc-3")
    back(game)
    assert at(game) == (2, 2)
    assert game.table.scene.token("orc-3") == before
    assert game.log_text(GM) == "Bran is back where its turn began."
    game.do("undo", seat=GM)
    assert at(game) == (2, 5)


def test_what_the_moves_cost_comes_back(game):
    before = game.table.scene.token("bran")
    game.do("act", seat=GM, act={"kind": "round"}, faces=[6, 1])
    game.do("act", seat=GM, act={"kind": "activate", "token": "bran"})
    active = game.table.scene.token("bran")
    assert active != before
    game.move([2, 4])
    game.move([2, 6])
    back(game)
    assert game.table.scene.token("bran") == active
    with pytest.raises(IllegalAct, match="no move to take back"):
        back(game)


def test_after_a_roll_nothing_before_it_is_taken_back(game):
    game.do("act", seat=GM, act={"kind": "round"}, faces=[6, 1])
    game.do("act", seat=GM, act={"kind": "activate", "token": "bran"})
    game.move([2, 3])
    game.move([2, 2])
    game.do(
        "act",
        seat=GM,
        act={"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"},
        faces=[1],
        override="test",
    )
    with pytest.raises(IllegalAct, match="no move to take back"):
        back(game)
    game.move([1, 1])
    back(game)
    assert at(game) == (2, 2)


def test_an_edit_of_the_unit_and_a_unit_in_its_place_end_it(game):
    game.move([2, 5])
    game.do("token.move", seat=GM, token="orc-3", at=[2, 2])
    with pytest.raises(IllegalAct, match="another unit stands there"):
        back(game)
    game.do("token.move", seat=GM, token="orc-3", at=[7, 7])
    bran = {"id": "bran", "name": "Bran", "side": "blue", "at": [3, 3], "profile": {}}
    game.do("token.place", seat=GM, token={**bran, "profile": game.table.scene.token("bran").profile})
    game.move([3, 5])
    back(game)
    assert at(game) == (3, 3)


def test_only_its_player_and_the_gm_may_and_what_was_seen_stays_seen():
    game = SecretsTable(replace(WRAITH, at=(9, 6)))
    with pytest.raises(Forbidden):
        back(game, seat=KIT)
    with pytest.raises(NotFound):
        back(game, seat=MIA, token="wraith")
    scene = with_hidden(())
    fog = Fog(cells=tuple((row, 0, 11) for row in range(8)), by_sight=True)
    lit = SecretsTable(scene=replace(scene, fog=fog))
    lit.move([2, 5])
    left = lit.table.scene.fog
    assert left != fog
    back(lit)
    assert lit.table.scene.fog == left


def test_of_a_hidden_unit_that_goes_back_others_learn_nothing():
    game = SecretsTable(replace(WRAITH, at=(9, 6)))
    game.do("token.move", seat=KIT, token="wraith", at=[9, 4])
    seq = game.table.number(MIA)
    back(game, seat=KIT, token="wraith")
    assert at(game, "wraith") == (9, 6)
    assert game.table.number(MIA) == seq
