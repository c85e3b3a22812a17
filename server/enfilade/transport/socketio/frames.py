"""A client's WebSocket frames (RFC 6455, 5.2), as far as that spares reading the plain ones frame by frame.

wsproto takes longer to read a frame than the rules to judge what is in it. Nearly all that comes is one short
frame with a whole message of text, at once and by itself: that is read here. All else is wsproto's.
"""

from __future__ import annotations

_WHOLE_TEXT = 0x81
_LAST, _CONTROL, _MASKED = 0x80, 0x08, 0x80
_MASK_BYTES = 4
_LONGER = {126: 2, 127: 8}
"""How many bytes of length follow a length that stands for a longer one."""


def whole_text(data: bytes) -> str | None:
    """The message in some data, where that is one masked frame of text and nothing else; None otherwise.

    None as well for what is not as it must be, in whatever way.
    """
    if len(data) < 2 or data[0] != _WHOLE_TEXT:
        return None
    size, start = data[1] - _MASKED, 2
    if size == 126:
        size, start = int.from_bytes(data[2:4], "big"), 4
        is_in_order = size >= 126
    else:
        is_in_order = 0 <= size < 126
    if not is_in_order or len(data) != start + _MASK_BYTES + size:
        return None
    try:
        return _unmasked(data[start : start + _MASK_BYTES], data[start + _MASK_BYTES :]).decode()
    except UnicodeDecodeError:
        return None


def _unmasked(mask: bytes, data: bytes) -> bytes:
    size = len(data)
    key = (mask * (size // _MASK_BYTES + 1))[:size]
    return (int.from_bytes(data, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")


class Edges:
    """Follows a client's frames by their lengths alone, to know where one message ends and none has begun."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._is_in_message = False

    @property
    def is_between(self) -> bool:
        """Whether what comes next is the first frame of a message, from its first byte."""
        return not (self._head or self._left or self._is_in_message)

    def follow(self, data: bytes) -> None:
        """Goes on past some data."""
        at = 0
        while at < len(data):
            if self._left:
                passed = min(self._left, len(data) - at)
                self._left -= passed
            else:
                passed = 1
                self._head += data[at : at + 1]
                self._begin_where_whole()
            at += passed

    def _begin_where_whole(self) -> None:
        """Begins a frame once its head is there, up to the last byte of its mask."""
        head = self._head
        longer = _LONGER.get(head[1] & 127, 0) if len(head) > 1 else 0
        if len(head) < 2 or len(head) < 2 + longer + (_MASK_BYTES if head[1] & _MASKED else 0):
            return
        self._left = int.from_bytes(head[2 : 2 + longer], "big") if longer else head[1] & 127
        self._head = b""
        if not head[0] & _CONTROL:
            self._is_in_message = not head[0] & _LAST
