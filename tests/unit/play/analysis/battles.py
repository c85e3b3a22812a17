"""Battles played at real tables by commands: random legal acts, their choices answered too."""

from __future__ import annotations

import itertools
import random

from msgspec.structs import replace

from enfilade.errors import EnfiladeError
from enfilade.messages.load import load_command
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.rules.conformance.games import choose_act
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import AUTOMATIC, GM, Seat
from enfilade.store.memory import MemoryStore

RULESETS = load_rulesets(BUILT_IN)
GAMES = [key for key in sorted(RULESETS) if not RULESETS[key].only_moves]
NEW_IDS = itertools.count()


class PlayedBattle:
    """A table with a random battle, its GM, and the store behind it."""

    def __init__(self, game: str, seed: int, scene=None, is_automatic=True, strength=2):
        self.store = MemoryStore()
        self.tables = Tables(self.store, RULESETS, SeededDice(seed))
        scene = scene or skirmish(RULESETS[game], seed, strength=strength)
        if is_automatic:
            sides = tuple(
                replace(side, conditions={**side.conditions, AUTOMATIC: ""}) for side in scene.sides
            )
            scene = replace(scene, sides=sides)
        links = self.tables.create(scene)
        self.table: Table
        self.table, self.gm = self.tables.enter(links.table, links.gm_key)
        self.chance = random.Random(seed)

    def do(self, kind: str, seat: Seat = GM, **body):
        raw = {"v": 1, "id": f"c{next(NEW_IDS)}", "kind": kind, "base": None, "body": body}
        return self.table.execute(seat, load_command(raw))

    def act(self, act: Act):
        if act.kind == "move":
            path = [list(cell) for cell in act.path]
            more = {"path": path} if path else {}
            return self.do("token.move", token=act.token, at=list(act.at), facing=act.facing, **more)
        plain = {"kind": act.kind, "token": act.token, "target": act.target, "weapon": act.weapon}
        at = {"at": list(act.at)} if act.at else {}
        return self.do("act", act={**plain, **at, "facing": act.facing})

    def answer_all(self):
        """Answer each open choice, mostly otherwise than by default."""
        while (choice := self.table.snapshot(GM).choice) is not None:
            if choice.allocation is not None:
                split = zip((o.key for o in choice.options), choice.allocation.default, strict=True)
                answer = dict(split)
            else:
                answer = self.chance.choice(choice.options).key
            self.do("choice.answer", choice=choice.id, answer=answer)

    def play(self, acts: int) -> int:
        """Play up to so many acts; return how many were played."""
        for played in range(acts):
            scene, ruleset = self.table.scene, self.table.ruleset
            turn = ruleset.turn(scene)
            act = None if turn.is_over else choose_act(ruleset, scene, self.chance)
            if act is None:
                return played
            try:
                self.act(act)
            except EnfiladeError:
                continue  # an offered act whose form needs more than a random player says
            self.answer_all()
        return acts

    def entries(self):
        return self.store.entries(self.table.id, 0, 100_000)
