"""Runners in other processes: our engine without its C kernel, and the peers in JavaScript.

A worker reads one line, `job scale seconds`, runs the job for about that long, and answers with one line: the
median milliseconds of a call.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bench.geometry.scenes import SIZES, scene
from bench.geometry.timing import Runner

FOLDER = Path(__file__).parent


class Worker:
    """A process that times jobs."""

    def __init__(self, command: Sequence[str], **environment: str) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment},
            text=True,
        )
        atexit.register(self._process.kill)

    def runner(self, job: str, scale: str) -> Runner:
        """Return a runner of a job on a scene in that process."""

        def run(seconds: float) -> float:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            print(job, scale, seconds, file=self._process.stdin, flush=True)
            return float(self._process.stdout.readline())

        return run


@cache
def without_kernel() -> Worker:
    """Return the worker of our engine in Python alone."""
    return Worker([sys.executable, "-m", "bench.geometry.worker"], ENFILADE_NO_KERNEL="1")


@cache
def node() -> Worker | None:
    """Return the worker of the JavaScript peers, or None if they are not installed."""
    if not (FOLDER.parent / "node_modules").is_dir():
        return None
    return Worker(["node", str(FOLDER / "peers.mjs"), str(_write_scenes())])


def _write_scenes() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="enfilade-bench-"))
    for scale in SIZES:
        made = scene(scale)
        values = {
            "side": made.size.side,
            "walls": made.walls,
            "closed": sorted(made.closed),
            "tokens": [(*token.at, token.size) for token in made.tokens],
            "sources": made.sources,
        }
        (folder / f"{scale}.json").write_text(json.dumps(values))
    return folder
