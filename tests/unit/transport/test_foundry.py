"""A live Foundry scene over HTTP: the page with the lease uploads it, and the table follows."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
import requests
from tests.unit.transport.conftest import end, launch_game, wait_until

ORIGIN = "https://vtt.example.org"
PROFILE = {"armor": "light", "race": "human", "hands": ["sword", "shield"]}


def token(name: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    flags = {"enfilade": {"profile": PROFILE}}
    return {
        "_id": name.ljust(16, "0"),
        "name": name,
        "x": x,
        "y": y,
        "disposition": 1,
        "flags": flags,
        **more,
    }


def exported(*tokens: dict[str, Any], **more: Any) -> dict[str, Any]:
    grid = {"type": 1, "size": 100, "distance": 5, "units": "ft"}
    dimensions = {"sceneX": 300, "sceneY": 200, "sceneWidth": 1000, "sceneHeight": 600}
    board = {"name": "Yard", "width": 1000, "height": 600, "grid": grid, "dimensions": dimensions}
    return {**board, "tokens": list(tokens), **more}


class Page:
    """A page of Foundry's GM: a socket, and scenes uploaded over HTTP."""

    def __init__(self, game, raw, name: str) -> None:
        self.game, self.raw, self.name = game, raw, name
        assert raw.receive().startswith("40{")
        self.number: int | None = None

    def send_command(self, kind: str, **body: Any) -> Any:
        command = {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "base": None, "body": body}
        return self.raw.call("command", self.raw.add_number(command))

    def claim(self) -> int | None:
        self.number = self.send_command("bridge.claim", page=self.name)["result"]["number"]
        return self.number

    def upload(self, body: Any, part: str = "", number: int | None = None, **more: Any) -> Any:
        url = f"{self.game.url}/api/tables/{self.game.table}/foundry"
        params = {"bridge": number or self.number, "part": part, **more}
        headers = {"Authorization": f"Bearer {self.game.gm_key}", "Origin": ORIGIN}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return requests.post(url, params=params, data=data, headers=headers, timeout=10).json()

    def scene(self) -> Any:
        key = {"Authorization": f"Bearer {self.game.gm_key}"}
        return requests.get(
            f"{self.game.url}/api/tables/{self.game.table}/scene", headers=key, timeout=10
        ).json()

    def token(self, name: str) -> Any:
        return next(token for token in self.scene()["tokens"] if token["name"] == name)


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """Start a server for more scenes in a row than a page sends: other tests are about its limits."""
    server = launch_game(tmp_path_factory.mktemp("game"), commands_burst=5_000)
    yield server
    end(server.process)


@pytest.fixture
def page(game, connect):
    page = Page(game, connect(game, game.auth()), uuid.uuid4().hex)
    assert page.claim()
    yield page
    page.send_command("bridge.claim", page=None)


def test_an_uploaded_scene_is_on_the_table_and_the_answer_has_the_origin_of_the_board(page):
    answer = page.upload(exported(token("Ann", 400, 200)))
    assert answer["ok"]
    assert answer["result"]["origin"] == {"left": 300, "top": 200, "size": 100}
    assert answer["result"]["unfit"] == []
    assert page.token("Ann")["at"] == [1, 0]


def test_the_same_scene_again_makes_no_entry(page):
    seq = page.upload(exported(token("Ann", 400, 200)))["seq"]
    assert page.upload(exported(token("Ann", 400, 200)))["seq"] == seq


def test_a_scene_read_before_the_table_moved_a_unit_does_not_move_it_back(page):
    read = exported(token("Ann", 400, 200))
    base = page.upload(read)["seq"]
    ann = page.token("Ann")["id"]
    page.send_command("token.move", token=ann, at=[3, 1], facing=0, override="a storm")
    answer = page.upload({**read, "name": "Yard"}, base=base)
    assert answer["result"] == {"is_stale": True}
    assert page.token("Ann")["at"] == [3, 1]
    assert page.upload(exported(token("Ann", 600, 300)), base=answer["seq"])["result"]["unfit"] == []


def test_a_token_that_comes_has_the_hit_points_of_its_actor_and_keeps_the_tables_then(page):
    page.upload(exported(name="Inn"))
    page.upload(exported(token("Cid", 400, 200, hitPoints=2)))
    assert page.token("Cid")["tracks"]["hp"] == 2
    page.upload(exported(token("Cid", 500, 200, hitPoints=1)))
    assert page.token("Cid")["tracks"]["hp"] == 2
    new = token("Dee", 600, 200, hitPoints=1)
    assert page.upload(exported(new), part="tokens")["result"]["tokens"][new["_id"]]["ok"]
    assert page.token("Dee")["tracks"]["hp"] == 1


def test_the_actors_hit_points_count_when_its_scene_comes_back_and_its_conditions_stay(page):
    page.upload(exported(token("Cid", 400, 200)))
    cid = page.token("Cid")
    cid = {**cid, "tracks": {**cid["tracks"], "hp": 1}, "conditions": {"prone": "", **cid["conditions"]}}
    page.send_command("token.place", token=cid)
    page.upload(exported(name="Inn"))
    page.upload(exported(token("Cid", 400, 200)))
    assert page.token("Cid") == cid
    page.upload(exported(name="Inn"))
    page.upload(exported(token("Cid", 400, 200, hitPoints=2)))
    assert page.token("Cid")["tracks"]["hp"] == 2
    assert page.token("Cid")["conditions"] == cid["conditions"]


def test_tokens_of_one_actor_share_hit_points_and_an_undo_gives_them_back_to_all(page):
    fay, twin, other = (token(name, x, 200) for name, x in (("Fay", 400), ("Fay2", 600), ("Gus", 800)))
    page.upload(exported(fay, twin, other, linked=[[fay["_id"], twin["_id"]]], name="Mill"))

    def points() -> list[int]:
        return [page.token(name)["tracks"]["hp"] for name in ("Fay", "Fay2", "Gus")]

    def hurt(name: str, hp: int) -> None:
        one = page.token(name)
        page.send_command("token.place", token={**one, "tracks": {**one["tracks"], "hp": hp}})

    hurt("Fay", 2)
    assert points() == [2, 2, 3]
    hurt("Fay2", 1)
    assert points() == [1, 1, 3]
    page.send_command("undo")
    assert points() == [2, 2, 3]
    page.send_command("undo")
    assert points() == [3, 3, 3]
    hurt("Gus", 1)
    assert points() == [3, 3, 1]


def test_a_token_linked_to_an_actor_on_the_table_has_its_hit_points_there(page):
    hal, twin = (token(name, x, 200) for name, x in (("Hal", 400), ("Hal2", 600)))
    page.upload(exported(hal, name="Ford"))
    one = page.token("Hal")
    page.send_command("token.place", token={**one, "tracks": {**one["tracks"], "hp": 1}})
    both = {"linked": [[hal["_id"], twin["_id"]]], "name": "Ford"}
    page.upload(exported({**twin, "hitPoints": 3}, **both), part="tokens")
    assert page.token("Hal2")["tracks"]["hp"] == 1


def test_a_hidden_token_of_an_actor_shares_with_hidden_ones_only(page):
    ivy, twin = token("Ivy", 400, 200), token("Ivo", 600, 200, hidden=True)
    page.upload(exported(ivy, twin, linked=[[ivy["_id"], twin["_id"]]], name="Barn"))
    one = page.token("Ivy")
    page.send_command("token.place", token={**one, "tracks": {**one["tracks"], "hp": 2}})
    assert page.token("Ivo")["tracks"]["hp"] == 3
    shown = {**twin, "hidden": False}
    page.upload(exported(shown, linked=[[ivy["_id"], twin["_id"]]], name="Barn"), part="tokens")
    assert page.token("Ivo")["tracks"]["hp"] == 2


@pytest.mark.parametrize("points", [12, 1_000_000])
def test_hit_points_that_the_rules_do_not_have_leave_a_token_its_own(page, points):
    page.upload(exported(name="Inn"))
    page.upload(exported(token(f"Eve{points}", 400, 200, hitPoints=points)))
    assert page.token(f"Eve{points}")["tracks"]["hp"] == 3


@pytest.mark.parametrize(("points", "name"), [(-1, "Cid"), (1.5, "Cyd"), (1_000_001, "Cod")])
def test_hit_points_that_are_no_whole_number_leave_a_token_its_own_and_are_named(page, points, name):
    page.upload(exported(name="Mill"))
    reply = page.upload(exported(token(name, 400, 200, hitPoints=points), name="Mill"))
    assert page.token(name)["tracks"]["hp"] == 3
    assert [note for note in reply["result"]["notes"] if "tokens[0].hitPoints" in note]


@pytest.mark.parametrize("base", ["-1", "soon", "1.5"])
def test_the_entry_that_a_scene_shows_is_a_whole_number(page, base):
    assert page.upload(exported(), base=base)["error"]["fields"].keys() == {"base"}


def test_a_moved_token_is_judged_and_a_deleted_one_is_removed(page):
    page.upload(exported(token("Ann", 400, 200), token("Bob", 600, 200)))
    answer = page.upload(exported(token("Ann", 500, 200), gone=["Bob".ljust(16, "0")]), part="tokens")
    moved = answer["result"]["tokens"]["Ann".ljust(16, "0")]
    assert moved["ok"]
    assert moved["ruling"]["budget"] > 0
    assert [one["name"] for one in page.scene()["tokens"]] == ["Ann"]


@pytest.mark.parametrize("x", [400, 90_000])
def test_a_token_is_moved_along_the_places_that_it_passed_and_without_them_if_one_is_off_the_board(page, x):
    page.upload(exported(token("Ann", 400, 200)))
    passed = [{"x": x, "y": 300}]
    answer = page.upload(exported(token("Ann", 500, 300, path=passed)), part="tokens")["result"]["tokens"]
    assert answer["Ann".ljust(16, "0")]["ok"]
    assert page.token("Ann")["at"] == [2, 1]


def test_a_refused_token_does_not_stop_the_others(page):
    page.upload(exported(token("Ann", 400, 200)))
    answer = page.upload(exported(token("Odo", 500, 400, flags={}), token("Ann", 400, 300)), part="tokens")[
        "result"
    ]["tokens"]
    assert answer["Odo".ljust(16, "0")]["error"]["code"] == "bad-schema"
    assert page.token("Ann")["at"] == [1, 1]


def test_a_table_that_enforces_refuses_an_illegal_move(page):
    page.upload(exported(token("Ann", 400, 200)))
    page.send_command("rules.set", house_rules={}, enforcement="enforce")
    answer = page.upload(exported(token("Ann", 1200, 700)), part="tokens")["result"]["tokens"]
    assert answer["Ann".ljust(16, "0")]["error"]["code"] == "illegal-act"
    assert page.token("Ann")["at"] == [1, 0]
    page.send_command("rules.set", house_rules={}, enforcement="advise")


def test_tokens_of_another_scene_are_refused(page):
    page.upload(exported(token("Ann", 400, 200)))
    answer = page.upload(exported(token("Ann", 500, 200), name="The cave"), part="tokens")
    assert answer["error"]["code"] == "stale-base"


def test_a_second_page_waits_for_the_lease_of_the_first(page, game, connect):
    second = Page(game, connect(game, game.auth()), "second")
    assert second.claim() is None
    assert second.upload(exported(), number=7)["error"]["code"] == "other-bridge"
    page.send_command("bridge.claim", page=None)
    assert second.claim()
    assert page.upload(exported())["error"]["code"] == "other-bridge"
    second.send_command("bridge.claim", page=None)
    assert page.claim()


def test_a_page_that_reconnects_gets_a_higher_lease_number(page, game, connect):
    before = page.number
    again = Page(game, connect(game, game.auth()), page.name)
    after = again.claim()
    assert before is not None
    assert after is not None
    assert after > before
    assert page.upload(exported())["error"]["code"] == "other-bridge"
    again.send_command("bridge.claim", page=None)
    assert page.claim()


def test_a_lease_ends_with_its_connection(page, game, connect):
    page.send_command("bridge.claim", page=None)
    other = Page(game, connect(game, game.auth()), "other")
    assert other.claim()
    other.raw.ws.close()
    wait_until(page.claim)


def test_a_spectator_cannot_claim_the_lease(game, connect):
    watcher = Page(game, connect(game, game.auth("spectator")), "watcher")
    assert watcher.send_command("bridge.claim", page="watcher")["error"]["code"] == "forbidden"


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"grid": 1}', b'{"grid": {}, "dimensions": {}}', b"{" * 100_000, b"\xff", b"null"],
)
def test_a_malformed_scene_is_refused_and_changes_nothing(page, body: bytes):
    page.upload(exported(token("Ann", 400, 200)))
    before = page.scene()
    for part in ("", "tokens"):
        assert page.upload(body, part=part)["error"]["code"] == "bad-file"
    assert page.scene() == before


def test_a_preflight_request_of_an_allowed_origin_is_answered(game):
    url = f"{game.url}/api/tables/{game.table}/foundry"
    headers = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    answer = requests.options(url, headers=headers, timeout=10)
    assert answer.ok
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
