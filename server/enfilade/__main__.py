"""The shell command's first lines: a process that serves is patched by gevent before it imports anything.

Patched later, locks and sockets of modules imported before would block every connection at once. The other
commands run unpatched, and nothing else in Enfilade patches anything.
"""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Runs the shell command `enfilade`."""
    if sys.argv[1:2] == ["serve"]:
        gc.disable()  # until the server listens: there is nothing to collect among what is imported
        from gevent import monkey

        monkey.patch_all()
    from enfilade.cli import main as command

    command(prog_name="enfilade")


if __name__ == "__main__":
    main()
