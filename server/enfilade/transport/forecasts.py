"""Forecast jobs: their queue, progress and end.

Each job is played by a process of its own (tactics/forecast_runner.py), while a greenlet waits for what it
counts. A job belongs to one seat and knows that seat's view only.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, field

import gevent
import msgspec
from gevent.lock import BoundedSemaphore

from enfilade.errors import NotFound, RateLimited
from enfilade.i18n import localize
from enfilade.scene.model import Scene
from enfilade.tactics.forecast import Forecast, Job, Tally, forecast_of
from enfilade.transport.worker_process import WorkerProcess

log = logging.getLogger(__name__)

MAX_SECONDS = 180
"""The time after which a job ends with what it has counted."""

MAX_WAITING = 16
"""The most jobs that wait for their turn."""

MAX_KEPT = 200
"""The most jobs that can be read again; the oldest ended ones go."""

WORKERS = "2"
"""The worker processes, unless the settings say otherwise."""


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
    process: WorkerProcess | None = None

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
            self.state = "cancelled"
        if self.process:
            self.process.end()

    def play(self, where: str) -> None:
        """Play it to its end in a process of its own, and add up what it counts."""
        command = ["enfilade.tactics.forecast_runner", where, str(self.total)]
        self.process = WorkerProcess(command, [msgspec.json.encode(self.job)], MAX_SECONDS)
        for line in self.process.lines():
            self.tally += msgspec.json.decode(line, type=Tally)
        self.state = "cancelled" if self.is_cancelled else "failed" if self.process.is_failed else "done"


class Forecasts:
    """The jobs of one server: one runs, the others wait. A seat has one at a time."""

    def __init__(self, where: str = WORKERS) -> None:
        """`where` is the number of worker processes, or the address of a Dask scheduler."""
        self._where = where
        self._jobs: dict[tuple[str, str], ForecastJob] = {}
        self._turn = BoundedSemaphore(1)

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
        gevent.spawn(self._run, found)
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
        """Run a job to its end, once it is its turn."""
        with self._turn:
            if found.is_cancelled:
                return
            found.state = "running"
            try:
                found.play(self._where)
            except Exception:
                found.state = "failed"
                log.exception("A forecast failed")
