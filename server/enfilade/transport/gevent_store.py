"""The SQL store as a gevent server runs it: disk waits off the main thread, shared syncs, measured writes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gevent
from gevent import monkey

from enfilade.scene.entry import Entry
from enfilade.store.protocol import StoredReply, TableState
from enfilade.store.sql.group_commit import CommitHooks
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.activity import Activity
from enfilade.transport.long_jobs import call_in
from enfilade.transport.metrics import Metrics

COMMIT_SECONDS = 0.01
"""The least time between two syncs."""

IDLE_SECONDS = 0.002
"""The longest wait for a pause of the server before a sync that is due."""


class GeventStore(SqlStore):
    """The SQL store of a server; `enfilade_store_seconds` measures its writes."""

    def __init__(
        self, url: str, metrics: Metrics, sync_dice_secrets: Callable[[], None], activity: Activity
    ) -> None:
        """`sync_dice_secrets` runs before each commit, so that no roll outlives the secret it came from."""
        super().__init__(url, hooks=_commit_hooks(sync_dice_secrets, activity))
        self._metrics = metrics

    def save(self, state: TableState, entry: Entry | None, reply: StoredReply | None) -> None:
        """Store the effect of a command."""
        with self._metrics.storing.time():
            super().save(state, entry, reply)


class CommitWindow:
    """Delay commits so that one disk sync serves several.

    A quiet server syncs at once. A busy one syncs a hundred times a second instead of four hundred: each sync
    wakes a thread, which must wake the server again.
    """

    def __init__(self, activity: Activity) -> None:
        self._activity = activity
        self._synced = -COMMIT_SECONDS

    def __call__(self) -> None:
        """Wait until the next sync is due."""
        if not self._activity.is_busy:
            return
        left = self._synced + COMMIT_SECONDS - time.monotonic()
        if left > 0:
            gevent.sleep(left)
        else:
            with gevent.Timeout(IDLE_SECONDS, False):
                gevent.idle()
        self._synced = time.monotonic()


def _commit_hooks(sync_dice_secrets: Callable[[], None], activity: Activity) -> CommitHooks:
    if not monkey.is_module_patched("threading"):
        return CommitHooks(before_commit=sync_dice_secrets)
    return CommitHooks(_run_in_thread, CommitWindow(activity), sync_dice_secrets)


def _run_in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return call_in(gevent.get_hub().threadpool, function, *arguments)
