"""Uploads are limited in memory, and no client blocks the others for long."""

from __future__ import annotations

import gevent
import pytest
from gevent.event import Event

from enfilade.errors import RateLimited, TooSlow
from enfilade.runtime.config import Limits
from enfilade.scene.model import GM
from enfilade.transport.http.uploads import SMALL_BYTES, Uploads
from enfilade.transport.limits.connections import UploadMemory
from enfilade.transport.limits.rate import RateLimiter

LIMITS = Limits(upload_bytes=4 * SMALL_BYTES, total_upload_bytes=10 * SMALL_BYTES)


class Request:
    """A request whose body arrives when the test sets `arrives`."""

    max_content_length = None

    def __init__(self, content_length):
        self.content_length = content_length
        self.is_read = False
        self.arrives = Event()

    def get_data(self, cache):
        assert not cache
        self.is_read = True
        self.arrives.wait()
        return b"a map"


@pytest.fixture
def uploads():
    return Uploads(LIMITS, UploadMemory(LIMITS))


@pytest.fixture
def quota():
    """Return a function that gives the quota of a table's GM."""
    limiter = RateLimiter(LIMITS)
    return lambda table: limiter.quota(table, GM, "192.0.2.7")


def upload(uploads, quota, size):
    """Start an upload; return its request and the greenlet that reads it."""
    request = Request(size)

    def read():
        with uploads.read(quota, request) as data:
            return data

    reading = gevent.spawn(read)
    gevent.sleep(0)
    return request, reading


def test_uploads_of_one_seat_are_read_one_at_a_time(uploads, quota):
    first, _ = upload(uploads, quota("t"), SMALL_BYTES + 1)
    second, reading = upload(uploads, quota("t"), SMALL_BYTES + 1)
    assert (first.is_read, second.is_read) == (True, False)
    first.arrives.set()
    second.arrives.set()
    assert reading.get(timeout=1) == b"a map"


@pytest.mark.parametrize("size", [4 * SMALL_BYTES, 400 * SMALL_BYTES, None])
def test_the_total_size_of_uploads_is_limited_until_one_ends(uploads, quota, size):
    first, reading = upload(uploads, quota("t"), size)
    upload(uploads, quota("u"), size)
    for _ in range(2):
        _, refused = upload(uploads, quota("v"), size)
        with pytest.raises(RateLimited):
            refused.get(timeout=1)
    first.arrives.set()
    reading.join(timeout=1)
    assert upload(uploads, quota("v"), size)[0].is_read
    assert first.max_content_length == LIMITS.upload_bytes


def test_small_bodies_do_not_wait_for_large_ones(uploads, quota):
    for table in "tu":
        upload(uploads, quota(table), 4 * SMALL_BYTES)
    assert all(upload(uploads, quota(table), SMALL_BYTES)[0].is_read for table in "ttv")


def test_an_upload_above_the_total_limit_is_read_alone(quota):
    limits = Limits(upload_bytes=4 * SMALL_BYTES, total_upload_bytes=1)
    uploads = Uploads(limits, UploadMemory(limits))
    assert upload(uploads, quota("t"), 4 * SMALL_BYTES)[0].is_read


def test_an_upload_that_stalls_gives_its_memory_back(quota):
    uploads = Uploads(LIMITS, UploadMemory(LIMITS), timeout_seconds=0.01)
    _, reading = upload(uploads, quota("t"), 4 * SMALL_BYTES)
    with pytest.raises(TooSlow):
        reading.get(timeout=1)
    second, again = upload(uploads, quota("t"), 4 * SMALL_BYTES)
    second.arrives.set()
    assert again.get(timeout=1) == b"a map"
