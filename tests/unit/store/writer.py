"""Acts at a table for ever, in the database it is given; says each entry's number once it is stored."""

from __future__ import annotations

import sys

from tests.example import FIRST_BLOOD

from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.rules.dice import SystemDice
from enfilade.scene.model import GM, Grid, Scene, Token
from enfilade.store.sql.tables import SqlStore

tables = Tables(SqlStore(sys.argv[1]), {"first_blood": FIRST_BLOOD}, SystemDice())
scene = Scene(
    ruleset="first_blood",
    grid=Grid("square", 5, 5),
    tokens=(
        Token(id="ann", name="Ann", side="blue", at=(0, 0)),
        Token(id="orc", name="Orc", side="red", at=(4, 4)),
    ),
)
links = tables.create(scene)
table, _ = tables.enter(links.table, links.gm_key)
print(links.table, flush=True)
while True:
    seq = table.seq
    body = {"token": "ann", "at": [seq % 5, 0]}
    done = table.execute(GM, load_command({"v": 1, "id": f"c{seq}", "kind": "token.move", "body": body}))
    print(done.seq, flush=True)
