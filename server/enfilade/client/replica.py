"""A client's replica of its table: a snapshot with entries folded in. It detects when it is out of sync.

The page's replica (plugin_manifest/scripts/core/table/replica-sync.js) does the same.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from enfilade.errors import NotFound
from enfilade.scene.apply import fold_all
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene
from enfilade.scene.scene_json import state_hash


class Replica:
    """The replica of one seat's view; `desyncs` counts by cause (gap, hash, stale) how often it lost sync."""

    def __init__(self) -> None:
        self.epoch = ""
        self.seq = 0
        self.scene: Scene | None = None
        self.desyncs: Counter[str] = Counter()
        self._is_out_of_sync = True
        self._awaits_answer = False

    def expect_snapshot(self) -> None:
        """Accept updates again, on a new connection or once the server has answered a `sync` command.

        If a snapshot is due, it comes first from now on.
        """
        self._awaits_answer = False

    def position(self) -> dict[str, Any]:
        """Return the position from which to resume; empty to request a snapshot."""
        if self._is_out_of_sync or self.scene is None:
            return {}
        return {"epoch": self.epoch, "seq": self.seq, "hash": state_hash(self.scene)}

    def apply(self, update: dict[str, Any]) -> str:
        """Apply an update; return why the client must request a snapshot, or an empty string."""
        if update["kind"] == "snapshot":
            self.epoch, self.seq = update["epoch"], update["seq"]
            self.scene = msgspec.convert(update["body"]["scene"], Scene)
            self._is_out_of_sync = False
        elif update["kind"] == "entries" and not self._awaits_answer:
            # Entries in place of a due snapshot: the snapshot was lost.
            is_lost = self._is_out_of_sync or update["epoch"] != self.epoch
            return self._desync("gap") if is_lost else self._fold(update["body"], update["seq"])
        return ""

    def apply_missing(self, error: dict[str, Any]) -> str:
        """Apply the entries in a stale-base refusal; return why a snapshot is needed, or an empty string."""
        if error["code"] != "stale-base" or self._is_out_of_sync:
            return ""
        missing = error.get("missing")
        return self._fold(missing, error["current"]) if missing else self._desync("stale")

    def _fold(self, body: dict[str, Any], seq: int) -> str:
        new = [entry for entry in body["entries"] if entry["seq"] > self.seq]
        numbers = [entry["seq"] for entry in new]
        if numbers != list(range(self.seq + 1, self.seq + 1 + len(new))) or self.seq + len(new) < seq:
            return self._desync("gap")
        assert self.scene is not None
        try:
            scene = fold_all(self.scene, (event for entry in new for event in _events(entry)))
        except NotFound:
            return self._desync("gap")
        is_current = self.seq + len(new) == seq
        if is_current and body["hash"] not in (None, state_hash(scene)):
            return self._desync("hash")
        self.seq, self.scene = self.seq + len(new), scene
        return ""

    def _desync(self, why: str) -> str:
        self._is_out_of_sync = self._awaits_answer = True
        self.desyncs[why] += 1
        return why


def _events(entry: dict[str, Any]) -> list[AnyEvent]:
    return msgspec.convert(entry["events"], list[AnyEvent])
