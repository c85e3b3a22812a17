"""Drop the sessions: every connection is opened by a ticket (docs/decisions/0082-tickets-alone.md)."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Drop the table; clients with a resume token connect again with their key."""
    op.drop_table("sessions")
