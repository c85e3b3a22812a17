"""What a client says when it connects: which table, with whose key, and what it knows already."""

from __future__ import annotations

from enfilade.messages.fields import Strict, identifier, text, whole


class ConnectSchema(Strict):
    """The `auth` of a Socket.IO connection. `seq` is the last entry the client knows, where it knows any."""

    table = identifier(required=True)
    key = text(200, required=True)
    seq = whole(0, 2**53, load_default=None, allow_none=True)
