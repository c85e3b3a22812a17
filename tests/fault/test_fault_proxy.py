"""The lying network lies about packets alone, and about those it says it does."""

from __future__ import annotations

import random

import pytest

from tests.fault.fault_proxy import Frames, is_packet

HEAD = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
MASK = b"\x11\x22\x33\x44"


def frame(text, *, masked=False, opcode=1):
    data = text.encode()
    if masked:
        data = MASK + bytes(byte ^ MASK[i % 4] for i, byte in enumerate(data))
    length = len(text)
    if length < 126:
        size = bytes([length | 128 * masked])
    elif length < 2**16:
        size = bytes([126 | 128 * masked]) + length.to_bytes(2)
    else:
        size = bytes([127 | 128 * masked]) + length.to_bytes(8)
    return bytes([128 | opcode]) + size + data


FRAMES = [
    frame("42" + "x" * length, masked=masked) for length in (0, 123, 124, 70_000) for masked in (True, False)
]


@pytest.mark.parametrize("seed", range(5))
def test_frames_are_reassembled_from_any_chunks(seed):
    dice, stream = random.Random(seed), HEAD + b"".join(FRAMES)
    frames, found = Frames(), []
    while stream:
        size = dice.choice((1, 2, 3, 50, 20_000))
        found += frames.fed(stream[:size])
        stream = stream[size:]
    assert found == [HEAD, *FRAMES]


def test_a_plain_request_is_forwarded_unchanged():
    head = b"POST /api/tables/x/tickets HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
    frames = Frames()
    assert list(frames.fed(head[:20])) == []
    assert list(frames.fed(head[20:] + b"{}")) == [head, b"{}"]
    assert frames.is_plain


@pytest.mark.parametrize("masked", [True, False])
def test_only_packets_get_faults(masked):
    assert is_packet(frame('42["command",{}]', masked=masked))
    assert is_packet(frame("40{}", masked=masked))
    for other in (frame("2", masked=masked), frame("", masked=masked), frame("4", opcode=9), HEAD):
        assert not is_packet(other)
