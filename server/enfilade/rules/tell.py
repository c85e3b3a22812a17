"""The log text of an act: short sentences, and the arithmetic behind them as a detail that pages fold away.

A narrator returns one text: its first line has the sentences, a second one the detail, if there is any.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class LogText(NamedTuple):
    """The words for a step of an act: a sentence for the log, and the numbers behind it, in sentences too."""

    text: str
    detail: str = ""


def log_text(parts: Iterable[LogText | str]) -> str:
    """Return the text of steps: their sentences, then their details on a line of their own."""
    told = [LogText(part) if isinstance(part, str) else part for part in parts]
    lines = [" ".join(filter(None, line)) for line in zip(*told, strict=True)] if told else []
    return "\n".join(filter(None, lines))


def split_detail(text: str) -> LogText:
    """Return the sentences and the detail of a log text."""
    sentences, _, detail = text.partition("\n")
    return LogText(sentences, detail)
