"""Run the tests in forks of the process that has collected them: `pytest --forks 3`.

Each worker of pytest-xdist imports and collects every test again. A fork has them from the start. The forks
take one test file after the other from a pipe, and send their reports through another. So a fixture of a file
is set up once, and one of a session once in each fork.
"""

from __future__ import annotations

import gc
import io
import json
import os
import selectors
import struct
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby, pairwise
from typing import Any, NamedTuple

import pytest

PART = struct.Struct("ii")
"""A part of the tests: the number of the first, and that after the last."""
_READ_BYTES = 1 << 16


class Message(NamedTuple):
    """A message of a fork about a test: that it starts, or a report of it."""

    nodeid: str
    location: tuple[str, int | None, str]
    report: dict[str, Any] | None = None


class Fork:
    """The parent's end of a fork: its number, and the pipe with what it sends."""

    def __init__(self, pid: int, reader: int) -> None:
        self.pid, self.reader = pid, reader
        self.current: Message | None = None
        self._rest = b""

    def read(self) -> list[Message] | None:
        """Return the messages that have come, or None at the end of the fork."""
        found = os.read(self.reader, _READ_BYTES)
        *lines, self._rest = (self._rest + found).split(b"\n")
        return [Message(*json.loads(line)) for line in lines] if found else None


class InFork:
    """A plugin of a fork that sends what the terminal of the parent shows."""

    def __init__(self, config: pytest.Config, writer: int) -> None:
        self._config, self._writer = config, writer

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        """Send that a test starts."""
        self._send(Message(nodeid, location))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Send a report."""
        said = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._send(Message(report.nodeid, report.location, said))

    def _send(self, message: Message) -> None:
        line = json.dumps(message, default=str).encode() + b"\n"
        while line:
            line = line[os.write(self._writer, line) :]


class Forks:
    """A plugin that runs the collected tests in several forks."""

    def __init__(self, count: int) -> None:
        self._count = count

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        """Collect without the garbage collector, which would look at all tests again and again."""
        gc.disable()
        result = yield
        gc.enable()
        return result

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run the tests; leave it to pytest if there is nothing to run."""
        if session.testsfailed or session.config.option.collectonly or not session.items:
            return None
        gc.collect()
        gc.freeze()  # what is collected is in each fork, and no fork looks for garbage in it
        queue, fill = os.pipe()
        forks = [self._fork(session, queue, fill) for _ in range(self._count)]
        # Parts are short and few: all of them fit into the pipe.
        os.write(fill, b"".join(PART.pack(*part) for part in parts(session.items)))
        os.close(fill)
        started = follow(session, forks, queue)
        os.close(queue)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        assert session.testsfailed or started == len(session.items), "some tests have not run"
        return True

    def _fork(self, session: pytest.Session, queue: int, fill: int) -> Fork:
        reader, writer = os.pipe()
        if pid := os.fork():
            os.close(writer)
            return Fork(pid, reader)
        try:
            os.close(reader)
            os.close(fill)
            work(session, queue, writer)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)


def parts(items: Sequence[pytest.Item]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the tests of each file."""
    first = 0
    for _, found in groupby(items, key=lambda item: item.path):
        end = first + len(list(found))
        yield first, end
        first = end


def work(session: pytest.Session, queue: int, writer: int) -> None:
    """Run parts until there is none left. A fork calls it."""
    plugins = session.config.pluginmanager
    plugins.unregister(name="terminalreporter")
    capture = plugins.getplugin("capturemanager")
    if capture is not None and capture.is_globally_capturing():
        give_own_files(capture)
    plugins.register(InFork(session.config, writer))
    for item, following in pairwise(chain(taken(session.items, queue), (None,))):
        assert item is not None
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            return


def give_own_files(capture: Any) -> None:
    """Give pytest's capture files of this process: a fork shares its place in those of the parent.

    The objects of the streams stay, because modules keep them.
    """
    capture.resume_global_capture()
    for stream in (sys.stdout, sys.stderr):
        with suppress(io.UnsupportedOperation), tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), stream.fileno(), inheritable=False)
    capture.suspend_global_capture()


def taken(items: Sequence[pytest.Item], queue: int) -> Iterator[pytest.Item]:
    """Yield the tests of the parts that this process takes from the queue."""
    while part := os.read(queue, PART.size):
        first, end = PART.unpack(part)
        yield from items[first:end]


def follow(session: pytest.Session, forks: list[Fork], queue: int) -> int:
    """Report what the forks send until all have ended, and return the number of tests that started."""
    started = 0
    with selectors.DefaultSelector() as selector:
        for fork in forks:
            selector.register(fork.reader, selectors.EVENT_READ, fork)
        while selector.get_map():
            for key, _ in selector.select():
                fork = key.data
                messages = fork.read()
                if messages is None:
                    selector.unregister(fork.reader)
                    end(session, fork)
                for message in messages or ():
                    started += message.report is None
                    fork.current = message
                    show(session.config, message)
            if session.shouldfail or session.shouldstop:
                while os.read(queue, _READ_BYTES):
                    pass
    return started


def show(config: pytest.Config, message: Message) -> None:
    """Tell the plugins of the parent what a fork has sent."""
    nodeid, location, said = message
    if said is None:
        config.hook.pytest_runtest_logstart(nodeid=nodeid, location=tuple(location))
        return
    report = config.hook.pytest_report_from_serializable(config=config, data=said)
    config.hook.pytest_runtest_logreport(report=report)
    if report.when == "teardown":
        config.hook.pytest_runtest_logfinish(nodeid=nodeid, location=tuple(location))


def end(session: pytest.Session, fork: Fork) -> None:
    """Wait for a fork that has ended; one that died fails the test that it was at."""
    os.close(fork.reader)
    _, status = os.waitpid(fork.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        return
    nodeid, location, _ = fork.current or Message("", ("", None, "no test"))
    said = f"The process of the tests ended with status {code}."
    report = pytest.TestReport(nodeid, tuple(location), {}, "failed", said, "call")
    session.config.hook.pytest_runtest_logreport(report=report)
