"""Log entries as a webhook shows them: plain words that can do nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enfilade.webhooks.queue import MAX_CHARACTERS, build_message, escape_markdown


@pytest.mark.parametrize(
    ("said", "posted"),
    [
        ("Ann moves, and hits: 3 damage.", r"Ann moves, and hits\: 3 damage."),
        ("@everyone", r"\@everyone"),
        ("<@117> <#5> <:orc:9>", r"\<\@117\> \<\#5\> \<\:orc\:9\>"),
        ("**Orc** __3__ ~~x~~ ||y|| `z`", r"\*\*Orc\*\* \_\_3\_\_ \~\~x\~\~ \|\|y\|\| \`z\`"),
        ("[free](https://evil.example)", r"\[free\]\(https\:\/\/evil.example\)"),
        ("# Big\n> quote\r\n- item", r"\# Big \> quote \- item"),
        ("a\x1b[31mb\x00c\u2028d", r"a \[31mb c d"),
        ("Orc \u202egnorw\u2066 way", "Orc  gnorw  way"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_a_name_is_shown_literally(said, posted):
    assert escape_markdown(said) == posted


@given(st.text())
def test_all_markdown_is_escaped_and_no_line_break_remains(said):
    posted = escape_markdown(said)
    assert not re.search(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e]", posted)
    assert not re.search(r"[*_~|`<>@#\[\]]", re.sub(r"\\[^a-zA-Z0-9\s]", "", posted))


@given(st.lists(st.text(max_size=3000), max_size=30))
def test_every_entry_is_posted_once_in_messages_of_valid_length(texts):
    entries = list(enumerate(texts, start=1))
    last, sent = 0, []
    while last < len(entries):
        said = build_message(entries[last:], last)
        assert said.last > last
        assert len(said.text) <= MAX_CHARACTERS
        sent += said.text.split("\n") if said.text else []
        last = said.last
    assert sent == [escape_markdown(text) for text in texts if escape_markdown(text)]


def test_an_entry_without_text_is_skipped():
    assert build_message([(1, "Ann moves."), (2, ""), (3, "")], 0) == ("Ann moves.", 3)
    assert build_message([(1, "")], 0) == ("", 1)
