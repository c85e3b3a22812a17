"""A TCP proxy between Socket.IO clients and their server that injects faults.

`python -m tests.fault.fault_proxy PORT SEED` listens on a port of its own, which it prints. In both
directions a packet may be dropped, sent twice, swapped with the next or held back, and now and then the whole
connection is reset. What keeps a WebSocket itself alive (handshake, pings, closing) is left alone, and so are
plain requests.
"""

from __future__ import annotations

import asyncio
import random
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

FATES = {"dropped": 0.05, "doubled": 0.05, "swapped": 0.05, "late": 0.05, "reset": 0.005, "carried": 0.795}
LATEST_SECONDS = 2.0
_TEXT = 1
_RESETS = struct.pack("ii", 1, 0)


class Frames:
    """WebSocket frames cut out of a stream of bytes, after the HTTP head that comes before them."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._is_upgraded = self.is_plain = False

    def fed(self, data: bytes) -> Iterator[bytes]:
        """Yield what is complete: the head, then frame after frame, or all data of a plain request."""
        self._data += data
        while length := self._whole():
            yield bytes(self._data[:length])
            del self._data[:length]

    def _whole(self) -> int:
        if self.is_plain:
            return len(self._data)
        if not self._is_upgraded:
            end = self._data.find(b"\r\n\r\n")
            self._is_upgraded = end >= 0
            self.is_plain = self._is_upgraded and b"\r\nupgrade: websocket" not in self._data[:end].lower()
            return end + 4 if self._is_upgraded else 0
        head = _head(self._data)
        if len(self._data) < head:
            return 0
        short = self._data[1] & 127
        total = (
            head + (int.from_bytes(self._data[2:head]) if head > 2 else short) + 4 * _is_masked(self._data)
        )
        return total if total <= len(self._data) else 0


def _head(frame: bytes | bytearray) -> int:
    return {126: 4, 127: 10}.get(frame[1] & 127, 2) if len(frame) > 1 else 2


def _is_masked(frame: bytes | bytearray) -> bool:
    return frame[1] > 127


def is_packet(frame: bytes) -> bool:
    """Return whether a frame carries a Socket.IO packet, and not only a ping or pong."""
    if frame[0] & 15 != _TEXT or not frame[1] & 127:
        return False
    at = _head(frame)
    return (frame[at + 4] ^ frame[at] if _is_masked(frame) else frame[at]) == ord("4")


class Direction:
    """One direction of a connection."""

    def __init__(self, source: asyncio.StreamReader, to: asyncio.StreamWriter, dice: random.Random) -> None:
        self._source = source
        self._to = to
        self._dice = dice
        self._held = b""

    async def carry_all(self) -> None:
        """Carries until either end is gone; raises ConnectionError for a reset."""
        frames = Frames()
        with suppress(ConnectionError):
            while data := await self._source.read(65_536):
                for frame in frames.fed(data):
                    self._carry(frame, is_packet(frame) and not frames.is_plain)
        self._to.transport.abort()

    def _carry(self, frame: bytes, may_fail: bool) -> None:
        fate = self._dice.choices(*_WEIGHED)[0] if may_fail else "carried"
        held, self._held = self._held, b""
        match fate:
            case "doubled":
                self._send(frame + frame)
            case "swapped":
                self._held = frame
            case "late":
                later = asyncio.get_running_loop().call_later
                later(self._dice.uniform(0, LATEST_SECONDS), self._send, frame)
            case "reset":
                self._reset()
            case "carried":
                self._send(frame)
        if held:
            self._send(held)

    def _reset(self) -> NoReturn:
        if not self._to.is_closing():  # else it has no socket any more
            self._to.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESETS)
        raise ConnectionResetError

    def _send(self, frames: bytes) -> None:
        if not self._to.is_closing():
            self._to.write(frames)


_WEIGHED = (list(FATES), list(FATES.values()))


async def serve(port: int, seed: int) -> None:
    """Carries between clients and the server at a port, until it is killed."""
    dice = random.Random(seed)

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back_reader, back_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.transport.abort()
            return
        directions = (Direction(reader, back_writer, dice), Direction(back_reader, writer, dice))
        await asyncio.gather(*(way.carry_all() for way in directions))

    server = await asyncio.start_server(join, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
