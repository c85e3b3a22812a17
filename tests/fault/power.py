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
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

from enfilade.errors import EnfiladeError
from enfilade.store.integrity import check_all, verify_tail
from tests.fault import game
from tests.fault.platter import Operation, Platter, operations
from tests.fault.preload import built, environment
from tests.fault.verdict import Verdict

COMMANDS = 320
"""So many that the write-ahead log is copied back into the database at least once."""

CONTROL_IMAGES = 200
SEED = 1
WHOLE_CHECKS = 50
"""Every so many images, all of the log is checked and the game goes on."""

FAST_FOLDER = "/dev/shm" if Path("/dev/shm").is_dir() else None


def recorded(broken: str = "") -> list[Operation]:
    """Everything that a game writes and syncs, in order."""
    with tempfile.TemporaryDirectory(prefix="enfilade-power-") as place:
        (folder := Path(place, "data")).mkdir()
        trace = Path(place, "trace")
        player = [
            sys.executable,
            "-m",
            "tests.fault.player",
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
    platter, said = Platter(), ""
    cuts = [round(number * len(trace) / count) for number in range(count + 1)]
    for number, (cut, following) in enumerate(pairwise(cuts)):
        if number in share:
            yield number, platter.after_the_cut(random.Random(f"{SEED}/{number}")), said
        for operation in trace[cut:following]:
            if operation.name == "acknowledged":
                said = operation.data.decode() or said
            else:
                platter.do(operation)


def judged(image: dict[str, bytes], said: str, *, wholly: bool) -> str:
    """What is wrong with what a server finds after the cut; empty where nothing is."""
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


def torture(count: int, broken: str = "") -> Counter[str]:
    """How often each thing is wrong in so many images, judged on every processor."""
    trace, workers = recorded(broken), os.cpu_count() or 1
    shares = [range(first, count, workers) for first in range(workers)]
    with ProcessPoolExecutor(workers) as pool:
        found = sum(pool.map(partial(_judge_share, trace, count), shares), Counter[str]())
    found["operations"] = len(trace)
    return found


def _judge_share(trace: list[Operation], count: int, share: range) -> Counter[str]:
    found = images(trace, count, share)
    return Counter(judged(image, said, wholly=number % WHOLE_CHECKS == 0) for number, image, said in found)


def run(count: int) -> Verdict:
    """The whole ordeal, with its control."""
    found = torture(count)
    control = torture(CONTROL_IMAGES, "synchronous-normal")
    return Verdict(
        "power",
        {what: found[what] for what in ("lost", "corrupt", "half")},
        {"synchronous-normal": control["lost"]},
        {"images": count, "operations": found["operations"]},
    )
