"""The auth data of a connecting client: its table, its credentials, and the state that it has."""

from __future__ import annotations

from enfilade.messages.fields import Strict, epoch, hexadecimal, identifier, text, whole


class ConnectSchema(Strict):
    """The `auth` of a Socket.IO connection: a `ticket`, or the `resume` token of the connection before.

    A returning client sends its state: the `epoch` and `seq` of its last update, and the `hash` of its scene
    if it has computed one.
    """

    table = identifier(required=True)
    ticket = text(200, load_default="")
    resume = text(200, load_default="")
    epoch = epoch(load_default=None, allow_none=True)
    seq = whole(0, 2**53, load_default=None, allow_none=True)
    hash = hexadecimal(load_default=None, allow_none=True)
