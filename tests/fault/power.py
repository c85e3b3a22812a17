"""A power cut at every moment: what was written and not yet synced is dropped, torn, mixed up or garbled."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

from enfilade.errors import EnfiladeError
from enfilade.store.integrity import check_all, verify_tail
from tests.fault import game
from tests.fault.mutants import apply
from tests.fault.preload import FAST_FOLDER, Faults, built, environment
from tests.fault.scenario import Verdict
from tests.fault.simulated_disk import Operation, SimulatedDisk, operations

COMMANDS = 320
"""So many that the write-ahead log is copied back into the database at least once."""

MUTANT_IMAGES = 40
SEED = 1
WHOLE_CHECKS = 50
"""Every so many images, all of the log is checked and the game goes on."""


def recorded(broken: str = "") -> list[Operation]:
    """Everything that a game writes and syncs, in order."""
    with tempfile.TemporaryDirectory(prefix="enfilade-power-") as place:
        (folder := Path(place, "data")).mkdir()
        trace = Path(place, "trace")
        player = [
            sys.executable,
            "-m",
            "tests.fault.power",
            str(folder),
            str(COMMANDS),
            str(trace),
            broken,
        ]
        subprocess.run(player, env=environment(built(Path(place)), folder), check=True)
        return list(operations(trace.read_bytes()))


def images(trace: list[Operation], count: int, share: range) -> Iterator[tuple[int, dict[str, bytes], str]]:
    """Of so many crash images, spread evenly over the whole trace, those numbered in `share`.

    Each with its number, and with what had been acknowledged by then.
    """
    platter, said = SimulatedDisk(), ""
    cuts = [round(number * len(trace) / count) for number in range(count + 1)]
    for number, (cut, following) in enumerate(pairwise(cuts)):
        if number in share:
            yield number, platter.after_power_cut(random.Random(f"{SEED}/{number}")), said
        for operation in trace[cut:following]:
            if operation.name == "acknowledged":
                said = operation.data.decode() or said
            else:
                platter.do(operation)


def judged(image: dict[str, bytes], said: str, *, wholly: bool) -> str:
    """Return the failure that a server finds after the power cut; empty if none."""
    with tempfile.TemporaryDirectory(prefix="enfilade-image-", dir=FAST_FOLDER) as place:
        for name, data in image.items():
            Path(place, name).write_bytes(data)
        try:
            return _judged(Path(place), said, wholly)
        except EnfiladeError as problem:
            return "half" if problem.code == "damaged" else "corrupt"


def _judged(folder: Path, said: str, wholly: bool) -> str:
    store = game.store_in(folder)
    try:
        if said:
            table, seq = json.loads(said)
            kept = store.load(table)
            if kept is None or kept.seq < seq:
                return "lost"
            verify_tail(kept, store)
        if wholly and any(finding.wrong for finding in check_all(store)):
            return "half"
        return ""
    finally:
        store.close()


def torture(trace: list[Operation], count: int) -> Counter[str]:
    """Count the failures in that many images, on all processors."""
    workers = os.cpu_count() or 1
    shares = [range(first, count, workers) for first in range(workers)]
    with ProcessPoolExecutor(workers) as pool:
        found = sum(pool.map(partial(_judge_share, trace, count), shares), Counter[str]())
    found["operations"] = len(trace)
    return found


def _judge_share(trace: list[Operation], count: int, share: range) -> Counter[str]:
    found = images(trace, count, share)
    return Counter(judged(image, said, wholly=number % WHOLE_CHECKS == 0) for number, image, said in found)


def play(folder: Path, commands: int, trace: Path, mutant: str) -> None:
    """Play commands with the files watched; acknowledgments enter the trace as the file `acknowledged`."""
    apply(mutant)
    with (folder / "acknowledged").open("wb", buffering=0) as acknowledged:
        Faults().trace(trace)
        table, _ = game.new_table(game.store_in(folder))
        acknowledged.write(json.dumps([table.id, 0]).encode())
        for number in range(commands):
            done = game.play(table, number)
            acknowledged.write(json.dumps([table.id, done.seq]).encode())


def run(count: int) -> Verdict:
    """The whole scenario, with its control."""
    mutant = "synchronous-normal"
    with ThreadPoolExecutor() as pool:
        trace, mutant_trace = pool.map(recorded, ("", mutant))
    found = torture(trace, count)
    control = torture(mutant_trace, MUTANT_IMAGES)
    return Verdict(
        "power",
        {what: found[what] for what in ("lost", "corrupt", "half")},
        {mutant: control["lost"]},
        {"images": count, "operations": found["operations"]},
    )


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
