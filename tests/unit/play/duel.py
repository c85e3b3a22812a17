"""A table with a small duel on it, and short ways to act there."""

from __future__ import annotations

import itertools
from typing import Any

from tests.example import FIRST_BLOOD

from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.scene.apply import fold_all
from enfilade.scene.model import GM, Grid, Scene, Side, Token, Wall
from enfilade.store.memory import MemoryStore

SCENE = Scene(
    ruleset="first_blood",
    grid=Grid("square", 8, 8),
    walls=(Wall(id="door", line=(0, 0, 64, 0), door="door"), Wall(id="wall", line=(0, 64, 64, 64))),
    sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
    tokens=(
        Token(id="orc", name="Orc", side="red", at=(3, 3)),
        Token(id="ann", name="Ann", side="blue", at=(2, 3)),
        Token(id="spy", name="Silent Sam", side="red", at=(7, 7), hidden=True),
    ),
)
NEW_IDS = itertools.count()


class Duel:
    def __init__(self, store=None, scene=SCENE):
        self.store = store or MemoryStore()
        self.links = self._tables().create(scene)
        self.enter()
        self.first = self.table.scene

    def _tables(self):
        return Tables(self.store, {"first_blood": FIRST_BLOOD}, SeededDice(7))

    def enter(self):
        """Comes to the table anew, as after a restart: nothing is left but what is stored."""
        self.table, _ = self._tables().enter(self.links.table, self.links.gm_key)

    def do(self, kind: str, /, seat=GM, base=None, command_id=None, **body: Any):
        raw = {"v": 1, "id": command_id or f"c{next(NEW_IDS)}", "kind": kind, "base": base, "body": body}
        return self.table.execute(seat, load_command(raw))

    def strike(self, token="ann", target="orc", **more: Any):
        return self.do("act", act={"kind": "strike", "token": token, "target": target}, **more)

    def answer(self, answer: str, **more: Any):
        choice = self.table.snapshot(GM).choice
        return self.do("choice.answer", choice=choice.id, answer=answer, **more)

    def entries(self):
        return self.store.entries(self.table.id, 0, 10_000)

    def replayed(self):
        return fold_all(self.first, [event for entry in self.entries() for event in entry.events])
