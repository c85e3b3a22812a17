"""Log texts: short sentences on the first line, the arithmetic behind them on the second."""

from __future__ import annotations

import pytest

from enfilade.rules.tell import LogText, log_text, split_detail


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([], ""),
        ([""], ""),
        (["Ann moves."], "Ann moves."),
        (
            [LogText("Ann hits.", "Die 5."), "", LogText("", "Die 6."), "Orc falls."],
            "Ann hits. Orc falls.\nDie 5. Die 6.",
        ),
        ([LogText("", "Die 6.")], "Die 6."),
    ],
)
def test_sentences_come_first_and_their_details_below(parts, text):
    assert log_text(parts) == text


def test_a_text_is_split_where_its_details_begin():
    assert split_detail("Ann hits.\nDie 5.") == LogText("Ann hits.", "Die 5.")
    assert split_detail("Ann moves.") == LogText("Ann moves.")
