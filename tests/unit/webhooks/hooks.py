"""A webhook as a real HTTPS server on loopback, with its own authority, that notes what it is sent."""

from __future__ import annotations

import json
import ssl
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import trustme

HOST = "hooks.example.com"
PATIENCE_SECONDS = 20


@dataclass
class Answer:
    """One answer of the webhook: a status, headers, and a body sent byte by byte.

    After `silent` seconds, and with so many headers, `dripped_headers`, that come five a second.
    """

    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    dripped: int = 0
    silent: float = 0
    dripped_headers: int = 0


class Webhook:
    """An HTTPS server for HOST; `answers` are given in turn, then 204 for ever."""

    def __init__(self, folder: Path, host: str = HOST) -> None:
        authority = trustme.CA()
        self.authorities = str(folder / "authority.pem")
        authority.cert_pem.write_to_path(self.authorities)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(host).configure_cert(context)
        self.names: list[str | None] = []
        context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.answers: list[Answer] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # who goes away early is what some tests are about
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_port)

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        return f"https://{self.host}/api/webhooks/117/s3cr3t-t0ken"

    @property
    def lines(self) -> list[str]:
        """Every line that was taken, in order."""
        return [line for _, _, body in self.requests for line in body["content"].split("\n")]

    def wait_for(self, count: int) -> list[tuple[str, dict[str, str], Any]]:
        """The requests, once there are so many."""
        until = time.monotonic() + PATIENCE_SECONDS
        while len(self.requests) < count:
            assert time.monotonic() < until, f"{len(self.requests)} of {count} requests came"
            time.sleep(0.02)
        return self.requests

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        webhook = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer = webhook.answers.pop(0) if webhook.answers else Answer()
                webhook.requests.append((self.path, dict(self.headers), json.loads(body)))
                time.sleep(answer.silent)
                self.send_response(answer.status)
                for number in range(answer.dripped_headers):
                    self.send_header(f"X-Number-{number}", "x")
                    self.flush_headers()
                    time.sleep(0.2)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if answer.status != 204:
                    self.send_header("Content-Length", str(answer.dripped))
                self.end_headers()
                for _ in range(answer.dripped):
                    self.wfile.write(b"x")
                    time.sleep(0.05)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
