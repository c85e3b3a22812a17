"""Add the time of each reply and each picture, so that old ones can go."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the times; what is stored already counts from now."""
    for table in ("answers", "assets"):
        op.add_column(table, sa.Column("at_ms", sa.BigInteger, nullable=False, server_default="0"))
        op.execute(sa.update(sa.table(table, sa.column("at_ms"))).values(at_ms=int(time.time() * 1000)))
        op.create_index(f"ix_{table}_at_ms", table, ["at_ms"])
