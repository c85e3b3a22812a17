"""The database's tables as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

NEWEST = "0004"
"""The schema this program writes and reads."""

_META = sa.MetaData()

ABOUT = sa.Table(
    "about",
    _META,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("value", sa.String(64), nullable=False),
)
"""What holds of the whole store: `epoch`, 64 random bits that are new whenever it was restored."""

TABLES = sa.Table(
    "tables",
    _META,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("row", sa.LargeBinary, nullable=False),
    sa.Column("head", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
)
"""Each game as it stands. `head` is the last entry's hash, `seal` holds the row to it."""

ENTRIES = sa.Table(
    "entries",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("entry", sa.LargeBinary, nullable=False),
    sa.Column("prev", sa.LargeBinary, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
)
"""The log of every game, chained (store/chain.py)."""

ANSWERS = sa.Table(
    "answers",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("seat", sa.String(80), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
)
"""What each command of each seat was answered, so that it is done once."""

ASSETS = sa.Table(
    "assets",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(64), nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
)
"""The images of each game's map."""
