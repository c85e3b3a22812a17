"""The strict reader of packets reads, refuses or ignores each packet."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from socketio import packet

from enfilade.errors import BadMessage
from enfilade.transport import strict_json
from enfilade.transport.socketio.packets import InvalidPacket, StrictPacket, is_valid_message

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc"), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)  # a busy machine may pause
@given(st.text() | st.from_regex(r"4?[0-6]?(/[a-z]*,)?[0-9]*[\[{\"]?.{0,20}") | st.binary())
def test_no_message_of_a_client_raises_anything(message):
    if not is_valid_message(message) or message in ("1", "3"):
        return
    read = StrictPacket(encoded_packet=message[1:])
    assert read.packet_type in (packet.CONNECT, packet.DISCONNECT, packet.EVENT)
    if read.packet_type == packet.EVENT:
        assert isinstance(read.data[0], str | InvalidPacket)


@settings(deadline=None)  # a busy machine may pause
@given(st.text("abc", min_size=1), plain, st.integers(0, 10**15 - 1))
def test_an_event_is_decoded_as_it_was_encoded(name, value, number):
    written = StrictPacket(packet.EVENT, data=[name, value], namespace="/", id=number).encode()
    assert is_valid_message(f"4{written}")
    read = StrictPacket(encoded_packet=written)
    assert (read.data, read.id, read.namespace) == ([name, value], number, None)


@settings(deadline=None)  # a busy machine may pause
@given(plain)
def test_strict_json_is_decoded_as_the_standard_library_does(value):
    assert strict_json.decode(json.dumps(value)) == value


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":2}', '[{"x":{"b":1,"b":1}}]', "[" * 65 + "]" * 65, "1e999", "Infinity"]
)
def test_ambiguous_deep_or_infinite_json_is_refused(text):
    with pytest.raises(BadMessage):
        strict_json.decode(text)


def test_sixty_four_nested_lists_are_accepted():
    assert strict_json.decode("[" * 63 + "[1]" + "]" * 63)


def test_an_undecodable_event_gets_a_name_that_no_client_can_send():
    (name,) = StrictPacket(encoded_packet='2["connect",{}]').data
    assert isinstance(name, InvalidPacket)
    assert name.problem.sentence == "This event's name is reserved."
