"""Permissions and order of commands at a table, and the updates that each seat gets."""

from __future__ import annotations

from operator import attrgetter

import msgspec
import pytest
from msgspec.structs import replace
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE, Duel

from enfilade.errors import BadMessage, Forbidden, IdReused, IllegalAct, NotFound, StaleBase
from enfilade.messages.acts import MAX_WAYPOINTS
from enfilade.play import commit
from enfilade.play.command import History
from enfilade.play.commit import Commit, Listener, next_state, system_entry
from enfilade.play.setup import prepare_scene
from enfilade.play.view import view
from enfilade.scene.apply import fold_all
from enfilade.scene.model import GM, SPECTATOR, Grid, Scene, Side, Terrain, Wall


def unchanged(duel, refused, log_text, act):
    was = (duel.table.seq, duel.table.scene, len(duel.entries()))
    with pytest.raises(refused, match=log_text) as problem:
        act()
    assert (duel.table.seq, duel.table.scene, len(duel.entries())) == was
    return problem.value


def test_an_act_leaves_one_entry_with_its_dice_and_words(duel):
    done = duel.strike(faces=[6])
    assert (done.seq, done.result["outcome"]["result"]) == (1, "hit")
    assert done.entry.text == "Ann strikes at Orc: hit."
    assert done.entry.facts["rolls"] == [{"label": "strike", "die": "d6", "faces": [6], "typed": True}]
    assert duel.table.scene.token("orc").tracks == {"hp": 1}


def test_the_tables_own_dice_are_rolled_where_none_are_typed(duel):
    duel.do(
        "sides.set", sides=[{"id": s, "name": s, "conditions": {"automatic": ""}} for s in ("blue", "red")]
    )
    rolls = duel.strike().entry.facts["rolls"]
    assert not any(roll["typed"] for roll in rolls)


def test_the_same_command_again_gets_the_same_answer_and_is_done_once(duel):
    first = duel.strike(faces=[6], command_id="once")
    again = duel.strike(faces=[6], command_id="once")
    assert (again.seq, again.result, again.entry) == (first.seq, first.result, None)
    assert len(duel.entries()) == 1


def test_a_command_id_does_not_serve_twice(duel):
    duel.strike(faces=[6], command_id="once")
    unchanged(duel, IdReused, "another command", lambda: duel.strike(faces=[5], command_id="once"))


def test_a_refused_command_may_come_again_with_its_id(duel):
    unchanged(duel, IllegalAct, "Ann is not an enemy", lambda: duel.strike(target="ann", command_id="c"))
    assert duel.do("door.set", wall="door", state="open", command_id="c").seq == 1


def test_a_stale_command_is_refused(duel):
    duel.strike(faces=[6], base=0)
    problem = unchanged(duel, StaleBase, "has changed", lambda: duel.strike(faces=[6], base=0))
    assert (problem.current, problem.retryable) == (1, True)


def test_a_spectator_may_look_and_not_act(duel):
    unchanged(duel, Forbidden, "Only the GM", lambda: duel.strike(seat=SPECTATOR, faces=[6]))
    act = {"kind": "strike", "token": "ann", "target": "orc"}
    assert duel.do("act.preview", seat=SPECTATOR, act=act).result["chance"] == (3, 4)


def test_the_wrong_side_a_wrong_target_and_an_unknown_act_are_refused_with_the_rule(duel):
    wrong = unchanged(duel, IllegalAct, "Not Red's turn", lambda: duel.strike("orc", "ann", faces=[6]))
    assert (wrong.code, wrong.rule) == ("not-your-turn", "FBL-001")
    far = unchanged(duel, IllegalAct, "not adjacent", lambda: duel.strike(target="spy", faces=[6]))
    assert (far.code, far.rule) == ("out-of-reach", "FBL-003")
    unchanged(duel, NotFound, "no act 'dance'", lambda: duel.do("act", act={"kind": "dance", "token": "ann"}))
    unchanged(duel, NotFound, "no token 'ghost'", lambda: duel.strike(target="ghost"))


def test_a_kind_that_no_table_does_is_refused(duel):
    unchanged(duel, NotFound, "does not execute", lambda: duel.do("overlay.show", token="ann"))


def test_the_log_replays_to_the_scene_without_ruleset_or_dice(duel):
    duel.strike(faces=[6])
    duel.do("token.move", token="orc", at=[4, 4])
    duel.do("door.set", wall="door", state="open")
    duel.do("rules.set", house_rules={"fbl.second_chance": False}, enforcement="enforce")
    duel.do("token.remove", token="spy")
    duel.do("undo")
    assert duel.replayed() == duel.table.scene


def test_undo_takes_back_entry_by_entry_to_the_first_scene(duel):
    duel.strike(faces=[6])
    duel.do("token.move", token="orc", at=[4, 4], facing=90)
    duel.do("token.remove", token="ann")
    texts = [duel.do("undo").entry.text for _ in range(3)]
    assert texts == [
        "Undone: Ann leaves the battle.",
        "Undone: Orc moves.",
        "Undone: Ann strikes at Orc: hit.",
    ]
    assert duel.table.scene == duel.first
    unchanged(duel, IllegalAct, "the start of the battle", lambda: duel.do("undo"))


def test_undo_says_that_older_entries_are_beyond_it(duel, monkeypatch):
    # It said that this is the start of the battle, with the entries of a hundred changes before it.
    monkeypatch.setattr(commit, "UNDO_DEPTH", 2)
    for at in ([1, 1], [1, 2], [1, 3]):
        duel.do("token.move", token="orc", at=at)
    for _ in range(2):
        duel.do("undo")
    unchanged(duel, IllegalAct, "Older entries of this battle are beyond it", lambda: duel.do("undo"))
    assert duel.table.scene.token("orc").at == (1, 1)
    duel.do("redo")
    assert duel.do("undo").entry.undoes


def test_redo_repeats_what_was_undone_entry_by_entry(duel):
    duel.strike(faces=[6])
    duel.do("token.move", token="orc", at=[4, 4], facing=90)
    last = duel.table.scene
    duel.do("undo")
    duel.do("undo")
    assert [duel.do("redo").entry.text for _ in range(2)] == [
        "Redone: Ann strikes at Orc: hit.",
        "Redone: Orc moves.",
    ]
    assert duel.table.scene == last == duel.replayed()
    unchanged(duel, IllegalAct, "nothing to redo", lambda: duel.do("redo"))
    assert [duel.do("undo").entry.text for _ in range(2)][1] == "Undone: Ann strikes at Orc: hit."
    assert duel.table.scene == duel.first


def test_a_change_after_an_undo_ends_what_can_be_redone(duel):
    duel.strike(faces=[6])
    duel.do("undo")
    assert duel.table.snapshot(GM).history == History(undo=None, redo=1, first=None)
    duel.do("door.set", wall="door", state="open")
    assert duel.table.snapshot(GM).history == History(undo=3, redo=None, first=3)
    unchanged(duel, IllegalAct, "nothing to redo", lambda: duel.do("redo"))
    assert duel.table.snapshot(SPECTATOR).history is None


def test_undo_restores_a_replaced_battle_but_not_the_empty_board_before_a_battle(duel):
    battle = msgspec.to_builtins(duel.table.scene)
    duel.do("scene.set", scene={**battle, "tokens": []})
    duel.do("undo")
    assert duel.table.scene == duel.first
    duel.do("redo")
    duel.do("scene.set", scene=battle)
    unchanged(duel, IllegalAct, "the start of the battle", lambda: duel.do("undo"))


def test_a_note_is_read_by_all_seats_and_a_secret_one_by_the_gm(duel):
    duel.do("note", text="Rain begins.")
    duel.do("note", text="The spy is a wizard.", secret=True)
    assert [entry.text for entry in duel.table.snapshot(GM).log] == [
        "Note: Rain begins.",
        "Note: The spy is a wizard.",
    ]
    assert [entry.text for entry in duel.table.snapshot(SPECTATOR).log] == ["Note: Rain begins."]
    unchanged(duel, IllegalAct, "the start of the battle", lambda: duel.do("undo"))


def test_only_the_last_entry_that_stands_can_be_taken_back(duel):
    duel.strike(faces=[6])
    duel.do("door.set", wall="door", state="open")
    unchanged(duel, IllegalAct, "only the last entry", lambda: duel.do("undo", seq=1))
    assert duel.do("undo", seq=2).entry.undoes == 2
    assert duel.do("undo", seq=1).entry.undoes == 1


def test_a_spectators_entries_lead_from_its_first_view_to_its_last(duel):
    seen = view(duel.table.scene, SPECTATOR)
    duel.strike(faces=[6])
    duel.do("token.move", token="spy", at=[5, 5])
    duel.do("token.place", token={"id": "spy", "name": "Silent Sam", "side": "red", "at": [5, 5]})
    duel.do("token.move", token="ann", at=[0, 0])
    entries = duel.table.entries_after(SPECTATOR, 0).entries
    assert entries[1].text == ""
    assert [entry.seq for entry in entries] == [1, 2, 3, 4]
    for entry in entries:
        seen = fold_all(seen, entry.events)
    assert seen == view(duel.table.scene, SPECTATOR)


def test_units_that_two_game_masters_place_at_the_same_time_are_both_there(duel):
    before = duel.table.scene.token("ann")
    new = {"id": "orc-1", "name": "Orc 1", "side": "red"}
    for at in ([0, 0], [1, 0], [2, 0]):
        duel.do("token.place", token={**new, "at": at}, is_new=True)
    duel.do("token.place", token={**new, "id": "ann", "at": [3, 0]}, is_new=True)
    placed = {token.id: (token.name, token.at) for token in duel.table.scene.tokens}
    assert placed["orc-1"] == ("Orc 1", (0, 0))
    assert placed["orc-2"] == ("Orc 2", (1, 0))
    assert placed["orc-3"] == ("Orc 3", (2, 0))
    assert placed["ann-4"] == ("Orc 4", (3, 0))
    assert duel.table.scene.token("ann") == before


def test_a_client_too_far_behind_or_ahead_gets_no_entries(duel):
    assert duel.table.entries_after(GM, 1) is None
    assert duel.table.entries_after(GM, -1) is None
    for n in range(301):
        duel.do("door.set", wall="door", state=("open", "closed")[n % 2])
    assert duel.table.entries_after(GM, 0) is None
    assert len(duel.table.entries_after(GM, 1).entries) == 300


def test_a_table_that_another_process_has_moved_on_catches_up(duel):
    other = Duel(duel.store)
    other.links = duel.links
    other.enter()
    other.strike(faces=[6])
    unchanged_row = duel.store.load(duel.table.id)
    with pytest.raises(StaleBase) as problem:
        duel.strike(faces=[6])
    assert duel.store.load(duel.table.id) == unchanged_row
    assert problem.value.current == duel.table.seq == 1
    assert duel.do("door.set", wall="door", state="open").seq == 2


def test_a_scene_that_does_not_fit_is_refused_with_every_place(duel):
    tokens = [
        {"id": "x", "name": "X", "side": "green", "at": [99, 0]},
        {"id": "x", "name": "X", "side": "blue", "profile": {"speed": 99}},
    ]
    scene = {"version": 1, "ruleset": "first_blood", "grid": {"kind": "square", "columns": 5, "rows": 5}}
    problem = unchanged(
        duel, BadMessage, "off the board", lambda: duel.do("scene.set", scene={**scene, "tokens": tokens})
    )
    assert set(problem.fields) == {
        "tokens[0].side",
        "tokens[0].at",
        "tokens[1].id",
        "tokens[1].profile.speed",
    }


def test_sides_that_have_miniatures_stay(duel):
    unchanged(duel, BadMessage, "red", lambda: duel.do("sides.set", sides=[{"id": "blue", "name": "B"}]))
    twice = [{"id": side, "name": side} for side in ("blue", "red", "red")]
    unchanged(duel, BadMessage, "twice", lambda: duel.do("sides.set", sides=twice))


def test_a_house_rule_that_does_not_exist_or_has_no_such_option_is_refused(duel):
    chosen = {"fbl.second_chance": 1, "fbl.luck": True}
    problem = unchanged(
        duel,
        BadMessage,
        "no such house rule",
        lambda: duel.do("rules.set", house_rules=chosen, enforcement="warn"),
    )
    assert set(problem.fields) == {"house_rules.fbl.second_chance", "house_rules.fbl.luck"}


def test_a_wall_is_not_opened(duel):
    unchanged(duel, IllegalAct, "not a door", lambda: duel.do("door.set", wall="wall", state="open"))


def test_a_wrong_key_and_an_absent_table_look_the_same(duel):
    tables = duel._tables()
    for table, key in ((duel.links.table, "guess"), ("nowhere", duel.links.gm_key)):
        with pytest.raises(Forbidden, match="does not open a table"):
            tables.enter(table, key)
    assert tables.enter(duel.links.table, duel.links.spectator_key)[1] == SPECTATOR


def test_a_scene_without_sides_gets_two():
    bare = Scene(ruleset="first_blood", grid=Grid("square", 3, 3))
    assert [side.name for side in Duel(scene=bare).table.scene.sides] == ["Blue", "Red"]
    assert Duel(scene=SCENE).table.scene.sides == (Side(id="blue", name="Blue"), Side(id="red", name="Red"))


def test_a_scene_has_no_more_terrain_than_the_largest_board_has_cells():
    cells = ((0, 0),) * 125_001
    patches = (Terrain("a", "A", cells), Terrain("b", "B", cells))
    scene = Scene(ruleset=FIRST_BLOOD.key, grid=Grid("square", 4, 4), terrain=patches)
    with pytest.raises(BadMessage, match="250,000 cells"):
        prepare_scene(FIRST_BLOOD, scene)


def test_a_wall_that_is_there_twice_is_named_even_among_thousands():
    walls = [Wall(f"w{number}", (0, 0, 64, 64)) for number in range(10_000)]
    scene = Scene(ruleset=FIRST_BLOOD.key, grid=Grid("square", 4, 4), walls=(*walls, walls[7]))
    with pytest.raises(BadMessage) as refusal:
        prepare_scene(FIRST_BLOOD, scene)
    assert list(refusal.value.fields) == ["walls[10000].id"]


def test_a_hidden_token_that_is_removed_leaves_no_note_behind_that_tells_of_it():
    noted = {"watched by": "spy"}
    tokens = tuple(replace(t, conditions=noted) if t.id == "ann" else t for t in SCENE.tokens)
    sides = tuple(replace(side, conditions={"led by": "spy"}) for side in SCENE.sides)
    conditions = {"active": "spy", "hour": "dawn"}
    duel = Duel(scene=replace(SCENE, tokens=tokens, sides=sides, conditions=conditions))
    seen, before = duel.table.snapshot(SPECTATOR).scene, duel.table.scene
    duel.do("token.remove", token="spy")
    assert duel.table.snapshot(SPECTATOR).scene == seen
    assert "spy" not in repr(duel.table.scene)
    duel.do("undo")
    assert duel.table.scene == before


@pytest.mark.parametrize("state", ["closed", "locked"])
def test_a_closed_secret_door_stays_with_the_gm(state):
    walls = tuple(replace(wall, door="secret") for wall in SCENE.walls)
    duel = Duel(scene=replace(SCENE, walls=walls))
    duel.do("door.set", wall="door", state=state)
    duel.do("undo")
    assert "door" not in repr([entry.text for entry in duel.table.snapshot(SPECTATOR).log])
    duel.do("door.set", wall="door", state="open")
    assert duel.table.snapshot(SPECTATOR).log[-1].text == "A door is opened."


def test_a_move_may_name_its_waypoints(duel):
    moved = duel.do("token.move", token="orc", at=[4, 4], path=[[3, 4], [4, 4]])
    assert duel.table.scene.token("orc").at == (4, 4)
    assert moved.result["ruling"]["budget"] >= 0


@pytest.mark.parametrize("path", [[[3, 4]], [[4, 4], [3, 4]], [[9, 9], [4, 4]]])
def test_a_path_that_ends_elsewhere_or_leaves_the_board_is_refused(duel, path):
    with pytest.raises(BadMessage) as refused:
        duel.do("token.move", token="orc", at=[4, 4], path=path)
    assert list(refused.value.fields) == ["body.path"]
    assert duel.table.scene.token("orc").at == (3, 3)


def test_a_path_with_too_many_waypoints_is_refused(duel):
    with pytest.raises(BadMessage):
        duel.do("token.move", token="orc", at=[4, 4], path=[[4, 4]] * (MAX_WAYPOINTS + 1))


class Heard:
    """A listener that keeps what it is called with, and may want something stored."""

    def __init__(self, table):
        self.commits = []
        table.listen(Listener(attrgetter("scene.tracks", "seq"), self.call))

    def call(self, commit):
        self.commits.append((commit.before.seq, commit.after.seq))
        if commit.after.seq == 2:
            entry = system_entry(commit.after, "test.noted", "It was noted.")
            return Commit(commit.after, next_state(commit.after, entry), entry)
        return None


def test_a_listener_is_called_after_each_commit_that_changes_what_it_watches_its_own_included(duel):
    heard = Heard(duel.table)
    duel.do("act.preview", act={"kind": "strike", "token": "ann", "target": "orc"})
    duel.strike(faces=[6])
    duel.do("door.set", wall="door", state="open")
    assert heard.commits == [(0, 1), (1, 2), (2, 3)]
    assert [entry.kind for entry in duel.entries()] == ["act", "door.set", "test.noted"]


def test_a_listener_is_not_called_for_a_refused_command(duel):
    heard = Heard(duel.table)
    with pytest.raises(IllegalAct):
        duel.strike(target="ann")
    assert heard.commits == []
