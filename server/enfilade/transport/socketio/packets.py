"""Strict decoding of the few Socket.IO packets that clients may send.

A WebSocket message from a client is a text frame: `1` (close), `3` (pong), or `4` and a Socket.IO packet.
Clients may send CONNECT, DISCONNECT and EVENT. All else is a protocol violation, and the client is cut
(`is_valid_message`): attachments, unsolicited acknowledgments, binary data, and other namespaces, in which
nothing would be counted.

An event that can be delimited but not decoded (bad JSON, a reserved name) becomes an `InvalidPacket`, so that
its sender gets an answer.
"""

from __future__ import annotations

import re
from typing import Any

from socketio import packet

from enfilade.errors import BadMessage
from enfilade.i18n import localize
from enfilade.transport import strict_json

_PACKET = re.compile(r"(?P<type>[012])(?P<id>\d{1,15})?(?P<data>[\[{].*)?", re.S | re.A)
_RESERVED_NAMES = frozenset({"connect", "disconnect", "connect_error"})


class InvalidPacket:
    """The event name of an undecodable event; no client can send this type."""

    def __init__(self, problem: BadMessage) -> None:
        self.problem = problem


def is_valid_message(message: object) -> bool:
    """Return whether a client may send a WebSocket message at all."""
    if not isinstance(message, str):
        return False
    return message in ("1", "3") or (message[:1] == "4" and _PACKET.fullmatch(message, 1) is not None)


class StrictPacket(packet.Packet):  # type: ignore[misc]
    """A text-only Socket.IO packet, written by orjson and read strictly."""

    uses_binary_events = False

    def encode(self) -> str:
        """Return the packet as text."""
        namespace = f"{self.namespace}," if self.namespace not in (None, "/") else ""
        number = "" if self.id is None else str(self.id)
        data = "" if self.data is None else strict_json.encode(self.data)
        return f"{self.packet_type}{namespace}{number}{data}"

    def decode(self, encoded_packet: str) -> int:
        """Read a packet that `is_valid_message` accepted; return its number of attachments, always 0."""
        match = _PACKET.fullmatch(encoded_packet)
        if match is None:
            raise ValueError("not a packet")
        self.packet_type = int(match["type"])
        self.namespace = None
        self.id = int(match["id"]) if match["id"] else None
        is_event = self.packet_type == packet.EVENT
        self.data = _decode_event(match["data"]) if is_event else _decode_auth(match["data"])
        return 0


def _decode_event(text: str | None) -> list[Any]:
    try:
        data = strict_json.decode(text or "")
        if not isinstance(data, list) or not data or not isinstance(data[0], str):
            raise _bad_event(localize("server.event_without_name"))
        if data[0] in _RESERVED_NAMES:
            raise _bad_event(localize("server.reserved_event_name"))
    except BadMessage as problem:
        return [InvalidPacket(problem)]
    return data


def _decode_auth(text: str | None) -> Any:
    try:
        return strict_json.decode(text) if text else None
    except BadMessage:
        return None


def _bad_event(sentence: str) -> BadMessage:
    return BadMessage({"event": [sentence]}, sentence)
