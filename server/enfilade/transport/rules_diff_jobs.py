"""Jobs that run a battle again under other house rules, each in a process of its own.

The server's loop computes nothing of it: it writes the log to the process and reads its progress. A table has
one job, a server a few; a new one of the same table replaces the last.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import gevent
import msgspec

from enfilade.analysis.rules_diff import RulesDiff
from enfilade.errors import NotFound, TooMany
from enfilade.i18n import localize
from enfilade.messages.outgoing import RulesDiffJob
from enfilade.rules.house_rules import Setting
from enfilade.transport.worker_process import WorkerProcess

MAX_JOBS = 2
"""The most processes at the same time."""

MAX_SECONDS = 120
"""The time after which a process is ended."""

KEPT_SECONDS = 900
"""A result can be read for this time."""


@dataclass
class DiffJob:
    """One run: its progress in entries, and its result or its failure."""

    id: str
    of: int
    process: WorkerProcess
    began: float = field(default_factory=time.monotonic)
    done: int = 0
    result: RulesDiff | None = None
    is_failed: bool = False

    @property
    def is_running(self) -> bool:
        """Return whether there is neither a result nor a failure yet."""
        return self.result is None and not self.is_failed

    def as_answer(self) -> RulesDiffJob:
        """Return the job as an answer."""
        why = localize("server.rules_diff_failed") if self.is_failed else ""
        return RulesDiffJob(job=self.id, done=self.done, of=self.of, result=self.result, failed=why)


class RulesDiffJobs:
    """The jobs of one server, by table."""

    def __init__(self) -> None:
        self._jobs: dict[str, DiffJob] = {}

    def start(
        self, table: str, lines: Iterator[str], count: int, house_rules: Mapping[str, Setting]
    ) -> DiffJob:
        """Start a job on the lines of a battle: its first scene, then its entries. Raises TooMany."""
        self.cancel(table)
        now = time.monotonic()
        self._jobs = {key: job for key, job in self._jobs.items() if now - job.began < KEPT_SECONDS}
        if sum(job.is_running for job in self._jobs.values()) >= MAX_JOBS:
            raise TooMany(localize("server.rules_diff_busy"))
        settings = [f"--set={key}={value}" for key, value in house_rules.items()]
        command = ["enfilade", "rules-diff", "--worker", *settings, "--", "-"]
        process = WorkerProcess(command, (line.encode() for line in lines), MAX_SECONDS)
        job = DiffJob(secrets.token_hex(8), count, process)
        self._jobs[table] = job
        gevent.spawn(_read, job)
        return job

    def find(self, table: str, job_id: str) -> DiffJob:
        """Return the job of a table. Raises NotFound if there is another one, or none."""
        job = self._jobs.get(table)
        if job is None or job.id != job_id:
            raise NotFound(localize("server.no_such_comparison"))
        return job

    def cancel(self, table: str) -> None:
        """End the job of a table, if it has one."""
        job = self._jobs.pop(table, None)
        if job is not None:
            job.process.end()

    def close(self) -> None:
        """End all jobs: the server stops."""
        for table in list(self._jobs):
            self.cancel(table)


def _read(job: DiffJob) -> None:
    for line in job.process.lines():
        said = json.loads(line)
        job.done = said.get("done", job.done)
        if "result" in said:
            job.result, job.done = msgspec.convert(said["result"], RulesDiff), job.of
    job.is_failed = job.result is None
