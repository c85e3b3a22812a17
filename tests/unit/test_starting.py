"""A server starts without modules that its first answer does not need."""

from __future__ import annotations

import subprocess
import sys

NOT_NEEDED = ("alembic", "enfilade.webhooks.http")
PROGRAM = f"""
from enfilade.__main__ import prepare_to_serve
prepare_to_serve()
import sys, enfilade.cluster.serve
print([name for name in {NOT_NEEDED} if name in sys.modules])
"""


def test_starting_a_server_imports_neither_migrations_nor_the_webhook_sender():
    output = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    ).stdout
    assert output == "[]\n"
