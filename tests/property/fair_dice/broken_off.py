"""A server that takes the dice of an act, says so and stops, to be killed there."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rules.dice import D20
from enfilade.rules.procedures import Outcome, Roll, yes_or_no
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM
from enfilade.store.dice_secrets import DiceSecretFolder
from enfilade.store.sql.tables import SqlStore


def throw(scene, act):
    """An act that rolls a dozen dice."""
    yield Roll("throw", D20, 12)
    return Outcome("thrown")


def throw_and_throw_again(scene, act):
    """An act that waits between its dice."""
    yield Roll("throw", D20, 2)
    yield yes_or_no("blue", "Throw again?", default=True)
    yield Roll("throw again", D20, 3)
    return Outcome("thrown")


(CDG,) = (ruleset for ruleset in BUILT_IN if ruleset.key == "coup_de_grace")
DOZEN = replace(
    CDG,
    acts={
        **CDG.acts,
        "throw": ActKind("Throw", throw),
        "again": ActKind("Throw and throw again", throw_and_throw_again),
    },
    narrate=lambda *_: "A dozen dice are thrown.",
)


class StoppingChains(Chains):
    """Chains that stop once a link is stored and spent, before a die is known."""

    def key(self, table, chained, intake):
        super().key(table, chained, intake)
        print("taken", flush=True)
        time.sleep(60)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir()
    store = SqlStore(f"sqlite:///{folder / 'tables.sqlite'}")
    tables = Tables(store, {"coup_de_grace": DOZEN}, StoppingChains(DiceSecretFolder(folder / "seeds")))
    links = tables.create(load_scene(SCENE))
    table, _ = tables.enter(links.table, links.gm_key)
    print(json.dumps([links.table, links.gm_key]), flush=True)
    act = {"kind": "throw", "token": "bran"}
    table.execute(
        GM,
        load_command({"v": 1, "id": "killed", "kind": "act", "body": {"act": act}, "random": "ab" * 16}),
    )
