"""The limits of each seat, on a manual clock."""

from __future__ import annotations

import pytest

from enfilade.errors import Forbidden, RateLimited, SeatFull, TooSlow
from enfilade.runtime.config import Limits
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import GM, SPECTATOR, Seat
from enfilade.transport.envelopes import command_kind
from enfilade.transport.limits import buckets
from enfilade.transport.limits.buckets import Bucket, Buckets, Rate
from enfilade.transport.limits.rate import RateLimiter, network_of

ALICE, BORIS = Seat("player", "alice"), Seat("player", "boris")
HOME = "192.0.2.7"


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def limiter(clock):
    return RateLimiter(Limits(), clock)


def loop_forever():
    while True:
        checkpoint()


def charge_until_refused(limiter, quota, kind):
    """Return the number of accepted commands of a kind before a refusal, and the refusal."""
    for count in range(10_000):
        try:
            limiter.charge(quota, kind)
        except RateLimited as problem:
            return count, problem
    raise AssertionError("nothing was ever refused")


def test_a_seat_can_send_sixty_commands_at_once_and_twenty_a_second(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    count, problem = charge_until_refused(limiter, alice, "token.move")
    assert (count, problem.retry_after_ms) == (60, 50)
    clock.now += 1
    assert charge_until_refused(limiter, alice, "token.move")[0] == 20


def test_a_command_is_accepted_after_the_retry_time(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    _, problem = charge_until_refused(limiter, alice, "overlay.show")
    clock.now += problem.retry_after_ms / 1000
    limiter.charge(alice, "overlay.show")


def test_an_overlay_weighs_more_than_a_move_and_a_scene_more_than_both(limiter):
    counts = {}
    for kind in ("token.move", "overlay.show", "act.preview", "scene.set"):
        counts[kind] = charge_until_refused(limiter, limiter.quota(kind, ALICE, HOME), kind)[0]
    assert counts == {"token.move": 60, "overlay.show": 30, "act.preview": 30, "scene.set": 6}


def test_attacks_have_a_lower_limit_than_moves(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    count, problem = charge_until_refused(limiter, alice, "act")
    assert (count, problem.retry_after_ms) == (12, 250)
    limiter.charge(alice, "token.move")
    clock.now += 1
    assert charge_until_refused(limiter, alice, "act")[0] == 4


@pytest.mark.parametrize("kind", ["nonsense", None, 5, [], {}])
def test_an_invalid_command_counts_as_a_command(limiter, kind):
    quota = limiter.quota("t", ALICE, HOME)
    assert charge_until_refused(limiter, quota, command_kind({"kind": kind}))[0] == 60


def test_each_player_has_an_own_quota(limiter):
    charge_until_refused(limiter, limiter.quota("t", ALICE, HOME), "token.move")
    limiter.charge(limiter.quota("t", BORIS, HOME), "token.move")


def test_all_sockets_of_a_seat_share_one_quota(limiter):
    charge_until_refused(limiter, limiter.quota("t", ALICE, HOME), "token.move")
    with pytest.raises(RateLimited):
        limiter.charge(limiter.quota("t", ALICE, "192.0.2.99"), "token.move")


def test_each_address_of_the_spectators_has_an_own_quota(limiter):
    charge_until_refused(limiter, limiter.quota("t", SPECTATOR, HOME), "overlay.show")
    limiter.charge(limiter.quota("t", SPECTATOR, "192.0.2.99"), "overlay.show")


def test_a_gm_has_ten_times_the_quota_of_a_player(limiter):
    assert charge_until_refused(limiter, limiter.quota("t", GM, HOME), "token.move")[0] == 600


def test_a_table_has_a_limit_of_its_own(limiter):
    seats = [Seat("player", f"p{number}") for number in range(100)]
    assert (
        sum(charge_until_refused(limiter, limiter.quota("t", seat, HOME), "token.move")[0] for seat in seats)
        == 1_200
    )


def test_a_refused_command_costs_nothing(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    charge_until_refused(limiter, alice, "token.move")
    for _ in range(5_000):
        with pytest.raises(RateLimited):
            limiter.charge(alice, "token.move")
    limiter.charge(limiter.quota("t", BORIS, HOME), "token.move")


def test_an_address_can_connect_forty_times_at_once_and_five_times_a_second(limiter, clock):
    for _ in range(40):
        limiter.charge_handshake(HOME)
    with pytest.raises(RateLimited) as refusal:
        limiter.charge_handshake(HOME)
    assert refusal.value.retry_after_ms == 200
    limiter.charge_handshake("192.0.2.8")
    clock.now += 1
    for _ in range(5):
        limiter.charge_handshake(HOME)


def test_wrong_keys_are_limited_and_right_ones_cost_nothing(limiter, clock):
    for _ in range(1_000):
        with limiter.auth_attempt(HOME):
            pass
    for _ in range(20):
        with pytest.raises(Forbidden), limiter.auth_attempt(HOME):
            raise Forbidden("no")
    for _ in range(3):
        with pytest.raises(RateLimited), limiter.auth_attempt(HOME):
            raise Forbidden("no")
        with limiter.auth_attempt(HOME):
            pass
    clock.now += 1
    with pytest.raises(Forbidden), limiter.auth_attempt(HOME):
        raise Forbidden("no")


def test_a_players_seat_has_four_sockets_the_gms_eight_and_a_table_sixty_four(limiter):
    limiter.require_connection_slot(ALICE, [ALICE] * 3 + [BORIS] * 4)
    limiter.require_connection_slot(GM, [GM] * 7)
    with pytest.raises(SeatFull):
        limiter.require_connection_slot(GM, [GM] * 8)
    with pytest.raises(RateLimited):
        limiter.require_connection_slot(ALICE, [ALICE] * 4)
    limiter.require_connection_slot(SPECTATOR, [SPECTATOR] * 63)
    with pytest.raises(RateLimited):
        limiter.require_connection_slot(SPECTATOR, [SPECTATOR] * 64)


def test_the_compute_time_of_answers_is_limited(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    alice.compute.take(2_999)
    with limiter.compute_budget(alice):
        pass
    alice.compute.take(250)
    with pytest.raises(RateLimited) as refusal, limiter.compute_budget(alice):
        raise AssertionError("the block ran")
    assert 900 < refusal.value.retry_after_ms <= 1_001
    clock.now += 1.1
    with limiter.compute_budget(alice):
        pass


def test_an_answer_that_takes_too_long_ends_and_is_charged(clock):
    limiter = RateLimiter(Limits(answer_ms=20), clock)
    alice = limiter.quota("t", ALICE, HOME)
    with limiter.compute_budget(alice), pytest.raises(TooSlow):
        loop_forever()
    assert alice.compute.level < 3_000 - 15


def test_a_long_answer_is_finished_and_charged(limiter):
    alice = limiter.quota("t", ALICE, HOME)
    alice.compute.take(3_000)
    lines = [f"{number}\n" for number in range(1_000)]
    assert "".join(limiter.charge_stream(alice, iter(lines))) == "".join(lines)
    assert alice.compute.level < 0


def test_a_long_answer_is_computed_only_as_it_is_sent(limiter):
    made = []
    lines = (made.append(number) or f"{number}" * 40_000 for number in range(1_000))
    sent = limiter.charge_stream(limiter.quota("t", ALICE, HOME), lines)
    parts = [next(sent) for _ in range(3)]
    assert (len(made), [len(part) for part in parts]) == (6, [80_000] * 3)


def test_full_buckets_are_dropped(clock, monkeypatch):
    monkeypatch.setattr(buckets, "MAX_BUCKETS", 10)
    pool = Buckets(Rate(1, 5), clock)
    pool.of("busy").take(5)
    for number in range(100):
        pool.of(number)
    assert len(pool) <= 11
    assert pool.of("busy").level == 0


def test_a_full_bucket_allows_a_cost_above_its_burst(clock):
    bucket = Bucket(Rate(1, 5), clock)
    assert bucket.wait(10) == 0
    bucket.take(10)
    assert bucket.wait(1) == 6


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
        ("192.0.2.7:5555", "192.0.2.7"),
        ("[::ffff:192.0.2.7]:80", "192.0.2.7"),
        ("[2001:db8:1:2:3:4:5:6]:80", "2001:db8:1:2::/64"),
        ("[::1]", "::/64"),
        ("", ""),
        ("unix", "unix"),
        ("unix:80", "unix:80"),
        ("1.2.3.4.5:80", "1.2.3.4.5:80"),
    ],
)
def test_the_addresses_of_one_network_count_together(address, network):
    assert network_of(address) == network
