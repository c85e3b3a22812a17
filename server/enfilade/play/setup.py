"""Making a scene fit to be played: the right grid, sides, and every token as it enters the battle."""

from __future__ import annotations

from typing import get_args

from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rules.house_rules import check_settings
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Grid, GridKind, Scene, Side, Token
from enfilade.time_budget import checkpoint

DEFAULT_SIDES = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))

MOST_TERRAIN = 250_000
"""How many cells the patches of a scene may have together: as many as the largest board."""


def empty_board(ruleset: Ruleset) -> Grid:
    """A board with nothing on it, of the first kind that a ruleset is played on."""
    kind = next(kind for kind in get_args(GridKind) if kind in ruleset.grids)
    return Grid(kind, 24, 16)


def prepared(ruleset: Ruleset, scene: Scene) -> Scene:
    """The scene with its tokens entering, in the order of their ids.

    Raises BadMessage naming everything that does not fit.
    """
    check_settings(scene.house_rules, ruleset.house_rules)
    scene = replace(scene, sides=scene.sides or DEFAULT_SIDES)
    wrong = _wrong_in(scene)
    tokens = []
    for i, token in enumerate(scene.tokens):
        checkpoint()
        try:
            tokens.append(ruleset.prepare_token(token))
        except BadMessage as problem:
            wrong |= {f"tokens[{i}].{path}": why for path, why in problem.fields.items()}
    if wrong:
        raise BadMessage(wrong)
    return replace(scene, tokens=tuple(sorted(tokens, key=lambda token: token.id)))


def prepare_token(ruleset: Ruleset, scene: Scene, token: Token) -> Token:
    """A token fit to be placed in a scene; raises BadMessage where it is not."""
    wrong = _wrong_with(scene, token)
    try:
        ready = ruleset.prepare_token(token)
    except BadMessage as problem:
        wrong |= problem.fields
    if wrong:
        raise BadMessage({f"token.{path}": why for path, why in wrong.items()})
    return ready


def is_on_board(scene: Scene, at: tuple[int, int]) -> bool:
    """Whether a place lies on the board, whatever its grid."""
    unit = 64 if scene.grid.kind == "gridless" else 1
    return 0 <= at[0] < scene.grid.columns * unit and 0 <= at[1] < scene.grid.rows * unit


def _wrong_in(scene: Scene) -> dict[str, list[str]]:
    wrong = {}
    for kind, things in (("tokens", scene.tokens), ("sides", scene.sides), ("walls", scene.walls)):
        ids = [thing.id for thing in things]
        firsts = {thing_id: i for i, thing_id in reversed(list(enumerate(ids)))}
        for i, thing_id in enumerate(ids):
            if firsts[thing_id] != i:
                wrong[f"{kind}[{i}].id"] = [f"'{thing_id}' is there twice."]
    if sum(len(patch.cells) for patch in scene.terrain) > MOST_TERRAIN:
        wrong["terrain"] = [f"All terrain together may cover at most {MOST_TERRAIN:,} cells."]
    for i, token in enumerate(scene.tokens):
        wrong |= {f"tokens[{i}].{path}": why for path, why in _wrong_with(scene, token).items()}
    return wrong


def _wrong_with(scene: Scene, token: Token) -> dict[str, list[str]]:
    wrong = {}
    if all(side.id != token.side for side in scene.sides):
        wrong["side"] = [f"There is no side '{token.side}'."]
    if token.at is not None and not is_on_board(scene, token.at):
        wrong["at"] = ["That is off the board."]
    return wrong
