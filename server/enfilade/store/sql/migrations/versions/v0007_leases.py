"""Add the processes of a cluster, the owner of each table, and the fencing number of each entry."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the table of processes and add the columns; so far no table has an owner."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.Column("is_draining", sa.Boolean, nullable=False),
    )
    op.add_column("tables", sa.Column("owner", sa.String(64), nullable=False, server_default=""))
    op.create_index("ix_tables_owner", "tables", ["owner"])
    for table in ("tables", "entries"):
        op.add_column(table, sa.Column("fence", sa.BigInteger, nullable=False, server_default="0"))
