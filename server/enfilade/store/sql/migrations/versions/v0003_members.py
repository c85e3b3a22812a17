"""Move members out of the tables' rows; add invitations, tickets and sessions.

The module has its own copy of the hash functions, because the effect of a released step never changes.
"""

import hashlib
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_KEYS = (("gm", "gm_key"), ("spectator", "spectator_key"))


def upgrade() -> None:
    """Create the tables, and move each table's keys out of its row."""
    members = _add_tables()
    connection = op.get_bind()
    found = sa.text('SELECT id, head, "row" FROM tables')
    for table, head, data in connection.execute(found).all():
        row = msgspec.json.decode(data)
        keys = [(role, row.pop(name)) for role, name in _KEYS]
        op.bulk_insert(members, [_member(table, i, *key) for i, key in enumerate(keys, 1)])
        _put_row(connection, table, head, _canonical(row))


def _add_tables() -> sa.Table:
    members = op.create_table(
        "members",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("member", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tickets",
        sa.Column("secret", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("member", sa.String(64), nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("member", sa.String(64), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
    )
    return members


def _member(table: str, place: int, role: str, key: str) -> dict[str, Any]:
    member = {"table": table, "id": role, "role": role, "name": "", "is_seated": True, "invitation": ""}
    data = _canonical(member)
    sealed = {"member": data, "seal": _seal(table, role, key, data)}
    return {"table_id": table, "id": role, "place": place, "key": key, **sealed}


def _put_row(connection: sa.Connection, table: str, head: bytes, row: bytes) -> None:
    change = sa.text('UPDATE tables SET "row" = :row, seal = :seal WHERE id = :id')
    connection.execute(change, {"id": table, "row": row, "seal": _seal(table, head, row)})


def _canonical(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def _seal(*parts: bytes | str) -> bytes:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()
