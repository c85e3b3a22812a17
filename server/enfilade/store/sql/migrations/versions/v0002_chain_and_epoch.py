"""Turn the log into a hash chain, add checksums to all other rows, and give the store an epoch.

The module has its own copy of the hash functions, because the effect of a released step never changes.
"""

import hashlib
import secrets
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ADDED = {
    "tables": ("head", "seal"),
    "entries": ("prev", "hash"),
    "answers": ("seal",),
    "assets": ("seal",),
}


def upgrade() -> None:
    """Add the columns and compute their values."""
    table_row = op.create_table(
        "about",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
    op.bulk_insert(table_row, [{"name": "epoch", "value": secrets.token_hex(8)}])
    for table, names in _ADDED.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.LargeBinary, nullable=False, server_default=""))
    connection = op.get_bind()
    for table in connection.scalars(sa.text("SELECT id FROM tables")).all():
        _seal_table(connection, table)
    for name, whole in (("answers", ("answer",)), ("assets", ("kind", "data"))):
        _seal_all(connection, name, whole)


def _seal_table(connection: sa.Connection, table: str) -> None:
    head = hashlib.sha256(msgspec.json.encode(["log/v1", table])).digest()
    log = sa.text("SELECT seq, entry FROM entries WHERE table_id = :id ORDER BY seq")
    for seq, data in connection.execute(log, {"id": table}).all():
        head = _chain(connection, table, seq, head, _canonical(data))
    row = _canonical(connection.scalar(sa.text('SELECT "row" FROM tables WHERE id = :id'), {"id": table}))
    change = sa.text('UPDATE tables SET "row" = :row, head = :head, seal = :seal WHERE id = :id')
    connection.execute(change, {"id": table, "row": row, "head": head, "seal": _seal(table, head, row)})


def _chain(connection: sa.Connection, table: str, seq: int, prev: bytes, data: bytes) -> bytes:
    change = sa.text(
        "UPDATE entries SET entry = :entry, prev = :prev, hash = :hash WHERE table_id = :id AND seq = :seq"
    )
    linked = hashlib.sha256(prev + data).digest()
    connection.execute(change, {"id": table, "seq": seq, "entry": data, "prev": prev, "hash": linked})
    return linked


def _seal_all(connection: sa.Connection, name: str, whole: tuple[str, ...]) -> None:
    # The names are those in this file; every value is bound.
    keys = connection.execute(sa.text(f"SELECT table_id, id FROM {name}")).all()  # noqa: S608
    found = sa.text(f"SELECT {', '.join(whole)} FROM {name} WHERE table_id = :table AND id = :id")  # noqa: S608
    change = sa.text(
        f"UPDATE {name} SET {whole[-1]} = :data, seal = :seal WHERE table_id = :table AND id = :id"  # noqa: S608
    )
    for table, key in keys:
        parts = list(connection.execute(found, {"table": table, "id": key}).one())
        if name == "answers":
            parts = [_canonical(parts[0])]
        seal = _seal(table, key, *parts)
        connection.execute(change, {"table": table, "id": key, "data": parts[-1], "seal": seal})


def _canonical(data: Any) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(data), order="sorted")


def _seal(*parts: bytes | str) -> bytes:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()
