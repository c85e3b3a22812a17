"""A simulated disk that separates synced from unsynced writes, to make images of a power cut."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

SECTOR = 512
WRITE, TRUNCATE, SYNC, CREATE, UNLINK, RENAME = range(1, 7)
_HEADER = struct.Struct("=5q")


@dataclass(frozen=True)
class Operation:
    """An operation on a file: one of the kinds above; "." names the folder itself."""

    kind: int
    name: str
    offset: int
    data: bytes


def operations(trace: bytes) -> Iterator[Operation]:
    """The operations in a trace that fault.c wrote."""
    at = 0
    while at < len(trace):
        kind, name_length, offset, length, _ = _HEADER.unpack_from(trace, at)
        at += _HEADER.size
        name = trace[at : at + name_length].decode()
        at += name_length
        yield Operation(kind, name, offset, trace[at : at + length])
        at += length


@dataclass
class File:
    """A file: its bytes that are certain, and what was done to it since its last sync."""

    certain: bytearray = field(default_factory=bytearray)
    pending: list[Operation] = field(default_factory=list)

    def sync(self) -> None:
        for operation in self.pending:
            _apply(self.certain, operation.kind, operation.offset, operation.data)
        self.pending.clear()

    def after_power_cut(self, dice: random.Random) -> bytes:
        """The bytes that a disk may have kept: of what is pending all, none, some, torn, in any order."""
        data = bytearray(self.certain)
        for operation in _survivors(self.pending, dice):
            _apply(data, operation.kind, operation.offset, operation.data)
        return bytes(data)


class SimulatedDisk:
    """A folder of files. Names come and go for certain only when the folder is synced."""

    def __init__(self) -> None:
        self._names: dict[str, File] = {}
        self._certain: dict[str, File] = {}
        self._pending: list[dict[str, File]] = []

    def do(self, operation: Operation) -> None:
        """Takes in what a process did."""
        match operation.kind:
            case _ if operation.name.endswith("-shm"):
                pass  # shared memory of running processes, made anew by the next
            case _ if operation.kind in (CREATE, UNLINK, RENAME):
                self._rename(operation)
            case _ if operation.name == ".":
                self._certain, self._pending = dict(self._names), []
            case _ if operation.kind == SYNC:
                self._names[operation.name].sync()
            case _:
                self._names[operation.name].pending.append(operation)

    def _rename(self, operation: Operation) -> None:
        if operation.kind == CREATE:
            self._names[operation.name] = File()
        elif operation.kind == UNLINK:
            del self._names[operation.name]
        else:
            self._names[operation.data.decode()] = self._names.pop(operation.name)
        self._pending.append(dict(self._names))

    def after_power_cut(self, dice: random.Random) -> dict[str, bytes]:
        """The files that a disk may have kept."""
        names = dice.choice([self._certain, *self._pending])
        return {name: file.after_power_cut(dice) for name, file in names.items()}


def _apply(data: bytearray, kind: int, offset: int, new: bytes) -> None:
    if len(data) < offset:
        data.extend(bytes(offset - len(data)))
    if kind == TRUNCATE:
        del data[offset:]
    else:
        data[offset : offset + len(new)] = new


def _survivors(pending: list[Operation], dice: random.Random) -> list[Operation]:
    fate = dice.choice(("all", "none", "first", "some", "torn", "garbled"))
    if fate in ("all", "none"):
        return pending if fate == "all" else []
    if fate == "first":
        return pending[: dice.randrange(len(pending) + 1)]
    parts = pending if fate == "some" else [part for whole in pending for part in _sectors(whole)]
    kept = [part for part in parts if dice.random() < 0.5]
    dice.shuffle(kept)
    return [_garbled(part, dice) if fate == "garbled" else part for part in kept]


def _sectors(whole: Operation) -> Iterator[Operation]:
    if whole.kind == TRUNCATE:
        yield whole
    for at in range(0, len(whole.data), SECTOR):
        yield Operation(whole.kind, whole.name, whole.offset + at, whole.data[at : at + SECTOR])


def _garbled(part: Operation, dice: random.Random) -> Operation:
    if part.kind == TRUNCATE or dice.random() < 0.7:
        return part
    return Operation(part.kind, part.name, part.offset, dice.randbytes(len(part.data)))
