"""The tables under load: the demo battle of Coup-de-Grace, its target of all attacks too strong to fall."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.play.members import hash_secret, new_secret
from enfilade.play.tables import Tables
from enfilade.rules.dice import SystemDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Scene
from enfilade.store.members import Member
from enfilade.store.sql.tables import SqlStore

SHOWN = "aldis"
TARGET = "ilvane"
ATTACK = {"kind": "melee", "token": "goblin-1", "target": TARGET, "weapon": "assassin's knife"}
LAYERS = ["reach", "arc", "ranges", "sight", "blind", "engagement", "targets"]
"""All but threat, which is worked out for whoever looks at it alone."""
STEPS = (("wren", [2, 9]), ("orc-1", [9, 7]), ("aldis", [3, 7]))
"""Who steps aside and, with the same words again, back to where it stood."""


def made(data: Path, tables: int, seats: int, players: int = 0) -> list[list[dict[str, Any]]]:
    """Makes tables in a folder for a server; gives the key of each seat, the game master first."""
    return made_in(f"sqlite:///{data / 'enfilade.sqlite'}", tables, seats, players)


def made_in(url: str, tables: int, seats: int, players: int = 0) -> list[list[dict[str, Any]]]:
    """Makes tables in a database; gives the key of each seat: the game master, players, then spectators."""
    store = SqlStore(url)
    room = Tables(store, load_rulesets(BUILT_IN), SystemDice())
    found = []
    for _ in range(tables):
        link = room.create(_scene())
        keys = [link.gm_key, *(_player_key(store, link.table, number) for number in range(players))]
        keys += [link.spectator_key] * (seats - len(keys))
        found.append([{"table": link.table, "key": key} for key in keys])
    store.close()
    return found


def _player_key(store: SqlStore, table: str, number: int) -> str:
    """Seats a player who owns no token; gives the key."""
    key = new_secret()
    member = Member(table=table, id=f"player{number}", role="player", name=f"Player {number}")
    store.members.add_member(member, hash_secret(key))
    return key


def _scene() -> Scene:
    scene = demo_battle(next(ruleset for ruleset in BUILT_IN if ruleset.key == "coup_de_grace")).scene
    tokens = tuple(replace(t, tracks={"hp": 1_000_000}) if t.id == TARGET else t for t in scene.tokens)
    return replace(scene, tokens=tokens)


def commands() -> list[dict[str, Any]]:
    """The commands of a table, repeated: three moves and an attack with the table's dice, there and back."""
    at = {token.id: list(token.at or ()) for token in _scene().tokens}
    rounds = []
    for cells in (dict(STEPS), at):
        rounds += [_command("token.move", {"token": name, "at": cells[name]}) for name, _ in STEPS]
        rounds.append(_command("act", {"act": ATTACK, "override": "The load goes on."}))
    return rounds


def show() -> dict[str, Any]:
    """Has a game master look at a token's overlay, and again after every change."""
    return {**_command("overlay.show", {"token": SHOWN, "layers": LAYERS}), "id": "show"}


def _command(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"v": 1, "kind": kind, "base": None, "body": body}
