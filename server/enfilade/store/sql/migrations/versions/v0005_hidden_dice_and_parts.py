"""Rows and entries may say what programs of before cannot read: hidden rolls, players' parts, plain words.

Nothing is changed: what is absent from a row is as it was then. The number alone keeps a program of before
from taking a table for damaged.
"""

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Changes nothing."""
