"""Define the database's tables as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

NEWEST = "0009"
"""The version of the schema that this program reads and writes."""

_META = sa.MetaData()

ABOUT = sa.Table(
    "about",
    _META,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("value", sa.String(64), nullable=False),
)
"""Facts about the whole store: `epoch`, 64 random bits that change on every restore."""

TABLES = sa.Table(
    "tables",
    _META,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("row", sa.LargeBinary, nullable=False),
    sa.Column("head", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
    sa.Column("owner", sa.String(64), nullable=False, server_default="", index=True),
    sa.Column("fence", sa.BigInteger, nullable=False, server_default="0"),
)
"""The current row of each table. `head` is the hash of the last entry; `seal` binds the row to it.

`owner` is the process of a cluster that has the table, `fence` the number of owners so far (leases.py).
"""

ENTRIES = sa.Table(
    "entries",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("entry", sa.LargeBinary, nullable=False),
    sa.Column("prev", sa.LargeBinary, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Column("fence", sa.BigInteger, nullable=False, server_default="0"),
)
"""The log of each table as a hash chain (store/integrity.py). `fence` is the number of the owner that wrote
the entry; the chain does not cover it."""

PROCESSES = sa.Table(
    "processes",
    _META,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False),
    sa.Column("is_draining", sa.Boolean, nullable=False),
)
"""The processes of a cluster and the ends of their leases (leases.py)."""

ANSWERS = sa.Table(
    "answers",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("seat", sa.String(80), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False, server_default="0", index=True),
)
"""The reply to each command of each seat, so that a command is done once; old ones go (storage.py)."""

ASSETS = sa.Table(
    "assets",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(64), nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary, nullable=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False, server_default="0", index=True),
)
"""The images of each table's map and units; those that nothing shows go (storage.py)."""

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
"""The members of each table in the order they joined, with the SHA-256 of their keys in hexadecimal."""

INVITATIONS = sa.Table(
    "invitations",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("secret", sa.String(64), nullable=False, unique=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False),
)
"""The links that let a player ask for a seat."""

TICKETS = sa.Table(
    "tickets",
    _META,
    sa.Column("secret", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(64), nullable=False),
    sa.Column("member", sa.String(64), nullable=False),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False, index=True),
)
"""Single-use credentials for connections."""
