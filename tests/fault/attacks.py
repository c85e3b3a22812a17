"""Attack a server with plain sockets, until the server disconnects the attacker or the time is over."""

from __future__ import annotations

import json
import os
import select
import socket
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

import requests
from websocket import ABNF, WebSocket, WebSocketException, WebSocketTimeoutException, create_connection

from enfilade.client.http import connect_credentials
from tests.fault.server import PLAIN, Server

PATIENCE_SECONDS = 10
ELSEWHERE = "127.0.0.66"
"""The attackers' address: another one of this machine than the honest player's."""

GONE = (OSError, WebSocketException)


class Target(NamedTuple):
    """The server, and a hostile game master's own table on it; everything ends at a moment."""

    server: Server
    auth: dict[str, Any]
    ends: float

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.ends


def joined(
    server: Server, auth: dict[str, Any], origin: str = ELSEWHERE, receive_buffer: int = 0, **options: Any
) -> WebSocket:
    """A connection from an address of this machine that has asked for its seat."""
    if "key" in auth:
        auth = connect_credentials(server.url, **auth)
    url = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
    sock = opened(server, origin, receive_buffer)
    ws = create_connection(url, timeout=PATIENCE_SECONDS, socket=sock, **PLAIN, **options)
    ws.recv()
    ws.send(f"40{json.dumps(auth)}")
    return ws


def opened(server: Server, origin: str = ELSEWHERE, receive_buffer: int = 0) -> socket.socket:
    """A connection that says nothing yet."""
    sock = socket.socket()
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.settimeout(PATIENCE_SECONDS)
    sock.bind((origin, 0))
    sock.connect(("127.0.0.1", server.port))
    return sock


def command(number: int, kind: str, body: dict[str, Any]) -> str:
    """The command of that number on a connection, counted from 1; acknowledged under it."""
    frame = {"v": 1, "id": f"{os.getpid()}-{time.monotonic_ns()}", "kind": kind, "body": body, "n": number}
    return f"42{number}" + json.dumps(["command", frame])


def until_cut(target: Target, ws: WebSocket, messages: Iterator[bytes]) -> float | None:
    """Sends bytes as fast as they are taken; the seconds until the server ended it, None where it did not."""
    began = time.monotonic()
    ws.sock.settimeout(0.2)
    for message in messages:
        if target.is_over:
            return None
        try:
            _push(target, ws.sock, message)
        except OSError:
            return time.monotonic() - began
    while not target.is_over:
        with suppress(TimeoutError):
            if not ws.sock.recv(65536):
                return time.monotonic() - began
    return None


def _push(target: Target, sock: socket.socket, message: bytes) -> None:
    left = memoryview(message)
    while left and not target.is_over:
        with suppress(TimeoutError):
            left = left[sock.send(left) :]
    if select.select([sock], [], [], 0)[0] and sock.recv(65536) == b"":
        raise ConnectionError("cut")


def _over_and_over(message: bytes) -> Iterator[bytes]:
    while True:
        yield message


def _frame(data: str | bytes, opcode: int = ABNF.OPCODE_TEXT, fin: int = 1) -> bytes:
    return ABNF.create_frame(data, opcode, fin).format()


def giant(target: Target) -> float | None:
    """One message of 200 MB."""
    head = b"\x81\xff" + (200 * 1024 * 1024).to_bytes(8, "big") + b"\0\0\0\0"
    ws = joined(target.server, target.auth)
    return until_cut(target, ws, iter([head, *[b"x" * 65536] * 3_200]))


def fragments(target: Target) -> float | None:
    """A message that never ends."""
    ws = joined(target.server, target.auth)
    ws.sock.sendall(_frame('42["command","', fin=0))
    return until_cut(target, ws, _over_and_over(_frame("x" * 60_000, ABNF.OPCODE_CONT, 0)))


def attachments(target: Target) -> float | None:
    """A million binary attachments, announced and sent."""
    ws = joined(target.server, target.auth)
    ws.send('45999999-["command",{"_placeholder":true,"num":0}]')
    return until_cut(target, ws, _over_and_over(_frame(b"x" * 60_000, ABNF.OPCODE_BINARY)))


def slow_reader(target: Target) -> None:
    """Asks for large answers and reads none."""
    ws = joined(target.server, target.auth, receive_buffer=4096)
    wish = {"token": "captain", "layers": None}
    until_cut(target, ws, (_frame(command(number, "overlay.show", wish)) for number in count(1)))


def connections(target: Target) -> None:
    """Opens as many connections as there can be, and says nothing."""
    held = []
    try:
        while not target.is_over and len(held) < 1_500:
            with suppress(OSError):
                held.append(opened(target.server))
        while not target.is_over:
            time.sleep(0.05)
    finally:
        for one in held:
            one.close()


def handshakes(target: Target) -> None:
    """Connects over and over."""
    while not target.is_over:
        with suppress(*GONE):
            joined(target.server, target.auth).shutdown()


def pongs(target: Target) -> float | None:
    """Send pongs without pings, a million a second if the server reads them."""
    ws = joined(target.server, target.auth)
    return until_cut(target, ws, _over_and_over(_frame("", ABNF.OPCODE_PONG) * 10_000))


def noise(target: Target) -> None:
    """Provoke log lines in every way."""
    while not target.is_over:
        with suppress(*GONE):
            for line in (b"GARBAGE\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"GET /\xff HTTP/1.1\r\n\r\n"):
                with opened(target.server) as raw:
                    raw.sendall(line)
                    raw.recv(1000)
        with suppress(*GONE):
            ws = joined(target.server, {"table": "x", "ticket": "y\r\nforged"})
            ws.send("nonsense")
            ws.shutdown()


def costly(target: Target) -> None:
    """Overlays of the heaviest scene there may be, one after the other."""
    ws = joined(target.server, target.auth)
    ws.sock.settimeout(0.2)
    for number in count(1):
        if target.is_over:
            return
        with suppress(WebSocketTimeoutException):
            ws.send(command(number, "overlay.show", {"token": "t0", "layers": None}))
            while not str(ws.recv()).startswith(f"43{number}["):
                pass


def nested(target: Target) -> None:
    """Lists in lists, as deep as a message can hold."""
    ws = joined(target.server, target.auth)
    deep = '["command",' + "[" * 30_000 + "]" * 30_000 + "]"
    until_cut(target, ws, _over_and_over(_frame(f"421{deep}")))


def zipped(target: Target) -> float | None:
    """A megabyte of nothing, in a kilobyte."""
    header = ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"]
    ws = joined(target.server, target.auth, header=header)
    packer = zlib.compressobj(wbits=-15)
    bomb = packer.compress(b"4" + b"0" * 1024 * 1024) + packer.flush()
    frame = bytearray(_frame(bomb))
    frame[0] |= 0x40  # "this is compressed"
    return until_cut(target, ws, iter([bytes(frame)]))


def reserved(target: Target) -> None:
    """Events with the names that the library itself uses."""
    ws = joined(target.server, target.auth)
    until_cut(target, ws, _over_and_over(_frame('421["disconnect"]') + _frame('422["connect",{}]')))


def heaviest_scene(server: Server, auth: dict[str, Any]) -> None:
    """Sets the heaviest scene there may be on the hostile table."""
    walls = [
        {"id": f"w{i}", "line": [97 * i % 6_400, 89 * i % 6_400, 83 * i % 6_400, 79 * i % 6_400]}
        for i in range(10_000)
    ]
    bearer = {"Authorization": f"Bearer {auth['key']}"}
    url = f"{server.url}/api/tables/{auth['table']}"
    scene = requests.get(f"{url}/scene", headers=bearer, timeout=PATIENCE_SECONDS).json()
    places = [[x, y] for y in range(0, 100, 3) for x in range(0, 100, 3)]
    like = scene["tokens"]
    tokens = [{**like[i % len(like)], "id": f"t{i}", "at": places[2 * i]} for i in range(500)]
    grid = {**scene["grid"], "columns": 100, "rows": 100}
    heavy = {**scene, "terrain": [], "grid": grid, "walls": walls, "tokens": tokens}
    answer = requests.post(
        f"{url}/map?name=heavy", headers=bearer, data=json.dumps(heavy), timeout=3 * PATIENCE_SECONDS
    )
    answer.raise_for_status()


class Attack(NamedTuple):
    """An attack, the number of attackers, and whether the server must disconnect them."""

    act: Callable[[Target], float | None]
    lanes: int = 3
    is_cut: bool = False


ATTACKS = {
    "giant": Attack(giant, is_cut=True),
    "fragments": Attack(fragments, is_cut=True),
    "attachments": Attack(attachments, is_cut=True),
    "slow-reader": Attack(slow_reader),
    "connections": Attack(connections, lanes=1),
    "handshakes": Attack(handshakes),
    "pongs": Attack(pongs, is_cut=True),
    "noise": Attack(noise),
    "costly": Attack(costly),
    "nested": Attack(nested),
    "zipped": Attack(zipped, is_cut=True),
    "reserved": Attack(reserved),
}
