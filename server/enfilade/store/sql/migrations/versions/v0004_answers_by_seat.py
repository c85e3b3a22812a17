"""Store replies by seat too, because command IDs are unique for each seat; older replies belong to the GM.

The views' sequence numbers need no step: all seats know every older entry, in one numbering.
"""

import hashlib
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_SEAT = "gm"  # before this step hardly any players sent commands


def upgrade() -> None:
    """Copy the replies to a new table, because SQLite cannot change a primary key in place."""
    answers = op.create_table(
        "answers_by_seat",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("seat", sa.String(80), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
    )
    found = op.get_bind().execute(sa.text("SELECT table_id, id, answer, seal FROM answers"))
    for rows in found.partitions(500):
        op.bulk_insert(answers, [_with_seat(row) for row in rows])
    op.drop_table("answers")
    op.rename_table("answers_by_seat", "answers")


def _with_seat(row: Any) -> dict[str, Any]:
    answer, seal = bytes(row.answer), bytes(row.seal)
    if seal == _seal(row.table_id, row.id, answer):  # a damaged reply stays damaged
        answer = msgspec.json.encode({**msgspec.json.decode(answer), "seat": _SEAT}, order="sorted")
        seal = _seal(row.table_id, _SEAT, row.id, answer)
    return {"table_id": row.table_id, "seat": _SEAT, "id": row.id, "answer": answer, "seal": seal}


def _seal(*parts: bytes | str) -> bytes:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()
