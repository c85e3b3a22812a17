"""Who may do what: the kinds of command of each role as data, and what else holds for players.

Actor and role come from the session alone; a command names tokens, and never who sends it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from enfilade.errors import Forbidden, NotFound
from enfilade.play.command import Choice, Command
from enfilade.play.redaction.scene import is_about_hidden, is_known, owns, view
from enfilade.rules.house_rules import PLAYERS_TYPE_DICE, is_on
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene
from enfilade.scene.seat import Role, Seat
from enfilade.store.protocol import PendingAct

LOOKING = frozenset({"act.preview", "overlay.show", "sync", "verdict.ask"})
PLAYING = frozenset({"act", "token.move", "choice.answer"})
RUNNING = frozenset(
    {
        "scene.set",
        "scene.sync",
        "bridge.claim",
        "sides.set",
        "rules.set",
        "token.place",
        "token.remove",
        "tokens.give",
        "door.set",
        "dice.show",
        "undo",
        "webhook.set",
        "webhook.test",
    }
)

WHILE_WAITING = frozenset({"choice.answer", "undo", "tokens.give", "dice.part"})
"""What may be done while an act waits for a decision."""

KINDS: Mapping[Role, frozenset[str]] = {
    "gm": LOOKING | PLAYING | RUNNING,
    "player": LOOKING | PLAYING | {"dice.part"},
    "spectator": LOOKING,
}
"""The kinds of command that each role may give at all."""


def must_be_allowed(seat: Seat, kind: str) -> None:
    """Raises Forbidden for a kind of command that is not this seat's; what is listed nowhere is nobody's."""
    if kind in KINDS[seat.role]:
        return
    who = "the game master and players" if kind in PLAYING else "the game master"
    raise Forbidden(f"Only {who} may do that.")


def must_be_for_seat(
    seat: Seat, command: Command, scene: Scene, pending: PendingAct | None, ruleset: Ruleset
) -> None:
    """Raises Forbidden where a player may not do this, NotFound where what it names is not there for them.

    What is hidden from them is looked for in their own view, so it is refused as what is not there at all.
    """
    if seat.role != "player":
        return
    body = command.body
    _must_be_by_the_rules(body, scene)
    match command.kind:
        case "act":
            must_be_own_act(seat, body["act"], scene, ruleset)
        case "token.move":
            must_be_own(seat, body["token"], scene)
        case "choice.answer":
            _must_be_asked(seat, body["choice"], scene, pending)


def must_be_own_act(seat: Seat, act: Mapping[str, Any], scene: Scene, ruleset: Ruleset) -> None:
    """Raises what `must_be_own` raises for an act's token, and NotFound for a target that is not there.

    An act that no miniature does by itself, or that the ruleset leaves to the game master, is Forbidden.
    """
    if seat.role != "player":
        return
    if not act["token"] or act["kind"] in ruleset.gm_acts:
        raise Forbidden("Only the game master may do that.")
    must_be_own(seat, act["token"], scene)
    if act["target"]:
        view(scene, seat).token(act["target"])


def must_be_own(seat: Seat, token: str, scene: Scene) -> None:
    """Raises NotFound for a token that a player may not know of, Forbidden for one that is not theirs."""
    if seat.role == "player" and not owns(seat, view(scene, seat).token(token)):
        raise Forbidden("That is not your miniature.")


def is_asked(seat: Seat, pending: PendingAct, scene: Scene) -> bool:
    """Whether a seat may answer what a table waits for: the game master may any, a player what is their own.

    A choice that names a token is its players' alone; where that token has no player, or none is named, it
    is for all who have a token of the side. One about a secret act is not, nor one of somebody hidden, nor
    one whose answers name something hidden.
    """
    if seat.role != "player":
        return seat.role == "gm"
    choice = msgspec.convert(pending.choice, Choice)
    if pending.is_secret or not _is_known_to(seat, choice, pending, scene):
        return False
    named = [token for token in scene.tokens if token.id == choice.token and token.owners]
    asked = named or [token for token in scene.tokens if token.side == choice.side]
    return any(owns(seat, token) for token in asked)


def _is_known_to(seat: Seat, choice: Choice, pending: PendingAct, scene: Scene) -> bool:
    """Whether a player may know of whom a choice is, and of everything that its answers name.

    One that names no miniature is of those who act and are acted on, as far as the act has come.
    """
    said = (pending.request["act"], choice.facts)
    parties = {choice.token} if choice.token else {each.get(who) for each in said for who in _PARTIES}
    unknown = {token.id for token in scene.tokens if not is_known(token, seat)}
    is_known_of_all = unknown.isdisjoint(parties)
    return is_known_of_all and not is_about_hidden(scene, seat, [o.key for o in choice.options])


_PARTIES = ("token", "target")


def _must_be_by_the_rules(body: Mapping[str, Any], scene: Scene) -> None:
    if body.get("override"):
        raise Forbidden("Only the game master may overrule the rules.")
    if body.get("secret"):
        raise Forbidden("Only the game master may act in secret.")
    if body.get("faces") is not None and not is_on(scene, PLAYERS_TYPE_DICE):
        raise Forbidden("At this table the dice of players are rolled by the table.")


def _must_be_asked(seat: Seat, choice: str, scene: Scene, pending: PendingAct | None) -> None:
    if pending is None or pending.id != choice or not is_asked(seat, pending, scene):
        raise NotFound("Nobody asked that.")
