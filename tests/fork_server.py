"""Start test servers as forks of one process that has imported what a server imports.

A start of `enfilade serve` spends four fifths of its processor time on imports. The fork server patches
itself for gevent, imports the same modules in the same order as `enfilade serve`, and forks for each request.
The fork runs the program's own entry point with the arguments, the environment, the working folder and the
files of the request. Tests of the start itself start a process of their own.

Python hands its files over on a socket of packets. Node cannot, so it sends a request as a line on a second
socket, whose path ends in `.lines`: the fork answers with its process number and then says there what the
program says.
"""

from __future__ import annotations

import ctypes
import json
import os
import runpy
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from signal import SIGKILL, SIGTERM
from threading import Lock
from typing import IO, NamedTuple
from weakref import finalize

from enfilade.__main__ import prepare_to_serve

ROOT = Path(__file__).parent.parent
ADDRESS_VARIABLE = "TESTS_FORK_SERVER"
"""The environment variable with the socket of a fork server that another process has started."""
READ_BY_IMPORTS = ("ENFILADE_NO_KERNEL", "ENFILADE_LANGUAGE", "LD_PRELOAD")
"""Environment variables that the fork server has read before it forks."""
_MAX_REQUEST_BYTES = 1 << 20
_PR_SET_PDEATHSIG = 1
"""From linux/prctl.h."""


class Process:
    """A forked server, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, connection: socket.socket, pid: int, stdout: IO[str] | None) -> None:
        self.pid = pid
        self.stdout = stdout
        self.returncode: int | None = None
        self._connection = connection
        self._lock = Lock()

    def poll(self) -> int | None:
        """Return the exit status, or None while the process runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status, negative for a signal. Raises subprocess.TimeoutExpired."""
        with self._lock:
            if self.returncode is None:
                self._connection.settimeout(timeout)
                try:
                    said = self._connection.recv(16)
                except (TimeoutError, BlockingIOError):
                    raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0) from None
                self.returncode = int(said)
                self._connection.close()
            return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(SIGKILL)


class Request(NamedTuple):
    """A program to run as `python -m MODULE ARGUMENTS`, its environment and its working folder."""

    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    folder: str


def start(
    module: str,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    log: IO[str],
    output: IO[str] | None = None,
) -> Process | subprocess.Popen[str]:
    """Start `python -m MODULE ARGUMENTS`, with a file for its errors, and a pipe or a file for its output."""
    if any(environment.get(name) != os.environ.get(name) for name in READ_BY_IMPORTS):
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.Popen(
            command,
            env=dict(environment),
            stdout=output or subprocess.PIPE,
            stderr=log,
            text=True,
            stdin=subprocess.DEVNULL,
        )
    request = Request(module, arguments, dict(environment), str(Path.cwd()))
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(os.environ.get(ADDRESS_VARIABLE) or start_fork_server())
    stdout, writer = None, output.fileno() if output else -1
    if output is None:
        reader, writer = os.pipe()
        stdout = os.fdopen(reader)
    socket.send_fds(connection, [json.dumps(request).encode()], [writer, log.fileno()])
    if stdout:
        os.close(writer)
    return Process(connection, int(connection.recv(16)), stdout)


class Finished(NamedTuple):
    """The end of a program: its exit status, its output and its errors."""

    status: int
    output: str
    errors: str


def run(
    module: str, arguments: Sequence[str], environment: Mapping[str, str], timeout: float = 60
) -> Finished:
    """Run `python -m MODULE ARGUMENTS` to its end. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        status = start(module, arguments, environment, errors, output).wait(timeout)
        for file in (output, errors):
            file.seek(0)
        return Finished(status, output.read(), errors.read())


def start_alone(
    module: str, arguments: Sequence[str], environment: Mapping[str, str], log: IO[str]
) -> subprocess.Popen[str]:
    """Start the same as a process of its own, as a user does."""
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.Popen(command, env=dict(environment), stdout=subprocess.PIPE, stderr=log, text=True)


@cache
def start_fork_server() -> str:
    """Start a fork server that ends with this process, and return the path of its socket."""
    folder = tempfile.mkdtemp(prefix="enfilade-forks-")
    path = f"{folder}/socket"
    command = [sys.executable, "-m", "tests.fork_server", path]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    if process.stdout.readline() != "ready\n":
        raise RuntimeError("The fork server did not start.")
    finalize(process, shutil.rmtree, folder, ignore_errors=True)
    finalize(process, _end, process)
    return path


def _end(process: subprocess.Popen[str]) -> None:
    """Close the fork server's input, at which it ends."""
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    process.wait(10)


def end_with_parent() -> None:
    """Have Linux kill this process when its parent ends: a broken test run leaves no server."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)


def accept_requests(path: str) -> Request:
    """Fork for each request until the input ends; return the request, in the fork alone."""
    from gevent.monkey import get_original
    from gevent.os import fork_gevent as fork  # gives the fork an event loop of its own

    wait, select = get_original("os", "waitpid"), get_original("select", "select")
    make = get_original("socket", "socket")
    packets, lines = make(socket.AF_UNIX, socket.SOCK_SEQPACKET), make(socket.AF_UNIX, socket.SOCK_STREAM)
    for listener, place in ((packets, path), (lines, f"{path}.lines")):
        listener.bind(place)
        listener.listen(16)
    print("ready", flush=True)
    while True:
        ready = select([packets, lines, 0], [], [])[0]
        if 0 in ready:
            os._exit(0)
        connection, _ = ready[0].accept()
        if fork() == 0:
            break
        connection.close()
        with suppress(ChildProcessError):
            while wait(-1, os.WNOHANG)[0]:
                pass
    is_packet = ready[0] is packets
    packets.close()
    lines.close()
    return _take_packet(connection) if is_packet else _take_line(connection)


def _take_packet(connection: socket.socket) -> Request:
    """Fork again for a request with its files; the first fork waits for the second and reports its end."""
    from gevent.monkey import get_original
    from gevent.os import fork_gevent as fork

    wait = get_original("os", "waitpid")
    text, files, _, _ = socket.recv_fds(connection, _MAX_REQUEST_BYTES, 2)
    if pid := fork():
        for file in files:
            os.close(file)
        connection.send(str(pid).encode())
        status = os.waitstatus_to_exitcode(wait(pid, 0)[1])
        with suppress(OSError):  # the test has not waited
            connection.send(str(status).encode())
        os._exit(0)
    connection.close()
    _take_files(*files)
    return Request(*json.loads(text))


def _take_line(connection: socket.socket) -> Request:
    """Read a request of one line; the connection is the program's output, and closes when it ends."""
    end_with_parent()
    with connection.makefile("rb") as reader:
        request = Request(**json.loads(reader.readline()))
    connection.send(f"{os.getpid()}\n".encode())
    output = connection.detach()
    _take_files(output, os.dup(output))
    return request


def _take_files(output: int, errors: int) -> None:
    """Make two files the output and the errors of this process, without an input."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for file, place in zip((nothing, output, errors), (0, 1, 2), strict=True):
        os.dup2(file, place)
        os.close(file)


def main() -> None:
    """Import what a server imports, fork for each request, and run the program in the forks."""
    prepare_to_serve()
    import threading
    from importlib import import_module

    import enfilade.cluster.serve  # noqa: F401
    from enfilade.cli.main import MODULES

    for module in set(MODULES.values()):
        import_module(f"enfilade.cli.{module}")

    assert threading.active_count() == 1
    request = accept_requests(sys.argv[1])
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.folder)
    # The interpreter reads these at its start.
    sys.dont_write_bytecode = bool(request.environment.get("PYTHONDONTWRITEBYTECODE"))
    folders = request.environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [folder for folder in folders if folder and folder not in sys.path]
    sys.argv = [request.module, *request.arguments]
    for name in (request.module, f"{request.module}.__main__"):
        sys.modules.pop(name, None)  # runpy warns of a module that it runs a second time
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
