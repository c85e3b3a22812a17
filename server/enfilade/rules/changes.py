"""Changes that every ruleset makes: tracks, conditions and positions. Each records the previous value."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.rules.procedures import Change, Step
from enfilade.scene.apply import holder_of
from enfilade.scene.events import ConditionSet, TokenMoved, TokenPlaced, TrackSet
from enfilade.scene.model import Scene, Token


def set_track(scene: Scene, holder: str, track: str, value: int | None) -> Change:
    """Return the change that sets a track, or removes it (None)."""
    was = holder_of(scene, holder).tracks.get(track)
    return Change(TrackSet(holder=holder, track=track, value=value, was=was))


def set_condition(scene: Scene, holder: str, condition: str, note: str | None = "") -> Change:
    """Return the change that sets a condition with a note, or clears it (None)."""
    was = holder_of(scene, holder).conditions.get(condition)
    return Change(ConditionSet(holder=holder, condition=condition, note=note, was=was))


def set_elevation(token: Token, elevation: int) -> Change:
    """Return the change that raises or lowers a token to a height, in the units of the map."""
    return Change(TokenPlaced(token=replace(token, elevation=elevation), was=token))


def step_change(scene: Scene, step: Step) -> Change:
    """Return the change that a step of a move makes."""
    return move_token(scene.token(step.token), step.to, step.facing)


def turn_token(token: Token, facing: int | None) -> Change:
    """Return the change that turns a token where it stands; None turns it to no side."""
    return move_token(token, token.at, facing)


def remove_token(token: Token, facing: int | None = None) -> Change:
    """Return the change that takes a token off the board."""
    return move_token(token, None, facing)


def move_token(token: Token, at: Cell | None, facing: int | None) -> Change:
    """Return the change that moves a token to a cell, or turns it.

    Rulesets do not use it: a move is a `Step`, a forced move goes through `rules.battle.displace`.
    """
    was_at, was_facing = _AT(token), _FACING(token)
    return Change(TokenMoved(token=token.id, at=at, facing=facing, was_at=was_at, was_facing=was_facing))


_AT, _FACING = (getattr(Token, name).__get__ for name in ("at", "facing"))
"""What a token was is for the undo alone: odds need not note it as read."""
