"""The limits of each seat, on a manual clock."""

from __future__ import annotations

import pytest

from enfilade.config import Limits
from enfilade.errors import Forbidden, RateLimited, TooSlow
from enfilade.scene.seat import GM, SPECTATOR, Seat
from enfilade.time_budget import checkpoint
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
    return RateLimiter(Limits(), clock, rest=lambda: None)


def breathe_for_ever():
    while True:
        checkpoint()


def many(limiter, quota, kind):
    """Return the number of accepted commands of a kind before a refusal, and the refusal."""
    for count in range(10_000):
        try:
            limiter.charge(quota, kind)
        except RateLimited as problem:
            return count, problem
    raise AssertionError("nothing was ever refused")


def test_a_seat_may_send_sixty_commands_at_once_and_then_twenty_a_second(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    count, problem = many(limiter, alice, "token.move")
    assert (count, problem.retry_after_ms) == (60, 50)
    clock.now += 1
    assert many(limiter, alice, "token.move")[0] == 20


def test_asked_again_after_the_time_the_refusal_says_it_is_done(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    _, problem = many(limiter, alice, "overlay.show")
    clock.now += problem.retry_after_ms / 1000
    limiter.charge(alice, "overlay.show")


def test_an_overlay_weighs_more_than_a_move_and_a_scene_more_than_both(limiter):
    counts = {}
    for kind in ("token.move", "overlay.show", "act.preview", "scene.set"):
        counts[kind] = many(limiter, limiter.quota(kind, ALICE, HOME), kind)[0]
    assert counts == {"token.move": 60, "overlay.show": 30, "act.preview": 30, "scene.set": 6}


def test_attacks_are_fewer_and_moves_go_on_meanwhile(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    count, problem = many(limiter, alice, "act")
    assert (count, problem.retry_after_ms) == (12, 250)
    limiter.charge(alice, "token.move")
    clock.now += 1
    assert many(limiter, alice, "act")[0] == 4


@pytest.mark.parametrize("kind", ["nonsense", None, 5, [], {}])
def test_an_invalid_command_counts_as_a_command(limiter, kind):
    assert many(limiter, limiter.quota("t", ALICE, HOME), kind)[0] == 60


def test_players_do_not_use_up_each_others_share(limiter):
    many(limiter, limiter.quota("t", ALICE, HOME), "token.move")
    limiter.charge(limiter.quota("t", BORIS, HOME), "token.move")


def test_a_seat_has_one_share_however_many_sockets_it_opens(limiter):
    many(limiter, limiter.quota("t", ALICE, HOME), "token.move")
    with pytest.raises(RateLimited):
        limiter.charge(limiter.quota("t", ALICE, "192.0.2.99"), "token.move")


def test_seats_with_different_views_do_not_share_overlays(limiter):
    many(limiter, limiter.quota("t", SPECTATOR, HOME), "overlay.show")
    limiter.charge(limiter.quota("t", SPECTATOR, "192.0.2.99"), "overlay.show")


def test_a_game_masters_bridge_may_speak_for_ten(limiter):
    assert many(limiter, limiter.quota("t", GM, HOME), "token.move")[0] == 600


def test_a_table_has_a_limit_of_its_own(limiter):
    seats = [Seat("player", f"p{number}") for number in range(100)]
    assert sum(many(limiter, limiter.quota("t", seat, HOME), "token.move")[0] for seat in seats) == 1_200


def test_a_refused_command_costs_none_of_the_buckets_anything(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    many(limiter, alice, "token.move")
    for _ in range(5_000):
        with pytest.raises(RateLimited):
            limiter.charge(alice, "token.move")
    limiter.charge(limiter.quota("t", BORIS, HOME), "token.move")


def test_an_address_connects_forty_times_at_once_and_then_five_times_a_second(limiter, clock):
    for _ in range(40):
        limiter.charge_handshake(HOME)
    with pytest.raises(RateLimited) as refusal:
        limiter.charge_handshake(HOME)
    assert refusal.value.retry_after_ms == 200
    limiter.charge_handshake("192.0.2.8")
    clock.now += 1
    for _ in range(5):
        limiter.charge_handshake(HOME)


def test_keys_cannot_be_guessed_at_leisure_and_right_ones_cost_nothing(limiter, clock):
    for _ in range(1_000):
        with limiter.auth_attempt(HOME):
            pass
    for _ in range(20):
        with pytest.raises(Forbidden), limiter.auth_attempt(HOME):
            raise Forbidden("no")
    with pytest.raises(RateLimited), limiter.auth_attempt(HOME):
        raise AssertionError("the key was looked at")
    clock.now += 1
    with limiter.auth_attempt(HOME):
        pass


def test_a_seat_has_four_sockets_and_a_table_sixty_four(limiter):
    limiter.require_connection_slot(ALICE, [ALICE] * 3 + [BORIS] * 4)
    with pytest.raises(RateLimited):
        limiter.require_connection_slot(ALICE, [ALICE] * 4)
    limiter.require_connection_slot(SPECTATOR, [SPECTATOR] * 63)
    with pytest.raises(RateLimited):
        limiter.require_connection_slot(SPECTATOR, [SPECTATOR] * 64)


def test_the_time_that_answers_take_is_counted(limiter, clock):
    alice = limiter.quota("t", ALICE, HOME)
    alice.compute.take(2_999)
    with limiter.compute_budget(alice):
        pass
    alice.compute.take(250)
    with pytest.raises(RateLimited) as refusal, limiter.compute_budget(alice):
        raise AssertionError("it was worked on")
    assert 900 < refusal.value.retry_after_ms <= 1_001
    clock.now += 1.1
    with limiter.compute_budget(alice):
        pass


def test_an_answer_that_takes_too_long_ends_and_is_paid_for(clock):
    limiter = RateLimiter(Limits(answer_ms=20), clock, rest=lambda: None)
    alice = limiter.quota("t", ALICE, HOME)
    with limiter.compute_budget(alice), pytest.raises(TooSlow):
        breathe_for_ever()
    assert alice.compute.level < 3_000 - 15


def test_a_long_answer_is_finished_and_charged(limiter):
    alice = limiter.quota("t", ALICE, HOME)
    alice.compute.take(3_000)
    lines = [f"{number}\n" for number in range(1_000)]
    assert "".join(limiter.charge_stream(alice, iter(lines))) == "".join(lines)
    assert alice.compute.level < 0


def test_of_a_long_answer_no_more_lines_are_made_than_are_sent(limiter):
    made = []
    lines = (made.append(number) or f"{number}" * 40_000 for number in range(1_000))
    sent = limiter.charge_stream(limiter.quota("t", ALICE, HOME), lines)
    parts = [next(sent) for _ in range(3)]
    assert (len(made), [len(part) for part in parts]) == (6, [80_000] * 3)


def test_buckets_that_are_full_again_are_forgotten(clock, monkeypatch):
    monkeypatch.setattr(buckets, "MAX_BUCKETS", 10)
    many_buckets = Buckets(Rate(1, 5), clock)
    many_buckets.of("busy").take(5)
    for number in range(100):
        many_buckets.of(number)
    assert len(many_buckets) <= 11
    assert many_buckets.of("busy").level == 0


def test_a_full_bucket_allows_more_than_it_holds(clock):
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
def test_an_owner_of_many_addresses_counts_once(address, network):
    assert network_of(address) == network
