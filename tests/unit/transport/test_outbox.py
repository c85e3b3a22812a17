"""The outbox of one client: no sender waits for a message that can never be sent."""

from __future__ import annotations

import gevent

from enfilade.runtime.config import Limits
from enfilade.transport.socketio.outbox import Outbox


def test_closing_an_outbox_without_a_socket_releases_its_waiters():
    outbox = Outbox(limits=Limits(), on_cut=lambda _: None)
    outbox.send(b"a greeting")
    waiter = gevent.spawn(outbox.get)
    gevent.sleep(0)
    outbox.put(None)
    waiter.join(timeout=1)
    assert waiter.successful()


class Socket:
    """A socket that takes so many bytes at once, and records what each call sends."""

    def __init__(self, room=1_000_000):
        self.room = room
        self.sent = []

    def send(self, data, _flags, _timeout):
        self.sent.append(data[: self.room])
        self.room -= len(self.sent[-1])
        return len(self.sent[-1])

    def sendall(self, data):
        self.sent.append(data)


def opened(sock):
    outbox = Outbox(limits=Limits(), on_cut=lambda _: None)
    outbox.open(sock, lambda: None)
    return outbox


def test_what_a_round_of_the_event_loop_has_for_a_client_is_sent_at_once():
    sock = Socket()
    outbox = opened(sock)
    gevent.spawn(outbox.send, b"entry")  # as a broadcast that a command has started
    outbox.send(b"answer ")
    gevent.idle()
    outbox.send(b"overlay")
    gevent.idle()
    assert sock.sent == [b"answer entry", b"overlay"]


def test_what_a_socket_does_not_take_follows_in_order():
    sock = Socket(room=8)
    outbox = opened(sock)
    for data in (b"answer ", b"entry ", b"overlay"):
        outbox.send(data)
    outbox.wait_until_sent()
    outbox.send(b"!")
    outbox.wait_until_sent()
    assert b"".join(sock.sent[1:]) == b"ntry overlay!"
    assert sock.sent[0] == b"answer e"


def test_an_outbox_that_closes_sends_what_it_was_given_before():
    sock = Socket()
    outbox = opened(sock)
    outbox.send(b"goodbye")
    outbox.close()
    gevent.idle()
    assert sock.sent == [b"goodbye"]


def test_a_slow_reader_is_cut_by_what_was_sent_in_one_round():
    cut, limits = [], Limits(queue_packets=3)
    outbox = Outbox(limits=limits, on_cut=cut.append)
    outbox.open(Socket(room=0), lambda: None)
    for _ in range(limits.queue_packets + 2):
        outbox.send(b"x")
    gevent.idle()
    assert cut == ["slow-reader"]


def test_a_round_that_reaches_the_limit_of_bytes_is_sent_before_it_ends():
    sock, limits = Socket(), Limits(queue_bytes=10)
    outbox = Outbox(limits=limits, on_cut=lambda _: None)
    outbox.open(sock, lambda: None)
    for data in (b"123456", b"7890", b"later"):
        outbox.send(data)
    assert sock.sent == [b"1234567890"]
    gevent.idle()
    assert sock.sent == [b"1234567890", b"later"]


def test_a_client_that_reads_nothing_is_cut_within_a_round():
    cut, limits = [], Limits(queue_bytes=10)
    outbox = Outbox(limits=limits, on_cut=cut.append)
    outbox.open(Socket(room=0), lambda: None)
    for _ in range(5):
        outbox.send(b"123456")
    assert cut == ["slow-reader"]
