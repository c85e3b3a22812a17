"""The tables' pictures on their way out: each is in memory once, however many read it, and however slowly."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from weakref import WeakValueDictionary

from gevent.lock import BoundedSemaphore

from enfilade.errors import RateLimited

KEPT_BYTES = 64 * 1024 * 1024
"""What is kept of the pictures that were asked for last, in all."""
HELD_BYTES = 256 * 1024 * 1024
"""With so much in memory, kept or on its way to slow readers, no other picture is read."""
_AGAIN_MS = 5_000


class Picture:
    """A picture's bytes and its media type."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.data = data
        self.kind = kind

    def sent(self) -> Iterator[bytes]:
        """The bytes for one reader; the picture is held until they are gone."""
        yield self.data


class AssetCache:
    """The pictures that are read now or were read a moment ago."""

    def __init__(self, kept: int = KEPT_BYTES, held: int = HELD_BYTES) -> None:
        """`kept` and `held` are the most bytes of each."""
        self._most_kept, self._most_held = kept, held
        self._held: WeakValueDictionary[str, Picture] = WeakValueDictionary()
        self._kept: OrderedDict[str, Picture] = OrderedDict()
        self._turn = BoundedSemaphore(1)

    def of(self, name: str, read: Callable[[], tuple[bytes, str]]) -> Picture:
        """The picture of a name, read where it is not here; raises RateLimited, and what `read` raises."""
        with self._turn:  # else many who ask at once would each read it
            picture = self._held.get(name)
            if picture is None:
                self._must_have_room()
                picture = self._held[name] = Picture(*read())
            self._keep(name, picture)
            return picture

    def _must_have_room(self) -> None:
        if _size(self._held.values()) >= self._most_held:
            raise RateLimited("Too many pictures are being sent; try again in a moment.", _AGAIN_MS)

    def _keep(self, name: str, picture: Picture) -> None:
        self._kept[name] = picture
        self._kept.move_to_end(name)
        while _size(self._kept.values()) > self._most_kept:
            self._kept.popitem(last=False)


def _size(pictures: Iterable[Picture]) -> int:
    return sum(len(picture.data) for picture in pictures)
