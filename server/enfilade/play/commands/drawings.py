"""Drawings on the map beside the rules: free lines, texts, and the fog of war."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from enfilade.errors import BadMessage, Forbidden, NotFound, TooMany
from enfilade.geometry.board.mask import Mask
from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import CommandContext, Decision
from enfilade.play.view import view
from enfilade.scene import events as ev
from enfilade.scene.entry import PublicText
from enfilade.scene.model import SPECTATOR, Drawing, Fog, Grid

MAX_DRAWINGS = 200
"""The drawings of a table, as in the wire contract."""
MAX_OF_A_PLAYER = 50
"""The drawings of one player."""


def draw(context: CommandContext, command: Command) -> Decision:
    """Put drawings on the map. Raises BadMessage for a line of one point, Forbidden, TooMany."""
    given, seat, scene = command.body["drawings"], context.seat, context.scene
    now = scene.drawings
    own = [drawing for drawing in now if drawing.by == seat.key]
    if len(now) + len(given) > MAX_DRAWINGS or (
        seat.role == "player" and len(own) + len(given) > MAX_OF_A_PLAYER
    ):
        raise TooMany(localize("play.too_many_drawings"))
    # By the seat too: two seats may give their commands the same ID, and each erases by IDs.
    mark = sha256(f"{seat.key} {command.id}".encode()).hexdigest()[:16]
    drawn = tuple(_new_drawing(context, one, f"{mark}-{number}") for number, one in enumerate(given))
    texts = [drawing.text for drawing in drawn if drawing.text]
    hidden = {drawing.hidden for drawing in drawn}
    if len(hidden) > 1:
        raise BadMessage({"body.drawings": [localize("play.drawings_mixed")]})
    text = localize("play.wrote_on_map", text=" ".join(texts)) if texts else localize("play.drew_on_map")
    event = ev.DrawingsSet(drawn=drawn)
    pending = context.table.state.pending
    if hidden == {True}:
        return Decision(events=(event,), text=text, secret=True, pending=pending)
    return Decision(events=(event,), text=text, plain=PublicText(text=text), pending=pending)


def _new_drawing(context: CommandContext, given: dict[str, Any], drawing_id: str) -> Drawing:
    points, text, seat = tuple(given["points"]), given["text"].strip(), context.seat
    if len(points) != 2 if text else len(points) < 4 or len(points) % 2:
        raise BadMessage({"body.drawings": [localize("play.drawing_points")]})
    if given["hidden"] and seat.role != "gm":
        raise Forbidden(localize("play.only_gm_secret"))
    last = context.ruleset.turn(context.scene).round + given["rounds"] - 1 if given["rounds"] else 0
    return Drawing(
        id=drawing_id,
        points=points,
        text=text,
        color=given["color"],
        by=seat.key,
        round=max(last, 1) if given["rounds"] else 0,
        hidden=given["hidden"],
    )


def erase(context: CommandContext, command: Command) -> Decision:
    """Take drawings off the map: without IDs all that the seat may. Raises NotFound."""
    wanted, seat = set(command.body["drawings"]), context.seat
    may = [one for one in context.scene.drawings if seat.role == "gm" or one.by == seat.key]
    unknown = wanted - {drawing.id for drawing in may}
    if unknown:
        raise NotFound(localize("play.no_such_drawing"))
    erased = tuple(drawing for drawing in may if not wanted or drawing.id in wanted)
    if not erased:
        return Decision()
    event = ev.DrawingsSet(erased=erased)
    text = localize("play.erased_drawings")
    pending = context.table.state.pending
    if all(drawing.hidden for drawing in erased):
        return Decision(events=(event,), text=text, secret=True, pending=pending)
    return Decision(events=(event,), text=text, plain=PublicText(text=text), pending=pending)


def set_fog(context: CommandContext, command: Command) -> Decision:
    """Cover cells with fog and lift it. Raises BadMessage for cells that are not on the board."""
    body, scene = command.body, context.scene
    grid, was = scene.grid, scene.fog
    covered = Mask((0,) * grid.rows) if body["clear"] else _mask(was.cells, grid)
    cells = (covered | _mask(body["cover"], grid)) - _mask(body["lift"], grid)
    fog = Fog(
        cells=tuple(cells.runs()),
        by_sight=was.by_sight if body["by_sight"] is None else body["by_sight"],
        has_picture=was.has_picture if body["has_picture"] is None else body["has_picture"],
    )
    if fog == was:
        return Decision()
    event = ev.FogSet(fog=fog, was=was)
    after = replace(scene, fog=fog)
    text = localize("play.fog_set" if fog.cells else "play.fog_gone")
    if view(scene, SPECTATOR) == view(after, SPECTATOR):
        return Decision(events=(event,), text=text, secret=True)
    return Decision(events=(event,), text=text, plain=PublicText(text=text))


def _mask(runs: Any, grid: Grid) -> Mask:
    """Return runs as a mask. Raises BadMessage for one that is not on the board."""
    rows = [0] * grid.rows
    for row, first, last in runs:
        if not (row < grid.rows and first <= last < grid.columns):
            raise BadMessage({"body.cover": [localize("play.fog_off_board")]})
        rows[row] |= (1 << last + 1) - (1 << first)
    return Mask(tuple(rows))
