"""Map uploads: read with bounded memory, import, and set as the table's scene."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gevent
from flask import Request
from msgspec.structs import replace

from enfilade.config import Limits
from enfilade.errors import RateLimited, TooSlow
from enfilade.i18n import localize
from enfilade.importers import Imported, read_map, without_cells
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.command import Command
from enfilade.play.commands.scene_sync import usable_tokens
from enfilade.scene.seat import GM
from enfilade.transport.limits.rate import SeatQuota
from enfilade.transport.rooms import Room

SMALL_BYTES = 1024 * 1024
"""Uploads up to this size, such as most updates from a bridge, neither wait for a map nor count as one."""
TIMEOUT_SECONDS = 300
_RETRY_MS = 5_000


class Uploads:
    """The uploads in memory: one at a time per seat, and a total size for all seats."""

    def __init__(self, limits: Limits, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._limits = limits
        self._timeout_seconds = timeout_seconds
        self._reserved = 0

    @contextmanager
    def read(self, quota: SeatQuota, request: Request) -> Iterator[bytes]:
        """Yield a request's body; its memory stays reserved in the block. Raises RateLimited or TooSlow."""
        maximum = request.max_content_length = self._limits.upload_bytes
        length = request.content_length
        with self._reserve(quota, maximum if length is None else min(length, maximum)):
            with gevent.Timeout(self._timeout_seconds, TooSlow(localize("server.upload_too_slow"))):
                data = request.get_data(cache=False)
            yield data

    @contextmanager
    def _reserve(self, quota: SeatQuota, size: int) -> Iterator[None]:
        if size <= SMALL_BYTES:
            yield
            return
        with quota.upload_lock:
            if self._reserved and self._reserved + size > self._limits.total_upload_bytes:
                raise RateLimited(localize("server.too_many_uploads"), _RETRY_MS)
            self._reserved += size
            try:
                yield
            finally:
                self._reserved -= size


def put_map(room: Room, data: bytes, name: str, is_gridless: bool = False) -> dict[str, Any]:
    """Set a map file as the table's scene; the result's `notes` list what the import left out.

    With `is_gridless` a squared map is used without its cells.

    Raises BadFile or BadMessage if the file is malformed, and what the table raises.
    """
    current = room.table.snapshot(GM).scene
    imported = read_map(data, name, ruleset=current.ruleset)
    if not isinstance(imported, Imported):  # a scene file, in the published form
        raw = {"v": 1, "id": secrets.token_hex(8), "kind": "scene.set", "body": {"scene": imported.content}}
        return {**room.answer(GM, load_command(raw)), "result": {"notes": []}}
    if is_gridless:
        imported = without_cells(imported)
    scene, unfit = usable_tokens(
        room.table.ruleset,
        replace(
            imported.scene,
            sides=imported.scene.sides or current.sides,
            house_rules=current.house_rules,
            enforcement=current.enforcement,
        ),
    )
    notes = [localize("server.token_left_out", name=token["name"], reason=token["why"]) for token in unfit]
    return put_imported(room, replace(imported, scene=scene, notes=(*imported.notes, *notes)))


def put_imported(room: Room, imported: Imported) -> dict[str, Any]:
    """Set an imported map as the table's scene, store its image, and return its notes."""
    scene = imported.scene
    if imported.image is not None:
        asset = room.table.add_asset(imported.image, imported.image_type)
        scene = replace(scene, background=f"/api/tables/{room.table.id}/assets/{asset}")
    command = Command(id=secrets.token_hex(8), kind="scene.set", base=None, body={"scene": dump.plain(scene)})
    return {**room.answer(GM, command), "result": {"notes": list(imported.notes)}}
