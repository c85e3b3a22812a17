"""The players' parts in the dice: each player commits to bytes, and gives them once all have committed.

Nobody is waited for. What was committed to is closed when a round begins, when a player is there who was not
asked the last time, or after ten minutes; what has not been given some seconds later is left out, and the log
says whose. Until then the dice fall from the parts of before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from enfilade.rules.fair import commitment, players_hash
from enfilade.scene.dice_notes import Part, PartsCommitted, PartsGiven
from enfilade.store.protocol import DiceContributions

GATHER_MS = 2_000
"""How long newcomers' commitments are gathered before they are asked for their bytes."""
GIVE_MS = 5_000
"""How long after that bytes still count."""
LONGEST_MS = 600_000
"""After how long the parts are asked for anew where no round begins, as in a game without rounds."""

Name = Callable[[str], str]
"""The name of the player with an id; empty for one who is at the table no more."""


def taken_part(
    parts: DiceContributions, table: str, seat: str, given: str | None, following: str | None, now_ms: int
) -> DiceContributions:
    """The parts after a player gave the bytes that were asked for, and committed to those for the next time.

    What was not asked for, or not committed to, changes nothing.
    """
    asked = tuple(_given(part, table, given) if part.seat == seat else part for part in parts.revealing)
    if following is None:
        return replace(parts, revealing=asked)
    return replace(
        parts,
        revealing=asked,
        commitments={**parts.commitments, seat: following},
        opened_ms=parts.opened_ms or now_ms,
    )


def _given(part: Part, table: str, value: str | None) -> Part:
    if value is None or part.value or part.commitment != commitment(table, part.seat, value):
        return part
    return replace(part, value=value)


def are_to_be_asked(parts: DiceContributions, round_number: int, now_ms: int) -> bool:
    """Whether those who have committed are to be asked for their bytes now."""
    if parts.revealing or not parts.commitments:
        return False
    is_newcomer_there = not set(parts.commitments) <= set(parts.seats)
    return (
        (bool(parts.seats) and round_number != parts.round)
        or (is_newcomer_there and now_ms - parts.opened_ms >= GATHER_MS)
        or now_ms - max(parts.closed_ms, parts.opened_ms) >= LONGEST_MS
    )


def are_over(parts: DiceContributions, now_ms: int) -> bool:
    """Whether all have given what they were asked for, or had their time."""
    return bool(parts.revealing) and (
        all(part.value for part in parts.revealing) or now_ms - parts.closed_ms >= GIVE_MS
    )


def asked(
    parts: DiceContributions, epoch: str, round_number: int, now_ms: int, name: Name
) -> tuple[DiceContributions, PartsCommitted | None, str]:
    """The parts once they are asked for, with what the log says of it; nothing where nobody is there."""
    here = {seat: said for seat in sorted(parts.commitments) if (said := name(seat))}
    closed = tuple(Part(seat=seat, commitment=parts.commitments[seat]) for seat in here)
    now = DiceContributions(
        revealing=closed,
        closed_ms=now_ms,
        round=round_number,
        seats=tuple(here),
        players_hash=parts.players_hash,
    )
    if not closed:
        return now, None, ""
    text = f"{_listed(list(here.values()))} committed to a part in the dice."
    return now, PartsCommitted(epoch=epoch, parts=closed), text


def over(
    parts: DiceContributions, table: str, epoch: str, name: Name
) -> tuple[DiceContributions, PartsGiven, str]:
    """The parts once they go into the dice, with what the log says of it."""
    players = players_hash(table, epoch, parts.revealing)
    note = PartsGiven(epoch=epoch, parts=parts.revealing, players=players)
    gave, withheld = [
        [
            name(part.seat) or "Somebody who has left"
            for part in parts.revealing
            if bool(part.value) is was_given
        ]
        for was_given in (True, False)
    ]
    told = []
    if gave:
        told.append(f"{_listed(gave)} gave a part, and it is in the dice from now on.")
    if withheld:
        told.append(f"{_listed(withheld)} did not give the part that was committed to.")
    return replace(parts, revealing=(), players_hash=players), note, " ".join(told)


def of_a_new_chain(parts: DiceContributions) -> DiceContributions:
    """The parts after the table has drawn new secrets: what was known before it did so counts no more."""
    return replace(parts, revealing=(), players_hash="", seats=())


def _listed(names: Sequence[str]) -> str:
    *some, last = names
    return f"{', '.join(some)} and {last}" if some else last
