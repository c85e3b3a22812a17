"""`python -m bench.fairness.traced_server FILE serve ...`: a server that notes where its long slices ran.

A thread beside the server's looks at its stack each half millisecond of a slice. When the server ends, FILE
has the slices over `LONG_SECONDS`, the longest first: their CPU time, their time on the clock, the garbage
collections in them, and each stack with the CPU time at which it was first seen. A C function that holds the
interpreter lock shows as the Python line after which the thread could look again.
"""

from __future__ import annotations

from enfilade.__main__ import main, prepare_to_serve

prepare_to_serve()

import atexit  # noqa: E402
import gc  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from dataclasses import dataclass, field  # noqa: E402
from pathlib import Path  # noqa: E402
from types import FrameType  # noqa: E402
from typing import Any  # noqa: E402

import greenlet  # noqa: E402
from gevent import monkey  # noqa: E402

from enfilade.transport.metrics import SliceMeter  # noqa: E402

LONG_SECONDS = 0.004
_FIRST_SECONDS = 0.001
"""The age of a slice from which its stack is looked at."""
_LOOK_SECONDS = 0.0005
_SHOWN_SLICES, _SHOWN_FRAMES = 40, 14

_start_thread = monkey.get_original("_thread", "start_new_thread")
_get_ident = monkey.get_original("_thread", "get_ident")
_sleep = monkey.get_original("time", "sleep")


@dataclass
class _Slice:
    """One slice: when it began on the clock and in CPU time, in seconds, and what was seen of it."""

    since: float
    used: float
    clock: float = 0.0
    cpu: float = 0.0
    samples: list[tuple[float, list[str]]] = field(default_factory=list)
    collections: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        head = f"slice of {self.cpu * 1000:.1f} ms CPU, {self.clock * 1000:.1f} ms on the clock"
        lines = [head, *(f"  garbage: {one}" for one in self.collections)]
        last: list[str] = []
        for at, stack in self.samples:
            pairs = enumerate(zip(stack, last, strict=False))
            same = next((i for i, (one, other) in pairs if one != other), min(len(stack), len(last)))
            lines.append(f"  at {at * 1000:.1f} ms ({same} frames as before)")
            lines += [f"    {frame}" for frame in stack[same:]]
            last = stack
        return "\n".join(lines)


class Tracer:
    """Notes the slices of the thread that creates it."""

    def __init__(self, hub: Any) -> None:
        self._hub = hub
        self._thread = _get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread)
        self._slice: _Slice | None = None
        self.long: list[_Slice] = []
        self._collecting = 0.0
        gc.callbacks.append(self._note_garbage)
        _start_thread(self._look, ())

    def note_switch(self, target: Any) -> None:
        """End a slice; begin another unless it is the hub's."""
        now, ended = time.perf_counter(), self._slice
        self._slice = None
        if ended is not None:
            ended.clock = now - ended.since
            if ended.clock > LONG_SECONDS:
                ended.cpu = time.thread_time() - ended.used
                if ended.cpu > LONG_SECONDS:
                    self.long.append(ended)
        if target is not self._hub:
            self._slice = _Slice(now, time.thread_time())

    def _note_garbage(self, phase: str, info: dict[str, int]) -> None:
        if _get_ident() != self._thread:
            return
        now = time.thread_time()
        if phase == "start":
            self._collecting = now
        elif self._slice is not None and now - self._collecting > 0.0005:
            took = f"generation {info['generation']}, {(now - self._collecting) * 1000:.1f} ms"
            self._slice.collections.append(took)

    def _look(self) -> None:
        while True:
            _sleep(_LOOK_SECONDS)
            seen = self._slice
            if seen is None or time.perf_counter() - seen.since < _FIRST_SECONDS:
                continue
            frame = sys._current_frames().get(self._thread)
            if seen is self._slice:
                at, stack = time.clock_gettime(self._clock) - seen.used, _stack(frame)
                if not seen.samples or seen.samples[-1][1] != stack:
                    seen.samples.append((at, stack))


def _stack(frame: FrameType | None) -> list[str]:
    found = []
    while frame is not None:
        code = frame.f_code
        found.append(f"{'/'.join(Path(code.co_filename).parts[-3:])}:{frame.f_lineno} {code.co_qualname}")
        frame = frame.f_back
    return found[::-1][-_SHOWN_FRAMES:]


def _trace(path: Path) -> None:
    original = SliceMeter.start

    def start(meter: SliceMeter) -> None:
        original(meter)
        tracer, note = Tracer(meter._hub), meter._note_switch

        def note_both(event: str, switched: tuple[Any, Any]) -> None:
            note(event, switched)
            tracer.note_switch(switched[1])

        greenlet.settrace(note_both)
        atexit.register(_write, path, tracer)

    SliceMeter.start = start  # type: ignore[method-assign]


def _write(path: Path, tracer: Tracer) -> None:
    longest = sorted(tracer.long, key=lambda one: -one.cpu)
    path.write_text(
        f"{len(longest)} slices over {LONG_SECONDS * 1000:.0f} ms\n"
        + "\n".join(map(str, longest[:_SHOWN_SLICES]))
    )


_trace(Path(sys.argv.pop(1)))
main()
