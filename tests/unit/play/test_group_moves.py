"""A group moves by one act: judged in order, stored as one entry, undone as one, for its own players only."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace
from tests.unit.rulesets.miniatures_combat.scenes import hero, inches, orc, scene, wall, with_token

from enfilade.errors import Forbidden, IllegalAct, NotFound
from enfilade.importers.demo import demo_battle
from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.play.view import view
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM, Seat
from enfilade.store.memory import MemoryStore

RULESETS = load_rulesets(BUILT_IN)
BUILT_IN_KEYS = sorted(RULESETS)
NEW_IDS = itertools.count()
ANNA, BEN = Seat("player", "anna"), Seat("player", "ben")


class Field:
    """A table of Miniatures combat at which a group of three was activated and may move 12 inches."""

    def __init__(self, *more, enforcement="enforce", walls=()):
        heroes = [hero("one", (10, 10)), hero("two", (10, 11.5)), hero("three", (10, 13))]
        board = scene(*heroes, orc("orc", (40, 30)), *more, walls=walls)
        for key, owners in (("one", ("anna",)), ("two", ("anna",)), ("three", ("anna", "ben"))):
            board = with_token(board, key, owners=owners)
        tables = Tables(MemoryStore(), RULESETS, SeededDice(7))
        links = tables.create(replace(board, enforcement=enforcement))
        self.table, _ = tables.enter(links.table, links.gm_key)
        self.store = tables._store
        self.act("activate", "one", members=["two", "three"])
        self.act("roll_movement", "one", dice=2, faces=[6, 6])

    def act(self, kind, token, seat=GM, override="", faces=None, **body):
        act = {"kind": kind, "token": token, "target": "", "body": body}
        raw = {"act": act, "override": override, "faces": faces}
        command = {"v": 1, "id": f"c{next(NEW_IDS)}", "kind": "act", "base": None, "body": raw}
        return self.table.execute(seat, load_command(command))

    def move(self, moves, seat=GM, token="one", override=""):
        members = [key for key, *_ in moves]
        paths = [[inches(*at) for at in path] for _, *path in moves]
        return self.act("move_group", token, seat, override, members=members, paths=paths)

    def at(self, key):
        x, y = self.table.scene.token(key).at
        return x / 64, y / 64

    def entries(self):
        return self.store.entries(self.table.id, 0, 10_000)


EAST = [("one", (14, 10)), ("two", (14, 11.5)), ("three", (14, 13))]


def test_a_group_moves_as_one_entry_and_is_undone_as_one():
    field = Field()
    before, entries = field.table.scene, len(field.entries())
    field.move(EAST, ANNA)
    assert [field.at(key) for key, _ in EAST] == [at for _, at in EAST]
    assert len(field.entries()) == entries + 1
    assert field.entries()[-1].text.count("moves 4 inches") == 3
    assert [field.table.scene.token(key).track("allowance") for key, _ in EAST] == [8 * 64] * 3
    command = {"v": 1, "id": "undo", "kind": "undo", "base": None, "body": {}}
    field.table.execute(GM, load_command(command))
    assert field.table.scene == before


def test_each_member_is_judged_after_those_before_it():
    stays = [("two", (10, 10)), ("three", (10, 11.5))]
    field = Field()
    with pytest.raises(IllegalAct, match=r"Two: One stands there"):
        field.move(stays)
    assert field.at("three") == (10, 13)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_any_order_of_members_is_done_that_can_be_done(order):
    # The second takes the place of the first, so that the first must go first: other orders were refused.
    column = [("one", (10, 8.5)), ("two", (10, 10)), ("three", (10, 11.5))]
    field = Field()
    field.move([column[place] for place in order])
    assert [field.at(key) for key in ("one", "two", "three")] == [(10, 8.5), (10, 10), (10, 11.5)]


def test_an_order_is_found_that_lets_no_member_bar_the_way_of_another():
    # In a lane between walls the last of a column goes nowhere before the others, and none may stop halfway.
    lane = [wall("w", 9.5, 0, 9.5, 30), wall("v", 10.5, 0, 10.5, 30)]
    field = Field(walls=lane)
    field.move([("three", (10, 7)), ("two", (10, 5.5)), ("one", (10, 4))])
    assert [field.at(key)[1] for key in ("one", "two", "three")] == [4, 5.5, 7]


def test_an_illegal_member_stops_the_whole_group():
    field = Field(walls=[wall("w", 12, 12.5, 12, 20)])
    before = field.table.scene
    with pytest.raises(IllegalAct, match=r"Three: "):
        field.move([*EAST[:2], ("three", (23, 13))], ANNA)
    assert field.table.scene == before


def test_a_member_may_go_around_by_its_own_path():
    field = Field(walls=[wall("w", 12, 12.5, 12, 16)])
    with pytest.raises(IllegalAct):
        field.move([*EAST[:2], ("three", (11, 13), (14, 13))])
    field.move([*EAST[:2], ("three", (11, 17), (13, 17), (14, 13))])
    assert field.at("three") == (14, 13)
    assert field.table.scene.token("three").track("allowance") < 4 * 64


def test_a_player_moves_own_members_only():
    field = Field()
    with pytest.raises(Forbidden):
        field.move(EAST, BEN, token="three")
    with pytest.raises(Forbidden):
        field.move(EAST, BEN)
    field.move([EAST[2]], BEN, token="three")
    assert field.at("three") == (14, 13)


def test_a_player_does_not_learn_of_a_hidden_member():
    hidden = replace(hero("ghost", (10, 14.5)), hidden=True)
    field = Field(hidden)
    refusals = []
    for key in ("ghost", "nobody"):
        with pytest.raises(NotFound) as refused:
            field.move([*EAST, (key, (14, 14.5))], ANNA)
        refusals.append(refused.value.sentence.replace(key, "-"))
    assert refusals[0] == refusals[1]


def test_a_hidden_enemy_in_the_way_is_not_named():
    field = Field(replace(orc("lurker", (14, 10)), hidden=True))
    before = field.table.scene
    with pytest.raises(IllegalAct) as refused:
        field.move(EAST, ANNA)
    assert "Lurker" not in refused.value.sentence
    assert "on another" not in refused.value.sentence
    assert field.table.scene == before


@pytest.mark.parametrize("enforcement", ["advise", "warn"])
def test_what_a_group_pays_does_not_betray_a_hidden_enemy(enforcement):
    empty, trapped = (
        Field(enforcement=enforcement),
        Field(replace(orc("lurker", (12.6, 10)), hidden=True), enforcement=enforcement),
    )
    results = [field.move(EAST, ANNA).result for field in (empty, trapped)]
    assert results[0] == results[1]
    seen = [view(field.table.scene, ANNA).tokens for field in (empty, trapped)]
    assert seen[0] == seen[1]
    texts = [field.entries()[-1].plain or field.entries()[-1].text for field in (empty, trapped)]
    assert getattr(texts[0], "text", texts[0]) == getattr(texts[1], "text", texts[1])


def test_a_table_that_advises_records_an_illegal_member():
    field = Field(enforcement="advise")
    field.move([*EAST[:2], ("three", (30, 13))])
    assert field.at("three") == (30, 13)
    assert "against the rules" in field.entries()[-1].text


def test_the_gm_overrides_with_a_reason():
    field = Field()
    field.move([*EAST[:2], ("three", (30, 13))], override="A gust of wind")
    assert field.at("three") == (30, 13)
    assert "A gust of wind" in field.entries()[-1].text


@pytest.mark.parametrize(
    "moves",
    [
        [],
        [EAST[0], EAST[0]],
        [("one", (-1, 5))],
        [("one", (61, 5))],
    ],
)
def test_a_senseless_group_move_is_refused(moves):
    with pytest.raises(IllegalAct):
        Field().move(moves)


def test_a_path_for_each_member_is_needed():
    with pytest.raises(IllegalAct):
        Field().act("move_group", "one", members=["one", "two"], paths=[[inches(14, 10)]])


def test_a_player_names_own_models_only_as_members_of_any_act():
    field = Field()
    field.act("end", "one")
    field.act("activate", "orc")
    field.act("end", "orc")
    with pytest.raises(Forbidden):
        field.act("activate", "three", BEN, members=["two"])
    with pytest.raises(Forbidden):
        field.act("activate", "three", BEN, members=["two"], shifts=[["two", *inches(10, 12)]])
    field.act("activate", "three", BEN)


@pytest.mark.parametrize("key", BUILT_IN_KEYS)
def test_every_game_moves_picked_tokens_as_one_entry_and_undoes_them_as_one(key):
    battle = demo_battle(RULESETS[key]).scene
    tables = Tables(MemoryStore(), RULESETS, SeededDice(7))
    links = tables.create(replace(battle, enforcement="advise"))
    table, _ = tables.enter(links.table, links.gm_key)
    before = table.scene
    pair = [token for token in before.tokens if token.at is not None][:2]
    unit = 64 if before.grid.kind == "gridless" else 1
    paths = [[[token.at[0], token.at[1] + unit]] for token in pair]
    body = {"members": [token.id for token in pair], "paths": paths}
    act = {"kind": "move_group", "token": pair[0].id, "target": "", "body": body}

    def send(kind, body):
        command = {"v": 1, "id": f"c{next(NEW_IDS)}", "kind": kind, "base": None, "body": body}
        return table.execute(GM, load_command(command))

    send("act", {"act": act, "override": "", "faces": None})
    assert [list(table.scene.token(token.id).at) for token in pair] == [path[-1] for path in paths]
    entries = tables._store.entries(table.id, 0, 100)
    assert all(token.name in entries[-1].text for token in pair)
    send("undo", {})
    assert table.scene == before
