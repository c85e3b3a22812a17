"""Real tables with fair dice, acts at them, and the logs that come of it."""

from __future__ import annotations

import itertools

from enfilade.messages.examples import EXAMPLES, SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.play.dice import LINKS, Chains
from enfilade.play.tables import Tables
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM
from enfilade.scene.proofs import IndexUsed
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.memory import MemoryStore

ACT = EXAMPLES["commands/act"]["body"]["act"]
RULESETS = load_rulesets(BUILT_IN)


class RecordedGame:
    """A table of the contract's example scene, and a game master who attacks for ever."""

    def __init__(self, store=None, seeds=None, links=LINKS, chains=Chains, rulesets=RULESETS):
        self.store, self.seeds = store or MemoryStore(), seeds or MemoryDiceSecrets()
        self.make = lambda: Tables(self.store, rulesets, chains(self.seeds, links))
        self.numbers = itertools.count()
        self.links = self.make().create(load_scene(SCENE))
        self.enter()

    def enter(self):
        """Comes to the table anew, as after a restart."""
        self.table, _ = self.make().enter(self.links.table, self.links.gm_key)

    def do(self, kind, body, random=None, command_id=None, seat=GM):
        number = next(self.numbers)
        command = {"v": 1, "id": command_id or f"c{number}", "kind": kind, "body": body}
        return self.table.execute(seat, load_command({**command, "random": random or f"{number:032x}"}))

    def attack(self, faces=None, secret=False, **more):
        return self.do("act", {"act": ACT, "faces": faces, "secret": secret}, **more)

    def attack_to_the_end(self, secret=False):
        """An attack with the default of every choice, taken back so that the next may follow."""
        done = self.attack(secret=secret)
        while "waiting" in done.result:
            choice = done.result["waiting"]
            done = self.do("choice.answer", {"choice": choice["id"], "answer": choice["default"]})
        self.do("undo", {})

    def entries(self):
        return self.store.entries(self.table.id, 0, 1_000_000)

    def last_entries(self):
        return self.store.entries(self.table.id, max(0, self.table.seq - 10), 10)

    def log(self):
        return "".join(self.table.export_log()).encode()


def honest_log(rolls):
    """The log of a game with so many attacks, one in four of them hidden and one in eight shown afterwards.

    It has a chain that had to be followed by others, and typed dice.
    """
    game = RecordedGame(links=max(10, rolls // 3))
    game.attack(faces=[2])
    game.do("undo", {})
    for number in range(rolls):
        game.attack_to_the_end(secret=number % 4 == 0)
        if number % 8 == 0:
            rolled = next(entry for entry in reversed(game.last_entries()) if is_hidden_roll(entry))
            game.do("dice.reveal", {"seq": rolled.seq})
    return game.log()


def is_hidden_roll(entry):
    return isinstance(entry.dice, IndexUsed) and entry.dice.is_hidden
