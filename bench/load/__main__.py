"""`python -m bench.load`: a line for a bare echo, one for Enfilade; exit status 1 over a bound."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import msgspec

from bench.load import tables
from bench.load.crowd import Plan
from enfilade.runtime.config import Limits

ACK_MS, FAN_OUT_MS, MEMORY_MB = 150, 100, 300
"""What ninety-nine of a hundred acknowledgements and deliveries stay within, and the server's memory."""

OVERLAYS_A_COMMAND = 400 / 840
"""How many overlays are worked out for the game masters at least, for each command sent.

One that is the same as the last is not sent again, so the server counts them.
"""

UPDATE_BYTES = 900
"""The size of the echo's updates: that of a move as Enfilade tells it."""

SETTINGS = {f"ENFILADE_{name.upper()}": str(2**30) for name in vars(Limits())}
"""Without limits on what one address may ask: here it is everybody's."""

OVERLAY_COUNTER = "enfilade_overlay_updates_total{"

SECONDS_OF_A_TICK = 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Measured:
    """The load results of a server."""

    name: str
    acks: list[float]
    deliveries: list[float]
    counts: dict[str, int]
    problems: dict[str, int]
    seconds: float
    server_cpu: float
    crowd_cpu: float
    memory_mb: float
    has_overlays: bool

    @property
    def failures(self) -> list[str]:
        """Return the bounds that do not hold."""
        ack, fan_out = _percentile(self.acks, 99), _percentile(self.deliveries, 99)
        wanted = OVERLAYS_A_COMMAND * self.counts["sent"] if self.has_overlays else 0
        bounds = {
            f"{self.counts['sent'] - len(self.acks)} unanswered": len(self.acks) == self.counts["sent"],
            f"{sum(self.problems.values())} refused": not self.problems,
            f"ack_p99 over {ACK_MS}ms": ack <= ACK_MS,
            f"fan_out_p99 over {FAN_OUT_MS}ms": fan_out <= FAN_OUT_MS,
            f"memory over {MEMORY_MB}MB": self.memory_mb <= MEMORY_MB,
            f"overlays below {wanted / self.seconds:.0f}/s": self.counts["overlays"] >= wanted,
        }
        return [bound for bound, holds in bounds.items() if not holds]

    def beside(self, echo: Measured) -> str:
        """Return how many times as much this server takes as an echo measured just before."""
        ratios = {
            "ack_p99": _percentile(self.acks, 99) / (_percentile(echo.acks, 99) or 1),
            "fan_out_p99": _percentile(self.deliveries, 99) / (_percentile(echo.deliveries, 99) or 1),
            "cpu_a_command": self._cpu_a_command / echo._cpu_a_command,
        }
        named = " ".join(f"{name}={ratio:.1f}" for name, ratio in ratios.items())
        return f"load: {self.name} in times of the {echo.name}: {named}"

    @property
    def _cpu_a_command(self) -> float:
        return self.server_cpu / max(1, len(self.acks)) * 1000

    def __str__(self) -> str:
        rate = len(self.acks) / self.seconds
        figures = {
            "commands": f"{rate:.0f}/s",
            "deliveries": f"{len(self.deliveries) / self.seconds:.0f}/s",
            "overlays": f"{self.counts['overlays'] / self.seconds:.0f}/s",
            "sent": f"{self.counts['sent_overlays'] / self.seconds:.0f}/s",
            "ack_p50": f"{_percentile(self.acks, 50):.0f}ms",
            "ack_p99": f"{_percentile(self.acks, 99):.0f}ms",
            "fan_out_p50": f"{_percentile(self.deliveries, 50):.0f}ms",
            "fan_out_p99": f"{_percentile(self.deliveries, 99):.0f}ms",
            "memory": f"{self.memory_mb:.0f}MB",
            "cpu_a_command": f"{self._cpu_a_command:.2f}ms",
            "server_cpu": f"{self.server_cpu / self.seconds:.0%}",
            "crowd_cpu": f"{self.crowd_cpu / self.seconds:.0%}",
            "unanswered": self.counts["sent"] - len(self.acks),
            "refused": sum(self.problems.values()),
        }
        return f"load: {self.name} " + " ".join(f"{name}={value}" for name, value in figures.items())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seats", type=int, default=7)
    parser.add_argument("--players", type=int, default=3, help="seats that are players, others watch")
    parser.add_argument("--rate", type=float, default=2, help="commands a second of each seat")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--workers", type=int, default=2, help="processes that serve; two cores, two")
    parser.add_argument("--no-overlays", action="store_true")
    parser.add_argument("--only", choices=("echo", "enfilade"))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="enfilade-load-") as place:
        links = tables.made(Path(place), asked.tables, asked.seats, asked.players)
        plan = Plan(
            port=0,
            tables=links,
            first=None if asked.no_overlays else tables.show(),
            commands=tables.commands(),
            per_second=asked.rate * asked.seats,
            seconds=asked.seconds,
        )
        measured = []
        for name, command in _servers(Path(place), asked.workers).items():
            if asked.only in (None, name):
                measured.append(_measured(name, command, plan, Path(place)))
                print(measured[-1], flush=True)
                for problem, count in measured[-1].problems.items():
                    print(f"load: {count} times {problem}")
    if len(measured) > 1:
        print(measured[-1].beside(measured[0]))
    print(f"load: {os.cpu_count()} cores, load average of the last minute {os.getloadavg()[0]:.1f}")
    failures = measured[-1].failures
    print(f"load: {'FAIL ' + ', '.join(failures) if failures else 'PASS'}")
    sys.exit(1 if failures else 0)


def _servers(data: Path, workers: int) -> dict[str, list[str]]:
    return {
        "echo": ["-m", "bench.load.echo_server", str(UPDATE_BYTES)],
        "enfilade": [
            "-m",
            "enfilade",
            "serve",
            "--port",
            "0",
            "--data",
            str(data),
            "--workers",
            str(workers),
        ],
    }


def _measured(name: str, command: list[str], plan: Plan, folder: Path) -> Measured:
    with _started([sys.executable, *command], SETTINGS) as server:
        plan = msgspec.structs.replace(plan, port=_port(server))
        if name == "echo":
            only_tables = [[{"table": seat["table"]} for seat in seats] for seats in plan.tables]
            plan = msgspec.structs.replace(plan, first=None, tables=only_tables)
        path = folder / f"{name}.json"
        path.write_bytes(msgspec.json.encode(plan))
        with _started([sys.executable, "-m", "bench.load.crowd", str(path)], {}) as crowd:
            assert crowd.stdout is not None
            assert crowd.stdin is not None
            crowd.stdout.readline()
            before = _cpu_seconds(server.pid)
            crowd.stdin.write("go\n")
            crowd.stdin.flush()
            said = json.loads(crowd.stdout.readline())
        spent = _cpu_seconds(server.pid) - before
        said["counts"]["sent_overlays"] = said["counts"].pop("overlays", 0)
        said["counts"]["overlays"] = _overlays(plan.port) if name == "enfilade" else 0
        return Measured(
            name=name,
            seconds=plan.seconds,
            server_cpu=spent,
            crowd_cpu=said.pop("cpu"),
            memory_mb=_memory_mb(server.pid),
            has_overlays=plan.first is not None,
            **said,
        )


@contextmanager
def _started(command: list[str], settings: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    pipe, env = subprocess.PIPE, {**os.environ, **settings}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=env) as process:
        try:
            yield process
        finally:
            process.terminate()  # killed, one of several processes leaves its folder of counts behind


def _port(server: subprocess.Popen[str]) -> int:
    assert server.stdout
    for line in server.stdout:
        if line.strip().isdigit():
            return int(line)
        if line.startswith("GM link: "):
            return int(line.split(":")[3].split("/")[0])
    raise RuntimeError("The server did not start.")


def _processes(pid: int) -> Iterator[int]:
    """A process, and those it has started."""
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from _processes(int(child))


def _overlays(port: int) -> int:
    """The overlays that were due to a subscriber since the start, sent or the same as the last."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return int(sum(float(line.split()[-1]) for line in lines if line.startswith(OVERLAY_COUNTER)))


def _cpu_seconds(server: int) -> float:
    return sum(_cpu_of(pid) for pid in _processes(server))


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * SECONDS_OF_A_TICK


def _memory_mb(server: int) -> float:
    """The most that each process had, all together."""
    return sum(_memory_of(pid) for pid in _processes(server))


def _memory_of(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def _percentile(times: list[float], percent: int) -> float:
    """In milliseconds; 0 of nothing."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] * 1000 if ordered else 0.0


if __name__ == "__main__":
    main()
