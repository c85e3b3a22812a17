"""Add indexes that find expired tickets and sessions, which each new one deletes.

Without them each new connection reads all sessions of the last two hours.
"""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the indexes."""
    for table in ("tickets", "sessions"):
        op.create_index(f"ix_{table}_expires_ms", table, ["expires_ms"])
