"""Commands that are larger than a message and arrive in parts, one at a time for a seat.

Only a GM's command with a whole scene is as large. Its parts lie within the memory for uploads, and for at
most five minutes.
"""

from __future__ import annotations

from collections.abc import Callable

import gevent

from enfilade.errors import BadMessage
from enfilade.i18n import localize
from enfilade.messages.load import Part
from enfilade.runtime.config import Limits
from enfilade.transport.limits.connections import UploadMemory, too_many_uploads
from enfilade.transport.limits.rate import SeatQuota

PART_SECONDS = 300
"""The time in which all parts of a command must arrive."""


class PartialCommand:
    """The parts of one command that have arrived; it holds the seat's turn to upload."""

    def __init__(self, part: Part, quota: SeatQuota, drop: Callable[[], None], seconds: float) -> None:
        self.id = part.id
        self.count = part.parts
        self.texts: list[bytes] = []
        self.quota = quota
        self.timer = gevent.spawn_later(seconds, drop)

    @property
    def size(self) -> int:
        """Return the bytes that have arrived."""
        return sum(map(len, self.texts))

    def is_next(self, part: Part) -> bool:
        """Return whether a part follows the last one."""
        return (part.id, part.parts, part.part) == (self.id, self.count, len(self.texts))


class PartialCommands:
    """The commands that arrive in parts, by the Socket.IO ID of their connection."""

    def __init__(self, limits: Limits, memory: UploadMemory, seconds: float = PART_SECONDS) -> None:
        self.map_ms = limits.map_ms
        """The compute time that a whole command may take, in ms: that of a map."""
        self._limits = limits
        self._memory = memory
        self._seconds = seconds
        self._commands: dict[str, PartialCommand] = {}

    def add(self, sid: str, quota: SeatQuota, part: Part) -> bytes | None:
        """Take a part; return the command's JSON once the last one is here.

        The first part of any command begins anew. Raises BadMessage if a part is missing or the command too
        large, and RateLimited while another upload of the seat is under way or the memory is used up; the
        command is dropped then.
        """
        if part.part == 0:
            self.drop(sid)
            self._begin(sid, quota, part)
        command = self._commands.get(sid)
        if command is None or not command.is_next(part):
            self.drop(sid)
            raise BadMessage({"part": [localize("server.part_missing")]})
        try:
            self._take(command, part.text.encode())
        except Exception:
            self.drop(sid)
            raise
        if len(command.texts) < command.count:
            return None
        data = b"".join(command.texts)
        self.drop(sid)
        return data

    def _begin(self, sid: str, quota: SeatQuota, part: Part) -> None:
        if not quota.upload_lock.acquire(blocking=False):
            raise too_many_uploads()
        self._commands[sid] = PartialCommand(part, quota, lambda: self.drop(sid), self._seconds)

    def _take(self, command: PartialCommand, text: bytes) -> None:
        if command.size + len(text) > self._limits.scene_bytes:
            limit = self._limits.scene_bytes // 2**20
            raise BadMessage({"text": [localize("server.parts_too_large", limit=limit)]})
        self._memory.reserve(len(text))
        command.texts.append(text)

    def drop(self, sid: str) -> None:
        """Forget the parts that a connection has sent."""
        command = self._commands.pop(sid, None)
        if command is not None:
            command.timer.kill(block=False)
            self._memory.release(command.size)
            command.quota.upload_lock.release()
