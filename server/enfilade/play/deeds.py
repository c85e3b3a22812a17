"""What a game master's commands do to a scene: from the game and a command's body to a draft, purely.

Nothing has happened when a draft is made; the table decides whether it may, and stores it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from enfilade.errors import BadMessage, IllegalAct
from enfilade.play.setup import entering, prepared
from enfilade.rules.house_rules import must_be_settings
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.scene import events as ev
from enfilade.scene.chain import AnyChainNote
from enfilade.scene.model import Scene, Side, Token, Value
from enfilade.store.kept import Pending, Webhook


class Draft(Value, frozen=True, kw_only=True):
    """What a command is about to do; nothing of it has happened yet.

    `void` says why dice that have been taken do not count, `dice` what the entry says of the chain,
    `webhook` where the log is posted from now on (None: as before).
    """

    events: tuple[ev.AnyEvent, ...] = ()
    text: str = ""
    facts: dict[str, Any] = {}
    result: dict[str, Any] = {}
    undoes: int | None = None
    pending: Pending | None = None
    void: str = ""
    dice: AnyChainNote | None = None
    webhook: Webhook | None = None


@dataclass(frozen=True)
class Game:
    """What a deed is decided on: the scene as it is now, and the rulesets a scene may be played by."""

    rulesets: Rulesets
    scene: Scene

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset being played."""
        return ruleset_for(self.rulesets, self.scene)


Body = dict[str, Any]


def set_scene(game: Game, body: Body) -> Draft:
    """Puts another scene on the table."""
    given = msgspec.convert(body["scene"], Scene)
    scene = prepared(ruleset_for(game.rulesets, given), given)
    event = ev.SceneSet(scene=scene, was=game.scene)
    return Draft(events=(event,), text=f"The scene is now {scene.name or 'a new map'}.")


def set_sides(game: Game, body: Body) -> Draft:
    """Names the sides; raises BadMessage where one that has miniatures would go, or one is there twice."""
    sides = msgspec.convert(body["sides"], tuple[Side, ...])
    ids = [side.id for side in sides]
    missing = sorted({token.side for token in game.scene.tokens} - set(ids))
    if missing:
        raise BadMessage({"body.sides": [f"Miniatures of {', '.join(missing)} are in the scene."]})
    if len(set(ids)) < len(ids):
        raise BadMessage({"body.sides": ["A side is there twice."]})
    names = ", ".join(side.name for side in sides)
    return Draft(events=(ev.SidesSet(sides=sides, was=game.scene.sides),), text=f"The sides are {names}.")


def set_rules(game: Game, body: Body) -> Draft:
    """Chooses house rules and how strictly the table enforces."""
    chosen, enforcement = body["house_rules"], body["enforcement"]
    must_be_settings(chosen, game.ruleset.house_rules)
    event = ev.RulesSet(
        house_rules=chosen,
        enforcement=enforcement,
        was_house_rules=game.scene.house_rules,
        was_enforcement=game.scene.enforcement,
    )
    return Draft(events=(event,), text=f"House rules were set; the table is to {enforcement}.")


def place_token(game: Game, body: Body) -> Draft:
    """Puts a token into the scene, or edits the one with its id."""
    token = entering(game.ruleset, game.scene, msgspec.convert(body["token"], Token))
    was = next((t for t in game.scene.tokens if t.id == token.id), None)
    verb = "is edited" if was else "joins the battle"
    return Draft(events=(ev.TokenPlaced(token=token, was=was),), text=f"{token.name} {verb}.")


def remove_token(game: Game, body: Body) -> Draft:
    """Takes a token out of the scene for good."""
    token = game.scene.token(body["token"])
    return Draft(events=(ev.TokenRemoved(was=token),), text=f"{token.name} leaves the battle.")


def set_door(game: Game, body: Body) -> Draft:
    """Opens, closes or locks a door."""
    door, state = game.scene.wall(body["wall"]), body["state"]
    if door.door == "none":
        raise IllegalAct("That is a wall and not a door.")
    event = ev.DoorSet(wall=door.id, state=state, was=door.state)
    return Draft(events=(event,), text=f"A door is {'opened' if state == 'open' else state}.")


DEEDS: dict[str, Callable[[Game, Body], Draft]] = {
    "scene.set": set_scene,
    "sides.set": set_sides,
    "rules.set": set_rules,
    "token.place": place_token,
    "token.remove": remove_token,
    "door.set": set_door,
}
"""What changes a scene without dice or rules, by the kind of command."""
