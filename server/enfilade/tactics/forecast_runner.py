"""Play one forecast in a process of its own: `python -m enfilade.tactics.forecast_runner`.

The server's loop plays nothing, and starts this process for each job. It reads the job from standard input
and writes the tally of each batch to standard output, a line each. The batches go to an executor
(`concurrent.futures.Executor`): worker processes of this machine, or a Dask cluster, which has the same
interface (`enfilade[cluster]`). To cancel a job is to kill the process group.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from enfilade.errors import BadInput
from enfilade.i18n import localize
from enfilade.tactics.forecast import play_batch

BATCH = 4
"""The continuations of one batch: so few that progress shows."""

NICENESS = 10
"""The priority of the worker processes below the server's."""


@contextmanager
def local_processes(count: int) -> Iterator[tuple[Executor, int]]:
    """Start worker processes; yield their executor, and how many batches they play at once."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context, initializer=_begin_worker) as executor:
        yield executor, count


def _begin_worker() -> None:
    """Leave the server its share of the processor, and look for garbage less often."""
    os.nice(NICENESS)
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


def run_job(job: bytes, total: int, executor: Executor, at_once: int) -> Iterator[bytes]:
    """Yield the tally of each batch of a job as it is played. Raises what a batch raises."""
    batches = iter(range(0, total, BATCH))
    running: set[Future[bytes]] = set()
    while True:
        while len(running) < 2 * at_once and (first := next(batches, None)) is not None:
            running.add(executor.submit(play_batch, job, first, min(BATCH, total - first)))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def main() -> None:
    """Play the job on standard input: `PROCESSES TOTAL`, or `tcp://SCHEDULER TOTAL`."""
    where, total = sys.argv[1], int(sys.argv[2])
    opened: AbstractContextManager[tuple[Executor, int]]
    opened = local_processes(int(where)) if where.isdigit() else dask_cluster(where)
    with opened as (executor, at_once):
        for tally in run_job(sys.stdin.buffer.read(), total, executor, at_once):
            sys.stdout.buffer.write(tally + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
