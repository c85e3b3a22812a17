"""What has happened, in the past tense: the only things that change a scene, and those that explain.

The family that changes a scene is small and closed. Each such event carries what was there before, so
that it can be undone without looking back. `DiceRolled` and `Explained` change nothing: the log replays
without a ruleset and without dice.
"""

from __future__ import annotations

from typing import Any

from enfilade.geometry.board.units import Cell
from enfilade.scene.model import DoorState, Enforcement, Scene, Side, Terrain, Token, Value, Wall

TABLE = "table"
"""The holder of the tracks and conditions that belong to the whole game, like the round."""


def side_holder(side_id: str) -> str:
    """The holder name of a side's tracks and conditions; a token's holder name is its id."""
    return f"side:{side_id}"


class Event(Value, frozen=True, tag_field="type", kw_only=True):
    """Something that happened."""


class SceneSet(Event, frozen=True, kw_only=True, tag="scene_set"):
    """A whole scene was put on the table, as by an import."""

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


class TokenPlaced(Event, frozen=True, kw_only=True, tag="token_placed"):
    """A token came into the scene, or was edited; `was` is the token that had its id before."""

    token: Token
    was: Token | None = None


class TokenRemoved(Event, frozen=True, kw_only=True, tag="token_removed"):
    """A token left the scene for good."""

    was: Token


class TokenMoved(Event, frozen=True, kw_only=True, tag="token_moved"):
    """A token stands elsewhere, turned, or left the board (`at` None) without leaving the battle."""

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
    """A track has a new value; `was` is None where it had never been set, `value` None where it goes."""

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


class DiceRolled(Event, frozen=True, kw_only=True, tag="dice_rolled"):
    """Dice fell: every face in order. `typed` where a person typed in the faces of real dice.

    `die_faces` is every face of the die, and empty where its name says it all: a d6 has 1 to 6.
    """

    label: str
    die: str
    faces: tuple[int | str, ...]
    typed: bool = False
    die_faces: tuple[int | str, ...] = ()


class ChoiceMade(Event, frozen=True, kw_only=True, tag="choice_made"):
    """Somebody decided; `automatic` where the ruleset's default did."""

    side: str
    question: str
    answer: str
    automatic: bool = False


class Explained(Event, frozen=True, kw_only=True, tag="explained"):
    """A ruleset's own account of what happened, for the log: what kind, and the facts of it."""

    kind: str
    facts: dict[str, Any]


SceneEvent = (
    SceneSet
    | MapSet
    | RulesSet
    | SidesSet
    | TokenPlaced
    | TokenRemoved
    | TokenMoved
    | DoorSet
    | TrackSet
    | ConditionSet
)
AnyEvent = SceneEvent | DiceRolled | ChoiceMade | Explained
