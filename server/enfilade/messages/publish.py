"""The published contract: JSON Schema, OpenAPI, AsyncAPI, types for the page, and examples.

`python -m enfilade.messages.publish FOLDER TYPES` writes all documents into a folder, and the types into a
file. A test compares them with the committed ones, so that each change of the contract is visible.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from enfilade.messages import dump
from enfilade.messages.api_documents import asyncapi, openapi
from enfilade.messages.contract import loaded, profile_schema, sent, types
from enfilade.messages.examples import EXAMPLES, HELLO, PLAYERS, SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.play.dice import Chains
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Seat
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.memory import MemoryStore


def documents() -> dict[str, Any]:
    """Return all published documents by their paths in the folder."""
    rulesets = load_rulesets(BUILT_IN)
    return {
        **{f"{name}.json": document for name, document in {**sent(), **loaded()}.items()},
        **{f"profiles/{key}.json": profile_schema(ruleset.profile) for key, ruleset in rulesets.items()},
        **{f"examples/{name}.json": example for name, example in _examples().items()},
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


def written(document: Any) -> str:
    """Return a document as sorted, indented text; always the same."""
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main(folder: str, types_file: str) -> None:
    """Write all documents into a folder, and the types into a file."""
    for name, document in documents().items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(document), encoding="utf-8")
    Path(types_file).write_text(types(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
