"""What a client says when it connects: which table, with whose key, and what it knows already."""

from __future__ import annotations

from enfilade.messages.fields import Strict, epoch, hexadecimal, identifier, text, whole


class ConnectSchema(Strict):
    """The `auth` of a Socket.IO connection.

    Who comes back says what it knows: the `epoch` and `seq` of its last update, and the `hash` of its scene
    where it has worked that out.
    """

    table = identifier(required=True)
    key = text(200, required=True)
    epoch = epoch(load_default=None, allow_none=True)
    seq = whole(0, 2**53, load_default=None, allow_none=True)
    hash = hexadecimal(load_default=None, allow_none=True)
