"""Fog of war: nothing in it reaches a player or a spectator, and the units of players lift it by sight."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import KIT, MIA, SecretsTable, with_hidden

from enfilade.errors import BadMessage, Forbidden, NotFound
from enfilade.geometry.board.mask import Mask
from enfilade.play.changes import scene_changes
from enfilade.play.hidden_map import cell_at, fog_mask, seen_from
from enfilade.play.view import view
from enfilade.rules.kit.board import board_on
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.model import GM, SPECTATOR, Drawing, Fog, Grid, Scene, Terrain, Token, Wall

EVERYWHERE = [[row, 0, 11] for row in range(8)]
MIDDLE = Wall(id="mid", line=(384, 0, 384, 512))
"""A wall between columns 5 and 6, over the whole height of the board."""
HALL = Wall(id="hall", line=(384, 192, 768, 192))


def foggy(**changes):
    """The example scene with Mia's Bran at the left and Orc 3 at the right, and fog over the right half."""
    bran, orc = with_hidden(()).tokens
    fog = Fog(cells=tuple((row, 6, 11) for row in range(8)))
    tokens = (replace(bran, at=(1, 2)), replace(orc, at=(9, 2)))
    base = replace(with_hidden(()), tokens=tokens, walls=(), terrain=(), fog=fog)
    return replace(base, **changes)


def table(**changes):
    return SecretsTable(scene=foggy(**changes))


def everything_sent(at, seat, since=0):
    """All bytes that a seat gets: the snapshot and each entry."""
    parts = [at.table.snapshot(seat), at.table.entries_after(seat, since)]
    return msgspec.json.encode(parts).decode()


@pytest.mark.parametrize("seat", [MIA, KIT, SPECTATOR])
def test_a_unit_in_the_fog_is_in_nothing_that_a_seat_gets(seat):
    at = table()
    at.do("token.move", seat=GM, token="orc-3", at=[9, 4])
    at.do("token.move", seat=GM, token="orc-3", at=[10, 5])
    sent = everything_sent(at, seat)
    assert "orc-3" not in sent
    assert "Orc 3" not in sent
    assert "orc-3" in everything_sent(at, GM)


def test_a_unit_that_leaves_the_fog_is_there_and_one_that_enters_it_is_gone():
    at = table()
    at.do("token.move", seat=GM, token="orc-3", at=[5, 2])
    (placed,) = at.entry(MIA).events
    assert (placed.token.id, placed.was) == ("orc-3", None)
    at.do("token.move", seat=GM, token="orc-3", at=[7, 2])
    (gone,) = at.entry(MIA).events
    assert gone.was.at == (5, 2)
    assert "[7,2]" not in msgspec.json.encode(at.entry(MIA)).decode()


def test_a_unit_partly_out_of_the_fog_is_seen_and_units_of_players_always():
    bran, orc = foggy().tokens
    wide = replace(orc, at=(5, 2), size=(2, 2))
    assert len(view(foggy(tokens=(bran, wide)), SPECTATOR).tokens) == 2
    lost = replace(bran, at=(9, 6))
    seen = view(foggy(tokens=(lost, orc)), SPECTATOR).tokens
    assert seen == (lost,)


def test_placing_assigning_and_removing_in_the_fog_is_told_to_the_gm_alone():
    at = table()
    orc = msgspec.to_builtins(at.table.scene.tokens[1])
    at.do("token.place", seat=GM, token={**orc, "id": "troll", "name": "Grom", "at": [8, 1]})
    at.do("token.place", seat=GM, token={**orc, "id": "troll", "name": "Grom", "at": [8, 2]})
    at.do("token.remove", seat=GM, token="troll")
    assert "Grom" not in everything_sent(at, MIA)
    assert "troll" not in everything_sent(at, MIA)


def test_walls_in_the_fog_are_not_sent_and_others_are_cut_where_it_begins():
    scene = foggy(walls=(HALL, replace(HALL, id="long", line=(0, 192, 768, 192)), MIDDLE))
    seen = {wall.id: wall.line for wall in view(scene, SPECTATOR).walls}
    assert seen == {"long": (0, 192, 384, 192), "mid": MIDDLE.line}
    split = replace(scene.fog, cells=((2, 4, 7), (3, 4, 7)))
    pieces = view(replace(scene, fog=split), SPECTATOR).walls
    assert [(wall.id, wall.line) for wall in pieces if wall.id.startswith("long")] == [
        ("long", (0, 192, 256, 192)),
        ("long.2", (512, 192, 768, 192)),
    ]


def test_a_door_is_there_as_a_whole_or_not_at_all_and_moves_of_one_in_the_fog_are_secret():
    inside, edge = (
        replace(HALL, id="in", line=(512, 192, 576, 192), door="door"),
        replace(HALL, id="edge", line=(352, 192, 416, 192), door="door"),
    )
    at = table(walls=(inside, edge))
    assert [wall.line for wall in view(at.table.scene, MIA).walls] == [edge.line]
    seq = at.table.number(MIA)
    at.do("door.set", seat=GM, wall="in", state="open")
    assert at.table.number(MIA) == seq
    at.do("door.set", seat=GM, wall="edge", state="open")
    assert at.log_text(MIA) == "A door is opened."


def test_terrain_has_no_cells_in_the_fog_and_none_is_not_sent():
    mud = Terrain("mud", "Mud", ((5, 1), (6, 1)), cost=2)
    bog = Terrain("bog", "Bog of Grief", ((8, 8),), cost=2)
    scene = foggy(terrain=(mud, replace(bog, cells=((8, 7),))))
    assert [(one.id, one.cells) for one in view(scene, SPECTATOR).terrain] == [("mud", ((5, 1),))]
    assert view(scene, GM) is scene


def test_the_picture_is_sent_only_if_the_gm_allows_it():
    scene = foggy(background="/api/tables/t/assets/a")
    assert view(scene, SPECTATOR).background == ""
    shown = replace(scene, fog=replace(scene.fog, has_picture=True))
    assert view(shown, SPECTATOR).background == scene.background
    assert view(replace(scene, fog=Fog()), SPECTATOR).background == scene.background


def test_a_player_cannot_aim_at_a_unit_in_the_fog():
    at = table()
    with pytest.raises(NotFound):
        at.do("act", seat=MIA, act={"kind": "melee", "token": "bran", "target": "orc-3"})
    assert "orc-3" not in msgspec.json.encode(at.table.overlay(MIA, "bran", None)).decode()


def test_the_gm_covers_lifts_and_clears_and_undo_brings_it_back():
    at = table()
    before = at.table.scene.fog
    at.do("fog.set", seat=GM, cover=[[0, 0, 3]], lift=[[7, 6, 11]])
    assert len(fog_mask(at.table.scene)) == 48 + 4 - 6
    assert at.log_text(MIA) == "The fog of war has changed."
    at.do("fog.set", seat=GM, clear=True)
    assert at.table.scene.fog == Fog()
    assert at.log_text(MIA) == "The fog of war is gone."
    assert "orc-3" in msgspec.json.encode(at.entry(MIA)).decode()
    at.do("undo", seat=GM)
    at.do("undo", seat=GM)
    assert at.table.scene.fog == before
    assert "orc-3" not in msgspec.json.encode(at.table.snapshot(MIA).scene).decode()
    seq = at.table.seq
    at.do("fog.set", seat=GM, cover=[[0, 6, 6]])
    assert at.table.seq == seq


@pytest.mark.parametrize("runs", [[[8, 0, 0]], [[0, 3, 2]], [[0, 0, 12]]])
def test_fog_that_is_not_on_the_board_is_refused_and_only_the_gm_makes_any(runs):
    at = table()
    with pytest.raises(BadMessage, match="board"):
        at.do("fog.set", seat=GM, cover=runs)
    with pytest.raises(Forbidden):
        at.do("fog.set", seat=MIA, clear=True)


def test_units_of_players_lift_the_fog_where_they_see_from_each_place_on_their_way():
    at = table(walls=(replace(MIDDLE, line=(384, 0, 384, 384)),))
    at.do("fog.set", seat=GM, cover=EVERYWHERE, by_sight=True)
    left = fog_mask(at.table.scene)
    assert (1, 2) not in left
    assert (5, 7) not in left
    assert (9, 2) in left
    assert "orc-3" not in msgspec.json.encode(at.table.snapshot(MIA).scene).decode()
    at.do("token.move", seat=GM, token="bran", at=[8, 2], path=[[1, 7], [8, 7], [8, 2]])
    assert (9, 2) not in fog_mask(at.table.scene)
    assert "orc-3" in msgspec.json.encode(at.entry(MIA)).decode()
    at.do("undo", seat=GM)
    assert fog_mask(at.table.scene) == left
    assert "orc-3" not in msgspec.json.encode(at.table.snapshot(MIA).scene).decode()


def test_a_door_that_opens_lets_them_see_and_the_enemies_lift_nothing():
    door = replace(MIDDLE, id="door", line=(384, 128, 384, 192), door="door")
    walls = (
        replace(MIDDLE, line=(384, 0, 384, 128)),
        door,
        replace(MIDDLE, id="b", line=(384, 192, 384, 512)),
    )
    at = table(walls=walls)
    at.do("fog.set", seat=GM, cover=EVERYWHERE, by_sight=True)
    assert (9, 2) in fog_mask(at.table.scene)
    at.do("door.set", seat=GM, wall="door", state="open")
    assert (9, 2) not in fog_mask(at.table.scene)
    assert (9, 7) in fog_mask(at.table.scene)
    at.do("token.move", seat=GM, token="orc-3", at=[9, 7])
    assert (9, 7) in fog_mask(at.table.scene)
    assert "orc-3" not in msgspec.json.encode(at.table.snapshot(MIA).scene).decode()


@pytest.mark.parametrize("kind", ["square", "hex_odd_r", "hex_even_q", "gridless"])
def test_a_unit_sees_past_nothing_that_blocks_and_the_cell_under_a_point_is_found(kind):
    grid = Grid(kind, 12, 8)
    at = (96, 160) if kind == "gridless" else (1, 2)
    token = Token(id="a", name="A", side="s", at=at, owners=("mia",))
    wood = Terrain("wood", "Wood", tuple((4, y) for y in range(8)), blocks_sight=True)
    scene = Scene(ruleset="any", grid=grid, tokens=(token,), terrain=(wood,))
    seen = seen_from(scene, token, at)
    assert (2, 2) in seen
    assert (9, 2) not in seen
    assert len(seen_from(replace(scene, terrain=()), token, at)) == 96
    if kind != "gridless":
        board = board_on(grid)
        assert all(cell_at(grid, board.center(cell)) == cell for cell in Mask.of([(0, 0), (3, 5)], 8))


def test_a_scene_in_a_seats_view_follows_from_the_entries_that_it_gets():
    at = table(walls=(replace(MIDDLE, line=(384, 0, 384, 384)), HALL))
    replica = at.table.snapshot(MIA).scene
    start = at.table.seq
    at.do("fog.set", seat=GM, cover=EVERYWHERE, by_sight=True)
    at.do("token.move", seat=MIA, token="bran", at=[3, 7])
    at.do("draw", seat=GM, drawings=[{"points": [0, 0, 64, 64], "hidden": True}])
    at.do("draw", seat=MIA, drawings=[{"points": [0, 0], "text": "Trap"}])
    at.do("token.move", seat=GM, token="orc-3", at=[7, 7])
    for entry in at.table.entries_after(MIA, start).entries:
        replica = fold_all(replica, entry.events)
    assert replica == at.table.snapshot(MIA).scene


LINE = {"points": [0, 0, 64, 64, 128, 0]}


def drawn(at, seat=GM):
    return [one.id for one in at.table.snapshot(seat).scene.drawings]


def test_a_player_draws_for_all_and_the_gm_for_oneself_too():
    at = SecretsTable()
    at.do("draw", seat=MIA, drawings=[{**LINE, "color": "red"}])
    (line,) = at.table.snapshot(SPECTATOR).scene.drawings
    assert (line.points, line.color, line.by) == ((0, 0, 64, 64, 128, 0), "red", MIA.key)
    at.do("draw", seat=GM, drawings=[{"points": [64, 64], "text": "The ambush is here", "hidden": True}])
    assert len(drawn(at)) == 2
    for seat in (MIA, SPECTATOR):
        assert "ambush" not in everything_sent(at, seat)
        assert len(drawn(at, seat)) == 1
    with pytest.raises(Forbidden):
        at.do("draw", seat=MIA, drawings=[{**LINE, "hidden": True}])
    with pytest.raises(Forbidden):
        at.do("draw", seat=SPECTATOR, drawings=[LINE])


def test_a_text_is_in_the_log_and_undo_takes_a_drawing_back():
    at = SecretsTable()
    at.do("draw", seat=MIA, drawings=[{"points": [64, 64], "text": "Rally here"}])
    assert at.log_text(SPECTATOR) == "On the map: Rally here"
    at.do("undo", seat=GM)
    assert drawn(at) == []


def test_a_player_erases_their_own_and_the_gm_all():
    at = SecretsTable()
    at.do("draw", seat=MIA, drawings=[LINE, LINE])
    at.do("draw", seat=KIT, drawings=[LINE])
    first, second, kits = drawn(at)
    with pytest.raises(NotFound):
        at.do("erase", seat=MIA, drawings=[kits])
    at.do("erase", seat=MIA, drawings=[second])
    assert drawn(at) == [first, kits]
    at.do("erase", seat=MIA)
    assert drawn(at) == [kits]
    at.do("erase", seat=GM)
    assert drawn(at) == []


@pytest.mark.parametrize(
    "wrong",
    [{"points": [0, 0]}, {"points": [0, 0, 1]}, {"points": [0, 0, 1, 1], "text": "two"}, {"points": []}],
)
def test_a_line_of_one_point_and_a_text_of_two_are_refused(wrong):
    with pytest.raises(BadMessage, match="A line has two points"):
        SecretsTable().do("draw", seat=MIA, drawings=[wrong])


def test_a_player_has_50_drawings_at_most_and_a_table_200():
    at = SecretsTable()
    for _ in range(5):
        at.do("draw", seat=MIA, drawings=[LINE] * 10)
    with pytest.raises(Exception, match="too many drawings"):
        at.do("draw", seat=MIA, drawings=[LINE])
    for _ in range(15):
        at.do("draw", seat=GM, drawings=[LINE] * 10)
    with pytest.raises(Exception, match="too many drawings"):
        at.do("draw", seat=GM, drawings=[LINE])


def test_a_drawing_for_a_round_goes_with_the_round():
    at = SecretsTable()
    at.do("act", seat=GM, act={"kind": "round"}, faces=[6, 1])
    at.do("draw", seat=MIA, drawings=[{**LINE, "rounds": 1}, {**LINE, "rounds": 2}, LINE])
    assert [one.round for one in at.table.scene.drawings] == [1, 2, 0]
    at.do("act", seat=GM, act={"kind": "round"}, faces=[6, 1], override="next")
    assert [one.round for one in at.table.scene.drawings] == [2, 0]
    at.do("undo", seat=GM)
    assert len(drawn(at)) == 3


def test_events_of_drawings_and_fog_are_undone_by_their_inverse():
    scene = foggy(drawings=(Drawing(id="a", points=(0, 0, 1, 1)), Drawing(id="c", points=(0, 0), text="x")))
    after = replace(scene, drawings=(scene.drawings[0], Drawing(id="b", points=(5, 5, 6, 6))), fog=Fog())
    events = list(scene_changes(scene, after))
    assert fold_all(scene, events) == after
    assert fold_all(after, inverse(events)) == scene
