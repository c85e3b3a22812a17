"""Set up scenes: check grid and sides, and prepare each token for the battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.i18n import localize
from enfilade.rules.house_rules import check_settings
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import AUTOMATIC, Grid, GridKind, Holder, Scene, Side, Token, walls_in_order

DEFAULT_SIDES = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))

MAX_TERRAIN = 250_000
"""The number of terrain cells in a scene: as many as the largest board has."""


def empty_board(ruleset: Ruleset) -> Grid:
    """Return an empty board of the first grid that a ruleset supports."""
    kind = next(kind for kind in get_args(GridKind) if kind in ruleset.grids)
    return Grid(kind, 24, 16)


def prepare_scene(ruleset: Ruleset, scene: Scene) -> Scene:
    """Return the scene with all tokens prepared, in the order of their IDs, and walls by their place.

    Raises BadMessage with each problem.
    """
    check_settings(scene.house_rules, ruleset.house_rules)
    scene = replace(scene, sides=scene.sides or DEFAULT_SIDES)
    wrong = _scene_problems(scene)
    tokens = []
    for i, token in enumerate(scene.tokens):
        checkpoint()
        try:
            tokens.append(ruleset.prepare_token(token))
        except BadMessage as problem:
            wrong |= {f"tokens[{i}].{path}": why for path, why in problem.fields.items()}
    if wrong:
        raise BadMessage(wrong)
    in_line = tuple(sorted(tokens, key=lambda token: token.id))
    return replace(scene, tokens=in_line, walls=walls_in_order(scene.walls))


def prepare_token(ruleset: Ruleset, scene: Scene, token: Token) -> Token:
    """Return a token that is ready for a scene. Raises BadMessage."""
    wrong = _token_problems(scene, token)
    try:
        ready = ruleset.prepare_token(token)
    except BadMessage as problem:
        wrong |= problem.fields
    if wrong:
        raise BadMessage({f"token.{path}": why for path, why in wrong.items()})
    return ready


def contradictions(ruleset: Ruleset, scene: Scene) -> dict[str, list[str]]:
    """Return where a scene contradicts itself or the rules: a sentence for each path of a field.

    Nothing refuses such a scene, because play leads to some: a GM overrides the rules, and a player ends a
    move on a unit that is hidden. The scene has passed `prepare_scene` before.
    """
    wrong = {path: [why] for path, why in ruleset.contradictions(scene).items()}
    conditions = ruleset.conditions.keys() | {AUTOMATIC}
    for path, holder in _holders(scene):
        for name in sorted(holder.tracks.keys() - ruleset.tracks.keys()):
            wrong[f"{path}tracks.{name}"] = [localize("play.unknown_track", names=", ".join(ruleset.tracks))]
        for name in sorted(holder.conditions.keys() - conditions):
            wrong[f"{path}conditions.{name}"] = [
                localize("play.unknown_condition", names=", ".join(ruleset.conditions))
            ]
    for i, token in enumerate(scene.tokens):
        bar = ruleset.bar(token)
        if bar is not None and token.track(bar.track, bar.most) > bar.most:
            wrong[f"tokens[{i}].tracks.{bar.track}"] = [localize("play.more_than_most", most=bar.most)]
    return wrong


def _holders(scene: Scene) -> Iterator[tuple[str, Holder]]:
    yield "", scene
    yield from ((f"sides[{i}].", side) for i, side in enumerate(scene.sides))
    yield from ((f"tokens[{i}].", token) for i, token in enumerate(scene.tokens))


def _scene_problems(scene: Scene) -> dict[str, list[str]]:
    wrong = {}
    for kind, things in (("tokens", scene.tokens), ("sides", scene.sides), ("walls", scene.walls)):
        ids = [thing.id for thing in things]
        firsts = {thing_id: i for i, thing_id in reversed(list(enumerate(ids)))}
        checkpoint()
        for i, thing_id in enumerate(ids):
            if firsts[thing_id] != i:
                wrong[f"{kind}[{i}].id"] = [localize("play.id_twice", id=thing_id)]
    if sum(len(patch.cells) for patch in scene.terrain) > MAX_TERRAIN:
        wrong["terrain"] = [localize("play.too_much_terrain", limit=MAX_TERRAIN)]
    checkpoint()
    for i, token in enumerate(scene.tokens):
        wrong |= {f"tokens[{i}].{path}": why for path, why in _token_problems(scene, token).items()}
    return wrong


def _token_problems(scene: Scene, token: Token) -> dict[str, list[str]]:
    wrong = {}
    if all(side.id != token.side for side in scene.sides):
        wrong["side"] = [localize("play.no_such_side", side=token.side)]
    if token.at is not None and token.at not in scene.grid:
        wrong["at"] = [localize("play.off_board")]
    return wrong
