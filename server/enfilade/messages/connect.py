"""What a client says when it connects: which table, what lets it in, and what it knows already."""

from __future__ import annotations

from enfilade.messages.fields import Strict, epoch, hexadecimal, identifier, text, whole


class ConnectSchema(Strict):
    """The `auth` of a Socket.IO connection: a `ticket`, or the `resume` token of the connection before.

    Who comes back says what it knows: the `epoch` and `seq` of its last update, and the `hash` of its scene
    where it has worked that out.
    """

    table = identifier(required=True)
    ticket = text(200, load_default="")
    resume = text(200, load_default="")
    epoch = epoch(load_default=None, allow_none=True)
    seq = whole(0, 2**53, load_default=None, allow_none=True)
    hash = hexadecimal(load_default=None, allow_none=True)
