"""Who is at a table, as its game master is shown them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from enfilade.play.members import Members
from enfilade.store.members import Member


def players(members: Members, table: str, online: Collection[str]) -> dict[str, Any]:
    """Everybody who has a key of a table or waits for a seat, and the invitations that hold."""
    return {
        "members": [{**member_json(m), "online": m.id in online} for m in members.all_members(table)],
        "invitations": [
            {"id": found.id, "role": found.role, "expires_ms": found.expires_ms}
            for found in members.invitations(table)
        ],
    }


def member_json(member: Member) -> dict[str, Any]:
    """A seat and whose it is."""
    return {"seat": member.id, "role": member.role, "name": member.name, "seated": member.is_seated}
