"""A client's copy of its table: a snapshot, then entries folded in; it notices when it has gone astray.

The page's copy (plugin_manifest/scripts/core/table/replica-sync.js) does the same.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from enfilade.errors import NotFound
from enfilade.scene.apply import fold_all
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene
from enfilade.scene.state_hash import state_hash


class Replica:
    """One view's copy. `desyncs` counts how often it went astray, by what was noticed (gap, hash, stale)."""

    def __init__(self) -> None:
        self.epoch = ""
        self.seq = 0
        self.scene: Scene | None = None
        self.desyncs: Counter[str] = Counter()
        self._is_astray = True
        self._is_asking = False

    def begins(self) -> None:
        """Takes note that a snapshot comes first, if one is due: on a new connection, or once asked for."""
        self._is_asking = False

    def known(self) -> dict[str, Any]:
        """What is said when a connection is taken up again; nothing, to be told all anew."""
        if self._is_astray or self.scene is None:
            return {}
        return {"epoch": self.epoch, "seq": self.seq, "hash": state_hash(self.scene)}

    def take(self, update: dict[str, Any]) -> str:
        """Takes an update in; why a snapshot must be asked for, or nothing."""
        if update["kind"] == "snapshot":
            self.epoch, self.seq = update["epoch"], update["seq"]
            self.scene = msgspec.convert(update["body"]["scene"], Scene)
            self._is_astray = False
        elif update["kind"] == "entries" and not self._is_asking:
            # Entries where a snapshot should have been: it was lost.
            is_lost = self._is_astray or update["epoch"] != self.epoch
            return self._stray("gap") if is_lost else self._follow(update["body"], update["seq"])
        return ""

    def take_missed(self, error: dict[str, Any]) -> str:
        """Takes in what a refusal as stale brings with it; why a snapshot must be asked for, or nothing."""
        if error["code"] != "stale-base" or self._is_astray:
            return ""
        missing = error.get("missing")
        return self._follow(missing, error["current"]) if missing else self._stray("stale")

    def _follow(self, body: dict[str, Any], seq: int) -> str:
        fresh = [told for told in body["entries"] if told["seq"] > self.seq]
        numbers = [told["seq"] for told in fresh]
        if numbers != list(range(self.seq + 1, self.seq + 1 + len(fresh))) or self.seq + len(fresh) < seq:
            return self._stray("gap")
        assert self.scene is not None
        try:
            scene = fold_all(self.scene, (event for told in fresh for event in _events(told)))
        except NotFound:
            return self._stray("gap")
        is_here = self.seq + len(fresh) == seq
        if is_here and body["hash"] not in (None, state_hash(scene)):
            return self._stray("hash")
        self.seq, self.scene = self.seq + len(fresh), scene
        return ""

    def _stray(self, why: str) -> str:
        self._is_astray = self._is_asking = True
        self.desyncs[why] += 1
        return why


def _events(told: dict[str, Any]) -> list[AnyEvent]:
    return msgspec.convert(told["events"], list[AnyEvent])
