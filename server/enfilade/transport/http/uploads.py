"""Maps on their way in: read before anything is known of them, so of all at once there is only so much."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gevent
from flask import Request

from enfilade.config import Limits
from enfilade.errors import RateLimited, TooSlow
from enfilade.transport.limits.rate import SeatQuota

SMALL_BYTES = 1024 * 1024
"""What is no longer than that, like most readings of a bridge, waits for no map, and counts as none."""
SECONDS = 300
"""How long an upload may take to come."""
_AGAIN_MS = 5_000


class Uploads:
    """The maps that are read or worked on now: of each seat one, the next of which waits."""

    def __init__(self, limits: Limits, seconds: float = SECONDS) -> None:
        self._limits = limits
        self._seconds = seconds
        self._held = 0

    @contextmanager
    def read(self, quota: SeatQuota, asked: Request) -> Iterator[bytes]:
        """The body of a seat's request, held while it is worked on inside; raises RateLimited, TooSlow."""
        most = asked.max_content_length = self._limits.upload_bytes
        told = asked.content_length
        with self._place(quota, most if told is None else min(told, most)):
            with gevent.Timeout(self._seconds, TooSlow("This upload takes too long; try a smaller map.")):
                data = asked.get_data(cache=False)
            yield data

    @contextmanager
    def _place(self, quota: SeatQuota, size: int) -> Iterator[None]:
        if size <= SMALL_BYTES:
            yield
            return
        with quota.upload:
            self._must_have_room(size)
            self._held += size
            try:
                yield
            finally:
                self._held -= size

    def _must_have_room(self, size: int) -> None:
        if self._held and self._held + size > self._limits.total_upload_bytes:
            raise RateLimited("Too many maps are being uploaded; try again in a moment.", _AGAIN_MS)
