"""Messages out of a log: plain words, escaped for Discord's markdown, in pieces that it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MOST_CHARACTERS = 2_000
"""The longest message that Discord takes."""

_LONGEST_LINE = 900
_MARKS = re.compile(r"([\\`*_~|<>\[\]()#:@{}=+/-])")
# Control characters, line ends, and what turns the direction of writing: a name must not reach beyond itself.
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


class Message(NamedTuple):
    """What is posted at once (empty where there is nothing to say), and the place of the last entry in it."""

    text: str
    last: int


def message(said: Iterable[tuple[int, str]], after: int) -> Message:
    """The first message that tells of some places in a log, each with its words, that follow `after`."""
    lines: list[str] = []
    size, last = 0, after
    for place, words in said:
        line = escaped(words)
        if line:
            size += len(line) + 1
            if lines and size > MOST_CHARACTERS:
                break
            lines.append(line)
        last = place
    return Message("\n".join(lines), last)


def escaped(text: str) -> str:
    """A text as one line that Discord shows as it stands: no mention, link, heading or emphasis."""
    plain = _BREAKS.sub(" ", text).strip()
    short = plain if len(plain) <= _LONGEST_LINE else f"{plain[: _LONGEST_LINE - 1]}…"
    return _MARKS.sub(r"\\\1", short)
