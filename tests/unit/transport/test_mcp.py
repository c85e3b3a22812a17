"""The MCP server: a real client starts it, lists its tools and calls each, with one seat's view."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import replace

import msgspec
import pytest
import requests
from tests.contract import differences

from enfilade.cli.mcp import build_server
from enfilade.client.http import Client
from enfilade.errors import BadMessage, Forbidden, NotFound
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets import BUILT_IN

CANARY = "Canary Of The Hidden"
TOOLS = [
    "facts",
    "distances",
    "reach",
    "verdict",
    "odds",
    "threat",
    "decision_map",
    "focus_fire",
    "forecast",
    "log",
]


@pytest.fixture
def gm(game):
    return Client(game.url, game.table, game.gm_key)


@pytest.fixture
def hidden(gm):
    """Place a hidden token with a name that no other seat may read."""
    hide(gm, next(token for token in gm.scene()["tokens"] if token["at"]), [0, 0])
    yield
    gm.send("token.remove", {"token": "canary-id"})


def library():
    """Return the MCP library. It takes a second to import, and each worker of pytest imports this module."""
    return pytest.importorskip("mcp")


def ask(game, key, calls):
    """Start `enfilade mcp` with a key, and return the tools that it lists and the text of each call.

    A call without a name is a function of no arguments, which changes the table meanwhile.
    """
    mcp = library()

    async def session():
        command = mcp.StdioServerParameters(
            command=sys.executable,
            args=["-m", "enfilade", "mcp", "--url", game.url, "--table", game.table],
            env={**os.environ, "ENFILADE_KEY": key},
        )
        async with mcp.stdio_client(command) as streams, mcp.ClientSession(*streams) as client:
            await client.initialize()
            tools = [tool.name for tool in (await client.list_tools()).tools]
            return tools, await answers_to(client, calls)

    return asyncio.run(asyncio.wait_for(session(), 60))


def ask_in_process(game, key, calls):
    """Return the text of each call of a real client on the same server, in this process."""
    mcp = library()

    async def session():
        async with mcp.Client(build_server(Client(game.url, game.table, key))) as client:
            return await answers_to(client, calls)

    return asyncio.run(asyncio.wait_for(session(), 60))


async def answers_to(client, calls):
    texts = []
    for name, arguments in calls:
        if not name:
            arguments()
            continue
        result = await client.call_tool(name, arguments)
        texts.append("".join(part.text for part in result.content))
    return texts


def calls_about(token, other):
    return [
        ("facts", {}),
        ("distances", {"token": token}),
        ("reach", {"token": token}),
        ("verdict", {"token": token, "target": other}),
        ("odds", {"token": token}),
        ("threat", {"token": token}),
        ("decision_map", {"token": token}),
        ("focus_fire", {"target": other, "attackers": [token]}),
        ("forecast", {"continuations": 2}),
        ("log", {"entries": 5}),
    ]


def test_a_real_client_lists_and_calls_each_tool_with_the_gms_view(game, gm, hidden):
    scene = gm.scene()
    token = next(one for one in scene["tokens"] if one["at"] and one["id"] != "canary-id")
    other = next(one for one in scene["tokens"] if one["at"] and one["side"] != token["side"])
    tools, texts = ask(game, game.gm_key, calls_about(token["id"], other["id"]))
    assert tools == TOOLS
    answers = [json.loads(text) for text in texts]
    assert CANARY in {one["name"] for one in answers[0]["tokens"]}
    assert answers[2]["reach"]["cells"]
    assert answers[3]["sentence"]
    assert answers[4]["acts"]
    assert answers[6]["cells"]
    assert answers[7]["target"] == other["id"]
    assert answers[8]["played"] == 2


def test_a_spectators_client_never_receives_a_hidden_name_id_or_count(game, gm, hidden):
    token = next(one for one in gm.scene()["tokens"] if one["at"] and one["id"] != "canary-id")
    calls = [
        *calls_about(token["id"], "canary-id"),
        ("verdict", {"token": "canary-id", "target": token["id"]}),
    ]
    _, texts = ask(game, game.spectator_key, calls)
    said = " ".join(texts)
    assert CANARY not in said
    assert said.count("canary-id") == said.count("'canary-id'"), "only the refusals repeat what was asked for"
    shown = json.loads(texts[0])["tokens"]
    assert len(shown) == len([one for one in gm.scene()["tokens"] if not one["hidden"]])


def test_a_client_reads_the_reason_of_a_refusal(game, gm):
    token = next(one["id"] for one in gm.scene()["tokens"] if one["at"])
    unknown, unreachable = ask_in_process(
        game, game.gm_key, [("verdict", {"token": "nobody", "target": token}), ("reach", {"token": "nobody"})]
    )
    assert "nobody" in unknown
    assert "nobody" in unreachable


def test_a_client_that_asks_fast_waits_and_gets_every_answer(game, gm, hidden):
    token = next(one["id"] for one in gm.scene()["tokens"] if one["at"])
    texts = ask_in_process(game, game.gm_key, [("verdict", {"token": token, "target": token})] * 60)
    assert all("sentence" in json.loads(text) for text in texts)


@pytest.fixture(params=BUILT_IN, ids=lambda ruleset: ruleset.key)
def player(game, request):
    """Seat a player who owns one token at a table of each game; return the table, the key and the token."""
    body = {"ruleset": request.param.key, "name": "A battle"}
    made = requests.post(f"{game.url}/api/tables", json=body, timeout=10).json()
    game = replace(game, table=made["table"], gm_key=made["gm_key"], spectator_key=made["spectator_key"])
    gm = Client(game.url, game.table, game.gm_key)
    gm.send("scene.set", {"scene": msgspec.to_builtins(skirmish(request.param, 7, strength=3))})
    invitation = gm.request("POST", "invitations", json={"role": "player"})
    joined = gm.request("POST", "seats", json={"invitation": invitation["secret"], "name": "Mia"})
    token = next(one for one in gm.scene()["tokens"] if one["at"])
    gm.request("POST", f"seats/{joined['seat']}/approve", json={"tokens": [token["id"]]})
    return game, joined["key"], token


def test_a_players_client_never_receives_a_hidden_name_id_position_or_count(player):
    game, key, own = player
    gm = Client(game.url, game.table, game.gm_key)
    other = next(one for one in gm.scene()["tokens"] if one["at"] and one["side"] != own["side"])
    hide(gm, own, free_cell(gm.scene(), own, other))
    calls = calls_about(own["id"], other["id"])
    leave = ("", lambda: gm.send("token.remove", {"token": "canary-id"}))
    shown = [one for one in gm.scene()["tokens"] if not one["hidden"]]
    texts = ask_in_process(game, key, [*calls, leave, *calls[:-2]])
    with_hidden, without = texts[: len(calls)], texts[len(calls) :]
    said = " ".join(with_hidden)
    assert CANARY not in said
    assert "canary-id" not in said
    answers = [json.loads(text) for text in with_hidden]
    assert len(answers[0]["tokens"]) == len(shown)
    assert answers[8]["state"] == "done", "the forecast has been played"
    assert len(answers[8]["tokens"]) == len([one for one in shown if one["at"]])
    assert _without_seq(with_hidden[:-2]) == _without_seq(without)


def hide(gm, like, at):
    """Place a hidden token with the profile of another."""
    new = {"id": "canary-id", "name": CANARY, "hidden": True, "at": at}
    gm.send("token.place", {"token": {"side": like["side"], "profile": like["profile"], **new}})


def free_cell(scene, one, other):
    """Return the cell halfway between two tokens, where a hidden one stands in the way, if it is free."""
    taken = [token["at"] for token in scene["tokens"]]
    middle = [(a + b) // 2 for a, b in zip(one["at"], other["at"], strict=True)]
    return middle if middle not in taken else [0, 0]


def _without_seq(texts):
    """Return answers without the number of the entry, which counts only what the seat knows of."""
    return [{k: v for k, v in json.loads(text).items() if k != "seq"} for text in texts]


def test_facts_are_those_of_the_keys_view(game, gm, hidden):
    watcher = Client(game.url, game.table, game.spectator_key)
    found = watcher.facts(log=3)
    assert not differences("facts", found)
    assert not differences("facts", gm.facts(gm.facts()["tokens"][0]["token"], log=200))
    assert CANARY not in str(found)
    assert CANARY in str(gm.facts())
    with pytest.raises(NotFound):
        watcher.facts("canary-id")
    with pytest.raises(BadMessage):
        gm.facts(log=201)


def test_a_wrong_key_gets_nothing(game):
    texts = ask_in_process(game, "wrong", [("facts", {})])
    assert "tokens" not in texts[0]
    with pytest.raises((Forbidden, NotFound)):
        Client(game.url, game.table, "wrong").facts()
