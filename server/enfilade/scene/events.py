"""Events: past-tense facts, the only things that change a scene, and explanations.

The family that changes a scene is small and closed. Each such event carries the previous value, so that undo
needs no history. `DiceRolled` and `Explained` change nothing: the log replays without a ruleset and without
dice.
"""

from __future__ import annotations

from typing import Any

from enfilade.geometry.board.base import Cell
from enfilade.scene.model import (
    DoorState,
    Drawing,
    Enforcement,
    Fog,
    OwnUnit,
    Scene,
    Side,
    Terrain,
    Token,
    Value,
    Wall,
)

TABLE = "table"
"""The holder of the tracks and conditions of the whole game, such as the round."""


def side_holder(side_id: str) -> str:
    """Return the holder name of a side's tracks and conditions; a token's holder name is its ID."""
    return f"side:{side_id}"


class Event(Value, frozen=True, tag_field="type", kw_only=True):
    """An event of a table."""


class SceneSet(Event, frozen=True, kw_only=True, tag="scene_set"):
    """The GM put a whole scene on the table, for example by an import."""

    scene: Scene
    was: Scene | None = None


class MapSet(Event, frozen=True, kw_only=True, tag="map_set"):
    """The walls and terrain changed."""

    walls: tuple[Wall, ...]
    terrain: tuple[Terrain, ...]
    was_walls: tuple[Wall, ...]
    was_terrain: tuple[Terrain, ...]


class RulesSet(Event, frozen=True, kw_only=True, tag="rules_set"):
    """The table's house rules, or how strictly it enforces, changed."""

    house_rules: dict[str, bool | int | str]
    enforcement: Enforcement
    was_house_rules: dict[str, bool | int | str]
    was_enforcement: Enforcement


class SidesSet(Event, frozen=True, kw_only=True, tag="sides_set"):
    """Sides joined, left, or changed their name or team."""

    sides: tuple[Side, ...]
    was: tuple[Side, ...]


class UnitsSet(Event, frozen=True, kw_only=True, tag="units_set"):
    """The table's own catalog of units changed; only the GM learns of it."""

    units: tuple[OwnUnit, ...]
    was: tuple[OwnUnit, ...]


class TokenPlaced(Event, frozen=True, kw_only=True, tag="token_placed"):
    """A token entered the scene, or was edited; `was` is the token that had its ID before."""

    token: Token
    was: Token | None = None


class TokenRemoved(Event, frozen=True, kw_only=True, tag="token_removed"):
    """A token left the scene for good."""

    was: Token


class TokenMoved(Event, frozen=True, kw_only=True, tag="token_moved"):
    """A token moved or turned, or left the board (`at` None) without leaving the battle."""

    token: str
    at: Cell | None
    facing: int | None
    was_at: Cell | None
    was_facing: int | None


class DoorSet(Event, frozen=True, kw_only=True, tag="door_set"):
    """A door was opened, closed or locked."""

    wall: str
    state: DoorState
    was: DoorState


class TrackSet(Event, frozen=True, kw_only=True, tag="track_set"):
    """A track has a new value; `was` is None if it was not set, `value` None if it is removed."""

    holder: str
    track: str
    value: int | None
    was: int | None


class ConditionSet(Event, frozen=True, kw_only=True, tag="condition_set"):
    """A condition is set with a note, or cleared (`note` None); `was` is the note before."""

    holder: str
    condition: str
    note: str | None
    was: str | None


class DrawingsSet(Event, frozen=True, kw_only=True, tag="drawings_set"):
    """Drawings came onto the map and left it."""

    drawn: tuple[Drawing, ...] = ()
    erased: tuple[Drawing, ...] = ()


class FogSet(Event, frozen=True, kw_only=True, tag="fog_set"):
    """The fog covers other cells, or is lifted by other things."""

    fog: Fog
    was: Fog


class DiceRolled(Event, frozen=True, kw_only=True, tag="dice_rolled"):
    """Dice were rolled: every face in order. `typed` marks the faces of physical dice.

    `die_faces` holds every face of the die; it is empty if the name says it all, like d6 with 1 to 6.
    """

    label: str
    die: str
    faces: tuple[int | str, ...]
    typed: bool = False
    die_faces: tuple[int | str, ...] = ()


class ChoiceMade(Event, frozen=True, kw_only=True, tag="choice_made"):
    """A side decided; `automatic` if the ruleset's default did."""

    side: str
    question: str
    answer: str
    automatic: bool = False


class Explained(Event, frozen=True, kw_only=True, tag="explained"):
    """A ruleset's account of an event for the log: its kind and its facts."""

    kind: str
    facts: dict[str, Any]


SceneEvent = (
    SceneSet
    | MapSet
    | RulesSet
    | SidesSet
    | UnitsSet
    | TokenPlaced
    | TokenRemoved
    | TokenMoved
    | DoorSet
    | TrackSet
    | ConditionSet
    | DrawingsSet
    | FogSet
)
AnyEvent = SceneEvent | DiceRolled | ChoiceMade | Explained
