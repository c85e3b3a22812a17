"""`python -m tests.fault.player FOLDER COMMANDS TRACE BROKEN`: plays with its files watched.

Started with the fault library preloaded. Each acknowledgement goes to the file `acknowledged` in the same
folder, so that it has its place among the writes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.fault import game
from tests.fault.broken import break_by
from tests.fault.preload import Faults


def main(folder: Path, commands: int, trace: Path, broken: str) -> None:
    break_by(broken)
    with (folder / "acknowledged").open("wb", buffering=0) as acknowledged:
        Faults().trace(trace)
        table, _ = game.new_table(game.store_in(folder))
        acknowledged.write(json.dumps([table.id, 0]).encode())
        for number in range(commands):
            done = game.play(table, number)
            acknowledged.write(json.dumps([table.id, done.seq]).encode())


main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
