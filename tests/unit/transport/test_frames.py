"""The fast reader and wsproto read the same frames."""

from __future__ import annotations

import random
import struct

import pytest
from tests.seeds import seeds
from wsproto.connection import Connection, ConnectionType
from wsproto.events import CloseConnection

from enfilade.runtime.config import Limits
from enfilade.transport.socketio.driver import RateLimitedReader
from enfilade.transport.socketio.frames import MessageBoundaries, TooLargeError, decode_whole_text

TEXT, CONTINUED, BINARY, CLOSE, PING, PONG = 1, 0, 2, 8, 9, 10


def frame(payload, opcode=TEXT, *, is_last=True, is_masked=True, mask=b"abcd"):
    size, masked = len(payload), 128 * is_masked
    head = bytes([opcode | 128 * is_last])
    if size < 126:
        head += bytes([masked | size])
    elif size < 2**16:
        head += struct.pack(">BH", masked | 126, size)
    else:
        head += struct.pack(">BQ", masked | 127, size)
    if not is_masked:
        return head + payload
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def messages_of(reader, chunks):
    """Return a reader's events for some data, with the parts of each frame joined, up to the first Close."""
    outgoing: list[list[object]] = []
    is_open = True
    for chunk in chunks:
        if not is_open:
            break
        reader.receive_data(chunk)
        for event in reader.events():
            if isinstance(event, CloseConnection):
                outgoing.append([type(event), event.code])
                is_open = False
                break
            data = getattr(event, "data", getattr(event, "payload", None))
            if outgoing and outgoing[-1][0] is type(event) and not outgoing[-1][2]:
                outgoing[-1][1] += data
                outgoing[-1][2] = event.message_finished
            else:
                outgoing.append([type(event), data, getattr(event, "message_finished", True)])
    return outgoing


def unlimited_reader():
    limits = Limits(**dict.fromkeys(vars(Limits()), 2**30))
    return RateLimitedReader(Connection(ConnectionType.SERVER), limits, print)


def random_message(chance):
    """Return the frames of a message, of a ping or pong, or sometimes of something invalid."""
    size = chance.choice([0, 1, 3, 4, 5, 31, 32, 100, 125, 126, 300, 5_000, 20_000])
    text = "".join(chance.choices('aé€𐍈{}"', k=size)).encode()
    mask = chance.randbytes(4)
    match chance.randrange(24):
        case 0:
            return [frame(text[:90], chance.choice([PING, PONG]), mask=mask)]
        case 1 | 2:
            cut = chance.randrange(len(text) + 1)
            ping = chance.choice([b"", frame(b"?", PING, mask=mask)])
            return [frame(text[:cut], is_last=False), ping, frame(text[cut:], CONTINUED, mask=mask)]
        case 3:
            return [frame(text, BINARY, mask=mask)]
        case 4:
            invalid = [
                [frame(b"\xff\xfe", mask=mask)],
                [frame(text, is_masked=False)],
                [frame(struct.pack(">H", 1000), CLOSE, mask=mask)],
                [b"\xf1" + frame(text)[1:]],
                [b"\x81\xfe\x00\x03abcdxyz"],
                [frame(text, CONTINUED, mask=mask)],
                [frame(text, is_last=False), frame(text, mask=mask)],
            ]
            return chance.choice(invalid)
        case _:
            return [frame(text, mask=mask)]


def split(data, chance):
    at = 0
    while at < len(data):
        size = chance.choice([1, 2, 7, 50, 4_096])
        yield data[at : at + size]
        at += size


@pytest.mark.parametrize("seed", seeds(150))
def test_the_fast_reader_agrees_with_wsproto_on_any_data(seed):
    chance = random.Random(seed)
    frames = [data for _ in range(12) for data in random_message(chance) if data]
    chunks = [
        chunk for data in frames for chunk in (split(data, chance) if chance.random() < 0.3 else [data])
    ]
    if chance.random() < 0.2:
        chunks = list(split(b"".join(chunks), chance))
    assert messages_of(unlimited_reader(), chunks) == messages_of(Connection(ConnectionType.SERVER), chunks)


def test_a_short_message_after_a_long_one_is_read_without_wsproto():
    reader = unlimited_reader()
    long = frame(b"x" * 9_000)
    for chunk in (long[:4_096], long[4_096:8_192], long[8_192:]):
        reader.receive_data(chunk)
        list(reader.events())
    reader._ws.receive_data = pytest.fail
    reader.receive_data(frame(b"hello"))
    assert [event.data for event in reader.events()] == ["hello"]


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_message_ends_with_its_last_byte(cut):
    data, boundaries = frame(b"four", is_last=True), MessageBoundaries(1_000)
    assert boundaries.is_at_boundary
    boundaries.feed(data[:cut])
    assert boundaries.is_at_boundary == (cut >= len(data))
    boundaries.feed(data[cut:])
    assert boundaries.is_at_boundary


def test_invalid_frames_are_left_to_wsproto():
    not_minimal, unmasked = b"\x81\xfe\x00\x03abcd\x00\x00\x00", frame(b"hello", is_masked=False)
    for data in (b"", b"\x81", not_minimal, unmasked, frame(b"\xff"), frame(b"hello") + b"\x81"):
        assert decode_whole_text(data) is None


@pytest.mark.parametrize("size", [1_001, 70_000, 2**40])
def test_a_frame_is_refused_once_it_announces_too_much(size):
    head = struct.pack("!BBQ", 0x81, 0x80 | 127, size) + b"mask"
    boundaries = MessageBoundaries(1_000)
    boundaries.feed(head[:-1])
    with pytest.raises(TooLargeError):
        boundaries.feed(head[-1:])


def test_a_frame_of_the_largest_size_is_read():
    boundaries = MessageBoundaries(1_000)
    boundaries.feed(frame(b"x" * 1_000, is_last=True))
    assert boundaries.is_at_boundary
