"""`python -m bench.load.cluster`: one process alone beside one to three behind nginx, as fast as they go.

Each GM sends the next command once the last is acknowledged, so the commands a second are the most that these
tables get. The processor time of a command, by program, tells what bounds them: all share one machine.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import requests
from tests.cluster.proxy import write_configuration
from tests.unit.store.postgres import Postgres, programs

from bench.load import tables
from bench.load.__main__ import SECONDS_OF_A_TICK, SETTINGS, _percentile, _processes, _started
from bench.load.crowd import Plan

START_SECONDS = 60


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load.cluster", description=__doc__)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument(
        "--processes", type=int, nargs="*", default=[0, 1, 2, 3], help="0: alone, with SQLite"
    )
    asked = parser.parse_args()
    single = 0.0
    for count in asked.processes:
        rate, line = _measured(count, asked.tables, asked.seats, asked.seconds)
        single = single or rate
        print(f"cluster-load: {line} times_the_first={rate / single:.2f}", flush=True)
    print(f"cluster-load: {os.cpu_count()} cores, load average of the last minute {os.getloadavg()[0]:.1f}")


def _measured(count: int, number: int, seats: int, seconds: float) -> tuple[float, str]:
    """Return the commands a second of so many processes behind nginx, and a line about them."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="enfilade-load-")))
        port, *ports = _free_ports(1 + count)
        url, cpu_of = f"sqlite:///{folder}/enfilade.sqlite", {}
        settings = dict(SETTINGS)
        if count:
            database = Postgres(programs() or Path())
            stack.callback(database.remove)
            database.start()
            url, settings["ENFILADE_PROXIES"] = database.url(), "1"
            addresses = [f"127.0.0.1:{one}" for one in ports]
            configuration = write_configuration(folder, addresses, f"127.0.0.1:{port}")
            nginx = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(configuration)])
            stack.callback(nginx.terminate)
            postmaster = int((database.folder / "data" / "postmaster.pid").read_text().split()[0])
            cpu_of = {"nginx": nginx.pid, "postgresql": postmaster}
        links = tables.made_in(url, number, seats)
        servers = []
        for place, one in enumerate(ports or [port]):
            own = settings | ({"ENFILADE_STORE": url, "ENFILADE_PROCESS": "abc"[place]} if count else {})
            data = folder / str(place) if count else folder
            command = [sys.executable, "-m", "enfilade", "serve", "--port", str(one), "--data", str(data)]
            servers.append(stack.enter_context(_started(command, own)).pid)
            _wait_until_ready(one)
        plan = Plan(port, links, None, tables.commands(), 0, seconds)
        said, spent = _play(folder, plan, {**cpu_of, **dict(zip("abc", servers, strict=False))})
    done = max(1, len(said["acks"]))
    process = sum(value for name, value in spent.items() if len(name) == 1)
    figures = {
        "commands": f"{done / seconds:.0f}/s",
        "ack_p50": f"{_percentile(said['acks'], 50):.0f}ms",
        "ack_p99": f"{_percentile(said['acks'], 99):.0f}ms",
        "cpu_a_command": f"{sum(spent.values()) / done * 1000:.2f}ms",
        "server": f"{process / done * 1000:.2f}ms",
        **{name: f"{spent[name] / done * 1000:.2f}ms" for name in cpu_of},
        "cores_used": f"{(sum(spent.values()) + said['cpu']) / seconds:.2f}",
        "refused": sum(said["problems"].values()),
    }
    named = f"{count} behind nginx" if count else "alone"
    return done / seconds, f"{named} " + " ".join(f"{name}={value}" for name, value in figures.items())


def _play(folder: Path, plan: Plan, programs_: dict[str, int]) -> tuple[dict, dict[str, float]]:
    """Return what the crowd has measured, and the processor seconds of each program meanwhile."""
    path = folder / "plan.json"
    path.write_bytes(msgspec.json.encode(plan))
    with _started([sys.executable, "-m", "bench.load.crowd", str(path)], {}) as crowd:
        assert crowd.stdout is not None
        assert crowd.stdin is not None
        crowd.stdout.readline()
        before = {name: _cpu_seconds_with_ended(pid) for name, pid in programs_.items()}
        crowd.stdin.write("go\n")
        crowd.stdin.flush()
        said = json.loads(crowd.stdout.readline())
    return said, {name: _cpu_seconds_with_ended(pid) - before[name] for name, pid in programs_.items()}


def _cpu_seconds_with_ended(program: int) -> float:
    """Return the processor seconds of a program and its children, those that have ended too."""
    ticks = 0
    for pid in _processes(program):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks * SECONDS_OF_A_TICK


def _free_ports(count: int) -> list[int]:
    """Return different ports that are free now."""
    with ExitStack() as probes:
        found = [probes.enter_context(closing(socket.create_server(("127.0.0.1", 0)))) for _ in range(count)]
        return [probe.getsockname()[1] for probe in found]


def _wait_until_ready(port: int) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            if requests.get(f"http://127.0.0.1:{port}/ready", timeout=3).ok:
                return
        except requests.RequestException:
            pass
        time.sleep(0.2)
    raise RuntimeError("A server did not start.")


if __name__ == "__main__":
    main()
