"""A fast path for WebSocket frames (RFC 6455, 5.2).

wsproto takes longer to parse a frame than the rules to judge its content. Nearly all input is one short frame
that holds a whole text message and arrives by itself. That case is parsed here, all others by wsproto.
"""

from __future__ import annotations

import struct

_WHOLE_TEXT = 0x81
"""The first byte of a text frame that holds a whole message."""
_FIN, _CONTROL, _MASKED = 0x80, 0x08, 0x80
_MASK_BYTES = 4
_EXTENDED_LENGTH_BYTES = {126: 2, 127: 8}
"""The size of the extended length that follows a length of 126 or 127."""


def encode_text(text: str) -> bytes:
    """Return a text message as the single frame in which a server sends it."""
    return encode_frame(text.encode())


def encode_frame(*parts: bytes) -> bytes:
    """Return a text message in UTF-8, given in parts, as the single frame in which a server sends it."""
    size = sum(map(len, parts))
    if size < 126:
        head = struct.pack("!BB", _WHOLE_TEXT, size)
    elif size < 2**16:
        head = struct.pack("!BBH", _WHOLE_TEXT, 126, size)
    else:
        head = struct.pack("!BBQ", _WHOLE_TEXT, 127, size)
    return b"".join((head, *parts))


def decode_whole_text(data: bytes) -> str | None:
    """Return the message if `data` is exactly one valid masked frame with a whole text, else None."""
    if len(data) < 2 or data[0] != _WHOLE_TEXT:
        return None
    size, start = data[1] - _MASKED, 2
    if size == 126:
        size, start = int.from_bytes(data[2:4], "big"), 4
        is_size_valid = size >= 126
    else:
        is_size_valid = 0 <= size < 126
    if not is_size_valid or len(data) != start + _MASK_BYTES + size:
        return None
    try:
        return _unmask(data[start : start + _MASK_BYTES], data[start + _MASK_BYTES :]).decode()
    except UnicodeDecodeError:
        return None


def _unmask(mask: bytes, data: bytes) -> bytes:
    size = len(data)
    key = (mask * (size // _MASK_BYTES + 1))[:size]
    return (int.from_bytes(data, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")


class TooLargeError(Exception):
    """A frame announces more bytes than a message may have."""


class MessageBoundaries:
    """Tracks a client's frames by their lengths, to know if a new message starts at the next byte."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._head = b""
        self._remaining = 0
        self._is_in_message = False

    @property
    def is_at_boundary(self) -> bool:
        """Return whether the next byte is the first of a message."""
        return not (self._head or self._remaining or self._is_in_message)

    def feed(self, data: bytes) -> None:
        """Advance past some data. Raises TooLargeError at the head of a frame that is too large."""
        at = 0
        while at < len(data):
            if self._remaining:
                step = min(self._remaining, len(data) - at)
                self._remaining -= step
            else:
                step = 1
                self._head += data[at : at + 1]
                self._start_frame_if_complete()
            at += step

    def _start_frame_if_complete(self) -> None:
        """Start a frame once its head is complete, up to the last byte of the mask."""
        head = self._head
        extended = _EXTENDED_LENGTH_BYTES.get(head[1] & 127, 0) if len(head) > 1 else 0
        if len(head) < 2 or len(head) < 2 + extended + (_MASK_BYTES if head[1] & _MASKED else 0):
            return
        self._remaining = int.from_bytes(head[2 : 2 + extended], "big") if extended else head[1] & 127
        if self._remaining > self._max_bytes:
            raise TooLargeError
        self._head = b""
        if not head[0] & _CONTROL:
            self._is_in_message = not head[0] & _FIN
