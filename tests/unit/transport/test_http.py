"""A table over plain HTTP: commands, maps, images, pages and their headers."""

from __future__ import annotations

import json
from importlib import resources

import pytest
import requests
from tests.contract import differences

from enfilade.client.http import Client
from enfilade.errors import BadFile, BadMessage, EnfiladeError, Forbidden, IllegalAct, NotFound, StaleBase

MAP = resources.files("enfilade").joinpath("maps", "suite-of-rooms.uvtt")


@pytest.fixture
def bridge(game):
    return Client(game.url, game.table, game.gm_key)


@pytest.fixture
def watcher(game):
    return Client(game.url, game.table, game.spectator_key)


@pytest.fixture
def token(bridge):
    return next(token for token in bridge.scene()["tokens"] if token["at"])


def test_a_command_over_http_is_broadcast_to_sockets(game, connect, bridge, token):
    listener = connect(game, game.auth())
    assert listener.receive().startswith("40{")
    while '"snapshot"' not in listener.receive():
        pass
    ack = bridge.send("token.move", {"token": token["id"], "at": token["at"], "facing": 90})
    assert not differences("ack", ack)
    while (update := json.loads(listener.receive().removeprefix("42"))[1])["kind"] == "players":
        pass
    assert [entry["seq"] for entry in update["body"]["entries"]] == [ack["seq"]]


def test_an_overlay_and_the_scene_can_be_read(bridge, token):
    overlay = bridge.overlay(token["id"])
    assert not differences("updates/overlay", overlay)
    assert bridge.overlay(token["id"], ["reach"])["areas"] == []
    assert not differences("scene", bridge.scene())


def test_the_decision_map_of_a_token_can_be_read_whole_in_part_and_at_one_cell(bridge, watcher, token):
    whole = bridge.decisions(token["id"])
    assert not differences("decision-map", whole)
    first = bridge.decisions(token["id"], most=3)
    assert first["cells"] == whole["cells"][:3]
    assert not first["is_whole"]
    at = whole["cells"][1]["at"]
    places = bridge.decisions(token["id"], at=at)["places"]
    assert {tuple(place["cell"]["at"]) for place in places} == {tuple(at)}
    assert whole["cells"][1] in [place["cell"] for place in places]
    with pytest.raises(BadMessage, match="at"):
        bridge.request("GET", "decisions", params={"token": token["id"], "at": "4,x"})
    with pytest.raises(BadMessage, match="most"):
        bridge.decisions(token["id"], most=0)
    with pytest.raises(Forbidden):
        watcher.decisions(token["id"])


def test_overlays_of_past_moments_come_in_one_answer_up_to_a_limit(bridge, watcher, token):
    start, *_ = [bridge.send("note", {"text": f"Note {number}"})["seq"] for number in range(4)]
    one = {"token": token["id"], "at": str(start)}
    (first,) = bridge.request("GET", "replay", params=one)["overlays"]
    assert not differences("updates/overlay", first)
    assert first["seq"] == start
    found = bridge.request("GET", "replay", params={**one, "limit": "20"})["overlays"]
    assert [overlay["seq"] for overlay in found] == [start, start + 1, start + 2, start + 3]
    assert found[0] == first
    for limit in ("0", "21", "x"):
        with pytest.raises(BadMessage, match="limit"):
            bridge.request("GET", "replay", params={**one, "limit": limit})
    with pytest.raises(NotFound):
        bridge.request("GET", "replay", params={**one, "token": "nobody"})
    seen = watcher.request("GET", "replay", params={**one, "limit": "2"})["overlays"]
    assert [overlay["token"] for overlay in seen] == [token["id"]] * 2


def test_a_verdict_needs_a_token(bridge, token):
    others = [other["id"] for other in bridge.scene()["tokens"] if other["id"] != token["id"]]
    verdict = bridge.verdict(token["id"], others[0])
    assert not differences("verdict", verdict)
    assert verdict["sentence"]
    with pytest.raises(NotFound, match="no token 'nobody'"):
        bridge.verdict(token["id"], "nobody")
    with pytest.raises(BadMessage, match="target"):
        bridge.verdict(token["id"], "")


@pytest.mark.parametrize(
    ("kind", "body", "base", "error"),
    [
        ("token.move", {"token": "x"}, None, BadMessage),
        ("token.remove", {"token": "nobody"}, None, NotFound),
        ("undo", {"seq": 10**6}, None, IllegalAct),
        ("undo", {}, 0, StaleBase),
    ],
)
def test_a_refusal_is_raised_as_the_error_it_is(bridge, token, kind, body, base, error):
    bridge.send("token.move", {"token": token["id"], "at": token["at"], "facing": 0})
    with pytest.raises(error) as refusal:
        bridge.send(kind, body, base)
    assert refusal.value.code == error.code
    assert refusal.value.sentence


def test_an_error_keeps_its_details(bridge):
    with pytest.raises(BadMessage) as refusal:
        bridge.send("token.move", {"token": "x"})
    assert list(refusal.value.fields) == ["body.at"]


@pytest.mark.parametrize("layers", [["nonsense"], ["reach", ""]])
def test_unknown_layers_are_refused(bridge, token, layers):
    with pytest.raises(BadMessage):
        bridge.overlay(token["id"], layers)


def test_an_uploaded_map_sets_the_scene_and_its_picture(game, bridge, tmp_path):
    path = tmp_path / MAP.name
    path.write_bytes(MAP.read_bytes())
    assert isinstance(bridge.upload_map(path), list)
    scene = bridge.scene()
    picture = requests.get(game.url + scene["background"], timeout=10)
    assert scene["walls"]
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in picture.headers["Cache-Control"]
    assert picture.content.startswith(b"\x89PNG")


def test_a_map_is_used_without_its_cells_where_the_game_plays_so(bridge, tmp_path):
    before, path = bridge.scene(), tmp_path / MAP.name
    path.write_bytes(MAP.read_bytes())
    with pytest.raises(EnfiladeError, match="grid"):
        bridge.upload_map(path, is_gridless=True)
    assert bridge.scene() == before
    in_inches = {**before, "ruleset": "miniatures_combat", "tokens": [], "house_rules": {}}
    for holder in (in_inches, *in_inches["sides"]):
        holder |= {"tracks": {}, "conditions": {}}
    bridge.send("scene.set", {"scene": in_inches})
    bridge.upload_map(path, is_gridless=True)
    assert bridge.scene()["grid"]["kind"] == "gridless"
    assert bridge.scene()["walls"]
    bridge.send("scene.set", {"scene": before})


def test_a_scene_file_can_be_uploaded_as_a_map(bridge, tmp_path):
    path = tmp_path / "saved.json"
    path.write_text(json.dumps({**bridge.scene(), "name": "As saved"}))
    assert bridge.upload_map(path) == []
    assert bridge.scene()["name"] == "As saved"


def test_only_the_gm_can_upload_a_map(watcher, tmp_path):
    path = tmp_path / "map.uvtt"
    path.write_bytes(MAP.read_bytes())
    with pytest.raises(Forbidden):
        watcher.upload_map(path)


def test_a_malformed_map_is_refused_and_changes_nothing(bridge, tmp_path):
    before = bridge.scene()
    path = tmp_path / "map.uvtt"
    path.write_text('{"resolution": 5}')
    with pytest.raises(BadFile):
        bridge.upload_map(path)
    assert bridge.scene() == before


def test_a_file_that_is_not_json_is_refused_without_a_word_in_the_log(game, bridge, tmp_path):
    path = tmp_path / "map.uvtt"
    path.write_text("{not JSON")
    with pytest.raises(BadFile):
        bridge.upload_map(path)
    assert "unexpectedly" not in game.log()


@pytest.mark.parametrize("asset", ["nothing", "..%2f..%2fsecret", "%00"])
def test_a_missing_image_is_not_found(game, asset):
    answer = requests.get(f"{game.url}/api/tables/{game.table}/assets/{asset}", timeout=10)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")


def test_an_image_belongs_to_one_table(game, bridge, tmp_path):
    path = tmp_path / "map.uvtt"
    path.write_bytes(MAP.read_bytes())
    bridge.upload_map(path)
    url = game.url + bridge.scene()["background"].replace(game.table, "0" * 16)
    assert requests.get(url, timeout=10).status_code == 404


def post(game, body, **headers):
    headers = {"Authorization": f"Bearer {game.gm_key}", **headers}
    url = f"{game.url}/api/tables/{game.table}/commands"
    return requests.post(url, data=body, headers=headers, timeout=10)


@pytest.mark.parametrize("body", [b"", b"{", b"NaN", b'{"v":1,"v":1}', b"[" * 5000, b"\xff", b'"\\ud800"'])
def test_a_body_that_is_not_strict_json_is_refused(game, body):
    answer = post(game, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-schema")


def large(kind, size, **body):
    command = {"v": 1, "id": "large", "kind": kind, "body": body}
    return json.dumps({**command, "id": f"large{size}{kind}"}).encode() + b" " * size


@pytest.mark.parametrize("kind", ["token.move", "act", 3, "scene"])
def test_a_command_that_is_too_large_is_refused_and_the_way_for_scenes_named(game, kind):
    answer = post(game, large(kind, 70_000))
    assert answer.status_code == 413
    sentence = answer.json()["error"]["sentence"]
    assert sentence.startswith(
        "This is too large: the server takes at most 64 KiB at once. A GM's scene.set and"
    )


def test_only_a_gm_sends_a_command_with_a_large_scene_and_of_16_mib_at_most(game):
    answer = post(game, large("scene.set", 70_000), Authorization=f"Bearer {game.spectator_key}")
    assert answer.status_code == 413
    answer = post(game, large("scene.set", 16 * 2**20))
    assert (answer.status_code, "at most 16 MiB" in answer.json()["error"]["sentence"]) == (413, True)
    assert post(game, b"{" * 70_000).status_code == 422


@pytest.mark.parametrize("kind", ["scene.set", "scene.sync"])
def test_a_scene_larger_than_a_message_is_set_over_http(game, kind):
    made = requests.post(
        f"{game.url}/api/tables", json={"ruleset": "coup_de_grace", "name": "Big"}, timeout=20
    ).json()
    table = Client(game.url, made["table"], made["gm_key"])
    scene = {key: value for key, value in table.scene().items() if key != "name"}
    walls = [{"id": f"w{i}", "line": [i % 500, 0, i % 500, 64 + i]} for i in range(3_000)]
    ack = table.send(kind, {"scene": {**scene, "name": "Big", "walls": walls}})
    assert ack["ok"]
    assert len(table.scene()["walls"]) == 3_000


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", "Basic YTpi", "bearer \u00e9"])
def test_a_request_without_the_right_key_is_refused(game, header):
    answer = post(game, b"{}", Authorization=header.encode("latin-1"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


def test_only_pages_of_listed_origins_are_allowed(game):
    assert post(game, b"{}", Origin="https://evil.example.org").status_code == 403
    listed = post(game, b"{}", Origin="https://vtt.example.org")
    assert listed.headers["Access-Control-Allow-Origin"] == "https://vtt.example.org"
    preflight = requests.options(listed.url, headers={"Origin": "https://vtt.example.org"}, timeout=10)
    assert "Authorization" in preflight.headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("path", ["/", "/board/", "/health", "/nothing", "/plugin/module.json", "/socket.io"])
def test_every_response_has_the_security_headers(game, path):
    headers = requests.get(game.url + path, timeout=10).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'self'; ")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "name",
    ["../setup.cfg", "..%2fsetup.cfg", "%2e%2e/setup.cfg", "scripts/../../README.md", "%00", "/etc/passwd"],
)
@pytest.mark.parametrize("folder", ["plugin", "schemas"])
def test_no_file_outside_a_served_folder_is_served(game, folder, name):
    request = requests.Request("GET", game.url).prepare()
    request.url = f"{game.url}/{folder}/{name}"
    with requests.Session() as session:
        assert session.send(request, timeout=10).status_code in (400, 404)


def test_the_server_offers_the_published_contract(game):
    contract = requests.get(f"{game.url}/schemas/asyncapi.json", timeout=10)
    assert contract.headers["Content-Type"].startswith("application/json")
    assert contract.json()["asyncapi"].startswith("3.")
    assert requests.get(f"{game.url}/schemas/commands/act.json", timeout=10).ok


def test_the_server_reports_that_it_is_alive(game):
    assert requests.get(f"{game.url}/health", timeout=10).json() == {"ok": True}


def test_long_polling_is_refused(game):
    answer = requests.get(f"{game.url}/socket.io/?EIO=4&transport=polling", timeout=10)
    assert answer.status_code == 400


def test_the_log_has_no_traceback(game):
    assert "Traceback" not in game.log()


def test_an_import_from_foundry_names_the_tokens_that_it_leaves_out(bridge, tmp_path):
    exported = {
        "name": "Yard",
        "width": 1000,
        "height": 600,
        "padding": 0,
        "grid": {"type": 1, "size": 100, "distance": 5, "units": "ft"},
        "tokens": [{"name": "Odo", "x": 0, "y": 0}],
    }
    path = tmp_path / "yard.json"
    path.write_text(json.dumps(exported))
    assert any(note.startswith("Odo was left out") for note in bridge.upload_map(path))
    assert (bridge.scene()["grid"]["rows"], bridge.scene()["tokens"]) == (6, [])


def test_no_cache_keeps_what_holds_keys_or_scenes(game, bridge):
    headers = {"Authorization": f"Bearer {game.gm_key}"}
    for path in ("scene", "log", "facts"):
        answer = requests.get(f"{game.url}/api/tables/{game.table}/{path}", headers=headers, timeout=10)
        assert (answer.ok, answer.headers["Cache-Control"]) == (True, "no-store"), path
    ticket = requests.post(f"{game.url}/api/tables/{game.table}/tickets", headers=headers, timeout=10)
    assert ticket.headers["Cache-Control"] == "no-store"


def test_the_gm_reads_what_a_spectator_knows_for_the_files_of_the_players(game, bridge):
    bridge.send("note", {"text": "The innkeeper is a spy.", "secret": True})

    def read(path, key):
        headers = {"Authorization": f"Bearer {key}"}
        answer = requests.get(f"{game.url}/api/tables/{game.table}/{path}", headers=headers, timeout=10)
        return answer.status_code, answer.json()

    for path in ("scene?", "replay?start=0&", "statistics?"):
        assert read(f"{path}as=spectator", game.gm_key) == read(path, game.spectator_key)
    assert read("scene?as=gm", game.spectator_key)[0] == 400
