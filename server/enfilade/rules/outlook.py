"""The outlook of a ruleset: moments to come, beyond the acts of now. Advice is worked out from it.

Every field has a default, so that a ruleset without an outlook gets advice too. The functions are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.rules.procedures import Act, Call
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


def as_it_is(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene: the default for a game in which every token may act."""
    del tokens
    return scene


def all_of_them(scene: Scene, tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens: the default for a game in which any token of the side may act."""
    del scene
    return tokens


def moved_to(scene: Scene, token: Token, at: Cell, facing: int | None, cost: int) -> Scene | None:
    """Return the scene with a token elsewhere: the default for a game in which a move uses up nothing."""
    del cost
    return with_token(scene, replace(token, at=at, facing=facing))


def one_facing(scene: Scene, token: Token) -> Sequence[int | None]:
    """Return the token's own facing: the default for a game without facings."""
    del scene
    return (token.facing,)


def no_key(scene: Scene, act: Act) -> Hashable | None:
    """Return that no two acts are known to have the same expected damage."""
    del scene, act
    return None


def no_damage_call(scene: Scene, act: Act) -> Call | None:
    """Return that only the procedure of an act tells its damage."""
    del scene, act
    return None


def no_situation(scene: Scene, token: Token, enemy: Token) -> Hashable | None:
    """Return that no two places are known to leave a token the same attacks on an enemy."""
    del scene, token, enemy
    return None


class TargetEffect(NamedTuple):
    """The effect of an attack on its target without the rest of the act: quicker than the whole procedure.

    `call` returns the callee that decides, from the target, which may differ in its `damage_tracks` from that
    of the act. `after` returns the target after a result of the callee, None if it is down. It depends on
    nothing but the target, the result, and what the table itself carries, such as house rules and the round.
    `marks`, where a game has it, returns for a target what a result makes of it, in short: targets that
    differ only in their `damage_tracks` are equal after results with equal marks.
    """

    call: Callable[[Token], Call]
    after: Callable[[Scene, Token, Any], Token | None]
    marks: Callable[[Token], Callable[[Any], Hashable]] | None = None


def no_effect_known(scene: Scene, act: Act) -> TargetEffect | None:
    """Return that only the procedure of an act tells what it does to its target."""
    del scene, act
    return None


class Contacts(Protocol):
    """The enemies that a token may have to do with at a place: all others can be left out.

    A bulk answer for many places, which may name too many enemies but never too few.
    """

    def attackable(self, at: Cell, facing: int | None) -> Collection[str]:
        """Return the enemies that the token may attack from a cell with a facing, by ID."""
        ...

    def attackers(self, at: Cell) -> Collection[str]:
        """Return the enemies that may attack the token at a cell from where they stand, by ID."""
        ...


def no_contacts(scene: Scene, token: Token, enemies: Sequence[str]) -> Contacts | None:
    """Return that no enemies can be left out."""
    del scene, token, enemies
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The moments to come of a game.

    Attributes:
        ready: the scene in which some tokens of one side may act as at the start of their turns.
        arrive: the scene after a move to a cell with a facing at a cost, without what it provokes; None if
            the token cannot afford it. A token that stays at its cell may turn.
        facings: the facings that a token may have after a move.
        attacks: the legal acts of a token at a target in a scene where it is ready. None: those that the
            ruleset offers.
        acts: the acts of a kind that the ruleset offers a token, legal or not. None: look for them among all
            offers.
        acting: those of the tokens whose turn it is that may act before others may, such as an active group;
            the quick policy looks at no others.
        cells: the cells that a token can move to now, in order; quicker than its reach. None: those of its
            reach.
        may_move: whether a token may move now. None: whether its reach has a budget.
        has_near: whether any enemy is so near to a token that it may attack it without a move, in any turn;
            quicker than its attacks. None: look for them.
        damage_key: a value such that acts with equal keys have equal chances and expected damages in all
            scenes; None if the odds are to be worked out.
        damage_call: the callee that returns the outcome of an attack, its damage and its result alone, with
            the chances that the whole act has; quicker, because that settles more. None: the act itself.
        situation: a value such that a token has the same best attack on an enemy in all scenes of one value
            that differ in the places of tokens alone; None if the attacks are to be looked at.
        on_target: the effect of an attack on its target alone; None if only the act's procedure tells.
        damage_tracks: the tracks of a target that attacks change and that their legality does not depend on.
        down: the conditions of a token that fights no more, beside a place off the board and no hit points.
        contacts: the enemies that matter at each place, asked once for a map; `scene` is one in which the
            enemies are ready, and without the token. None: all enemies matter everywhere.
        routine: the kinds of act without which a turn does not go on, in the order in which the default
            policy takes them if no attack or move is left: activations first, the end of the turn last.
            Empty: any legal act.
    """

    ready: Callable[[Scene, Sequence[str]], Scene] = as_it_is
    arrive: Callable[[Scene, Token, Cell, int | None, int], Scene | None] = moved_to
    facings: Callable[[Scene, Token], Sequence[int | None]] = one_facing
    attacks: Callable[[Scene, Token, Token], Sequence[Act]] | None = None
    acts: Callable[[Scene, Token, str], Sequence[Act]] | None = None
    acting: Callable[[Scene, Sequence[Token]], Sequence[Token]] = all_of_them
    cells: Callable[[Scene, Token], Sequence[Cell]] | None = None
    may_move: Callable[[Scene, Token], bool] | None = None
    has_near: Callable[[Scene, Token], bool] | None = None
    damage_key: Callable[[Scene, Act], Hashable | None] = no_key
    damage_call: Callable[[Scene, Act], Call | None] = no_damage_call
    situation: Callable[[Scene, Token, Token], Hashable | None] = no_situation
    on_target: Callable[[Scene, Act], TargetEffect | None] = no_effect_known
    damage_tracks: tuple[str, ...] = ()
    down: tuple[str, ...] = ("out",)
    contacts: Callable[[Scene, Token, Sequence[str]], Contacts | None] = no_contacts
    routine: tuple[str, ...] = ()


PLAIN_OUTLOOK = Outlook()
"""The outlook of a ruleset that says nothing about moments to come."""


def with_token(scene: Scene, token: Token) -> Scene:
    """Return the scene with another state of one of its tokens."""
    checkpoint()  # each of many tokens is asked for all
    return replace(scene, tokens=tuple(token if known.id == token.id else known for known in scene.tokens))


def refreshed(token: Token, tracks: Mapping[str, int], cleared: Collection[str]) -> Token:
    """Return a token with some tracks set, and without some tracks and conditions."""
    if not tracks and token.tracks.keys().isdisjoint(cleared) and token.conditions.keys().isdisjoint(cleared):
        return token  # itself, so that what is cached of it stays
    return replace(
        token,
        tracks={**{key: value for key, value in token.tracks.items() if key not in cleared}, **tracks},
        conditions={key: note for key, note in token.conditions.items() if key not in cleared},
    )
