"""The log has one line an event, as text or JSON, even if a client sends control characters."""

from __future__ import annotations

import io
import json
import logging
import secrets
import sys

import gevent
import pytest

from enfilade.cluster import logs
from enfilade.cluster.logs import (
    MAX_MESSAGE_LENGTH,
    REPEATS,
    JsonFormatter,
    RepeatFilter,
    TextFormatter,
    sanitize,
)

KEY = secrets.token_urlsafe(24)


def record(message="It happened", *arguments, exc_info=None, line=1):
    return logging.LogRecord("enfilade.x", logging.ERROR, "x.py", line, message, arguments, exc_info)


def error_info(text):
    try:
        raise ValueError(text)
    except ValueError:
        return sys.exc_info()


def test_an_event_is_one_line_of_json_with_its_traceback():
    line = JsonFormatter().format(record("Unexpected error %s", "ab12", exc_info=error_info("no such thing")))
    event = json.loads(line)
    assert "\n" not in line
    assert (event["level"], event["logger"], event["message"]) == (
        "error",
        "enfilade.x",
        "Unexpected error ab12",
    )
    assert event["trace"][-1] == "ValueError: no such thing"
    assert "test_logs.py" in event["trace"][0]


def test_a_traceback_includes_the_cause():
    try:
        try:
            raise KeyError("first")
        except KeyError as cause:
            raise ValueError("second") from cause
    except ValueError:
        written = json.loads(JsonFormatter().format(record(exc_info=sys.exc_info())))["trace"]
    assert [line for line in written if line.startswith(("KeyError", "ValueError"))] == [
        "ValueError: second",
        "KeyError: 'first'",
    ]


HOSTILE = [
    "two\nlines",
    "two\r\nlines",
    "\x1b[2J\x1b[1;31mred",
    "\x9b31m",
    "a\u2028b\u2029c",
    "\x00\x07\x08",
    "abc\u202egnp.exe",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_a_clients_text_makes_no_second_line_and_moves_no_cursor(formatter, text):
    line = formatter.format(record("It sent %s", text))
    assert len(line.splitlines()) == 1
    assert all(character.isprintable() for character in line)


@pytest.mark.parametrize("text", HOSTILE)
def test_an_exceptions_text_forges_no_line(text):
    first, *below = TextFormatter().format(record(exc_info=error_info(text))).split("\n")
    assert first.endswith("It happened")
    assert all(line.startswith("    ") and line.isprintable() for line in below)


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
@pytest.mark.parametrize("text", ["{}", "key={}&table=t1", "Bearer {}", '{{"key": "{}"}}', "'{}'", "{}.{}"])
def test_no_key_is_written(formatter, text):
    written = text.format(KEY, KEY)
    assert KEY not in formatter.format(record("It said %r", written, exc_info=error_info(written)))


def test_sanitize_keeps_text_without_keys():
    written = "Table 0123456789abcdef could not send its updates; see enfilade.transport.rooms."
    assert sanitize(written) == written


def test_a_long_message_is_shortened():
    assert len(TextFormatter().format(record("x " * 10**6))) < MAX_MESSAGE_LENGTH + 200


def test_repeated_lines_are_counted():
    now = [0.0]
    repeats = RepeatFilter(clock=lambda: now[0])
    written = [repeats.filter(record(line=7)) for _ in range(1_000)]
    assert sum(written) == REPEATS.burst
    assert repeats.filter(record(line=8))
    now[0] += 1
    last = record("It happened", line=7)
    assert repeats.filter(last)
    assert last.getMessage() == "It happened (980 similar events were skipped.)"


def test_a_stream_without_a_terminal_gets_json():
    before = logging.getLogger().handlers[:]
    stream = io.StringIO()
    try:
        logs.configure("auto", stream)
        logging.getLogger("enfilade.x").warning("Hello")
    finally:
        logging.getLogger().handlers[:] = before
    assert json.loads(stream.getvalue())["message"] == "Hello"


def test_an_error_that_ends_a_greenlet_is_logged(caplog):
    hub = gevent.get_hub()
    logs.log_greenlet_errors(hub)
    try:
        gevent.spawn(lambda: 1 / 0).join()
    finally:
        del hub.print_exception
    (event,) = caplog.records
    assert event.exc_info[0] is ZeroDivisionError
