"""Forecast jobs: their queue, progress and end.

Each job is played by a process of its own (tactics/forecast_runner.py), while a greenlet waits for what it
counts. A job belongs to one seat and knows that seat's view only.
"""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import dataclass, field

import msgspec

from enfilade.errors import NotFound, RateLimited
from enfilade.i18n import localize
from enfilade.scene.model import GM, Scene
from enfilade.tactics.forecast import Forecast, Job, Tally, forecast_of
from enfilade.transport.long_jobs import JobQueue, WorkerProcess

log = logging.getLogger(__name__)

MAX_SECONDS = 180
"""The time after which a job ends with what it has counted."""

MAX_KEPT = 8
"""The most ended jobs of a table that can be read again; the oldest go."""

KEPT_SECONDS = 900
"""How long an ended job can be read."""

WORKERS = "2"
"""The worker processes, unless the settings say otherwise."""


@dataclass(eq=False)
class ForecastJob:
    """A job of a seat: its moment, and the counts so far."""

    id: str
    table: str
    seat: str
    seq: int
    scene: Scene
    total: int
    job: Job
    state: str = "waiting"
    tally: Tally = field(default_factory=Tally)
    is_cancelled: bool = False
    process: WorkerProcess | None = None
    ended: float = 0.0
    """When it ended, in seconds of the monotonic clock."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing more is counted."""
        return self.state not in ("waiting", "running")

    def forecast(self) -> Forecast:
        """Return what is counted so far."""
        return forecast_of(self.id, self.seq, self.state, self.total, self.scene, self.tally)

    def cancel(self) -> None:
        """End it; what it has counted stays."""
        self.is_cancelled = True
        if self.state == "waiting":
            self.end("cancelled")
        if self.process:
            self.process.end()

    def play(self, where: str) -> None:
        """Play it to its end in a process of its own, and add up what it counts."""
        command = ["enfilade.tactics.forecast_runner", where, str(self.total)]
        self.process = WorkerProcess(command, [msgspec.json.encode(self.job)], MAX_SECONDS)
        for line in self.process.lines():
            self.tally += msgspec.json.decode(line, type=Tally)
        self.end("cancelled" if self.is_cancelled else "failed" if self.process.is_failed else "done")

    def end(self, state: str) -> None:
        """Note that nothing more is counted, and why."""
        self.state, self.ended = state, time.monotonic()


class Forecasts:
    """The jobs of one server: one runs, and each table has one that waits. A seat has one at a time."""

    def __init__(self, where: str = WORKERS) -> None:
        """`where` is the number of worker processes, or the address of a Dask scheduler."""
        self._where = where
        self._jobs: dict[tuple[str, str], ForecastJob] = {}
        self._queue: JobQueue[ForecastJob] = JobQueue(1, self._run)

    def start(self, table: str, seat: str, seq: int, scene: Scene, total: int) -> Forecast:
        """Queue a forecast of a seat's view of the scene, in place of the seat's last one.

        Raises RateLimited if another seat's has the table's waiting place; the GM's takes it.
        """
        place = self._queue.waiting(table)
        if place and seat not in (place.seat, GM.key):
            raise RateLimited(localize("server.many_forecasts"), retry_after_ms=5_000)
        for before in (self._jobs.pop((table, seat), None), place):
            if before:
                before.cancel()
        self._drop_ended(table)
        job = Job(scene.ruleset, scene, secrets.randbits(62))
        found = ForecastJob(secrets.token_hex(8), table, seat, seq, scene, total, job)
        self._jobs[table, seat] = found
        self._queue.put(table, found)
        return found.forecast()

    def read(self, table: str, seat: str, forecast: str) -> Forecast:
        """Return what is counted of a seat's forecast. Raises NotFound."""
        return self._find(table, seat, forecast).forecast()

    def cancel(self, table: str, seat: str, forecast: str) -> Forecast:
        """End a seat's forecast, and return what is counted. Raises NotFound."""
        found = self._find(table, seat, forecast)
        found.cancel()
        self._queue.drop(table, found)
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

    def _drop_ended(self, table: str) -> None:
        """Drop what ended long ago, and of a table all but the last."""
        oldest = time.monotonic() - KEPT_SECONDS
        ended = [job for job in self._jobs.values() if job.is_over]
        own = [job for job in ended if job.table == table]
        for job in (*own[: max(0, len(own) - MAX_KEPT)], *(one for one in ended if one.ended < oldest)):
            self._jobs.pop((job.table, job.seat), None)

    def _run(self, found: ForecastJob) -> None:
        """Run a job to its end, now that it is its turn."""
        if found.is_cancelled:
            return
        found.state = "running"
        try:
            found.play(self._where)
        except Exception:
            found.end("failed")
            log.exception("A forecast failed")
