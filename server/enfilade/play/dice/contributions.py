"""Players' contributions to the dice: each player commits to bytes, and reveals them after all committed.

The table waits for no player. It closes the commitments when a round begins, when a player joins, or after
ten minutes. It leaves out bytes that do not arrive within seconds, and the log names the player. Until then
the dice use the earlier contributions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.fair import commitment, players_hash
from enfilade.scene.dice_notes import Part, PartsCommitted, PartsGiven
from enfilade.store.protocol import DiceContributions

GATHER_MS = 2_000
"""Time to gather commitments of new players before the table requests bytes."""
GIVE_MS = 5_000
"""Time after the request during which bytes still count."""
LONGEST_MS = 600_000
"""Time after which the table requests bytes again in a game without rounds."""

Name = Callable[[str], str]
"""The name of the player with an ID; "" for a player who left."""


def record_contribution(
    parts: DiceContributions, table: str, seat: str, given: str | None, following: str | None, now_ms: int
) -> DiceContributions:
    """Return the contributions after a player reveals requested bytes and commits to the next.

    Bytes that were not requested, or do not match the commitment, change nothing.
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


def should_request(parts: DiceContributions, round_number: int, now_ms: int) -> bool:
    """Return whether the table should request the bytes now."""
    if parts.revealing or not parts.commitments:
        return False
    is_newcomer_there = not set(parts.commitments) <= set(parts.seats)
    return (
        (bool(parts.seats) and round_number != parts.round)
        or (is_newcomer_there and now_ms - parts.opened_ms >= GATHER_MS)
        or now_ms - max(parts.closed_ms, parts.opened_ms) >= LONGEST_MS
    )


def is_complete(parts: DiceContributions, now_ms: int) -> bool:
    """Return whether all requested bytes arrived, or their time is over."""
    return bool(parts.revealing) and (
        all(part.value for part in parts.revealing) or now_ms - parts.closed_ms >= GIVE_MS
    )


def request_bytes(
    parts: DiceContributions, epoch: str, round_number: int, now_ms: int, name: Name
) -> tuple[DiceContributions, PartsCommitted | None, str]:
    """Return the contributions after the request, with the log's note; no note without players."""
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
    text = localize("play.contributions_committed", names=_listed(list(here.values())), count=len(here))
    return now, PartsCommitted(epoch=epoch, parts=closed), text


def close(
    parts: DiceContributions, table: str, epoch: str, name: Name
) -> tuple[DiceContributions, PartsGiven, str]:
    """Return the contributions after they go into the dice, with the log's note."""
    players = players_hash(table, epoch, parts.revealing)
    note = PartsGiven(epoch=epoch, parts=parts.revealing, players=players)
    gave, withheld = [
        [
            name(part.seat) or localize("play.player_who_left")
            for part in parts.revealing
            if bool(part.value) is was_given
        ]
        for was_given in (True, False)
    ]
    sentences = []
    if gave:
        sentences.append(localize("play.contributions_given", names=_listed(gave), count=len(gave)))
    if withheld:
        sentences.append(
            localize("play.contributions_withheld", names=_listed(withheld), count=len(withheld))
        )
    return replace(parts, revealing=(), players_hash=players), note, " ".join(sentences)


def reset(parts: DiceContributions) -> DiceContributions:
    """Return the contributions for a new chain: what was known before its secrets counts no more."""
    return replace(parts, revealing=(), players_hash="", seats=())


def _listed(names: Sequence[str]) -> str:
    *some, last = names
    return localize("play.and", first=", ".join(some), last=last) if some else last
