"""What is kept of a table, and what every store can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import field

from enfilade.scene.dice_notes import Part, RulesVersion
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene, Value
from enfilade.scene.view_seq import ViewSeq
from enfilade.store.members import Member, MemberStore


class PendingAct(Value, frozen=True, kw_only=True):
    """A procedure that waits for somebody: what was asked for and answered so far, and the open choice.

    Plain values, kept as they are: only play knows what is in them. `is_secret`: the act is not for others to
    know of.
    """

    id: str
    request: dict[str, Any] = field(name="asked")
    choice: dict[str, Any]
    is_secret: bool = False


class PendingCommand(Value, frozen=True, kw_only=True):
    """A command that has taken a link of the dice's chain: stored before any of its dice exist.

    `command` is the whole command, plain, so that it can be finished after a crash; `seat` the key of
    the seat that gave it, `players` what the players' parts came to.
    """

    index: int
    command: dict[str, Any]
    random: str
    seat: str
    rules: RulesVersion
    players: str = ""


class DiceChainState(Value, frozen=True, kw_only=True):
    """A table's chain of dice: its head, the next link to take, and the intake that has not ended.

    The chain's secret is kept apart from the tables (seeds.py).
    """

    epoch: str
    head: str
    links: int
    next: int = 1
    pending: PendingCommand | None = field(default=None, name="intake")


class DiceContributions(Value, frozen=True, kw_only=True):
    """The players' parts in a table's dice.

    `next` are the commitments for the next time by the players' ids, the first of which came at `since_ms`;
    `asked` are those that were closed at `closed_ms`, in the round of that number, and are now to be given;
    `seats` are the players who were asked last. `players` is what goes into the dice: the hash of what was
    given the last time, empty where nothing ever was.
    """

    commitments: dict[str, str] = field(default={}, name="next")
    opened_ms: int = field(default=0, name="since_ms")
    revealing: tuple[Part, ...] = field(default=(), name="asked")
    closed_ms: int = 0
    round: int = 0
    seats: tuple[str, ...] = ()
    players_hash: str = field(default="", name="players")


class Webhook(Value, frozen=True, kw_only=True):
    """Where a table's log is posted, and how far that has come.

    `url` is a secret: whoever has it can post there; empty for nowhere. `posted` is the last entry that was
    posted or passed over. Nothing is tried before `due_ms`, which is also how one process keeps others off
    while it posts. `tries` counts failures since the last success, `outcome` says of the last attempt, which
    was at `at_ms`, how it went.
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
        """The host it posts to, with the port where it has one; empty for nowhere."""
        return self.url.removeprefix("https://").partition("/")[0]


class TableState(Value, frozen=True, kw_only=True):
    """A table's current row: its position in the log, its scene, and what it waits for.

    `revision` counts how often the row was stored, which keeps two writers apart. `undoable` are the
    entries that can still be taken back, the last first to go; `numbers` are the last entry's.
    `hidden_dice` is the chain of what is rolled in secret.
    """

    id: str
    seq: int
    scene: Scene
    revision: int = 0
    pending: PendingAct | None = None
    undoable: tuple[int, ...] = ()
    dice: DiceChainState | None = None
    hidden_dice: DiceChainState | None = None
    parts: DiceContributions = DiceContributions()
    view_seq: ViewSeq = field(default=ViewSeq(), name="numbers")
    webhook: Webhook = Webhook()


class StoredReply(Value, frozen=True, kw_only=True):
    """A command's result as it was first given, so that the same command again gets the same answer.

    `id` is the command's own, unique among those of its `seat` (a key); `seq` counts as that view does.
    """

    seat: str
    id: str
    fingerprint: str
    seq: int
    result: dict[str, Any]


class ConflictError(Exception):
    """Another writer was quicker: what was to be stored was decided on an older row."""


class Store(Protocol):
    """Where tables are kept.

    Every method raises StoreDown when it cannot do what it says, and whatever reads a table raises Damaged
    where that is not what was written.
    """

    @property
    def epoch(self) -> str:
        """64 random bits, as hex, that are new whenever the store was restored."""

    def table_ids(self) -> Sequence[str]:
        """The id of every table, in order."""

    @property
    def members(self) -> MemberStore:
        """Who may come to which table."""

    def create(self, kept: TableState, members: Mapping[str, Member]) -> None:
        """Keeps a new table, all or nothing with its first members by the hashes of their keys."""

    def load(self, table: str) -> TableState | None:
        """A table's row, or None."""

    def save(self, kept: TableState, entry: Entry | None, answered: StoredReply | None) -> None:
        """Stores, all or nothing, the table's new row, the entry that led to it and the command's answer.

        Either may be absent: a command's dice are taken before it has an answer.

        Raises ConflictError where the table's row is not the one before this (`revision`), or the place in
        the log or the command's answer is taken.
        """

    def entries(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """At most so many entries after a place in the log, oldest first.

        Fewer where they are large, but one where there is one: see `iter_entries` (log.py) for all.
        """

    def log_texts(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """The same entries, of which only the words may be used: what they changed need not be read."""

    def reply(self, table: str, seat: str, command_id: str) -> StoredReply | None:
        """The answer a seat's command got when it was first done, or None."""

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Keeps an image of a table."""

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """An image's kind and bytes, or None."""
