"""The entry point of the shell command `enfilade`.

gevent patches a process that serves before any other import: locks and sockets of modules imported earlier
would block all connections at once. The other commands run unpatched. Nothing else in Enfilade patches
anything.
"""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the shell command."""
    if sys.argv[1:2] in (["serve"], ["work"]):
        prepare_to_serve()
    from enfilade.cli.main import main as command

    command(prog_name="enfilade")


def prepare_to_serve() -> None:
    """Patch this process for gevent, and disable the garbage collector until the server listens."""
    gc.disable()  # imports create no garbage worth a collection
    from gevent import events, monkey

    # Otherwise gevent scans all installed packages for plugins 25 times, once for each module it patches.
    events.notify_and_call_entry_points = events.notify
    monkey.patch_all()


if __name__ == "__main__":
    main()
