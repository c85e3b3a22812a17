"""The database's tables as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

NEWEST = "0006"
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
"""The log of every game, chained (store/hash_chain.py)."""

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

MEMBERS = sa.Table(
    "members",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("key", sa.String(64), nullable=False, unique=True),
    sa.Column("member", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
)
"""Who holds a key of each game (its SHA-256 in hexadecimal), in the order they came."""

INVITATIONS = sa.Table(
    "invitations",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("secret", sa.String(64), nullable=False, unique=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False),
)
"""The links by which somebody may ask for a seat."""

TICKETS = sa.Table(
    "tickets",
    _META,
    sa.Column("secret", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(64), nullable=False),
    sa.Column("member", sa.String(64), nullable=False),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False, index=True),
)
"""What opens a connection once."""

SESSIONS = sa.Table(
    "sessions",
    _META,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(64), nullable=False),
    sa.Column("member", sa.String(64), nullable=False),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False, index=True),
)
"""The lines of connections that take each other up, each with the only token that is good."""
