"""Permissions: the roles of commands, and further limits on players.

The role comes from the session. A command names tokens, never its sender.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from enfilade.errors import Forbidden, NotFound
from enfilade.i18n import localize
from enfilade.play.command import Choice, Command
from enfilade.play.hidden_map import shade
from enfilade.play.view import is_about_hidden, is_known_to, is_owner, view
from enfilade.rules.group_moves import moved_tokens, named_members
from enfilade.rules.house_rules import ADVICE, PLAYERS_TYPE_DICE, is_on, setting
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Role, Scene, Seat
from enfilade.store.protocol import PendingAct

GM_ONLY: frozenset[Role] = frozenset({"gm"})
PLAYERS: frozenset[Role] = frozenset({"gm", "player"})

Check = Callable[[Seat, Command, Scene, PendingAct | None, Ruleset], None]


def require_role(seat: Seat, roles: frozenset[Role]) -> None:
    """Raise Forbidden if a command is not for the seat's role."""
    if seat.role not in roles:
        raise Forbidden(localize("play.gm_only" if roles == GM_ONLY else "play.players_only"))


def require_permission(
    seat: Seat,
    command: Command,
    scene: Scene,
    pending: PendingAct | None,
    ruleset: Ruleset,
    check: Check | None,
) -> None:
    """Raise Forbidden if a player may not send a command, NotFound if it names what the player cannot see.

    A hidden token is looked up in the player's own view, so the refusal is the same as for an absent one.
    """
    if seat.role != "player":
        return
    body = command.body
    if body.get("override"):
        raise Forbidden(localize("play.only_gm_overrides"))
    if body.get("secret"):
        raise Forbidden(localize("play.only_gm_secret"))
    if body.get("faces") is not None and not is_on(scene, PLAYERS_TYPE_DICE):
        raise Forbidden(localize("play.players_cannot_type_dice"))
    if check is not None:
        check(seat, command, scene, pending, ruleset)


def check_act(
    seat: Seat, command: Command, scene: Scene, pending: PendingAct | None, ruleset: Ruleset
) -> None:
    """Raise what `require_own_act` raises for the act of a command."""
    del pending
    require_own_act(seat, command.body["act"], scene, ruleset)


def check_move(
    seat: Seat, command: Command, scene: Scene, pending: PendingAct | None, ruleset: Ruleset
) -> None:
    """Raise what `require_owner` raises for the token of a move."""
    del pending, ruleset
    require_owner(seat, command.body["token"], scene)


def check_report(
    seat: Seat, command: Command, scene: Scene, pending: PendingAct | None, ruleset: Ruleset
) -> None:
    """Raise what `require_owner` raises for the token that acted, and Forbidden to a player without one."""
    del pending, ruleset
    if seat.role == "player" and not command.body["token"]:
        raise Forbidden(localize("play.gm_only"))
    require_owner(seat, command.body["token"], scene)


def check_answer(
    seat: Seat, command: Command, scene: Scene, pending: PendingAct | None, ruleset: Ruleset
) -> None:
    """Raise NotFound if the table does not ask this player this choice, or one answered with it."""
    del ruleset
    for choice in (command.body["choice"], *command.body.get("also", ())):
        if pending is None or not is_asked(seat, find_choice(pending, choice), pending, scene):
            raise NotFound(localize("play.no_such_choice"))


def require_own_act(seat: Seat, act: Mapping[str, Any], scene: Scene, ruleset: Ruleset) -> None:
    """Raise what `require_owner` raises for the tokens of an act, and NotFound for an unknown target.

    Acts without a token, and those that the ruleset reserves for the GM, are Forbidden to players.
    """
    if seat.role != "player":
        return
    if not act["token"] or ruleset.is_gm_act(act["kind"]):
        raise Forbidden(localize("play.gm_only"))
    for token in (act["token"], *named_members(act)):
        require_owner(seat, token, scene)
    if act["target"]:
        view(scene, seat).token(act["target"])


def require_owner(seat: Seat, token: str, scene: Scene) -> None:
    """Raise NotFound for a token that a player cannot see, Forbidden for one of another player."""
    if seat.role == "player" and not is_owner(seat, view(scene, seat).token(token)):
        raise Forbidden(localize("play.not_your_token"))


def require_advice(seat: Seat, token: str, scene: Scene) -> None:
    """Raise Forbidden if a seat gets no advice about a token: players may get it for their own, or not."""
    require_advice_seat(seat, scene)
    require_owner(seat, token, scene)


def require_advice_seat(seat: Seat, scene: Scene) -> None:
    """Raise Forbidden if a seat gets no advice at this table."""
    if seat.role == "spectator" or (seat.role == "player" and not setting(scene, ADVICE)):
        raise Forbidden(localize("tactics.advice_gm_only"))


def find_choice(pending: PendingAct | None, choice_id: str) -> Choice:
    """Return an open choice by its ID. Raises NotFound."""
    found = [choice for choice in pending.choices if choice["id"] == choice_id] if pending else []
    if not found:
        raise NotFound(localize("play.no_such_choice"))
    return msgspec.convert(found[0], Choice)


def is_asked(seat: Seat, choice: Choice, pending: PendingAct, scene: Scene) -> bool:
    """Return whether a seat may answer a pending choice: the GM any, a player their own.

    A choice that names a token is for its players. If the token has no player, or none is named, it is for
    all players with a token of the side. No player is asked about a secret act, about a hidden token of
    other players or its move, or with answers that name something hidden.
    """
    if seat.role != "player":
        return seat.role == "gm"
    if pending.is_secret or not _knows_choice(seat, choice, pending, scene):
        return False
    named = [token for token in scene.tokens if token.id == choice.token and token.owners]
    asked = named or [token for token in scene.tokens if token.side == choice.side]
    return any(is_owner(seat, token) for token in asked)


def _knows_choice(seat: Seat, choice: Choice, pending: PendingAct, scene: Scene) -> bool:
    """Return whether a player knows the token that decides and everything that the answers name."""
    unknown = {token.id for token in shade(scene).tokens if not is_known_to(token, seat)}
    if not unknown.isdisjoint(_parties(choice, pending)):
        return False
    # Of a sealed choice the seat gets the other answers: the question itself reveals nothing.
    keys = [] if choice.is_sealed else [option.key for option in choice.options]
    return not is_about_hidden(scene, seat, keys)


def _parties(choice: Choice, pending: PendingAct) -> set[str | None]:
    """Return the IDs of the tokens that a player must know to be asked a choice.

    A choice without a token belongs to the actor and the target of the act so far. A choice during a move
    belongs to the mover too: an attack shows its attacker, but a token that moves out of sight stays unseen.
    """
    act = pending.request["act"]
    if choice.token:
        return {choice.token, *moved_tokens(act)}
    return {source.get(key) for source in (act, choice.facts) for key in ("token", "target")}
