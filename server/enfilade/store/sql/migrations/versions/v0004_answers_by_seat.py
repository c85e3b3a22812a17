"""Command ids are each seat's own: answers are kept by seat too, those of before as the game master's.

The views' numbers need no step: what is in the log already everybody was told of, in one numbering.
"""

import hashlib
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_SEAT = "gm"  # players have hardly done anything until now


def upgrade() -> None:
    """Makes the answers' table anew, for a key cannot be changed in place everywhere."""
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
    if seal == _seal(row.table_id, row.id, answer):  # else it is damaged, and stays so
        answer = msgspec.json.encode({**msgspec.json.decode(answer), "seat": _SEAT}, order="sorted")
        seal = _seal(row.table_id, _SEAT, row.id, answer)
    return {"table_id": row.table_id, "seat": _SEAT, "id": row.id, "answer": answer, "seal": seal}


def _seal(*parts: bytes | str) -> bytes:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()
