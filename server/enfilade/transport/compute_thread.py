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
        measured: tuple[Any, float] = call_in(self._pool, _measured, function, arguments)
        return measured


def call_in(pool: ThreadPool, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a call in a thread of a pool. Raises its error here alone.

    gevent would also log each error that ends a pool's task, such as that of a malformed upload.
    """
    called = pool.spawn(_outcome, function, arguments)
    try:
        result, problem = called.get()
    finally:
        called.wait()  # a killed greenlet must not release what the thread still uses
    if problem is not None:
        raise problem
    return result


def _outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, Exception | None]:
    try:
        return function(*arguments), None
    except Exception as problem:
        return None, problem


def _measured(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, float]:
    began = time.thread_time()
    result = function(*arguments)
    return result, time.thread_time() - began
