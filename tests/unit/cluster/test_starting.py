"""A server starts without modules that its first answer does not need."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from enfilade.__main__ import prepare_to_serve
prepare_to_serve()
for name in {imported}: __import__(name)
print([name for name in {unneeded} if name in sys.modules])
"""


def loaded(unneeded, *imported):
    """Import modules in a new process; return those of `unneeded` that come with them, as text."""
    program = PROGRAM.format(imported=imported, unneeded=unneeded)
    started = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return started.stdout


def test_starting_a_server_imports_neither_migrations_nor_the_webhook_sender():
    assert loaded(("alembic", "enfilade.webhooks.http"), "enfilade.cluster.serve") == "[]\n"


FORWARDING = """
import sys
from enfilade.__main__ import prepare_to_serve
prepare_to_serve()
from enfilade.cli.main import main
from enfilade.cluster import workers
workers.serve_with_workers = lambda *_: print("enfilade.app" in sys.modules)
main(["serve", "--workers", "2", "--data", sys.argv[1]])
"""


def test_the_process_that_forwards_connections_loads_no_server_of_its_own(tmp_path):
    command = [sys.executable, "-c", FORWARDING, str(tmp_path)]
    started = subprocess.run(command, capture_output=True, text=True, check=True)
    assert started.stdout == "False\n"
