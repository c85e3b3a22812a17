"""Random battles of every ruleset at real tables, entered anew at every choice: their logs hold."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest
from tests.property.fair_dice.logs import RULESETS

from enfilade.cli.verify import verify
from enfilade.errors import EnfiladeError
from enfilade.play.command import Command
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rules.conformance.games import choose_act
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.scene.model import GM
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.memory import MemoryStore

ACTS = 50
GAMES, MOST_GAMES, LEAST_DICE = 4, 12, 20


class RecordedBattle:
    def __init__(self, ruleset, seed):
        self.ruleset, self.chance, self.numbers = ruleset, random.Random(seed), itertools.count()
        self.store, self.seeds = MemoryStore(), MemoryDiceSecrets()
        self.links = self.tables().create(skirmish(ruleset, seed))
        self.enter()

    def tables(self):
        return Tables(self.store, RULESETS, Chains(self.seeds))

    def enter(self):
        self.table, _ = self.tables().enter(self.links.table, self.links.gm_key)

    def do(self, kind, **body):
        return self.table.execute(GM, Command(id=f"c{next(self.numbers)}", kind=kind, body=body))

    def act(self, act):
        """Does an act, with the default of every choice; a refused one does nothing."""
        try:
            if act.kind == "move":
                done = self.do("token.move", token=act.token, at=act.at, facing=act.facing, override="")
            else:
                done = self.do("act", act=msgspec.to_builtins(act), faces=None, override="")
        except EnfiladeError:
            return
        while choice := done.result.get("waiting"):
            self.enter()
            done = self.do("choice.answer", choice=choice["id"], answer=default_answer(choice), faces=None)

    def fight(self):
        for _ in range(ACTS):
            act = choose_act(self.ruleset, self.table.scene, self.chance)
            if act is None:
                return
            self.act(act)


def default_answer(choice):
    """The default of a choice: a key, or for a split the number of each option."""
    if choice.get("allocation") is None:
        return choice["default"]
    keys = [option["key"] for option in choice["options"]]
    return dict(zip(keys, choice["allocation"]["default"], strict=True))


@pytest.mark.parametrize("key", sorted(key for key, game in RULESETS.items() if not game.only_moves))
def test_every_die_of_random_battles_is_proven(key):
    proven = 0
    for seed in range(MOST_GAMES):  # the dice are the table's own: now and then few of them fall
        if seed >= GAMES and proven > LEAST_DICE:
            break
        battle = RecordedBattle(RULESETS[key], seed)
        battle.fight()
        report = verify("".join(battle.table.export_log()).encode())
        assert report.holds, f"seed {seed}, entry {report.entry}: {report.why}"
        proven += report.dice
    assert proven > LEAST_DICE
