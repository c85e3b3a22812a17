"""One example of each message, published with the schemas and checked against them."""

from __future__ import annotations

from typing import Any

_BRAN = {
    "id": "bran",
    "name": "Bran",
    "side": "blue",
    "at": [2, 2],
    "facing": 90,
    "profile": {"armor": "heavy", "race": "dwarf", "hands": ["hammer", "shield"]},
}
_ORC = {
    "id": "orc-3",
    "name": "Orc 3",
    "side": "red",
    "at": [3, 2],
    "facing": 90,
    "profile": {"armor": "light", "race": "orc", "hands": ["axe", "shield"]},
}
_RANDOM = "5bd1f24c0f7a4f0d9c3e8a67b21094ee"
_HAMMER = {"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"}


def _command(kind: str, body: dict[str, Any], base: int | None = None) -> dict[str, Any]:
    command = {"v": 1, "id": f"0190-{kind}", "n": 1, "kind": kind, "body": body}
    return command if base is None else {**command, "base": base}


_KEY = "vS1dQ4mJ0pX7bq2YhT9nWcR8kEzF5aLgUo3iNtM6rHs"
_OTHER_KEY = "Zk8PqW3xYt6BvN1mCj5LhR0sDf4GaUe7IoT2bVyKn9E"
_INVITATION = {"id": "c27e90b1f4438d56", "role": "player", "expires_ms": 1_800_000_000_000}
_SEAT = {"seat": "5f0c2a9be4d1736a", "role": "player", "name": "Ann", "seated": True}
PLAYERS: dict[str, Any] = {
    "members": [
        {"seat": "gm", "role": "gm", "name": "", "seated": True, "online": True},
        {**_SEAT, "online": False},
    ],
    "invitations": [_INVITATION],
}
HELLO: dict[str, Any] = {
    "seat": "5f0c2a9be4d1736a",
    "role": "player",
    "name": "Ann",
}

SCENE: dict[str, Any] = {
    "version": 1,
    "ruleset": "coup_de_grace",
    "name": "The gate",
    "grid": {"kind": "square", "columns": 12, "rows": 8, "distance": 5, "units": "ft"},
    "walls": [
        {"id": "w1", "line": [320, 0, 320, 192]},
        {"id": "d1", "line": [320, 192, 320, 256], "door": "door", "state": "open"},
        {"id": "w2", "line": [320, 256, 320, 512]},
    ],
    "terrain": [{"id": "rubble", "name": "Rubble", "cells": [[7, 5], [8, 5]], "cost": 2}],
    "sides": [{"id": "blue", "name": "Blue"}, {"id": "red", "name": "Red"}],
    "tokens": [_BRAN, _ORC],
}

EXAMPLES: dict[str, Any] = {
    "scene": SCENE,
    "commands/scene.set": _command("scene.set", {"scene": SCENE}),
    "commands/scene.sync": _command("scene.sync", {"scene": SCENE}),
    "commands/sides.set": _command(
        "sides.set", {"sides": [{"id": "blue", "name": "The Watch"}, {"id": "red", "name": "Raiders"}]}
    ),
    "commands/rules.set": _command(
        "rules.set", {"house_rules": {"cdg.doubling": "once"}, "enforcement": "enforce"}
    ),
    "commands/token.place": _command("token.place", {"token": _BRAN}),
    "commands/token.remove": _command("token.remove", {"token": "orc-3"}),
    "commands/token.move": _command("token.move", {"token": "bran", "at": [4, 3], "facing": 90}),
    "commands/tokens.assign": _command("tokens.assign", {"player": "5f0c2a9be4d1736a", "tokens": ["bran"]}),
    "commands/door.set": _command("door.set", {"wall": "d1", "state": "closed"}),
    "commands/act": {**_command("act", {"act": _HAMMER}, base=7), "random": _RANDOM},
    "commands/act-with-real-dice": _command("act", {"act": _HAMMER, "faces": [2]}, base=7),
    "commands/act-in-secret": _command("act", {"act": _HAMMER, "secret": True}, base=7),
    "commands/act.preview": _command("act.preview", {"act": _HAMMER}),
    "commands/choice.close": _command("choice.close", {"choice": "c81.1"}),
    "commands/choice.answer": _command("choice.answer", {"choice": "c81", "answer": "yes"}),
    "commands/overlay.show": _command("overlay.show", {"token": "bran", "layers": ["reach", "targets"]}),
    "commands/path.ask": _command("path.ask", {"token": "bran", "path": [[3, 3], [4, 3]]}),
    "commands/matchup.ask": _command("matchup.ask", {"answers": {"F5hVbEcT.a1b2c3d4e5f6.0": "defend front"}}),
    "commands/decision.ask": _command("decision.ask", {"token": "bran", "at": None, "most": 30}),
    "commands/forecast.start": _command("forecast.start", {"count": 1_000}),
    "commands/forecast.read": _command("forecast.read", {"forecast": "8f14e45fceea167a"}),
    "commands/forecast.cancel": _command("forecast.cancel", {"forecast": "8f14e45fceea167a"}),
    "commands/focus.ask": _command("focus.ask", {"target": "orc-3", "attackers": ["bran"]}),
    "commands/area.ask": _command(
        "area.ask", {"outline": [64, 64, 320, 64, 320, 320, 64, 320], "origin": [64, 64]}
    ),
    "commands/verdict.ask": _command("verdict.ask", {"token": "bran", "target": "orc-3"}),
    "commands/bridge.claim": _command("bridge.claim", {"page": "5bd1f24c0f7a4f0d"}),
    "commands/undo": _command("undo", {}),
    "commands/note": _command("note", {"text": "The bridge is on fire."}),
    "commands/report": _command(
        "report",
        {
            "source": "m1",
            "kind": "attack",
            "token": "bran",
            "item": "Longsword",
            "total": 17,
            "targets": [{"token": "orc-3", "defense": 13, "result": "hit"}],
            "hides": ["defense"],
        },
    ),
    "commands/token.back": _command("token.back", {"token": "bran"}, base=4),
    "commands/draw": _command(
        "draw", {"drawings": [{"points": [96, 160, 128, 192, 160, 160], "color": "red", "rounds": 1}]}
    ),
    "commands/erase": _command("erase", {"drawings": []}),
    "commands/fog.set": _command("fog.set", {"cover": [[0, 0, 11]], "by_sight": True}),
    "commands/ping": _command("ping", {"at": [96, 160]}),
    "commands/map.edit": _command(
        "map.edit",
        {"walls": [{"id": "w9", "line": [128, 0, 128, 192]}], "terrain": [], "remove": ["rubble"]},
    ),
    "commands/units.set": _command(
        "units.set", {"units": [{"key": "captain", "name": "Captain", "profile": _BRAN["profile"]}]}
    ),
    "commands/redo": _command("redo", {}),
    "commands/dice.reveal": _command("dice.reveal", {"seq": 12}),
    "commands/sync": _command("sync", {"why": "hash"}),
    "commands/webhook.set": _command(
        "webhook.set", {"url": "https://discord.com/api/webhooks/117/an-example-and-no-secret"}
    ),
    "commands/webhook.test": _command("webhook.test", {}),
    "ack/done": {"ok": True, "id": "0190-token.move", "seq": 8, "result": {}},
    "ack/done-before": {"ok": True, "id": "0190-token.move", "seq": 8, "result": {}, "dup": True},
    "ack/stale": {
        "ok": False,
        "id": "0190-act",
        "error": {
            "code": "stale-base",
            "sentence": "The table has moved on; look again before you decide.",
            "retryable": True,
            "current": 420,
            "missing": None,
        },
    },
    "ack/refused": {
        "ok": False,
        "id": "0190-act",
        "error": {
            "code": "out-of-reach",
            "sentence": "Blocked by the wall between you and Orc 3.",
            "rule": "CDG-051",
            "retryable": False,
        },
    },
    "http/create-table": {"ruleset": "coup_de_grace", "name": "The gate"},
    "http/created-table": {"table": "9f4e1c02d7a86b35", "gm_key": _KEY, "spectator_key": _OTHER_KEY},
    "http/ticket": {"ticket": _OTHER_KEY, "seconds": 60, "process": ""},
    "http/delete-table": {"name": "Trouble at the tavern"},
    "http/replace-key": {"role": "gm"},
    "http/replaced-key": {"role": "gm", "key": _OTHER_KEY},
    "http/invite": {"role": "player", "hours": 168},
    "http/invitation": {**_INVITATION, "secret": _OTHER_KEY},
    "http/ask": {"invitation": _OTHER_KEY, "name": "Ann"},
    "http/joined": {"seat": "5f0c2a9be4d1736a", "role": "player", "seated": False, "key": _KEY},
    "http/seat": _SEAT,
    "http/approve": {"tokens": ["bran"]},
    "http/open-branch": {"at": 12},
    "http/show-branch": {"is_shown": True},
    "http/try-rules": {"house_rules": {"cdg.doubling": "once"}},
    "http/players": PLAYERS,
    "ack/rate-limited": {
        "ok": False,
        "id": "0190-act",
        "error": {
            "code": "rate-limited",
            "sentence": "That is too many attacks at once; try again in 0.3 seconds.",
            "retryable": True,
            "retry_after_ms": 250,
        },
    },
    "ack/malformed": {
        "ok": False,
        "id": "",
        "error": {
            "code": "bad-schema",
            "sentence": "body.at[1]: Not a valid integer.; body.color: Unknown field.",
            "fields": {"body.at[1]": ["Not a valid integer."], "body.color": ["Unknown field."]},
            "retryable": False,
        },
    },
}
