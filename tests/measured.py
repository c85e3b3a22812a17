"""Run a command and adopt its orphans: `python -m tests.measured COMMAND...`.

The processor time of a process counts for its parent when the parent waits for its end. The processes of a
browser end after the browser, so that none waits for them: 60 of 100 processor seconds of a page were in
no profile. Linux hands orphans to this process instead (prctl(2), PR_SET_CHILD_SUBREAPER), which waits for
them. On other systems they stay uncounted.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
"""From linux/prctl.h."""
ORPHANS_SECONDS = 3
"""How long to wait for processes that outlive the command; a daemon is left alone after that."""
PAUSE_SECONDS = 0.02


def adopt_orphans() -> None:
    """Have the orphans of this process's children become its own children."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for(pid: int) -> int:
    """Wait for a child and all adopted ones that end before it; return its exit status."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def wait_for_orphans() -> None:
    """Wait for the processes that the command has left, for some seconds at most."""
    end = time.monotonic() + ORPHANS_SECONDS
    while time.monotonic() < end:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(PAUSE_SECONDS)


def main() -> int:
    """Run the command of the arguments, and return its exit status; 128 and its number for a signal."""
    adopt_orphans()
    process = subprocess.Popen(sys.argv[1:])
    process.returncode = wait_for(process.pid)
    wait_for_orphans()
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


if __name__ == "__main__":
    sys.exit(main())
