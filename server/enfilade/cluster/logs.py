"""The server's log: one line an event, as text or JSON, safe against forged lines and leaked keys.

A message or an exception may hold what a client sent. So control characters are escaped, strings as long as
a key are removed, and an event that repeats is soon only counted.
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

from enfilade.runtime.config import LogForm
from enfilade.transport.limits.buckets import Buckets, Clock, Rate

log = logging.getLogger(__name__)

MAX_MESSAGE_LENGTH = 2_000

REPEATS = Rate(per_second=1, burst=20)
"""How often to write an event of one kind. The others are counted."""

_MAX_FRAMES = 30
_MAX_CAUSES = 5

# Keys, tickets and tokens have at least 22 of these characters. Table IDs, which are no secret, have 16.
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
_ESCAPES = {code: f"\\u{code:04x}" for code in _UNSAFE}


def sanitize(text: str) -> str:
    """Return a text on one line, shortened, without control characters and without what may be a key."""
    short = text if len(text) <= MAX_MESSAGE_LENGTH else f"{text[:MAX_MESSAGE_LENGTH]}…"
    return _LIKE_A_KEY.sub("[removed]", short).translate(_ESCAPES)


class TextFormatter(logging.Formatter):
    """Formats an event as a line of text, and an exception's traceback as indented lines below."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event's lines."""
        at = datetime.fromtimestamp(record.created).strftime("%Y-%m-%d %H:%M:%S")
        first = f"{at} {record.levelname} {record.name}: {sanitize(record.getMessage())}"
        return "\n    ".join([first, *_trace_lines(record)])


class JsonFormatter(logging.Formatter):
    """Formats an event as one line of JSON: time, level, logger, message, and the traceback as a list."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event's line."""
        event: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": sanitize(record.getMessage()),
        }
        trace = list(_trace_lines(record))
        return json.dumps({**event, "trace": trace} if trace else event)


class RepeatFilter(logging.Filter):
    """Limits how often an event of one kind is written; a later line has the number of those skipped."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__()
        self._buckets: Buckets[tuple[str, int]] = Buckets(REPEATS, clock)
        self._skipped: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write an event."""
        kind = (record.name, record.lineno)
        bucket = self._buckets.of(kind)
        if bucket.wait(1):
            self._skipped[kind] += 1
            return False
        bucket.take(1)
        skipped = self._skipped.pop(kind, 0)
        if skipped:
            record.msg, record.args = f"{record.getMessage()} ({skipped} similar events were skipped.)", ()
        return True


def configure(form: LogForm, stream: TextIO = sys.stderr) -> None:
    """Write all events of this process to a stream."""
    is_text = form == "text" or (form == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextFormatter() if is_text else JsonFormatter())
    handler.addFilter(RepeatFilter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs each step of a normal start


def log_greenlet_errors(hub: Any) -> None:
    """Log exceptions that end a greenlet. gevent itself would print them with the request and its key."""

    def print_exception(_context: object, kind: type, problem: BaseException, trace: Any) -> None:
        log.error("A background task ended unexpectedly", exc_info=(kind, problem, trace))

    hub.print_exception = print_exception


def _trace_lines(record: logging.LogRecord) -> Iterator[str]:
    problem: BaseException | None = record.exc_info[1] if record.exc_info else None
    for _ in range(_MAX_CAUSES):
        if problem is None:
            return
        for frame in traceback.extract_tb(problem.__traceback__)[-_MAX_FRAMES:]:
            yield f"{frame.filename}:{frame.lineno} in {frame.name}: {frame.line}"
        yield f"{type(problem).__name__}: {sanitize(str(problem))}"
        problem = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
