"""The log of a server: one line an event, in words or in JSON, that forges no other line and tells no key.

Whatever a client sends may end up in a message or in an exception's words. So control characters are written
out, runs of characters as long as a key are left out, and what comes again and again is soon only counted.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, TextIO

from enfilade.config import LogForm
from enfilade.transport.limits.buckets import Buckets, Clock, Rate

log = logging.getLogger(__name__)

LONGEST = 2_000
"""How many characters of a message are written."""

REPEATS = Rate(per_second=1, burst=20)
"""How often an event of one kind is written; the rest are counted."""

_MOST_FRAMES = 30
_MOST_CAUSES = 5

# Keys, tickets and tokens have at least 22 characters of these; tables' ids, which are no secret, have 16.
_LIKE_A_KEY = re.compile(r"[A-Za-z0-9_\-]{20,}")

_UNSAFE = {
    *range(0x20),
    *range(0x7F, 0xA0),
    0x2028,
    0x2029,
    *range(0x200E, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
}
_WRITTEN_OUT = {code: f"\\u{code:04x}" for code in _UNSAFE}


def harmless(text: str) -> str:
    """A text on one line, without anything that moves a terminal's cursor or may be a key."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return _LIKE_A_KEY.sub("[left out]", cut).translate(_WRITTEN_OUT)


class Line(logging.Formatter):
    """An event in words; an exception's trace goes on indented lines below."""

    def format(self, record: logging.LogRecord) -> str:
        """The event's line."""
        at = datetime.fromtimestamp(record.created).strftime("%Y-%m-%d %H:%M:%S")
        first = f"{at} {record.levelname} {record.name}: {harmless(record.getMessage())}"
        return "\n    ".join([first, *_trace(record)])


class JsonLine(logging.Formatter):
    """An event as one line of JSON: when, how bad, from where, what; and the trace as a list of lines."""

    def format(self, record: logging.LogRecord) -> str:
        """The event's line."""
        event: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": harmless(record.getMessage()),
        }
        trace = list(_trace(record))
        return json.dumps({**event, "trace": trace} if trace else event)


class Repeats(logging.Filter):
    """Lets an event of one kind through so often, and says later how many were left out."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__()
        self._allowed: Buckets[tuple[str, int]] = Buckets(REPEATS, clock)
        self._left_out: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether an event is written."""
        kind = (record.name, record.lineno)
        bucket = self._allowed.of(kind)
        if bucket.wait(1):
            self._left_out[kind] += 1
            return False
        bucket.take(1)
        left_out = self._left_out.pop(kind, 0)
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like it were not written.)", ()
        return True


def set_up(form: LogForm, stream: TextIO = sys.stderr) -> None:
    """Has everything that is logged in this process written to a stream in a form."""
    in_words = form == "text" or (form == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Line() if in_words else JsonLine())
    handler.addFilter(Repeats())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # every step of an ordinary start is no news


def write_escaped(hub: Any) -> None:
    """Has what escapes a greenlet logged: gevent itself would print it with the request and its key."""

    def print_exception(_context: object, kind: type, problem: BaseException, trace: Any) -> None:
        log.error("A task of the server ended unexpectedly", exc_info=(kind, problem, trace))

    hub.print_exception = print_exception


def _trace(record: logging.LogRecord) -> Iterator[str]:
    problem: BaseException | None = record.exc_info[1] if record.exc_info else None
    for _ in range(_MOST_CAUSES):
        if problem is None:
            return
        for frame in traceback.extract_tb(problem.__traceback__)[-_MOST_FRAMES:]:
            yield f"{frame.filename}:{frame.lineno} in {frame.name}: {frame.line}"
        yield f"{type(problem).__name__}: {harmless(str(problem))}"
        problem = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
