"""Jobs that run a battle again under other house rules, each in a process of its own.

The server's loop does none of the work: it writes the log to the process and reads its progress. A table has
one job, and a new one replaces the last. A server runs a few at a time; the others wait for their turn.
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from enfilade.analysis.rules_diff import RulesDiff
from enfilade.errors import NotFound
from enfilade.i18n import localize
from enfilade.messages.dump import RulesDiffJob
from enfilade.rules.house_rules import Setting
from enfilade.transport.long_jobs import JobQueue, WorkerProcess

log = logging.getLogger(__name__)

MAX_JOBS = 2
"""The most processes at the same time."""

MAX_SECONDS = 120
"""The time after which a process is ended."""

KEPT_SECONDS = 900
"""A result can be read for this time."""


@dataclass(eq=False)
class DiffJob:
    """One run: its task, its progress in entries, and its result or its failure.

    It has no process while it waits.
    """

    id: str
    of: int
    command: Sequence[str]
    task: Iterator[bytes]
    process: WorkerProcess | None = None
    is_cancelled: bool = False
    began: float = field(default_factory=time.monotonic)
    done: int = 0
    result: RulesDiff | None = None
    is_failed: bool = False

    def run(self) -> None:
        """Run to the end in a process of its own."""
        self.process = WorkerProcess(self.command, self.task, MAX_SECONDS)
        for line in self.process.lines():
            said = json.loads(line)
            self.done = said.get("done", self.done)
            if "result" in said:
                self.result, self.done = msgspec.convert(said["result"], RulesDiff), self.of

    def cancel(self) -> None:
        """End it, or let it never begin."""
        self.is_cancelled = True
        if self.process:
            self.process.end()

    def as_answer(self) -> RulesDiffJob:
        """Return the job as an answer."""
        why = localize("server.rules_diff_failed") if self.is_failed else ""
        return RulesDiffJob(
            job=self.id,
            is_waiting=self.process is None,
            done=self.done,
            of=self.of,
            result=self.result,
            failed=why,
        )


class RulesDiffJobs:
    """The jobs of one server, by table."""

    def __init__(self) -> None:
        self._jobs: dict[str, DiffJob] = {}
        self._queue: JobQueue[DiffJob] = JobQueue(MAX_JOBS, _run)

    def start(
        self, table: str, lines: Iterator[str], count: int, house_rules: Mapping[str, Setting]
    ) -> DiffJob:
        """Start a job on the lines of a battle, its first scene, then its entries, once it is its turn."""
        self.cancel(table)
        now = time.monotonic()
        self._jobs = {key: job for key, job in self._jobs.items() if now - job.began < KEPT_SECONDS}
        settings = [f"--set={key}={value}" for key, value in house_rules.items()]
        command = ["enfilade", "rules-diff", "--worker", *settings, "--", "-"]
        job = DiffJob(secrets.token_hex(8), count, command, (line.encode() for line in lines))
        self._jobs[table] = job
        self._queue.put(table, job)
        return job

    def find(self, table: str, job_id: str) -> DiffJob:
        """Return the job with this number. Raises NotFound if the table has another one or none."""
        job = self._jobs.get(table)
        if job is None or job.id != job_id:
            raise NotFound(localize("server.no_such_comparison"))
        return job

    def cancel(self, table: str) -> None:
        """End the job of a table, if it has one."""
        job = self._jobs.pop(table, None)
        if job is not None:
            job.cancel()
            self._queue.drop(table, job)

    def close(self) -> None:
        """End all jobs: the server stops."""
        for table in list(self._jobs):
            self.cancel(table)


def _run(job: DiffJob) -> None:
    if job.is_cancelled:
        return
    try:
        job.run()
    except Exception:
        log.exception("A run under other house rules failed")
    job.is_failed = job.result is None
