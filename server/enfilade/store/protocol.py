"""Define what a store holds for each table, and what every store can do.

A field whose stored name differs (`name=`) kept the name that earlier versions wrote.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import field

from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.entry import Entry, ViewSeq
from enfilade.scene.model import GM, Scene, Value
from enfilade.scene.proofs import Part, RulesVersion, SealedAnswers
from enfilade.store.members import Member, MemberStore


class GivenAnswer(Value, frozen=True):
    """An answer that waits for those of others, with the key of its seat and the salt that seals it."""

    choice: str
    seat: str
    answer: str
    salt: str = ""


class ClosingCommand(Value, frozen=True):
    """The command that closed a question, as plain data, and the key of its seat."""

    seat: str
    command: dict[str, Any]


class PendingAct(Value, frozen=True, kw_only=True):
    """A procedure that waits for a choice: the request with the answers so far, and the open choice.

    `request` and `choice` are plain values that only `play` reads. Other seats may not know of a secret act.
    Of choices at the same time, `choice` is the first, `joint` has all, and `given` the answers so far, the
    latest last. Sealed ones have their commitments in the log once `closing` is set: then no answer changes,
    and the server finishes the act, also after a crash. `sealed` are the commitments of the act so far.
    """

    id: str
    request: dict[str, Any] = field(name="asked")
    choice: dict[str, Any]
    is_secret: bool = False
    joint: tuple[dict[str, Any], ...] = ()
    is_sealed: bool = False
    given: tuple[GivenAnswer, ...] = field(default=(), name="answers")
    closing: ClosingCommand | None = None
    sealed: tuple[SealedAnswers, ...] = ()

    @property
    def choices(self) -> tuple[dict[str, Any], ...]:
        """Return all open choices."""
        return self.joint or (self.choice,)

    def answer_to(self, choice: str) -> GivenAnswer | None:
        """Return the answer that counts: the last by a player, else the last by the GM; None without one."""
        given = [one for one in self.given if one.choice == choice]
        players = [one for one in given if one.seat != GM.key]
        return next(reversed(players or given), None)

    @property
    def is_complete(self) -> bool:
        """Return whether each open choice has an answer."""
        return all(self.answer_to(choice["id"]) for choice in self.choices)


class PendingCommand(Value, frozen=True, kw_only=True):
    """A command that took a link of a dice chain, stored before its dice exist.

    `command` is the whole command as plain data, so that the server can finish it after a crash. `seat` is
    the key of the seat that sent it, `players` the hash of the players' contributions.
    """

    index: int
    command: dict[str, Any]
    random: str
    seat: str
    rules: RulesVersion
    players: str = ""


class DiceChainState(Value, frozen=True, kw_only=True):
    """A table's dice chain: its head, the next link to take, and the command that holds a link.

    A separate folder holds the secret of the chain (dice_secrets.py).
    """

    epoch: str
    head: str
    links: int
    next: int = 1
    pending: PendingCommand | None = field(default=None, name="intake")


class DiceContributions(Value, frozen=True, kw_only=True):
    """Players' contributions to the dice, which tables had before; new chains have none.

    `players_hash` enters each key until the chain ends. The rest is what rows of then have beside it.
    """

    commitments: dict[str, str] = field(default={}, name="next")
    opened_ms: int = field(default=0, name="since_ms")
    revealing: tuple[Part, ...] = field(default=(), name="asked")
    closed_ms: int = 0
    round: int = 0
    seats: tuple[str, ...] = ()
    players_hash: str = field(default="", name="players")


class Webhook(Value, frozen=True, kw_only=True):
    """The webhook that receives a table's log, and how far delivery has come.

    `url` is a secret, because its holder can post there; empty means no webhook. `posted` is the sequence
    number of the last entry that was delivered or skipped. Nothing is sent before `due_ms`, which also claims
    the webhook for the process that sends. `tries` counts failures since the last success; `outcome`
    describes the last attempt, made at `at_ms`.
    """

    url: str = ""
    posted: int = 0
    due_ms: int = 0
    tries: int = 0
    outcome: str = ""
    at_ms: int = 0
    is_stopped: bool = False

    @property
    def host(self) -> str:
        """Return the URL's host, with its port where the URL names one; empty without a webhook."""
        return self.url.removeprefix("https://").partition("/")[0]


class UndoneEntry(Value, frozen=True):
    """An entry that is undone, and the entry that undid it, by their sequence numbers."""

    seq: int
    by: int


class Migration(Value, frozen=True):
    """From the entry `seq` on, the profiles of a table have the shape of this version of its ruleset."""

    seq: int
    version: int


class TableState(Value, frozen=True, kw_only=True):
    """The current row of a table: its place in the log, its scene, and what it waits for.

    `revision` counts how often the row was stored and detects concurrent writers. `undoable` are the entries
    that undo can still reverse, `redoable` those that redo can repeat, the next last; `view_seq` belongs to
    the last entry. `hidden_dice` is the chain of secret rolls. `migrations` say which version of its ruleset
    the profiles have; before the first, version 1.
    """

    id: str
    seq: int
    scene: Scene
    revision: int = 0
    pending: PendingAct | None = None
    undoable: tuple[int, ...] = ()
    redoable: tuple[UndoneEntry, ...] = ()
    dice: DiceChainState | None = None
    hidden_dice: DiceChainState | None = None
    parts: DiceContributions = DiceContributions()
    view_seq: ViewSeq = field(default=ViewSeq(), name="numbers")
    webhook: Webhook = Webhook()
    migrations: tuple[Migration, ...] = ()

    def version_at(self, place: int) -> int:
        """Return the version of the ruleset that the profiles have after the entry at a log position."""
        return next((one.version for one in reversed(self.migrations) if one.seq <= place), 1)

    @property
    def rolling(self) -> PendingCommand | None:
        """Return the command that holds a link of a dice chain, if there is one."""
        chains = (self.dice, self.hidden_dice)
        return next((chain.pending for chain in chains if chain and chain.pending), None)

    @property
    def is_interrupted(self) -> bool:
        """Return whether a command may have begun without an end: it took dice, or closed a question."""
        return self.rolling is not None or (self.pending is not None and self.pending.closing is not None)


class StoredReply(Value, frozen=True, kw_only=True):
    """The result of a command, stored so that a repeated command gets the same reply.

    `id` is the command's ID, unique for its `seat` (a key); `seq` is the number in that seat's view.
    """

    seat: str
    id: str
    fingerprint: str
    seq: int
    result: dict[str, Any]


class ConflictError(Exception):
    """Another writer stored first: this change was based on an older row."""


class Store(Protocol):
    """Stores tables.

    Every method raises StoreDown if it cannot do its work. Methods that read a table raise Damaged if the
    data does not match what was written.
    """

    @property
    def epoch(self) -> str:
        """Return 64 random bits in hexadecimal, which change on every restore."""

    @property
    def members(self) -> MemberStore:
        """Return the store of members, invitations and tickets."""

    def table_ids(self) -> Sequence[str]:
        """Return the ID of every table, sorted."""

    def create(self, state: TableState, members: Mapping[str, Member]) -> None:
        """Store a new table and its first members, by the hashes of their keys, in one transaction."""

    def load(self, table: str) -> TableState | None:
        """Return the row of a table, or None."""

    def save(self, state: TableState, entry: Entry | None, reply: StoredReply | None) -> None:
        """Store a table's new row, its entry and the command's reply in one transaction.

        Entry and reply are optional: a command takes its dice before it has a reply.

        Raises ConflictError if the stored row is not the previous revision, or if the sequence number or the
        command ID is taken.
        """

    def entries(self, table: str, after: int, limit: int) -> Sequence[Entry]:
        """Return up to `limit` entries after a sequence number, oldest first.

        Returns fewer if they are large, and at least one if there is one; see `iter_entries`.
        """

    def log_texts(self, table: str, after: int, limit: int) -> Sequence[Entry]:
        """Return the same entries without their events, for callers that use only the text."""

    def reply(self, table: str, seat: str, command_id: str) -> StoredReply | None:
        """Return the stored reply to a command, or None."""

    def delete(self, table: str) -> bool:
        """Delete a table with all that belongs to it; return False if there is none."""

    def bytes_of(self, table: str) -> int:
        """Return the bytes that a table takes: its log, its replies and its pictures."""

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Store an image of a table."""

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """Return the media type and bytes of an image, or None."""


Reader = Callable[[str, int, int], Sequence[Entry]]
"""The `entries` or `log_texts` method of a store."""

_BATCH = 500


def iter_entries(read: Reader, table: str, after: int, last: int = sys.maxsize) -> Iterator[Entry]:
    """Yield all entries after a sequence number up to `last`, in batches; yields to other greenlets between.

    Raises what the reader raises.
    """
    while after < last and (entries := read(table, after, min(_BATCH, last - after))):
        checkpoint()
        yield from entries
        after += len(entries)
