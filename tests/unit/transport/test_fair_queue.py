"""Turns at computing: tables alternate, however many computations each has."""

from __future__ import annotations

import time

import gevent
import pytest
from gevent import socket
from gevent.lock import RLock
from tests.unit.play.duel import Duel

from enfilade.errors import RateLimited
from enfilade.runtime.config import Limits
from enfilade.runtime.time_budget import checkpoint, run_long
from enfilade.scene.model import GM, SPECTATOR, Seat
from enfilade.transport.limits.fair_queue import FairQueue
from enfilade.transport.limits.rate import RateLimiter

TIMEOUT_SECONDS = 5


class Clock:
    """A clock that the computations advance."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def spin(seconds):
    """Use so much CPU time."""
    ends = time.thread_time() + seconds
    while time.thread_time() < ends:
        pass


def compute(queue, table, slices, done):
    """Compute for some slices of a millisecond, each with its turn."""
    turn = queue.of(table)
    turn.take()
    for number in range(slices):
        spin(0.001)
        done.append(table)
        if number < slices - 1:
            turn.rest()
    turn.leave()


def test_a_table_with_many_computations_gets_no_more_than_one_with_one():
    queue, done = FairQueue(), []
    crowd = [gevent.spawn(compute, queue, "crowd", 20, done) for _ in range(8)]
    gevent.sleep(0.01)  # all of the crowd have begun
    before = done.count("crowd")
    lone = gevent.spawn(compute, queue, "lone", 10, done)
    gevent.joinall([*crowd, lone], timeout=TIMEOUT_SECONDS, raise_error=True)
    last = max(number for number, table in enumerate(done) if table == "lone")
    assert done[: last + 1].count("crowd") - before <= 15
    assert done.count("crowd") == 160


def test_a_command_that_arrived_during_a_slice_has_the_next_turn():
    queue, done = FairQueue(), []
    client, server = socket.socketpair()

    def answer():
        while server.recv(1):
            compute(queue, "lone", 1, done)

    answering = gevent.spawn(answer)
    gevent.idle()
    turn = queue.of("crowd")
    turn.take()
    for _ in range(5):
        client.send(b"?")
        spin(0.002)
        turn.rest()
        done.append("crowd")
    answering.kill()
    client.close()
    server.close()
    assert done == ["lone", "crowd"] * 5


def test_a_table_that_was_away_does_not_make_up_for_it():
    queue, done = FairQueue(), []
    compute(queue, "early", 50, done)
    both = [gevent.spawn(compute, queue, table, 10, done) for table in ("early", "late")]
    gevent.joinall(both, timeout=TIMEOUT_SECONDS, raise_error=True)
    assert "early" in done[50:55]


def test_a_killed_computation_gives_up_its_place():
    queue, done = FairQueue(), []
    first = queue.of("first")
    first.take()
    killed = gevent.spawn(compute, queue, "killed", 1, done)
    following = gevent.spawn(compute, queue, "following", 1, done)
    gevent.sleep(0)
    killed.kill()
    first.leave()
    following.join(TIMEOUT_SECONDS)
    assert done == ["following"]


def test_an_answer_that_waits_for_a_thread_lets_others_compute():
    order = []

    def offload(function, arguments):
        gevent.sleep(0.05)
        return function(*arguments), 0.0

    limiter = RateLimiter(Limits(), offload=offload)

    def call_long():
        with limiter.time_limited("one"):
            run_long(order.append, "called")
            order.append("done")

    waiting = gevent.spawn(call_long)
    gevent.sleep(0)
    with limiter.time_limited("other"):
        order.append("other")
    waiting.join(TIMEOUT_SECONDS)
    assert order == ["other", "called", "done"]


def test_a_budget_in_a_budget_needs_no_second_turn():
    limiter = RateLimiter(Limits())
    with gevent.Timeout(TIMEOUT_SECONDS), limiter.time_limited("one"), limiter.time_limited("one"):
        checkpoint()


def test_a_table_opens_while_others_wait_for_it(monkeypatch):
    for module in (
        "enfilade.runtime.time_budget",
        "enfilade.play.tables",
    ):  # as in a server, where gevent has patched it
        monkeypatch.setattr(f"{module}.RLock", RLock, raising=False)
    duel, limiter, opened = Duel(), RateLimiter(Limits()), []
    tables = duel._tables()
    load = duel.store.entries

    def load_slowly(*arguments):
        for _ in range(3):
            spin(0.004)
            checkpoint()
        return load(*arguments)

    monkeypatch.setattr(duel.store, "entries", load_slowly)

    def enter():
        with limiter.auth_attempt("192.0.2.1"):
            opened.append(tables.enter(duel.links.table, duel.links.gm_key)[0])

    visitors = [gevent.spawn(enter) for _ in range(4)]
    gevent.joinall(visitors, timeout=TIMEOUT_SECONDS, raise_error=True)
    assert len(opened) == 4
    assert len(set(map(id, opened))) == 1


@pytest.fixture
def limits():
    return Limits(table_compute_ms_per_second=100, table_compute_ms_burst=1_000)


def ask(limiter, quota, kind="overlay.show"):
    with limiter.compute_budget(quota, kind):
        pass


def test_a_table_without_compute_time_answers_no_further_questions(limits, clock):
    limiter = RateLimiter(limits, clock)
    gm, watcher = (limiter.quota("t", seat, "192.0.2.1") for seat in (GM, SPECTATOR))
    other = limiter.quota("another", GM, "192.0.2.1")
    limiter._table_compute.of("t").take(1_100)
    with pytest.raises(RateLimited) as refusal:
        ask(limiter, gm)
    assert 1_000 <= refusal.value.retry_after_ms <= 1_020
    ask(limiter, gm, "token.move")  # a command is done in any case
    ask(limiter, other)
    assert limiter.table_wait("t") > 1
    clock.now += 1.1
    ask(limiter, gm)
    with pytest.raises(RateLimited):  # spectators leave half of the time to those who play
        ask(limiter, watcher)


def test_the_work_of_a_table_is_charged_to_it_for_all_its_seats(limits):
    limiter = RateLimiter(limits)
    before = limiter._table_compute.of("t").level
    with limiter.compute_budget(limiter.quota("t", Seat("player", "ann"), "192.0.2.1"), "verdict.ask"):
        sum(range(300_000))
    with limiter.time_limited("t"):
        sum(range(300_000))
    assert before - limiter._table_compute.of("t").level > 3
