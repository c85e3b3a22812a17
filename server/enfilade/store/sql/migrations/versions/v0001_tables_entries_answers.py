"""Create the first schema: tables, their entries, the replies to commands, images."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the four tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("row", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("entry", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("answer", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "assets",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
