"""What a client may say: the few Socket.IO packets this server understands, decoded strictly.

A WebSocket message of a client is one text frame: `1` (I am going), `3` (pong), or `4` and a Socket.IO
packet. Of those only CONNECT, DISCONNECT and EVENT come from clients here; attachments, acknowledgements of
things never asked for, everything binary and every namespace but the first, in which nobody would count what
is said, are violations (`is_spoken_here`), for which the client is cut.

An event that can be told apart but not used (bad JSON, a reserved name) becomes an `InvalidPacket`, so that
its sender gets an answer.
"""

from __future__ import annotations

import re
from typing import Any

from socketio import packet

from enfilade.errors import BadMessage
from enfilade.transport import strict_json

_PACKET = re.compile(r"(?P<type>[012])(?P<id>\d{1,15})?(?P<data>[\[{].*)?", re.S | re.A)
_RESERVED = frozenset({"connect", "disconnect", "connect_error"})


class InvalidPacket:
    """The name of an event that cannot be used; no client can send one of these."""

    def __init__(self, problem: BadMessage) -> None:
        self.problem = problem


def is_spoken_here(message: object) -> bool:
    """Whether a WebSocket message of a client is one that this server understands at all."""
    if not isinstance(message, str):
        return False
    return message in ("1", "3") or (message[:1] == "4" and _PACKET.fullmatch(message, 1) is not None)


class StrictPacket(packet.Packet):  # type: ignore[misc]
    """A Socket.IO packet of text only, written by orjson and read strictly."""

    uses_binary_events = False

    def encode(self) -> str:
        """The packet as text."""
        namespace = f"{self.namespace}," if self.namespace not in (None, "/") else ""
        number = "" if self.id is None else str(self.id)
        data = "" if self.data is None else strict_json.encode(self.data)
        return f"{self.packet_type}{namespace}{number}{data}"

    def decode(self, encoded_packet: str) -> int:
        """Reads a packet that `is_spoken_here` let through; answers with its attachments, always 0."""
        match = _PACKET.fullmatch(encoded_packet)
        if match is None:
            raise ValueError("not a packet")
        self.packet_type = int(match["type"])
        self.namespace = None
        self.id = int(match["id"]) if match["id"] else None
        self.data = _event(match["data"]) if self.packet_type == packet.EVENT else _auth(match["data"])
        return 0


def _event(text: str | None) -> list[Any]:
    try:
        data = strict_json.decode(text or "")
        _check_name(data)
    except BadMessage as problem:
        return [InvalidPacket(problem)]
    return list(data)


def _check_name(data: Any) -> None:
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise _refused("An event is a list that begins with its name.")
    if data[0] in _RESERVED:
        raise _refused("This event's name is reserved.")


def _auth(text: str | None) -> Any:
    try:
        return strict_json.decode(text) if text else None
    except BadMessage:
        return None


def _refused(sentence: str) -> BadMessage:
    return BadMessage({"event": [sentence]}, sentence)
