"""The memory that unfinished uploads may take: one upload at a time for a seat, and a total for all."""

from __future__ import annotations

from enfilade.errors import RateLimited
from enfilade.i18n import localize
from enfilade.runtime.config import Limits

_RETRY_MS = 5_000


class UploadMemory:
    """The bytes that are reserved for uploads of all seats."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._reserved = 0

    def reserve(self, size: int) -> None:
        """Reserve bytes; a single upload may be larger than the total. Raises RateLimited."""
        if self._reserved and self._reserved + size > self._limits.total_upload_bytes:
            raise too_many_uploads()
        self._reserved += size

    def release(self, size: int) -> None:
        """Release reserved bytes."""
        self._reserved -= size


def too_many_uploads() -> RateLimited:
    """Return the refusal of an upload that has to wait for others."""
    return RateLimited(localize("server.too_many_uploads"), _RETRY_MS)
