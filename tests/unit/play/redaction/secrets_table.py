"""The contract's example scene at a table, with tokens and terrain to hide in it; Mia plays Bran."""

from __future__ import annotations

import itertools

import msgspec
from msgspec.structs import replace

from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.play.tables import Tables
from enfilade.rules.dice import SystemDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Seat, Terrain, Token
from enfilade.store.memory import MemoryStore

RULESETS = load_rulesets(BUILT_IN)
MIA, KIT = Seat("player", "mia"), Seat("player", "kit")
ORC = {"armor": "light", "race": "orc", "hands": ["axe", "shield"]}
WRAITH = Token(
    id="wraith",
    name="Grey Wraith",
    side="red",
    at=(4, 2),
    hidden=True,
    profile=ORC,
    owners=("kit",),
)


PIT = Terrain(id="pit", name="The Pit", cells=((4, 2),), cost=3, hidden=True)


BANNER = replace(
    WRAITH,
    name="Grey Banner",
    at=(4, 3),
    owners=(),
    profile={"armor": "light", "race": "orc", "hands": ["axe", "banner"]},
)


class SecretsTable:
    """The contract's example scene at a table that only advises; Mia plays Bran."""

    def __init__(self, *hidden, enforcement="advise", ground=(), rulesets=RULESETS, scene=None):
        scene = scene or with_hidden(hidden, enforcement=enforcement, terrain=ground)
        self.store = MemoryStore()
        tables = Tables(self.store, rulesets, SystemDice())
        links = tables.create(scene)
        self.table, _ = tables.enter(links.table, links.gm_key)
        self.numbers = itertools.count()

    def do(self, kind, seat=MIA, **body):
        command = {"v": 1, "id": f"c{next(self.numbers)}", "kind": kind, "body": body}
        return self.table.execute(seat, load_command(command))

    def move(self, at, seat=MIA):
        return self.do("token.move", seat=seat, token="bran", at=at)

    def entry(self, seat):
        (entry,) = self.table.entries_after(seat, self.table.seq - 1).entries
        return entry

    def log_text(self, seat):
        """Return the sentences and the detail that a seat's log shows."""
        entry = self.entry(seat)
        return "\n".join(filter(None, [entry.text, entry.facts.get("detail")]))


def with_hidden(hidden, **more):
    scene = load_scene(SCENE)
    bran, orc = scene.tokens
    return replace(scene, tokens=(replace(bran, owners=("mia",)), orc, *hidden), walls=(), **more)


def to_chance(game, seat):
    """Return a seat's view of the last entry, without its time."""
    return msgspec.json.encode(replace(game.entry(seat), at_ms=0))
