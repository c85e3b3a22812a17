"""Who may ask how much: handshakes, keys tried, commands by their weight, and the time answers take.

There is a measure for each seat, for each table and for each address that clients come from; whoever is over
one is refused with the time after which the same may be asked again. Nothing here is told to anybody else.
"""

from __future__ import annotations

import ipaddress
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

import gevent
from gevent.lock import BoundedSemaphore

from enfilade.config import Limits
from enfilade.errors import BadInput, Forbidden, RateLimited
from enfilade.play.commands.registry import COMMANDS
from enfilade.scene.seat import Seat
from enfilade.time_budget import REST_SECONDS, TimeBudget, checkpoint, time_limited
from enfilade.transport.limits.buckets import MOST_KNOWN, Bucket, Buckets, Clock, Rate

CONNECT = "connect"
"""What connecting counts as, and reading the scene or the log: all that the seat may know is put together."""

JOIN = "coming"
"""What a key is used for to have somebody come, like a ticket: it counts as one command."""

_OTHER_WEIGHTS = {CONNECT: 5, JOIN: 1}
"""The weights of what is no command; the registry has those of commands."""


@dataclass
class SeatQuota:
    """What one seat has left: commands, attacks, milliseconds of answers.

    Its answers are worked out in `turn`, and of its maps one is read after the other.
    """

    table: str
    address: str
    commands: Bucket
    attacks: Bucket
    work: Bucket
    turn: BoundedSemaphore
    upload: BoundedSemaphore

    @property
    def is_rested(self) -> bool:
        """Whether it is as good as a new one."""
        return self.commands.is_full and self.attacks.is_full and self.work.is_full


class RateLimiter:
    """The measures of one server."""

    def __init__(
        self,
        limits: Limits,
        clock: Clock = time.monotonic,
        rest: Callable[[], None] = lambda: gevent.sleep(REST_SECONDS),
    ) -> None:
        """`clock` tells seconds that only go forward; `rest` lets others run."""
        self._limits = limits
        self._clock = clock
        self._rest = rest
        self._speakers: dict[tuple[str, str, str], SeatQuota] = {}
        self._handshakes: Buckets[str] = self._buckets(limits.handshakes_per_second, limits.handshakes_burst)
        self._wrong_keys: Buckets[str] = self._buckets(limits.wrong_keys_per_second, limits.wrong_keys_burst)
        self._tables: Buckets[str] = self._buckets(
            limits.table_commands_per_second, limits.table_commands_burst
        )
        self._addresses: Buckets[str] = self._buckets(
            limits.address_commands_per_second, limits.address_commands_burst
        )

    def charge_handshake(self, address: str) -> None:
        """Counts a connection that is about to be made; raises RateLimited."""
        self._take([self._handshakes.of(network_of(address))], 1, "This address connects too often")

    @contextmanager
    def auth_attempt(self, address: str) -> Iterator[None]:
        """Counts a key that opens nothing, so that keys cannot be guessed; raises RateLimited.

        What cannot even be read in the key's place counts too, for reading it costs more than a wrong key.
        """
        wrong = self._wrong_keys.of(network_of(address))
        _must_not_wait(wrong.wait(1), "Too many keys from this address opened nothing")
        try:
            yield
        except (BadInput, Forbidden):
            wrong.take(1)
            raise

    def ask(self, address: str) -> None:
        """Counts a request over HTTP; raises RateLimited."""
        self._take([self._addresses.of(network_of(address))], 1, "This address asks too often")

    def quota(self, table: str, seat: Seat, address: str) -> SeatQuota:
        """What a seat has left. Those who only watch share a key, so each address of theirs is apart."""
        key = (table, seat.key, network_of(address) if seat.role == "spectator" else "")
        if key not in self._speakers:
            if len(self._speakers) >= MOST_KNOWN:
                self._speakers = {known: one for known, one in self._speakers.items() if not one.is_rested}
            self._speakers[key] = self._new_speaker(table, seat, network_of(address))
        return self._speakers[key]

    def charge(self, quota: SeatQuota, kind: object) -> None:
        """Counts a command of a kind, known or not; raises RateLimited."""
        named = kind if isinstance(kind, str) else ""
        spec = COMMANDS.get(named)
        is_attack = spec is not None and spec.is_attack
        weight = spec.weight if spec else _OTHER_WEIGHTS.get(named, 1)
        if is_attack:
            _must_not_wait(quota.attacks.wait(1), "That is too many attacks at once")
        tables, addresses = self._tables.of(quota.table), self._addresses.of(quota.address)
        self._take([quota.commands, tables, addresses], weight, "That is too many commands at once")
        if is_attack:
            quota.attacks.take(1)

    @contextmanager
    def compute_budget(self, quota: SeatQuota, most_ms: int = 0) -> Iterator[None]:
        """Has what is inside keep to a pace, and counts the time it takes; raises RateLimited or TooSlow."""
        with quota.turn:
            _must_not_wait(quota.work.wait(1), "Your answers have taken much of the server's time")
            with self.time_limited(most_ms) as pace:
                try:
                    yield
                finally:
                    quota.work.take(pace.spent * 1000)

    def charge_stream(self, quota: SeatQuota, lines: Iterator[str]) -> Iterator[str]:
        """A long answer in parts, each made when it is asked for, in slices, and counted for a seat then."""
        part = "some"
        while part:
            with self.time_limited(math.inf) as pace:
                part = _next_part(lines)
                checkpoint()
            quota.work.take(pace.spent * 1000)
            yield part

    def time_limited(self, most_ms: float = 0) -> AbstractContextManager[TimeBudget]:
        """Has what is inside let others run, and end with TooSlow where it takes too long (0: as answers)."""
        most = (most_ms or self._limits.answer_ms) / 1000
        return time_limited(TimeBudget(most, self._rest, fast_clock=time.perf_counter))

    def require_connection_slot(self, seat: Seat, seated: Iterable[Seat]) -> None:
        """Raises RateLimited where a seat, or the table, has as many connections as it may."""
        taken = list(seated)
        if len(taken) >= self._limits.table_sockets:
            raise RateLimited("This table is full; try again when somebody has left.", _FULL_MS)
        if seat.role != "spectator" and taken.count(seat) >= self._limits.seat_sockets:
            sentence = f"This seat is open {self._limits.seat_sockets} times already; close one of its pages."
            raise RateLimited(sentence, _FULL_MS)

    def _new_speaker(self, table: str, seat: Seat, address: str) -> SeatQuota:
        limits, share = self._limits, self._limits.gm_multiplier if seat.role == "gm" else 1
        commands = Rate(limits.commands_per_second, limits.commands_burst).times(share)
        attacks = Rate(limits.attacks_per_second, limits.attacks_burst).times(share)
        work = Rate(limits.compute_ms_per_second, limits.compute_ms_burst).times(share)
        return SeatQuota(
            table,
            address,
            commands=Bucket(commands, self._clock),
            attacks=Bucket(attacks, self._clock),
            work=Bucket(work, self._clock),
            turn=BoundedSemaphore(1),
            upload=BoundedSemaphore(1),
        )

    def _buckets(self, per_second: int, burst: int) -> Buckets[str]:
        return Buckets(Rate(per_second, burst), self._clock)

    def _take(self, buckets: Sequence[Bucket], cost: float, what: str) -> None:
        """Takes from all or from none."""
        _must_not_wait(max([bucket.wait(cost) for bucket in buckets]), what)
        for bucket in buckets:
            bucket.take(cost)


_FULL_MS = 5_000
_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([\d.]+):\d+", re.A)
_PART_LENGTH = 64 * 1024


def _next_part(lines: Iterator[str]) -> str:
    """The next lines, no more than are needed for a part; empty at the end."""
    part, length = [], 0
    while length < _PART_LENGTH and (line := next(lines, "")):
        part.append(line)
        length += len(line)
    return "".join(part)


def _must_not_wait(seconds: float, what: str) -> None:
    if seconds > 0:
        sentence = f"{what}; try again in {max(seconds, 0.1):.1f} seconds."
        raise RateLimited(sentence, math.ceil(seconds * 1000))


def network_of(address: str) -> str:
    """What one owner has of addresses: an address of IPv4, a network of 64 bits of IPv6.

    A port behind it, as some proxies write one, is another for each connection: it is left out.
    """
    with_port = _WITH_PORT.fullmatch(address)
    try:
        found = ipaddress.ip_address(with_port[1] or with_port[2] if with_port else address)
    except ValueError:
        return address
    if found.version == 6 and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found.ipv4_mapped or found) if found.version == 6 else str(found)
