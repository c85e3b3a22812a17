"""What a game master's commands do to a scene: from the game and a command's body to a draft, purely.

Nothing has happened when a draft is made; the table decides whether it may, and stores it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, IllegalAct
from enfilade.play.redaction.scene import is_shown, view
from enfilade.play.setup import prepare_token, prepared
from enfilade.rules.house_rules import check_settings
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.scene import events as ev
from enfilade.scene.apply import inverse
from enfilade.scene.dice_notes import AnyChainNote
from enfilade.scene.entry import Entry, PublicText
from enfilade.scene.model import Scene, Side, Token, Value
from enfilade.scene.seat import GM, Seat
from enfilade.store.protocol import DiceContributions, PendingAct, Webhook

MOST_OWNERS = 16
"""How many players may have one token, as the contract has it."""


class Draft(Value, frozen=True, kw_only=True):
    """What a command is about to do; nothing of it has happened yet.

    `secret`: what it says is for nobody but the game master and the `readers` (None: for those whose every
    hidden token is that it is about). `void` says why dice that have been taken do not count, `dice` what the
    entry says of the chain, `webhook` where the log is posted from now on, `parts` the players' parts in the
    dice (None: as before). `plain` are the words for everybody, worked out without what is hidden, `own`
    those of the readers where they are not the text, `shown` those of a hidden roll once it is shown;
    `is_unseen`: there are no words for everybody.
    """

    events: tuple[ev.AnyEvent, ...] = ()
    text: str = ""
    facts: dict[str, Any] = {}
    result: dict[str, Any] = {}
    undoes: int | None = None
    pending: PendingAct | None = None
    secret: bool = False
    readers: tuple[str, ...] | None = None
    void: str = ""
    dice: AnyChainNote | None = None
    webhook: Webhook | None = None
    parts: DiceContributions | None = None
    plain: PublicText | None = None
    own: PublicText | None = None
    shown: PublicText | None = None
    is_unseen: bool = False


@dataclass(frozen=True)
class Game:
    """What a deed is decided on: the scene as it is now, the rulesets to play it by, and who decides."""

    rulesets: Rulesets
    scene: Scene
    seat: Seat = GM

    @cached_property
    def seen(self) -> Scene:
        """The scene as whoever gave the command knows it: the very same one where nothing is hidden."""
        return view(self.scene, self.seat)

    @property
    def is_seen_whole(self) -> bool:
        """Whether whoever gave the command knows all of the scene."""
        return self.seen == self.scene

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
    return _told_to_all(event, f"The scene is now {scene.name or 'a new map'}.")


def _told_to_all(event: ev.AnyEvent, text: str) -> Draft:
    """A draft whose words name nothing that is hidden, whatever else it is about."""
    return Draft(events=(event,), text=text, plain=PublicText(text=text))


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
    return _told_to_all(ev.SidesSet(sides=sides, was=game.scene.sides), f"The sides are {names}.")


def set_rules(game: Game, body: Body) -> Draft:
    """Chooses house rules and how strictly the table enforces."""
    chosen, enforcement = body["house_rules"], body["enforcement"]
    check_settings(chosen, game.ruleset.house_rules)
    event = ev.RulesSet(
        house_rules=chosen,
        enforcement=enforcement,
        was_house_rules=game.scene.house_rules,
        was_enforcement=game.scene.enforcement,
    )
    return _told_to_all(event, f"House rules were set; the table is to {enforcement}.")


def place_token(game: Game, body: Body) -> Draft:
    """Puts a token into the scene, or edits the one with its id."""
    given = body["token"]
    was = next((t for t in game.scene.tokens if t.id == given["id"]), None)
    if was is not None:
        given = {"owners": was.owners, **given}
    token = prepare_token(game.ruleset, game.scene, msgspec.convert(given, Token))
    verb = "is edited" if was else "joins the battle"
    return Draft(
        events=(ev.TokenPlaced(token=token, was=was),), **_said_of(f"{token.name} {verb}.", was, token)
    )


def _said_of(text: str, *tokens: Token | None) -> dict[str, Any]:
    """The words about a token as it was and is, for everybody where it never was hidden."""
    is_seen = all(is_shown(token) for token in tokens if token)
    return {"text": text, "plain": PublicText(text=text) if is_seen else None}


def remove_token(game: Game, body: Body) -> Draft:
    """Takes a token out of the scene for good, and with it the notes that name it.

    Left behind they would tell of a hidden one: nobody could know any more that it was hidden.
    """
    token = game.scene.token(body["token"])
    events: tuple[ev.AnyEvent, ...] = (*_forgotten(game.scene, token), ev.TokenRemoved(was=token))
    return Draft(events=events, **_said_of(f"{token.name} leaves the battle.", token))


def _forgotten(scene: Scene, token: Token) -> Iterator[ev.ConditionSet]:
    others = [(other.id, other) for other in scene.tokens if other.id != token.id]
    holders = [(ev.TABLE, scene), *((f"side:{side.id}", side) for side in scene.sides), *others]
    for holder, what in holders:
        for condition, note in what.conditions.items():
            if note == token.id:
                yield ev.ConditionSet(holder=holder, condition=condition, note=None, was=note)


def give_tokens(game: Game, body: Body, name: str) -> Draft:
    """Has the player called `name` have these tokens and no others; raises NotFound, BadMessage."""
    player, wanted = body["player"], {game.scene.token(token).id for token in body["tokens"]}
    changed = [
        (token, token.id in wanted)
        for token in game.scene.tokens
        if (token.id in wanted) != (player in token.owners)
    ]
    if any(gets and len(token.owners) >= MOST_OWNERS for token, gets in changed):
        raise BadMessage({"body.tokens": [f"A miniature has at most {MOST_OWNERS} players."]})
    events = tuple(_with_owner(token, player, gets) for token, gets in changed)
    seen = _who_plays(name, [(token, gets) for token, gets in changed if is_shown(token)])
    return Draft(events=events, text=_who_plays(name, changed), plain=PublicText(text=seen) if seen else None)


def _who_plays(name: str, changed: Sequence[tuple[Token, bool]]) -> str:
    gained = ", ".join(token.name for token, gets in changed if gets)
    lost = ", ".join(token.name for token, gets in changed if not gets)
    said = [f"{name} now plays {gained}."] * bool(gained) + [f"{name} no longer plays {lost}."] * bool(lost)
    return " ".join(said)


def _with_owner(token: Token, player: str, gets: bool) -> ev.TokenPlaced:
    rest = tuple(owner for owner in token.owners if owner != player)
    return ev.TokenPlaced(token=replace(token, owners=(*rest, player) if gets else rest), was=token)


def set_door(game: Game, body: Body) -> Draft:
    """Opens, closes or locks a door; of a secret one that stays shut nobody else hears."""
    door, state = game.scene.wall(body["wall"]), body["state"]
    if door.door == "none":
        raise IllegalAct("That is a wall and not a door.")
    event = ev.DoorSet(wall=door.id, state=state, was=door.state)
    is_secret = door.door == "secret" and "open" not in (door.state, state)
    text = f"A door is {'opened' if state == 'open' else state}."
    return replace(_told_to_all(event, text), secret=is_secret)


def undone(entry: Entry) -> Draft:
    """Takes back what an entry did, told to those who were told of it, in the words they read."""
    plain = entry.plain or (None if entry.secret else PublicText(text=entry.text))
    return Draft(
        events=tuple(inverse(entry.events)),
        text=_TAKEN_BACK + entry.text,
        undoes=entry.seq,
        result={"undone": entry.seq},
        secret=entry.secret and not plain,
        readers=entry.readers,
        plain=plain and PublicText(text=_TAKEN_BACK + plain.text),
        own=entry.own and PublicText(text=_TAKEN_BACK + entry.own.text),
    )


_TAKEN_BACK = "Taken back: "


DEEDS: dict[str, Callable[[Game, Body], Draft]] = {
    "scene.set": set_scene,
    "sides.set": set_sides,
    "rules.set": set_rules,
    "token.place": place_token,
    "token.remove": remove_token,
    "door.set": set_door,
}
"""What changes a scene without dice or rules, by the kind of command."""
