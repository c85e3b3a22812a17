"""Maps, pictures and saved battles over HTTP: what the table keeps, what is refused, what starts again."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from importlib import resources

import pytest
import requests
from tests.contract import differences
from tests.unit.importers.maps import foundry, png, universal_vtt, webp

from enfilade.client.http import Client
from enfilade.errors import Forbidden

MAP = resources.files("enfilade").joinpath("maps", "suite-of-rooms.uvtt").read_bytes()


class MapTable(Client):
    """A new table with a battle, its GM's client, and uploads without a client's checks."""

    def __init__(self, game, ruleset="torn", *, battle=True):
        body = {"ruleset": ruleset, "name": "Friday", "battle": battle}
        made = requests.post(f"{game.url}/api/tables", json=body, timeout=20).json()
        super().__init__(game.url, made["table"], made["gm_key"])
        self.id, self.at = made["table"], f"{game.url}/api/tables/{made['table']}"
        self.key, self.spectator_key = made["gm_key"], made["spectator_key"]
        self.spectator = Client(game.url, made["table"], made["spectator_key"])

    def call(self, method, path, key="", **options):
        headers = {"Authorization": f"Bearer {key or self.key}"}
        return requests.request(method, f"{self.at}/{path}", headers=headers, timeout=20, **options)

    def put(self, path, data, **query):
        return self.call("POST", path, data=data, params=query).json()


@pytest.fixture
def table(game):
    return MapTable(game)


def test_a_map_keeps_the_tables_name_its_units_and_its_round(table):
    before = table.scene()
    answer = table.put("map", json.dumps(universal_vtt()).encode(), name="the mill.uvtt", grid="")
    assert not answer["ok"]  # Torn is played on hexes, and nothing has changed
    assert table.scene() == before


def test_a_picture_becomes_the_map_under_the_grid_that_is_asked_for(game, table):
    before = table.scene()
    grid = {"kind": "hex_odd_r", "columns": 6, "rows": 5, "cell": 100, "left": 10, "top": 20}
    answer = table.put("map", png(700, 520), name="mill.png", **grid)
    assert answer["ok"]
    scene = table.scene()
    assert (scene["name"], scene["grid"]["columns"]) == ("Friday", 6)
    assert scene["background"].endswith("#xywh=pixel:10,20,650,462")
    assert requests.get(game.url + scene["background"], timeout=10).content == png(700, 520)
    assert [token["id"] for token in scene["tokens"]] == [token["id"] for token in before["tokens"]]
    assert all(token["at"][0] < 6 and token["at"][1] < 5 for token in scene["tokens"] if token["at"])
    assert "at its edge" in " ".join(answer["result"]["notes"])


@pytest.mark.parametrize(
    ("data", "change", "why"),
    [
        (png(700, 520), {"columns": 60}, "does not lie on the picture"),
        (png(700, 520), {"cell": "nan"}, "needs its kind"),
        (png(700, 520), {"kind": "square"}, "grid"),
        (png(700, 520), {"kind": "round"}, "needs its kind"),
        (png(700, 520), {"rows": 0}, "1 to 500"),
        (png(700, 520), {"rows": "many"}, "needs its kind"),
        (png(20_000, 520), {}, "20,000 x 520 pixels"),
        (b"\x89PNG\r\n\x1a\n and more", {}, "header is broken"),
    ],
)
def test_a_picture_that_does_not_fit_changes_nothing(table, data, change, why):
    before = table.scene()
    grid = {"kind": "hex_odd_r", "columns": 6, "rows": 5, "cell": 100, "left": 10, "top": 20}
    answer = table.put("map", data, **{**grid, **change})
    assert not answer["ok"]
    assert why in answer["error"]["sentence"]
    assert table.scene() == before


def test_a_file_with_several_scenes_offers_them_and_changes_nothing_until_one_is_chosen(game):
    table = MapTable(game, "coup_de_grace", battle=False)
    before = table.scene()
    data = json.dumps({"scenes": [foundry(name="Inn"), foundry(name="Mill", width=700)]}).encode()
    answer = table.put("map", data, name="road.json")
    assert answer["ok"]
    entries = [("Inn", 10, 6), ("Mill", 7, 6)]
    assert answer["result"]["scenes"] == [{"name": n, "columns": c, "rows": r} for n, c, r in entries]
    assert table.scene() == before
    assert table.put("map", data, name="road.json", scene="Mill")["ok"]
    assert table.scene()["grid"]["columns"] == 7
    assert "Tower" in table.put("map", data, name="road.json", scene="Tower")["error"]["sentence"]


def test_a_scene_with_levels_says_which_it_has_and_takes_the_chosen_one(game):
    table = MapTable(game, "coup_de_grace", battle=False)
    levels = [{"_id": "a", "name": "Cellar"}, {"_id": "b", "name": "Hall"}]
    walls = [{"c": [100, 0, 100, 600], "levels": ["a"]}, {"c": [300, 0, 300, 600], "levels": ["b"]}]
    data = json.dumps(foundry(levels=levels, walls=walls)).encode()
    for query, level, x in (({}, "Cellar", 64), ({"level": "Hall"}, "Hall", 192)):
        result = table.put("map", data, name="house.json", **query)["result"]
        assert (result["levels"], result["level"]) == (["Cellar", "Hall"], level)
        assert [wall["line"][0] for wall in table.scene()["walls"]] == [x]


def test_the_picture_of_a_foundry_map_lies_under_its_walls_as_in_foundry(game):
    """The map begins half a cell inside the board, and its picture has twice the pixels."""
    table = MapTable(game, "coup_de_grace", battle=False)
    wall = {"c": [700, 200, 700, 800]}
    scene = foundry(padding=0.25, background={"offsetX": 150, "offsetY": 0}, walls=[wall])
    under = table.put("map", json.dumps(scene).encode(), name="inn.json")["result"]["picture"]
    assert under == [-0.05, 0.0, 1.1, 1.0]
    text = ",".join(map(str, under))
    assert table.put("map", png(2000, 1200), name="inn.png", under=text)["ok"]
    after = table.scene()
    assert after["background"].endswith("#xywh=pixel:-100,0,2200,1200")
    assert [one["line"] for one in after["walls"]] == [[384, 0, 384, 384]]
    assert requests.get(game.url + after["background"], timeout=10).content == png(2000, 1200)


@pytest.mark.parametrize("under", ["", "0,0,1", "a,b,c,d", "0,0,0,1", "0,0,nan,1", "0,inf,1,1", "1e9,0,1,1"])
def test_a_picture_under_no_part_of_the_board_is_refused(table, under):
    before = table.scene()
    answer = table.put("map", png(700, 520), name="mill.png", under=under)
    assert "four numbers" in answer["error"]["sentence"]
    assert table.scene() == before


def test_a_unit_gets_a_picture_of_its_own(game, table):
    answer = table.put("pictures", webp(256, 256))
    token = table.scene()["tokens"][0]
    table.send("token.place", {"token": {**token, "image": answer["image"]}})
    shown = next(one for one in table.spectator.scene()["tokens"] if one["id"] == token["id"])
    assert requests.get(game.url + shown["image"], timeout=10).headers["Content-Type"] == "image/webp"
    assert "KiB" in table.put("pictures", png(9, 9) + bytes(600_000))["error"]["sentence"]
    assert "not PNG" in table.put("pictures", b"<svg/>")["error"]["sentence"]
    assert table.call("POST", "pictures", table.spectator_key, data=png(9, 9)).status_code == 403


def test_a_saved_battle_starts_again_at_another_table_with_its_pictures(game, table):
    grid = {"kind": "hex_odd_r", "columns": 6, "rows": 5, "cell": 100}
    assert table.put("map", png(700, 520), **grid)["ok"]
    image = table.put("pictures", webp(64, 64))["image"]
    first = table.scene()["tokens"][0]
    table.send("token.place", {"token": {**first, "image": image}})
    unit = {"key": "boss", "name": "Boss", "profile": first["profile"]}
    table.send("units.set", {"units": [unit]})
    saved = table.call("GET", "battle")
    assert len(saved.json()["pictures"]) == 2
    other = MapTable(game, battle=False)
    answer = other.put("map", saved.content)
    assert (answer["ok"], answer["result"]["notes"]) == (True, [])
    was, now = table.scene(), other.scene()
    assert f"/api/tables/{other.id}/" in now["background"]
    assert requests.get(game.url + now["background"], timeout=10).content == png(700, 520)
    assert now["units"][0]["name"] == "Boss"
    for scene in (was, now):
        for part in (scene, *scene["tokens"]):
            part.pop("background", part.pop("image", ""))
    assert now == was


def test_a_battle_with_broken_pictures_starts_without_them(table):
    saved = table.call("GET", "battle").json()
    pictures = {"a": "!", "b": 7, "c": "PHN2Zy8+"}
    answer = table.put("map", json.dumps({**saved, "pictures": pictures}).encode())
    assert answer["ok"]
    assert len(answer["result"]["notes"]) == 3
    assert table.put("map", json.dumps({**saved, "tokens": 5}).encode())["error"]["code"] == "bad-schema"


def tables_on(game) -> int:
    """Count the tables that the server has stored."""
    (path,) = game.log_path.parent.rglob("*.sqlite")
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT count(*) FROM tables").fetchone()[0]


def test_a_saved_battle_makes_a_table_of_its_own_with_its_pictures(game, table):
    grid = {"kind": "hex_odd_r", "columns": 6, "rows": 5, "cell": 100}
    assert table.put("map", png(700, 520), **grid)["ok"]
    before = tables_on(game)
    answer = requests.post(f"{game.url}/api/battles", data=table.call("GET", "battle").content, timeout=20)
    assert answer.status_code == 201
    assert not differences("http/created-table", answer.json())
    now = Client(game.url, answer.json()["table"], answer.json()["gm_key"]).scene()
    assert now["tokens"] == table.scene()["tokens"]
    assert f"/api/tables/{answer.json()['table']}/" in now["background"]
    assert requests.get(game.url + now["background"], timeout=10).content == png(700, 520)
    assert tables_on(game) == before + 1


@pytest.mark.parametrize(
    "change",
    [{"tokens": 5}, {"ruleset": "chess"}, {"grid": {"kind": "square", "columns": 9, "rows": 9}}, None],
    ids=["tokens", "ruleset", "grid", "map"],
)
def test_a_saved_battle_that_is_refused_leaves_no_table(game, table, change):
    saved = table.call("GET", "battle").json()
    data = json.dumps(universal_vtt() if change is None else {**saved, **change}).encode()
    before = tables_on(game)
    answer = requests.post(f"{game.url}/api/battles", data=data, timeout=20)
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["sentence"]
    assert tables_on(game) == before


def test_only_this_machine_starts_a_battle_without_the_operators_key(game, table):
    saved, from_afar = table.call("GET", "battle").content, {"X-Forwarded-For": "203.0.113.9"}
    answer = requests.post(f"{game.url}/api/battles", data=saved, headers=from_afar, timeout=20)
    assert answer.status_code == 403


def test_only_the_gm_saves_a_battle(table):
    assert table.call("GET", "battle", table.spectator_key).status_code == 403


def test_all_seats_see_where_a_player_points(game, connect):
    listener = connect(game, game.auth("spectator"))
    assert listener.receive().startswith("40{")
    while '"snapshot"' not in listener.receive():
        pass
    gm, spectator = (Client(game.url, game.table, key) for key in (game.gm_key, game.spectator_key))
    seq = gm.send("ping", {"at": [96, 160]})["seq"]
    update = json.loads(listener.receive().removeprefix("42"))[1]
    assert (update["kind"], update["body"]) == ("ping", {"at": [96, 160], "name": ""})
    assert gm.send("ping", {"at": [1, 1]})["seq"] == seq
    with pytest.raises(Forbidden):
        spectator.send("ping", {"at": [1, 1]})


def test_a_squared_map_keeps_units_where_they_stand(game):
    table = MapTable(game, "coup_de_grace")
    before = table.scene()
    assert table.put("map", MAP, name="suite-of-rooms.uvtt")["ok"]
    after = table.scene()
    assert (after["name"], after["sides"]) == ("Friday", before["sides"])
    assert {token["id"] for token in after["tokens"]} == {token["id"] for token in before["tokens"]}
    table.send("undo", {})
    assert table.scene() == before


EXPORTED = {
    "name": "Cave Bear",
    "type": "npc",
    "_stats": {"systemId": "dnd5e"},
    "system": {
        "attributes": {"ac": {"calc": "natural", "flat": 12}, "hp": {"max": 42}, "movement": {"walk": 40}},
        "traits": {"size": "lg"},
    },
    "items": [],
}


def test_an_exported_actor_becomes_a_unit_of_the_table_and_a_newer_one_takes_its_place(game):
    table = MapTable(game, "any_system")
    before = table.scene()
    for points in (42, 50):
        EXPORTED["system"]["attributes"]["hp"]["max"] = points
        answer = table.put("map", json.dumps(EXPORTED).encode(), name="fvtt-Actor-cave-bear.json")
        assert answer["result"]["notes"] == ["Cave Bear is one of the table's units now."]
        (unit,) = table.scene()["units"]
        assert (unit["key"], unit["profile"]["hit_points"]) == ("cave-bear", points)
    assert unit["profile"]["size"] == "large"
    assert unit["profile"]["speeds"] == {"walk": 40}
    assert {**table.scene(), "units": []} == {**before, "units": []}


def test_a_game_without_such_units_refuses_an_actor(table):
    answer = table.put("map", json.dumps(EXPORTED).encode(), name="fvtt-Actor-cave-bear.json")
    assert answer["error"]["sentence"] == "Torn has no units from the actors of other games."
