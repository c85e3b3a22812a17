"""What a client says when it connects: which table, what lets it in, and what it knows already."""

from __future__ import annotations

from enfilade.messages.fields import Strict, identifier, text, whole


class ConnectSchema(Strict):
    """The `auth` of a Socket.IO connection: a `ticket`, or the `resume` token of the connection before.

    `seq` is the last entry the client knows, where it knows any.
    """

    table = identifier(required=True)
    ticket = text(200, load_default="")
    resume = text(200, load_default="")
    seq = whole(0, 2**53, load_default=None, allow_none=True)
