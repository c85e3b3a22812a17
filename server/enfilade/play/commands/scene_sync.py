"""Sync the scene with the tabletop, which owns positions.

The tabletop knows the map, the positions and what is hidden. The table knows tracks, conditions and profiles,
and the GM's names, teams and owners. A sync keeps both. Tokens that come have the tabletop's hit points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.play.changes import scene_changes
from enfilade.play.command import Command
from enfilade.play.commands.edits import settled
from enfilade.play.context import Body, CommandContext, Decision, TableAccess
from enfilade.play.setup import prepare_scene, prepare_token
from enfilade.play.view import hidden_tokens_in, view, without_notes_on
from enfilade.rules.registry import ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import events as ev
from enfilade.scene import scene_json
from enfilade.scene.entry import Entry, PublicText
from enfilade.scene.events import SceneSet
from enfilade.scene.model import FROM_TABLETOP, SPECTATOR, Scene, Side, Token
from enfilade.store.protocol import iter_entries


def sync_scene(context: CommandContext, command: Command) -> Decision:
    """Take over the tabletop's scene; do nothing if the table already matches.

    A scene that the table had before goes on as it was left. Tokens that the ruleset cannot use yet, because
    they have no profile, are left out and named in the result. Raises WrongGrid, and BadMessage with each
    problem.
    """
    given = scene_json.convert(command.body["scene"], Scene)
    is_same = (context.scene.name, context.scene.grid) == (given.name, given.grid)
    left = None if is_same else find_left_scene(context.table, given)
    known = context.scene if left is None else _as_left(left, context.scene)
    merged = merge_scene(known, given)
    ruleset = ruleset_for(context.rulesets, merged)
    fit, unfit = usable_tokens(ruleset, merged)
    here = {token.id for token in context.scene.tokens}
    points = {token: n for token, n in command.body["hit_points"].items() if token not in here}
    fit = replace(fit, tokens=tuple(with_hit_points(ruleset, token, points) for token in fit.tokens))
    after = prepare_scene(ruleset, _without_notes_of_gone(known, fit))
    events = tuple(_least(context.scene, after))
    if not events:
        return Decision(result={"unfit": unfit})
    plain = _plain(context.scene, after)
    is_unseen = plain is None and not hidden_tokens_in(context.scene, after, events)
    text = _sync_text(context.scene, after)
    decision = Decision(events=events, text=text, plain=plain, result={"unfit": unfit}, secret=is_unseen)
    return settled(context, decision) if is_same else decision


def _plain(before: Scene, after: Scene) -> PublicText | None:
    """Return the public text; None if only things changed that no other seat knows."""
    seen_before, seen_after = view(before, SPECTATOR), view(after, SPECTATOR)
    return None if seen_before == seen_after else PublicText(text=_sync_text(seen_before, seen_after))


def _without_notes_of_gone(before: Scene, after: Scene) -> Scene:
    """Return a scene without notes that name removed tokens.

    Notes that stay would reveal a hidden token: without the token nothing says that it was hidden.
    """
    gone = {token.id for token in before.tokens} - {token.id for token in after.tokens}
    if not gone:
        return after
    return replace(
        without_notes_on(gone, after),
        tokens=tuple(without_notes_on(gone, token) for token in after.tokens),
        sides=tuple(without_notes_on(gone, side) for side in after.sides),
    )


def merge_scene(now: Scene, given: Scene) -> Scene:
    """Return the tabletop's scene with what only the table knows."""
    is_same = (now.name, now.grid) == (given.name, given.grid)
    known = {token.id: token for token in now.tokens}
    return replace(
        given,
        ruleset=now.ruleset,
        background=now.background if is_same else given.background,
        enforcement=now.enforcement,
        house_rules=now.house_rules,
        sides=_sides(now, given),
        tokens=tuple(merge_token(known.get(token.id), token) for token in given.tokens),
        tracks=now.tracks if is_same else {},
        conditions=now.conditions if is_same else {},
        units=now.units,
        drawings=now.drawings if is_same else (),
        fog=now.fog if is_same else given.fog,
    )


def _as_left(left: Scene, now: Scene) -> Scene:
    """Return a scene as it was left, with the rules, sides and units of the table as they are now."""
    here = {side.id: side for side in now.sides}
    sides = (
        replace(here.get(side.id, side), tracks=side.tracks, conditions=side.conditions)
        for side in left.sides
    )
    return replace(
        left,
        ruleset=now.ruleset,
        enforcement=now.enforcement,
        house_rules=now.house_rules,
        sides=tuple(sides),
        units=now.units,
    )


def with_hit_points(ruleset: Ruleset, token: Token, points: Mapping[str, int]) -> Token:
    """Return a token with the tabletop's hit points; unchanged if the rules do not have that number."""
    number = points.get(token.id)
    if number is None:
        return token
    try:
        bar = ruleset.bar(ruleset.prepare_token(token))
    except BadMessage:  # the rules cannot use it at all
        return token
    is_possible = bar is not None and 0 <= number <= bar.most
    return replace(token, tracks={**token.tracks, bar.track: number}) if bar and is_possible else token


def merge_token(known: Token | None, given: Token) -> Token:
    """Return the tabletop's token, completed with what only the table knows."""
    if known is None:
        return given
    return replace(
        given,
        # A token without a facing at the table, for example a downed one, gets none from the tabletop.
        facing=None if known.facing is None else given.facing,
        image=_merge_image(known.image, given.image),
        profile=known.profile,
        owners=known.owners,
        tracks=known.tracks,
        conditions=known.conditions,
    )


def _merge_image(known: str, given: str) -> str:
    """Return the picture that the GM set at the table, else the tabletop's, else the one so far."""
    is_set_here = known != "" and not known.endswith(FROM_TABLETOP)
    return known if is_set_here or not given else given


def _sides(now: Scene, given: Scene) -> tuple[Side, ...]:
    known = {side.id for side in now.sides}
    return (*now.sides, *(side for side in given.sides if side.id not in known))


def usable_tokens(ruleset: Ruleset, scene: Scene) -> tuple[Scene, list[dict[str, str]]]:
    """Return a scene with the tokens that the ruleset can use, and why it cannot use the rest."""
    unfit = {}
    for token in scene.tokens:
        try:
            prepare_token(ruleset, scene, token)
        except BadMessage as problem:
            unfit[token.id] = {"token": token.id, "name": token.name, "why": problem.sentence}
    tokens = tuple(token for token in scene.tokens if token.id not in unfit)
    return replace(scene, tokens=tokens), list(unfit.values())


def _least(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    """Yield the fewest events between two scenes that can all be undone; doors separately."""
    doors = list(_doors(before, after))
    if doors:
        before = replace(before, walls=after.walls)
    for event in (*doors, *scene_changes(before, after)):
        yield replace(event, was=before) if isinstance(event, ev.SceneSet) else event


def _doors(before: Scene, after: Scene) -> Iterator[ev.DoorSet]:
    """Yield the doors that changed, if nothing else of the walls did."""
    old = {wall.id: wall for wall in before.walls}
    if before.walls == after.walls or [wall.id for wall in after.walls] != list(old):
        return
    if all(replace(wall, state=old[wall.id].state) == old[wall.id] for wall in after.walls):
        for wall in after.walls:
            if wall.state != old[wall.id].state:
                yield ev.DoorSet(wall=wall.id, state=wall.state, was=old[wall.id].state)


def _sync_text(before: Scene, after: Scene) -> str:
    """Return the log's sentence; "" if only the map has changed."""
    if (before.name, before.grid) != (after.name, after.grid):
        return localize("play.scene_set", name=after.name or localize("play.unnamed_map"))
    old, new = ({token.id: token for token in scene.tokens} for scene in (before, after))
    said = [localize("play.token_placed", name=token.name) for token in after.tokens if token.id not in old]
    said += [
        localize("play.token_removed", name=token.name) for token in before.tokens if token.id not in new
    ]
    is_map_only = not said and before.tokens == after.tokens
    return "" if is_map_only else " ".join([localize("play.synced"), *said])


def command_for_token(
    scene: Scene,
    given: Token,
    is_renewed: bool,
    path: tuple[Cell, ...] = (),
    is_displaced: bool = False,
) -> tuple[str, Body] | None:
    """Return the command that brings one token to the tabletop's state; None if it matches.

    A token that only moved or turned becomes a move, along the cells of `path` if there are any, which the
    rules judge; other changes are edits. With `is_renewed` the tabletop's profile replaces the table's. With
    `is_displaced` a program of the tabletop has put the token there: no act, so that no rule refuses it.
    """
    known = next((token for token in scene.tokens if token.id == given.id), None)
    after = merge_token(known, given)
    if known is None:
        return "token.place", _placed(after)
    after = replace(after, profile=given.profile) if is_renewed else after
    if after == known:
        return None
    has_moved_only = replace(after, at=known.at, facing=known.facing) == known
    if not is_displaced and has_moved_only and known.at is not None and after.at is not None:
        path = path[1:] if path[:1] == (known.at,) else path
        body = {"token": after.id, "at": after.at, "facing": after.facing, "override": ""}
        return "token.move", {**body, "path": path} if path else body
    return "token.place", _placed(after)


def _placed(token: Token) -> Body:
    # Names in their order of letters: the order in which they came would tell what was taken back unseen.
    return {"token": msgspec.to_builtins(token, str_keys=True, order="deterministic")}


LOOK_BACK = 2_000
"""The number of entries that are searched, newest first."""

_STEP = 50


def find_left_scene(table: TableAccess, given: Scene) -> Scene | None:
    """Return a scene as the table left it last; None if it never had it, or too long ago.

    It is the same scene if its name and grid are the same, and a token of it is still there.
    """
    tokens = {token.id for token in given.tokens}
    for entry in _newest_first(table):
        for event in reversed(entry.events):
            was = event.was if isinstance(event, SceneSet) else None
            if was is None or (was.name, was.grid) != (given.name, given.grid):
                continue
            if any(token.id in tokens for token in was.tokens):
                return was
    return None


def _newest_first(table: TableAccess) -> Iterator[Entry]:
    state = table.state
    for last in range(state.seq, max(0, state.seq - LOOK_BACK), -_STEP):
        checkpoint()
        yield from reversed(list(iter_entries(table.store.entries, state.id, max(0, last - _STEP), last)))
