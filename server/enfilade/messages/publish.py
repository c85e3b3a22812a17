"""The published contract: JSON Schema, AsyncAPI and examples, generated from the marshmallow schemas.

`python -m enfilade.messages.publish FOLDER` writes all documents. A test compares them with the committed
ones, so that each change of the contract is visible.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from marshmallow import Schema
from marshmallow_jsonschema import JSONSchema

from enfilade.messages import dump
from enfilade.messages.analysis import (
    BranchSchema,
    ComparisonSchema,
    ReplayPageSchema,
    RulesDiffJobSchema,
    StatisticsSchema,
)
from enfilade.messages.assistant import (
    DecisionMapSchema,
    FocusFireSchema,
    ForecastSchema,
    MatchupsSchema,
    TableFactsSchema,
)
from enfilade.messages.commands import BODIES, ActSchema, CommandSchema
from enfilade.messages.examples import EXAMPLES, HELLO, PLAYERS, SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.messages.members import HTTP, ConnectSchema
from enfilade.messages.openapi import openapi
from enfilade.messages.overlays import PathSchema, RollSchema, VerdictSchema
from enfilade.messages.scene import SceneSchema
from enfilade.messages.updates import (
    UPDATES,
    AckSchema,
    ChoiceSchema,
    ErrorSchema,
    LogEntrySchema,
    UpdateSchema,
)
from enfilade.play.dice.chains import Chains
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.events import AnyEvent
from enfilade.scene.seat import Seat
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.memory import MemoryStore

DIALECT = "http://json-schema.org/draft-07/schema#"

SCHEMAS: dict[str, type[Schema]] = {
    "scene": SceneSchema,
    "connect": ConnectSchema,
    "command": CommandSchema,
    "act": ActSchema,
    "update": UpdateSchema,
    "ack": AckSchema,
    "error": ErrorSchema,
    "choice": ChoiceSchema,
    "roll": RollSchema,
    "verdict": VerdictSchema,
    "path": PathSchema,
    "matchups": MatchupsSchema,
    "decision-map": DecisionMapSchema,
    "facts": TableFactsSchema,
    "focus-fire": FocusFireSchema,
    "forecast": ForecastSchema,
    "log-entry": LogEntrySchema,
    "statistics": StatisticsSchema,
    "replay-page": ReplayPageSchema,
    "rules-diff": RulesDiffJobSchema,
    "branch": BranchSchema,
    "branch-comparison": ComparisonSchema,
    **{f"http/{name}": schema for name, schema in HTTP.items()},
    **{f"commands/{kind}": schema for kind, schema in BODIES.items()},
    **{f"updates/{kind}": schema for kind, schema in UPDATES.items()},
}


def documents() -> dict[str, Any]:
    """Return all published documents by their paths in the folder."""
    return {
        **{f"{name}.json": json_schema(schema) for name, schema in SCHEMAS.items()},
        **{f"profiles/{key}.json": _profile(key) for key in load_rulesets(BUILT_IN)},
        **{f"examples/{name}.json": example for name, example in _examples().items()},
        "events.json": _events(),
        "asyncapi.json": asyncapi(),
        "openapi.json": openapi(),
    }


def _examples() -> dict[str, Any]:
    return {**EXAMPLES, **updates(), **answers()}


def _example_table() -> tuple[Table, Seat]:
    """Return a table with the example scene and its GM; the secret of its dice is all zeros."""
    tables = Tables(MemoryStore(), load_rulesets(BUILT_IN), Chains(MemoryDiceSecrets(), draw=bytes))
    links = tables.create(load_scene(SCENE))
    return tables.enter(links.table, links.gm_key)


def answers() -> dict[str, Any]:
    """Return examples of answers to questions, which the rules compute from the example scene."""
    table, seat = _example_table()
    asked = {kind: load_command(EXAMPLES[f"commands/{kind}.ask"]) for kind in ("verdict", "path")}
    return {f"ack/{kind}": dump.ack(one.id, table.execute(seat, one)) for kind, one in asked.items()}


def updates() -> dict[str, Any]:
    """Return examples of updates, which the rules compute from the example scene; always the same."""
    table, role = _example_table()
    bodies: dict[str, Any] = {"snapshot": table.snapshot(role)}
    for name in ("commands/act-with-real-dice", "commands/token.move"):
        table.execute(role, load_command({**EXAMPLES[name], "base": None}))
    bodies |= {"entries": table.entries_after(role, 0), "overlay": table.overlay(role, "bran")}
    bodies |= {"hello": HELLO, "players": PLAYERS, "ping": {"at": [96, 160], "name": "Ann"}}
    bodies["branch"] = {"branch": "0a1b2c3d4e5f6071", "name": "Ann", "is_shown": True}
    made = {
        f"updates/{kind}": dump.update("example", "0f" * 8, kind, table.seq, value)
        for kind, value in bodies.items()
    }
    for entry in [*made["updates/entries"]["body"]["entries"], *made["updates/snapshot"]["body"]["log"]]:
        entry["at_ms"] = 0  # the only part that differs from one run to the next
    return made


def json_schema(schema: type[Schema]) -> dict[str, Any]:
    """Return a schema as JSON Schema, draft 7."""
    found: dict[str, Any] = _portable(JSONSchema().dump(schema()))
    return found


def _portable(document: Any) -> Any:
    r"""Return a schema whose patterns end in `$`, because JSON Schema has no `\Z`."""
    if isinstance(document, list):
        return [_portable(inner) for inner in document]
    if not isinstance(document, dict):
        return document
    found = {key: _portable(inner) for key, inner in document.items()}
    if isinstance(found.get("pattern"), str):
        found["pattern"] = found["pattern"].replace(r"\Z", "$")
    return found


def _profile(key: str) -> dict[str, Any]:
    return {"$schema": DIALECT, **msgspec.json.schema(load_rulesets(BUILT_IN)[key].profile)}


def _events() -> dict[str, Any]:
    return {"$schema": DIALECT, **msgspec.json.schema(AnyEvent)}


def asyncapi() -> dict[str, Any]:
    """Return the two Socket.IO events as an AsyncAPI 3 document with references to the schemas."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Enfilade",
            "version": "1",
            "description": "Commands to a table and updates from it, as Socket.IO events over WebSocket. "
            "A client connects with the auth of connect.json.",
        },
        "channels": {
            "table": {
                "address": "/socket.io/",
                "messages": {
                    "command": {"payload": {"$ref": "command.json"}},
                    "ack": {"payload": {"$ref": "ack.json"}},
                    "update": {"payload": {"$ref": "update.json"}},
                },
            }
        },
        "operations": {
            "command": _operation("receive", "command", "Asks something of the table; acknowledged.", "ack"),
            "update": _operation("send", "update", "Tells a seat what has happened."),
        },
    }


def _operation(action: str, message: str, summary: str, reply: str = "") -> dict[str, Any]:
    channel = {"$ref": "#/channels/table"}
    operation = {
        "action": action,
        "channel": channel,
        "summary": summary,
        "messages": [{"$ref": f"#/channels/table/messages/{message}"}],
    }
    if reply:
        answer = {"channel": channel, "messages": [{"$ref": f"#/channels/table/messages/{reply}"}]}
        operation["reply"] = answer
    return operation


def written(document: Any) -> str:
    """Return a document as sorted, indented text; always the same."""
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main(folder: str) -> None:
    """Write all documents into a folder."""
    for name, document in documents().items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(document), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
