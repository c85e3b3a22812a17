"""A disk that fails at the nth write or sync, for n = 1, 2, ... until every one has failed.

Only stored commands are acknowledged. Once the disk works again the same process continues.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from enfilade.errors import EnfiladeError
from enfilade.play.table import Table
from enfilade.scene.model import GM
from enfilade.store.integrity import check_all
from enfilade.store.sql.tables import SqlStore
from tests.fault import game
from tests.fault.mutants import apply
from tests.fault.preload import FAST_FOLDER, Faults, built, environment
from tests.fault.scenario import Verdict

RELEASED = Path(__file__).parents[1] / "unit" / "store" / "released" / "0001.db"
COMMANDS = 6
MODES = {"full": (errno.ENOSPC, True), "once": (errno.EIO, False)}
"""A disk that is full from then on, and one that fails once: the error, and whether it goes on."""

MAX_OPERATIONS = 2_000


class Scenario:
    """A store in a folder that is watched, and what was acknowledged and went wrong."""

    def __init__(self, folder: Path, faults: Faults) -> None:
        self._folder = folder
        self._faults = faults
        self._prepared = folder / "prepared"
        self._prepared.mkdir()
        store = game.store_in(self._prepared)
        self._links = game.new_table(store)[1]
        store.close()
        self.found: Counter[str] = Counter()

    def played(self, folder: Path) -> None:
        """Plays while the disk fails, and once it works again every command, at the same table."""
        store = game.store_in(folder)
        table, seat = game.tables_of(store).enter(self._links.table, self._links.gm_key)
        assert seat == GM
        acknowledged = {n: seq for n in range(COMMANDS) if (seq := self._tried(table, n)) is not None}
        self._mend()
        again = {number: self._tried(table, number) for number in range(COMMANDS)}
        store.close()
        self._judge(folder, acknowledged, again)

    def migrated(self, folder: Path) -> None:
        """Brings a released store up to date while the disk fails, and again once it works."""
        path = folder / "enfilade.sqlite"
        shutil.copy(RELEASED, path)
        with suppress(EnfiladeError):
            game.store_in(folder).close()
        self._mend()
        store = game.store_in(folder)
        self.found["half"] += (
            any(finding.wrong for finding in check_all(store)) or len(store.table_ids()) != 2
        )
        store.close()

    def fail_each(self, act: Callable[[Path], None], code: int, stride: int, *, for_ever: bool) -> None:
        """Make the nth operation of an act fail, for n = 1, 1 + stride, ... until none fails."""
        for nth in range(1, MAX_OPERATIONS, stride):
            folder = self._folder / "now"
            shutil.copytree(self._prepared, folder)
            self._done = 0
            self._faults.arm(nth, code, for_ever=for_ever)
            self._act(act, folder)
            shutil.rmtree(folder)
            if self._done < nth:
                return
            self.found["faults"] += 1
        self.found["endless"] += 1

    def _act(self, act: Callable[[Path], None], folder: Path) -> None:
        for may_fail in (True, False):
            try:
                return act(folder)
            except EnfiladeError:
                # The disk failed before there was a table to play at: the same again, once it works.
                self.found["not_back"] += not may_fail
            finally:
                self._mend()
        return None

    def _mend(self) -> None:
        self._done = max(self._done, self._faults.count())
        self._faults.arm(0)

    def _tried(self, table: Table, number: int) -> int | None:
        try:
            return game.play(table, number).seq
        except EnfiladeError as problem:
            self.found["refused"] += problem.code == "storage-down"
        except Exception:
            self.found["crashed"] += 1
        return None

    def _judge(self, folder: Path, acknowledged: dict[int, int], again: dict[int, int | None]) -> None:
        store = SqlStore(f"sqlite:///{folder / 'enfilade.sqlite'}")
        self.found["half"] += any(finding.wrong for finding in check_all(store))
        for number, seq in acknowledged.items():
            answered = store.reply(self._links.table, "gm", f"command-{number}")
            self.found["false_acks"] += answered is None or answered.seq != seq
        self.found["not_back"] += any(seq is None for seq in again.values())
        ids = Counter(entry.id for entry in store.entries(self._links.table, 0, 1_000))
        self.found["doubled"] += any(ids[f"command-{number}"] > 1 for number in range(COMMANDS))
        store.close()


ACTS = {"played": Scenario.played, "migrated": Scenario.migrated}


def torture(act: str, mode: str, stride: int, broken: str = "") -> Counter[str]:
    """Return the failures of one act on one disk, run in a process whose files are watched."""
    with tempfile.TemporaryDirectory(prefix="enfilade-disk-", dir=FAST_FOLDER) as place:
        (folder := Path(place, "data")).mkdir()
        command = [sys.executable, "-m", "tests.fault.disk", str(folder), act, mode, str(stride), broken]
        watched = environment(built(Path(place)), folder)
        said = subprocess.run(command, env=watched, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Counter(json.loads(said))


def run(stride: int) -> Verdict:
    """Run the scenario and its mutant on all processors; only every `stride`-th operation fails."""
    jobs = [("played", "full", stride, "error-swallowed")]
    jobs += [(act, mode, stride, "") for act in ACTS for mode in MODES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        control, *whole = pool.map(lambda job: torture(*job), jobs)
    found = sum(whole, Counter[str]())
    wrong = ("false_acks", "doubled", "half", "not_back", "crashed", "endless")
    return Verdict(
        "disk",
        {what: found[what] for what in wrong},
        {"error-swallowed": control["false_acks"]},
        {"faults": found["faults"], "refused": found["refused"]},
    )


def main(folder: Path, act: str, mode: str, stride: int, broken: str) -> None:
    scenario = Scenario(folder, Faults())
    apply(broken)
    code, for_ever = MODES[mode]
    scenario.fail_each(partial(ACTS[act], scenario), code, stride, for_ever=for_ever)
    print(json.dumps(scenario.found))


if __name__ == "__main__":
    folder, act, mode, stride, mutant = sys.argv[1:]
    main(Path(folder), act, mode, int(stride), mutant)
