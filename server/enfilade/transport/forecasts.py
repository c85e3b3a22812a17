"""Forecast jobs: their queue, progress and end, and the executors that play them.

The server's loop plays nothing. A thread waits for an executor (`concurrent.futures.Executor`), which plays
the batches of one job after another: worker processes of this machine, or a Dask cluster, which has the same
interface (`enfilade[cluster]`). A job belongs to one seat and knows that seat's view only.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import gevent
import msgspec
from gevent.threadpool import ThreadPool

from enfilade.errors import BadInput, NotFound, RateLimited
from enfilade.i18n import localize
from enfilade.scene.model import Scene
from enfilade.tactics.forecast import Forecast, Job, Tally, forecast_of, play_batch

log = logging.getLogger(__name__)

BATCH = 4
"""The continuations of one batch: so few that progress shows, and that a cancelled job ends soon."""

MAX_SECONDS = 180
"""The time after which a job ends with what it has counted."""

MAX_WAITING = 16
"""The most jobs that wait for their turn."""

MAX_KEPT = 200
"""The most jobs that can be read again; the oldest ended ones go."""

WORKERS = 2
"""The worker processes, unless the settings say otherwise."""

NICENESS = 10
"""The priority of the worker processes below the server's."""

OpenExecutor = Callable[[], AbstractContextManager[tuple[Executor, int]]]
"""Opens what plays the batches of one job, and says how many at once."""


@contextmanager
def local_processes(count: int = WORKERS) -> Iterator[tuple[Executor, int]]:
    """Start worker processes for one job; yield their executor, and how many batches they play at once.

    They are started afresh and not forked, because the server has threads and open sockets.
    """
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(count, context, initializer=_begin_worker)
    # It has unblocked these signals in this thread, which would take them from the server's loop.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield executor, count
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():  # only forecasts start any, and one runs at a time
            process.kill()


def _begin_worker() -> None:
    """Leave the server its share of the processor, and the end of the process to the server."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@contextmanager
def dask_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Connect to the scheduler of a Dask cluster; yield its executor, and its number of threads.

    Its workers need the same version of enfilade. Raises BadInput without the extra `enfilade[cluster]`, and
    OSError if the scheduler does not answer.
    """
    try:
        import distributed
    except ImportError:
        raise BadInput(localize("server.dask_missing")) from None
    connect: Any = distributed.Client  # it has no types
    with connect(address, set_as_default=False, timeout="10s") as client:
        yield client.get_executor(pure=False), max(1, sum(client.nthreads().values()))


@dataclass(eq=False)
class ForecastJob:
    """A job of a seat: its moment, and what is counted of it so far."""

    id: str
    seq: int
    scene: Scene
    total: int
    job: Job
    state: str = "waiting"
    tally: Tally = field(default_factory=Tally)
    is_cancelled: bool = False

    @property
    def is_over(self) -> bool:
        """Return whether nothing more is counted."""
        return self.state not in ("waiting", "running")

    def forecast(self) -> Forecast:
        """Return what is counted so far."""
        return forecast_of(self.id, self.seq, self.state, self.total, self.scene, self.tally)

    def cancel(self) -> None:
        """End it as soon as the batches that are being played are over."""
        self.is_cancelled = True
        if self.state == "waiting":
            self.state = "cancelled"


def run_job(found: ForecastJob, executor: Executor, at_once: int) -> None:
    """Play a job on an executor until it is done, cancelled or out of time. Raises what a batch raises."""
    encoded = msgspec.json.encode(found.job)
    ends = time.monotonic() + MAX_SECONDS
    batches = iter(range(0, found.total, BATCH))
    running: set[Future[bytes]] = set()
    while not found.is_cancelled and time.monotonic() < ends:
        while len(running) < 2 * at_once and (first := next(batches, None)) is not None:
            running.add(executor.submit(play_batch, encoded, first, min(BATCH, found.total - first)))
        if not running:
            break
        done, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in done:
            found.tally += msgspec.json.decode(future.result(), type=Tally)
    for future in running:
        future.cancel()


class Forecasts:
    """The jobs of one server: one runs, the others wait. A seat has one at a time."""

    def __init__(self, open_executor: OpenExecutor) -> None:
        self._open_executor = open_executor
        self._jobs: dict[tuple[str, str], ForecastJob] = {}
        self._pool: ThreadPool | None = None

    def start(self, table: str, seat: str, seq: int, scene: Scene, total: int) -> Forecast:
        """Queue a forecast of a seat's view of the scene, in place of the seat's last one.

        Raises RateLimited.
        """
        if sum(job.state == "waiting" for job in self._jobs.values()) >= MAX_WAITING:
            raise RateLimited(localize("server.many_forecasts"), retry_after_ms=5_000)
        before = self._jobs.pop((table, seat), None)
        if before:
            before.cancel()
        self._drop_ended()
        job = Job(scene.ruleset, scene, secrets.randbits(62))
        found = self._jobs[table, seat] = ForecastJob(secrets.token_hex(8), seq, scene, total, job)
        if self._pool is None:
            self._pool = ThreadPool(1, hub=gevent.get_hub())
        self._pool.spawn(self._run, found)
        return found.forecast()

    def read(self, table: str, seat: str, forecast: str) -> Forecast:
        """Return what is counted of a seat's forecast. Raises NotFound."""
        return self._find(table, seat, forecast).forecast()

    def cancel(self, table: str, seat: str, forecast: str) -> Forecast:
        """End a seat's forecast, and return what is counted. Raises NotFound."""
        found = self._find(table, seat, forecast)
        found.cancel()
        return found.forecast()

    def close(self) -> None:
        """End all jobs: the server stops."""
        for job in self._jobs.values():
            job.cancel()

    def _find(self, table: str, seat: str, forecast: str) -> ForecastJob:
        found = self._jobs.get((table, seat))
        if found is None or found.id != forecast:
            raise NotFound(localize("server.no_forecast"))
        return found

    def _drop_ended(self) -> None:
        ended = [key for key, job in self._jobs.items() if job.is_over]
        for key in ended[: max(0, len(self._jobs) - MAX_KEPT)]:
            del self._jobs[key]

    def _run(self, found: ForecastJob) -> None:
        """Run a job to its end, in the thread."""
        if found.is_cancelled:
            return
        found.state = "running"
        try:
            with self._open_executor() as (executor, at_once):
                run_job(found, executor, at_once)
            found.state = "cancelled" if found.is_cancelled else "done"
        except Exception:
            found.state = "failed"
            log.exception("A forecast failed")
