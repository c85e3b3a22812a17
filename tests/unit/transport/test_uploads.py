"""Uploads are limited in memory, and no client blocks the others for long."""

from __future__ import annotations

import gevent
import pytest
from gevent.event import Event

from enfilade.config import Limits
from enfilade.errors import RateLimited, TooSlow
from enfilade.scene.seat import GM
from enfilade.transport.http.uploads import SMALL_BYTES, Uploads
from enfilade.transport.limits.rate import RateLimiter

LIMITS = Limits(upload_bytes=4 * SMALL_BYTES, total_upload_bytes=10 * SMALL_BYTES)


class Request:
    """A request whose body comes when it is told to."""

    max_content_length = None

    def __init__(self, content_length):
        self.content_length = content_length
        self.is_read = False
        self.come = Event()

    def get_data(self, cache):
        assert not cache
        self.is_read = True
        self.come.wait()
        return b"a map"


@pytest.fixture
def uploads():
    return Uploads(LIMITS)


@pytest.fixture
def seat():
    """The game master's seat of a table."""
    limiter = RateLimiter(LIMITS)
    return lambda table: limiter.quota(table, GM, "192.0.2.7")


def upload(uploads, quota, size):
    """A request that is being read, and who reads it."""
    asked = Request(size)

    def read():
        with uploads.read(quota, asked) as data:
            return data

    reading = gevent.spawn(read)
    gevent.sleep(0)
    return asked, reading


def test_a_seats_maps_are_read_one_after_the_other(uploads, seat):
    first, _ = upload(uploads, seat("t"), SMALL_BYTES + 1)
    second, reading = upload(uploads, seat("t"), SMALL_BYTES + 1)
    assert (first.is_read, second.is_read) == (True, False)
    first.come.set()
    second.come.set()
    assert reading.get(timeout=1) == b"a map"


@pytest.mark.parametrize("size", [4 * SMALL_BYTES, 400 * SMALL_BYTES, None])
def test_all_maps_together_have_an_end_and_there_is_room_again_when_one_is_through(uploads, seat, size):
    first, reading = upload(uploads, seat("t"), size)
    upload(uploads, seat("u"), size)
    for _ in range(2):
        _, refused = upload(uploads, seat("v"), size)
        with pytest.raises(RateLimited):
            refused.get(timeout=1)
    first.come.set()
    reading.join(timeout=1)
    assert upload(uploads, seat("v"), size)[0].is_read
    assert first.max_content_length == LIMITS.upload_bytes


def test_small_bodies_are_read_beside_large_ones(uploads, seat):
    for table in "tu":
        upload(uploads, seat(table), 4 * SMALL_BYTES)
    assert all(upload(uploads, seat(table), SMALL_BYTES)[0].is_read for table in "ttv")


def test_where_one_may_have_more_than_all_together_it_is_read_alone(seat):
    uploads = Uploads(Limits(upload_bytes=4 * SMALL_BYTES, total_upload_bytes=1))
    assert upload(uploads, seat("t"), 4 * SMALL_BYTES)[0].is_read


def test_a_map_that_does_not_come_keeps_its_place_for_so_long_only(seat):
    uploads = Uploads(LIMITS, timeout_seconds=0.01)
    _, reading = upload(uploads, seat("t"), 4 * SMALL_BYTES)
    with pytest.raises(TooSlow):
        reading.get(timeout=1)
    second, again = upload(uploads, seat("t"), 4 * SMALL_BYTES)
    second.come.set()
    assert again.get(timeout=1) == b"a map"
