"""Rate limits: handshakes, attempted keys, commands by weight, and compute time.

Each seat, table and client address has its own buckets. A client over a limit is refused with the time after
which it may retry. Other clients are not told.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gevent.lock import BoundedSemaphore

from enfilade.errors import BadInput, Forbidden, RateLimited, SeatFull
from enfilade.i18n import localize
from enfilade.play.commands.registry import COMMANDS
from enfilade.runtime.config import Limits
from enfilade.runtime.time_budget import Offload, TimeBudget, checkpoint, server_clock, time_limited
from enfilade.scene.model import Role, Seat
from enfilade.transport.limits.buckets import MAX_BUCKETS, Bucket, Buckets, Clock, Rate
from enfilade.transport.limits.connections import network_of
from enfilade.transport.limits.fair_queue import FairQueue

CONNECT = "connect"
"""The kind charged for a connection and for reading the scene or the log: each compiles a full view."""

JOIN = "join"
"""The kind charged for an HTTP request about members, such as a ticket."""

_OTHER_WEIGHTS = {CONNECT: 5, JOIN: 1}
"""The weights of the kinds above. The command registry has those of commands."""

QUESTIONS = frozenset(
    {"overlay.show", "verdict.ask", "area.ask", "path.ask", "act.preview", "decision.ask", "focus.ask"}
)
"""The kinds that compute much and change nothing."""

_RETRY_WHEN_FULL_MS = 5_000
_ENTRANCE = ""
"""The place of a table in the turns of those whose table is not known yet."""

_CHUNK_CHARACTERS = 64 * 1024


@dataclass
class SeatQuota:
    """The quota that one seat has left: commands, attacks, milliseconds of compute time.

    `compute_lock` runs its requests one after another, `upload_lock` its uploads.
    """

    table: str
    network: str
    role: Role
    commands: Bucket
    attacks: Bucket
    compute: Bucket
    compute_lock: BoundedSemaphore
    upload_lock: BoundedSemaphore

    @property
    def is_unused(self) -> bool:
        """Return whether it is as full as a new one."""
        return self.commands.is_full and self.attacks.is_full and self.compute.is_full


class RateLimiter:
    """All rate limits of one server."""

    def __init__(
        self,
        limits: Limits,
        clock: Clock = time.monotonic,
        offload: Offload | None = None,
    ) -> None:
        """`clock` returns monotonic seconds; `offload` calls a function in another thread."""
        self._limits = limits
        self._clock = clock
        self._offload = offload
        self._fair_queue = FairQueue()
        self._quotas: dict[tuple[str, str, str], SeatQuota] = {}
        self._handshakes: Buckets[str] = self._buckets(limits.handshakes_per_second, limits.handshakes_burst)
        self._wrong_keys: Buckets[str] = self._buckets(limits.wrong_keys_per_second, limits.wrong_keys_burst)
        self._tables: Buckets[str] = self._buckets(
            limits.table_commands_per_second, limits.table_commands_burst
        )
        self._table_compute: Buckets[str] = self._buckets(
            limits.table_compute_ms_per_second, limits.table_compute_ms_burst
        )
        self._addresses: Buckets[str] = self._buckets(
            limits.address_commands_per_second, limits.address_commands_burst
        )
        self._requests: Buckets[str] = self._buckets(
            limits.address_commands_per_second, limits.address_commands_burst
        )

    def charge_handshake(self, address: str) -> None:
        """Charge an address for a connection attempt. Raises RateLimited."""
        _take_all([self._handshakes.of(network_of(address))], 1, "server.too_many_handshakes")

    @contextmanager
    def auth_attempt(self, address: str) -> Iterator[None]:
        """Charge an address if the block raises Forbidden or BadInput, and refuse only such attempts.

        A valid key passes however many wrong ones came from its address: keys have 192 bits, so that no one
        guesses them, and a stranger in the same network must not lock a seat out. Unreadable credentials
        count as well: parsing them costs more than a lookup. Raises RateLimited instead of what the block
        raises once the address is over its limit.
        """
        wrong_keys = self._wrong_keys.of(network_of(address))
        try:
            with self.time_limited(_ENTRANCE, math.inf) as budget:  # the first to come to a table opens it
                yield
                budget.rest()  # to read a request and look its key up takes as long as a short answer
        except (BadInput, Forbidden):
            _check_wait(wrong_keys.wait(1), "server.too_many_wrong_keys")
            wrong_keys.take(1)
            raise

    def charge_request(self, address: str) -> None:
        """Charge an address for an HTTP request. Raises RateLimited.

        Strangers may use this up: a request with the key of a seat is to pass, and pays as its seat.
        """
        _take_all([self._requests.of(network_of(address))], 1, "server.too_many_requests")

    def quota(self, table: str, seat: Seat, address: str) -> SeatQuota:
        """Return a seat's quota. Spectators share one key, so each of their addresses has its own quota."""
        network = network_of(address)
        key = (table, seat.key, network if seat.role == "spectator" else "")
        if key not in self._quotas:
            if len(self._quotas) >= MAX_BUCKETS:
                self._quotas = {known: one for known, one in self._quotas.items() if not one.is_unused}
            self._quotas[key] = self._new_quota(table, seat, network)
        return self._quotas[key]

    def charge(self, quota: SeatQuota, kind: str) -> None:
        """Charge a seat, its table and its address for a command of any kind. Raises RateLimited."""
        spec = COMMANDS.get(kind)
        is_attack = spec is not None and spec.is_attack
        weight = spec.weight if spec else _OTHER_WEIGHTS.get(kind, 1)
        if is_attack:
            _check_wait(quota.attacks.wait(1), "server.too_many_attacks")
        tables, addresses = self._tables.of(quota.table), self._addresses.of(quota.network)
        _take_all([quota.commands, tables, addresses], weight, "server.too_many_commands")
        if is_attack:
            quota.attacks.take(1)

    @contextmanager
    def compute_budget(self, quota: SeatQuota, kind: str = "", max_ms: int = 0) -> Iterator[TimeBudget]:
        """Limit the block's compute time and charge the seat and its table for it; return the budget.

        A command of a `kind` that only asks something is refused too if the table has used up its time; a
        spectator's if it has used half of it. Raises RateLimited or TooSlow.
        """
        with quota.compute_lock:
            _check_wait(quota.compute.wait(1), "server.too_much_compute")
            if kind in QUESTIONS:
                share = self._limits.table_compute_ms_burst // 2 if quota.role == "spectator" else 1
                wait = self._table_compute.of(quota.table).wait(share)
                _check_wait(wait, "server.table_too_much_compute")
            with self.time_limited(quota.table, max_ms) as budget:
                try:
                    yield budget
                finally:
                    quota.compute.take(budget.spent * 1000)

    def table_wait(self, table: str) -> float:
        """Return the seconds until a table has compute time left, for work that can wait."""
        return self._table_compute.of(table).wait(1)

    def charge_stream(self, quota: SeatQuota, lines: Iterator[str]) -> Iterator[str]:
        """Yield a long response in chunks, each computed on demand, and charge the seat for each."""
        while True:
            with self.time_limited(quota.table, math.inf) as budget:
                chunk = _next_chunk(lines)
                checkpoint()
            quota.compute.take(budget.spent * 1000)
            if not chunk:
                return
            yield chunk

    def time_limited(self, table: str, max_ms: float = 0) -> time_limited:
        """Make the block compute in turn with other tables' answers, and charge its table.

        Raises TooSlow after `max_ms` of compute time (0: the usual limit).
        """
        budget = TimeBudget(
            (max_ms or self._limits.answer_ms) / 1000,
            _no_rest,
            clock=server_clock,
            fast_clock=time.perf_counter,
            turn=self._fair_queue.of(table),
            offload=self._offload,
        )
        return _charged_time(budget, self._table_compute.of(table))

    def require_connection_slot(self, seat: Seat, connected: Iterable[Seat]) -> None:
        """Raise SeatFull or RateLimited if the seat or the table has as many connections as it may have."""
        seats = list(connected)
        if len(seats) >= self._limits.table_sockets:
            raise RateLimited(localize("server.table_full"), _RETRY_WHEN_FULL_MS)
        most = self._limits.gm_sockets if seat.role == "gm" else self._limits.seat_sockets
        if seat.role != "spectator" and seats.count(seat) >= most:
            raise SeatFull(localize("server.seat_full", count=most), _RETRY_WHEN_FULL_MS)

    def _new_quota(self, table: str, seat: Seat, network: str) -> SeatQuota:
        limits, factor = self._limits, self._limits.gm_multiplier if seat.role == "gm" else 1
        commands = Rate(limits.commands_per_second, limits.commands_burst).times(factor)
        attacks = Rate(limits.attacks_per_second, limits.attacks_burst).times(factor)
        compute = Rate(limits.compute_ms_per_second, limits.compute_ms_burst).times(factor)
        return SeatQuota(
            table,
            network,
            seat.role,
            commands=Bucket(commands, self._clock),
            attacks=Bucket(attacks, self._clock),
            compute=Bucket(compute, self._clock),
            compute_lock=BoundedSemaphore(1),
            upload_lock=BoundedSemaphore(1),
        )

    def _buckets(self, per_second: int, burst: int) -> Buckets[str]:
        return Buckets(Rate(per_second, burst), self._clock)


class _charged_time(time_limited):  # noqa: N801 - as `time_limited`
    """Apply a budget to the block, and take the milliseconds that it has spent from a bucket."""

    def __init__(self, budget: TimeBudget, account: Bucket) -> None:
        super().__init__(budget)
        self._account = account

    def __exit__(self, *problem: object) -> None:
        self._account.take(self._budget.spent * 1000)
        super().__exit__(*problem)


def _no_rest() -> None:
    """Do nothing: a budget with a turn rests with that."""


def _next_chunk(lines: Iterator[str]) -> str:
    """Join the next lines, only as many as a chunk needs; empty at the end."""
    chunk, length = [], 0
    while length < _CHUNK_CHARACTERS and (line := next(lines, "")):
        chunk.append(line)
        length += len(line)
    return "".join(chunk)


def _take_all(buckets: Sequence[Bucket], cost: float, refusal: str) -> None:
    """Take from all buckets or from none. Raises RateLimited with the sentence of the key `refusal`."""
    _check_wait(max(bucket.wait(cost) for bucket in buckets), refusal)
    for bucket in buckets:
        bucket.take(cost)


def _check_wait(seconds: float, refusal: str) -> None:
    if seconds > 0:
        sentence = localize(refusal, seconds=f"{max(seconds, 0.1):.1f}")
        raise RateLimited(sentence, math.ceil(seconds * 1000))
