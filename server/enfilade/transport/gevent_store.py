"""The SQL store as a gevent server runs it: disk waits off the main thread, shared syncs, measured writes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gevent
from gevent import monkey

from enfilade.runtime.time_budget import ERROR_SECONDS, Clock, server_clock
from enfilade.store.sql.group_commit import CommitHooks
from enfilade.store.sql.tables import SqlStore
from enfilade.transport.activity import Activity
from enfilade.transport.long_jobs import call_in
from enfilade.transport.metrics import Metrics

COMMIT_SECONDS = 1 / 20
"""The time between two syncs of a server that computes all the time; with half the computing it is half."""

IDLE_SECONDS = 0.002
"""The longest wait for a pause of the server before a sync that is due."""


def open_store(
    url: str, metrics: Metrics, sync_dice_secrets: Callable[[], None], activity: Activity
) -> SqlStore:
    """Return the store of a server; `enfilade_store_seconds` measures its writes.

    `sync_dice_secrets` runs before each commit, so that no roll outlives the secret it came from. Raises what
    `SqlStore` raises.
    """
    hooks = CommitHooks(before_commit=sync_dice_secrets, measure=metrics.storing.time)
    if monkey.is_module_patched("threading"):
        hooks = replace(hooks, offload=_run_in_thread, gather=CommitWindow(activity))
    return SqlStore(url, hooks=hooks)


class CommitWindow:
    """Delay commits so that one disk sync serves several.

    A quiet server syncs at once. The more of its time a busy one computes, the longer it waits: each sync
    wakes a thread, which must wake the server again, and answers that are sent together find the processor's
    caches warm. Near its limit a server answers sooner with few syncs than with many.
    """

    def __init__(self, activity: Activity, clock: Clock = server_clock) -> None:
        """`clock` returns the CPU seconds of this thread."""
        self._activity, self._clock = activity, clock
        self._synced, self._used = time.monotonic(), clock()

    def __call__(self) -> None:
        """Wait until the next sync is due."""
        if not self._activity.is_busy:
            return
        passed = time.monotonic() - self._synced
        share = min(1.0, max(0.0, self._clock() - self._used) / max(passed, ERROR_SECONDS))
        left = share * COMMIT_SECONDS - passed
        if left > 0:
            gevent.sleep(left)
        else:
            with gevent.Timeout(IDLE_SECONDS, False):
                gevent.idle()
        self._synced, self._used = time.monotonic(), self._clock()


def _run_in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return call_in(gevent.get_hub().threadpool, function, *arguments)
