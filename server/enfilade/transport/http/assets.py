"""A cache of the tables' images: each is in memory once, for any number of readers at any speed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from weakref import WeakValueDictionary

from gevent.lock import BoundedSemaphore

from enfilade.errors import RateLimited
from enfilade.i18n import localize

CACHE_BYTES = 64 * 1024 * 1024
"""The memory for images that were requested last."""
MEMORY_BYTES = 256 * 1024 * 1024
"""The memory for all images, cached or on their way to slow readers. Above it no other image is loaded."""
_RETRY_MS = 5_000


class Asset:
    """An image and its media type."""

    def __init__(self, data: bytes, media_type: str) -> None:
        self.data = data
        self.media_type = media_type

    def stream(self) -> Iterator[bytes]:
        """Yield the bytes for one reader. The generator keeps the asset in memory until they are sent."""
        yield self.data


class AssetCache:
    """The images that are being sent or were requested a moment ago."""

    def __init__(self, cache_bytes: int = CACHE_BYTES, memory_bytes: int = MEMORY_BYTES) -> None:
        self._cache_bytes, self._memory_bytes = cache_bytes, memory_bytes
        self._in_memory: WeakValueDictionary[str, Asset] = WeakValueDictionary()
        self._recent: OrderedDict[str, Asset] = OrderedDict()
        self._lock = BoundedSemaphore(1)

    def get(self, name: str, load: Callable[[], tuple[bytes, str]]) -> Asset:
        """Return an image, loaded if it is not in memory. Raises RateLimited, and what `load` raises."""
        with self._lock:  # else simultaneous requests would each load it
            asset = self._in_memory.get(name)
            if asset is None:
                if _total_bytes(self._in_memory.values()) >= self._memory_bytes:
                    raise RateLimited(localize("server.too_many_images"), _RETRY_MS)
                asset = self._in_memory[name] = Asset(*load())
            self._recent[name] = asset
            self._recent.move_to_end(name)
            while _total_bytes(self._recent.values()) > self._cache_bytes:
                self._recent.popitem(last=False)
            return asset


def _total_bytes(assets: Iterable[Asset]) -> int:
    return sum(len(asset.data) for asset in assets)
