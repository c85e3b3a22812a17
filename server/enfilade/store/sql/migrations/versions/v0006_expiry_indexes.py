"""Tickets and sessions that have expired are found by an index: each new one looks for them.

Without it everybody who came had all sessions of two hours read.
"""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Adds the indexes."""
    for table in ("tickets", "sessions"):
        op.create_index(f"ix_{table}_expires_ms", table, ["expires_ms"])
