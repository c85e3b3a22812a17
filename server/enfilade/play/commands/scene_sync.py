"""A scene brought in step with the tabletop that owns its positions: what it says, and what the rules know.

The tabletop knows the map, who stands where, and what is hidden; the rules know tracks, conditions and
profiles, and the game master the sides' names, teams and owners. Neither forgets the other's part.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.play.commands.edits import Body, Draft, Game
from enfilade.play.redaction.scene import changes, hidden_in, view, without_notes_of
from enfilade.play.setup import prepare_token, prepared
from enfilade.rules.registry import ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.scene import events as ev
from enfilade.scene.entry import PublicText
from enfilade.scene.model import Scene, Side, Token
from enfilade.scene.seat import SPECTATOR


def bring_in_step(game: Game, body: Body) -> Draft:
    """Takes over what a tabletop says of its scene; nothing happens where the table has it already.

    Miniatures the ruleset cannot use yet, as they have no profile, are left out and named in the result.
    Raises WrongGrid, and BadMessage naming what does not fit together.
    """
    given = msgspec.convert(body["scene"], Scene)
    together = joined(game.scene, given)
    ruleset = ruleset_for(game.rulesets, together)
    fit, unfit = fitting(ruleset, together)
    after = prepared(ruleset, _without_notes_of_gone(game.scene, fit))
    events = tuple(_least(game.scene, after))
    if not events:
        return Draft(result={"unfit": unfit})
    plain = _plain(game.scene, after)
    is_unseen = plain is None and not hidden_in(game.scene, after, events)
    text = _words(game.scene, after)
    return Draft(events=events, text=text, plain=plain, result={"unfit": unfit}, secret=is_unseen)


def _plain(before: Scene, after: Scene) -> PublicText | None:
    """What everybody reads; None where only miniatures, ground or doors changed that nobody else knows of."""
    seen_before, seen_after = view(before, SPECTATOR), view(after, SPECTATOR)
    return None if seen_before == seen_after else PublicText(text=_words(seen_before, seen_after))


def _without_notes_of_gone(before: Scene, after: Scene) -> Scene:
    """A scene without the notes that name tokens which it has no more.

    Left behind they would tell of a hidden one: nobody could know any more that it was hidden.
    """
    gone = {token.id for token in before.tokens} - {token.id for token in after.tokens}
    if not gone:
        return after
    return replace(
        without_notes_of(gone, after),
        tokens=tuple(without_notes_of(gone, token) for token in after.tokens),
        sides=tuple(without_notes_of(gone, side) for side in after.sides),
    )


def joined(now: Scene, given: Scene) -> Scene:
    """What a tabletop says of a scene, with what the table knows beyond it."""
    is_same = (now.name, now.grid) == (given.name, given.grid)
    known = {token.id: token for token in now.tokens}
    return replace(
        given,
        ruleset=now.ruleset,
        background=now.background if is_same else given.background,
        enforcement=now.enforcement,
        house_rules=now.house_rules,
        sides=_sides(now, given),
        tokens=tuple(met(known.get(token.id), token) for token in given.tokens),
        tracks=now.tracks if is_same else {},
        conditions=now.conditions if is_same else {},
    )


def met(known: Token | None, given: Token) -> Token:
    """A token where the tabletop has it, with what the table knows of it already."""
    if known is None:
        return given
    return replace(
        given,
        facing=None
        if known.facing is None
        else given.facing,  # whoever lies down or has none, has none there
        image=known.image or given.image,
        profile=known.profile,
        owners=known.owners,
        tracks=known.tracks,
        conditions=known.conditions,
    )


def _sides(now: Scene, given: Scene) -> tuple[Side, ...]:
    known = {side.id for side in now.sides}
    return (*now.sides, *(side for side in given.sides if side.id not in known))


def fitting(ruleset: Ruleset, scene: Scene) -> tuple[Scene, list[dict[str, str]]]:
    """A scene with those of its tokens alone that the ruleset can use, and why it cannot use the others."""
    unfit = {}
    for token in scene.tokens:
        try:
            prepare_token(ruleset, scene, token)
        except BadMessage as problem:
            unfit[token.id] = {"token": token.id, "name": token.name, "why": problem.sentence}
    tokens = tuple(token for token in scene.tokens if token.id not in unfit)
    return replace(scene, tokens=tokens), list(unfit.values())


def _least(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    """The fewest events from one scene to another that can all be taken back; doors by themselves."""
    doors = list(_doors(before, after))
    if doors:
        before = replace(before, walls=after.walls)
    for event in (*doors, *changes(before, after)):
        yield replace(event, was=before) if isinstance(event, ev.SceneSet) else event


def _doors(before: Scene, after: Scene) -> Iterator[ev.DoorSet]:
    """The doors that stand otherwise, where nothing else of the walls has changed."""
    old = {wall.id: wall for wall in before.walls}
    if before.walls == after.walls or [wall.id for wall in after.walls] != list(old):
        return
    if all(replace(wall, state=old[wall.id].state) == old[wall.id] for wall in after.walls):
        for wall in after.walls:
            if wall.state != old[wall.id].state:
                yield ev.DoorSet(wall=wall.id, state=wall.state, was=old[wall.id].state)


def _words(before: Scene, after: Scene) -> str:
    if (before.name, before.grid) != (after.name, after.grid):
        return f"The scene is now {after.name or 'a new map'}."
    old, new = ({token.id: token for token in scene.tokens} for scene in (before, after))
    said = [f"{token.name} joins the battle." for token in after.tokens if token.id not in old]
    said += [f"{token.name} leaves the battle." for token in before.tokens if token.id not in new]
    return " ".join(["The table is in step with the tabletop.", *said])


def step_for(scene: Scene, given: Token, is_renewed: bool) -> tuple[str, Body] | None:
    """The command that brings one token to where the tabletop has it; None where it stands so already.

    A token that only went elsewhere or turned is moved, which the rules judge; anything else is an edit.
    `is_renewed` takes over the profile that the tabletop has for it.
    """
    known = next((token for token in scene.tokens if token.id == given.id), None)
    after = met(known, given)
    if known is None:
        return "token.place", _placed(after)
    after = replace(after, profile=given.profile) if is_renewed else after
    if after == known:
        return None
    has_moved_only = replace(after, at=known.at, facing=known.facing) == known
    if has_moved_only and known.at is not None and after.at is not None:
        return "token.move", {"token": after.id, "at": after.at, "facing": after.facing, "override": ""}
    return "token.place", _placed(after)


def _placed(token: Token) -> Body:
    # Names in their order of letters: the order in which they came would tell what was taken back unseen.
    return {"token": msgspec.to_builtins(token, str_keys=True, order="deterministic")}
