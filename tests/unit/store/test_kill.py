"""kill -9 in the middle of writing: what was acknowledged is there, whole, and nothing is there by half.

This cannot show what a power cut does (docs/decisions/0014-storing.md); it shows that one transaction
holds an entry, the table's row and the command's answer.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from signal import SIGKILL

from tests import fork_server

from enfilade.scene.apply import fold_all, inverse
from enfilade.store.sql.tables import SqlStore

KILLS = 5
ENTRIES = 40


def killed_after(url, entries):
    """Starts a writer and kills it; gives the table's id and the last entry it acknowledged."""
    writer = fork_server.start("tests.unit.store.writer", [url], os.environ, sys.__stderr__)
    with writer.stdout as stdout:
        table = stdout.readline().strip()
        for _ in range(entries):
            stdout.readline()
        writer.kill()
        said = [line for line in stdout.read().split("\n") if line]
    assert writer.wait() == -SIGKILL
    return table, entries + len(said)


def test_a_killed_process_loses_no_acknowledged_entry(tmp_path):
    for number in range(KILLS):
        url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
        table, acknowledged = killed_after(url, ENTRIES + number)
        with closing(SqlStore(url)) as store:
            kept = store.load(table)
            log = store.entries(table, 0, 100_000)
            assert acknowledged <= kept.seq <= acknowledged + 1
            assert [entry.seq for entry in log] == list(range(1, kept.seq + 1))
            assert all(store.reply(table, entry.seat, entry.id).seq == entry.seq for entry in log)
        start = kept.scene
        for entry in reversed(log):
            start = fold_all(start, inverse(entry.events))
        assert fold_all(start, [event for entry in log for event in entry.events]) == kept.scene
