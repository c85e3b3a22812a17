"""One act at a table and all that came of it: the unit that is stored, told, logged and undone."""

from __future__ import annotations

from typing import Any

from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Value


class Entry(Value, frozen=True, kw_only=True):
    """What one command did. `seq` counts a table's entries from 1 without a gap.

    `id` is the command's own id, `seat` who gave it, `text` the log's sentences, `facts` what the log
    shows with them (dice, modifiers, result), `undoes` the seq of the entry this one takes back.
    """

    seq: int
    id: str
    seat: str
    kind: str
    at_ms: int
    events: tuple[AnyEvent, ...] = ()
    text: str = ""
    facts: dict[str, Any] = {}
    undoes: int | None = None
