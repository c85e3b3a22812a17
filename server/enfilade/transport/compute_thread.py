"""A thread for long calls of the geometry kernel, which run while the server goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import gevent
from gevent.threadpool import ThreadPool


class ComputeThread:
    """One thread beside the server's own, so that long calls of several tables leave a core to the server.

    The kernel releases the interpreter lock, so this thread and the server's compute at the same time.
    """

    def __init__(self) -> None:
        self._pool: ThreadPool | None = None

    def run(self, function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, float]:
        """Return the result of a call and the seconds of compute time that it took."""
        if self._pool is None:
            self._pool = ThreadPool(1, hub=gevent.get_hub())
        called = self._pool.spawn(_measured, function, arguments)
        try:
            result: tuple[Any, float] = called.get()
            return result
        finally:
            called.wait()  # a killed greenlet must not release what the thread still uses


def _measured(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, float]:
    began = time.thread_time()
    result = function(*arguments)
    return result, time.thread_time() - began
