"""The game that scenarios play: an attack with dice and damage, then its undo, over and over."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

from msgspec.structs import replace

from enfilade.client.http import Client
from enfilade.importers.demo import demo_battle
from enfilade.messages.load import load_command
from enfilade.play.command import CommandResult
from enfilade.play.table import Table
from enfilade.play.tables import Links, Tables
from enfilade.rules.dice import SystemDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM
from enfilade.store.sql.tables import SqlStore

RULESET = "coup_de_grace"
ATTACK = {"kind": "melee", "token": "goblin-1", "target": "ilvane", "weapon": "assassin's knife"}
HIT_POINTS = 1_000_000


def command(number: int) -> dict[str, Any]:
    """The command of that number, always with the same id: attacks and their undoing in turn."""
    kind, body = ("undo", {}) if number % 2 else ("act", {"act": ATTACK, "override": "Torture"})
    return {"v": 1, "id": f"command-{number}", "kind": kind, "base": None, "body": body}


_ONE_AT_A_TIME = Lock()
"""Guards Alembic, which migrates one database at a time in a process."""


def store_in(folder: Path) -> SqlStore:
    """Open the store in a server's data folder."""
    with _ONE_AT_A_TIME:
        return SqlStore(f"sqlite:///{folder / 'enfilade.sqlite'}")


def tables_of(store: SqlStore) -> Tables:
    return Tables(store, load_rulesets(BUILT_IN), SystemDice())


def new_table(store: SqlStore) -> tuple[Table, Links]:
    """A table with the demo battle on it, stored."""
    tables = tables_of(store)
    ruleset = next(ruleset for ruleset in BUILT_IN if ruleset.key == RULESET)
    links = tables.create(demo_battle(ruleset).scene)
    return tables.enter(links.table, links.gm_key)[0], links


def undying(folder: Path, count: int) -> list[Links]:
    """So many tables in a folder for a server, where the target of all the attacks lives through them."""
    store = store_in(folder)
    scene = demo_battle(next(ruleset for ruleset in BUILT_IN if ruleset.key == RULESET)).scene
    tracks = {"hp": HIT_POINTS}
    tokens = tuple(replace(t, tracks=tracks) if t.id == ATTACK["target"] else t for t in scene.tokens)
    links = [tables_of(store).create(replace(scene, tokens=tokens)) for _ in range(count)]
    store.close()
    return links


def play(table: Table, number: int) -> CommandResult:
    return table.execute(GM, load_command(command(number)))


def make_undying(client: Client) -> None:
    """Give the target of all attacks enough hit points to survive them."""
    target = next(token for token in client.scene()["tokens"] if token["id"] == ATTACK["target"])
    client.send("token.place", {"token": {**target, "tracks": {"hp": HIT_POINTS}}})
