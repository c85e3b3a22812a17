"""Run deploy/enfilade.service under systemd with its sandbox: `python -m tests.deploy.service`, as root.

mmdebstrap makes the file system of a Debian with systemd. The wheel is installed there by the commands of
docs/installing.md. systemd then runs as the first process of new namespaces, without a network beyond itself,
starts the unit, and is asked about it. SERVICE_BASE=folder names a file system that is there already.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.deploy.image import Stage, copy, run_step

ROOT = Path(__file__).parents[2]
PACKAGES = "systemd,systemd-sysv,dbus,python3,python3-venv,ca-certificates"
GROUP = Path("/sys/fs/cgroup/systemd/enfilade-service-test")
GROUP_PROCESSES = GROUP / "system.slice" / "enfilade.service" / "cgroup.procs"
START_SECONDS = 90
STOP_SECONDS = 15
"""As the unit has it."""
DEVICES = "null zero full random urandom tty"

BOOT = """set -e
mount --make-rprivate /
mount --bind {root} {root}
mount -t proc proc {root}/proc
mount -t sysfs -o ro sysfs {root}/sys
mount -t tmpfs tmpfs {root}/run
mount -t tmpfs tmpfs {root}/tmp
mount -t tmpfs tmpfs {root}/sys/fs/cgroup
mkdir {root}/sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup {root}/sys/fs/cgroup/systemd
mount -t tmpfs -o mode=755 tmpfs {root}/dev
for name in {devices}; do touch {root}/dev/$name; mount --bind /dev/$name {root}/dev/$name; done
mkdir {root}/dev/pts {root}/dev/shm
ln -s /proc/self/fd {root}/dev/fd
ln -s pts/ptmx {root}/dev/ptmx
ip link set lo up
mkdir -p {root}/.old
cd {root}
pivot_root . .old
umount -l /.old
mount --make-rshared /
exec env -i container=enfilade PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
  /lib/systemd/systemd --system --log-target=journal --show-status=0 --unit=enfilade.service
"""

FORECAST = """
import json, pathlib
from enfilade.client.http import Client
links = json.loads(pathlib.Path("/var/lib/enfilade/links.json").read_text())["coup_de_grace"]
found = Client("http://127.0.0.1:8090", links["table"], links["gm_key"]).forecast(4)
print(found["state"])
"""
"""Continuations of a battle, which processes of their own play."""
READY = "from urllib.request import urlopen; urlopen('http://127.0.0.1:8090/ready', timeout=4)"


class Machine:
    """A systemd in namespaces of its own, with the unit as all that it starts."""

    def __init__(self, root: Path) -> None:
        GROUP.mkdir(exist_ok=True)
        new = ["unshare", "--pid", "--mount", "--uts", "--ipc", "--net", "--cgroup", "--fork", "--kill-child"]
        self._outer = subprocess.Popen(
            [*new, "sh", "-c", BOOT.format(root=root, devices=DEVICES)],
            preexec_fn=lambda: (GROUP / "cgroup.procs").write_text(str(os.getpid())),
        )
        children = Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children")
        self._first = wait_for(lambda: children.read_text().split(), "systemd has no process")[0]

    def run(self, *command: str, unit: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a command in the machine; with `unit` in the file system as the service sees it."""
        enter = ["nsenter", "--target", self._first, "--pid", "--ipc", "--net", "--mount", "--root", "--wd"]
        inner = ["nsenter", "--target", self.main_pid(), "--mount", "--root"] if unit else []
        return subprocess.run([*enter, *inner, *command], capture_output=True, text=True, check=False)

    def main_pid(self) -> str:
        """Return the process ID of the service, as the machine counts; "0" if it does not run."""
        return self.run("systemctl", "show", "--value", "--property=MainPID", "enfilade").stdout.strip()

    def wait_until_ready(self) -> float:
        """Wait until the service answers; return the seconds that it took."""
        begin = time.monotonic()
        wait_for(lambda: not self.run("python3", "-c", READY).returncode, "the service is never ready", self)
        return time.monotonic() - begin

    def journal(self) -> str:
        """Return what systemd and the service have logged."""
        return self.run("journalctl", "--boot", "--no-pager", "--output=cat").stdout

    def close(self) -> None:
        """End all processes of the machine."""
        os.kill(int(self._first), signal.SIGKILL)
        self._outer.wait(20)
        for folder, _, _ in os.walk(GROUP, topdown=False):
            Path(folder).rmdir()


def wait_for(found, sentence: str, machine: Machine | None = None):
    """Return the first true result of a function; end with a sentence after some time."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.3)
    journal = "\n".join(machine.journal().splitlines()[-30:]) if machine else ""
    raise SystemExit(f"service: FAIL {sentence}\n{journal}")


def require(holds: bool, sentence: str) -> None:
    """Raise SystemExit unless something holds."""
    if not holds:
        raise SystemExit(f"service: FAIL {sentence}")


def build(work: Path) -> Path:
    """Return the file system of a machine with the service installed."""
    root = work / "root"
    if given := os.environ.get("SERVICE_BASE"):
        subprocess.run(["cp", "-a", given, root], check=True)
    else:
        options = ["--variant=minbase", "--quiet", f"--include={PACKAGES}"]
        command = ["mmdebstrap", *options, "bookworm", str(root)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    stage = Stage(root)
    copy(stage, {}, "constraints.txt enfilade-*.whl /wheels/")
    run_step(stage, "python3 -m venv /opt/enfilade")
    from_wheels = "--quiet --constraint /wheels/constraints.txt --find-links /wheels"
    run_step(stage, f"/opt/enfilade/bin/pip install {from_wheels} enfilade")
    printed = "/opt/enfilade/bin/enfilade deploy systemd"
    run_step(stage, f"{printed} > /etc/systemd/system/enfilade.service")
    return root


def sandbox_holds(machine: Machine) -> None:
    """Check what the service may do."""
    pid = machine.main_pid()
    status = machine.run("cat", f"/proc/{pid}/status").stdout
    values = dict(re.findall(r"^(\w+):\s+(\S+)", status, re.M))
    require(values["Uid"] != "0", "the service runs as root")
    limits = {name: values[name] for name in ("Seccomp", "NoNewPrivs", "CapEff", "CapBnd")}
    want = {"Seccomp": "2", "NoNewPrivs": "1", "CapEff": "0" * 16, "CapBnd": "0" * 16}
    require(limits == want, f"the process has {limits}")
    for path in ("/etc/x", "/opt/enfilade/x", "/var/lib/x"):
        done = machine.run("touch", path, unit=True)
        require("Read-only file system" in done.stderr, f"{path} can be written")
    require(machine.run("ls", "/root", unit=True).stdout == "", "the service sees the home of root")


def try_service(machine: Machine, root: Path) -> None:
    """Start, use, kill and stop the service."""
    print(f"  ready after {machine.wait_until_ready():.1f} s", flush=True)
    sandbox_holds(machine)
    done = machine.run("/opt/enfilade/bin/python", "-c", FORECAST)
    require(done.stdout.strip() == "done", f"the forecast fails: {done.stdout}{done.stderr}")
    print("  a forecast is played by processes of the service", flush=True)

    links = (root / "var/lib/private/enfilade/links.json").read_text()
    machine.run("systemctl", "kill", "--signal=KILL", "enfilade")
    time.sleep(1)
    print(f"  ready again {machine.wait_until_ready():.1f} s after kill -9", flush=True)
    require((root / "var/lib/private/enfilade/links.json").read_text() == links, "it has other tables now")

    (root / "etc/enfilade.env").write_text("ENFILADE_WORKERS=2\n")
    machine.run("systemctl", "restart", "enfilade")
    wait_for(lambda: len(GROUP_PROCESSES.read_text().split()) == 3, "there are no two workers", machine)
    print(f"  two workers are ready after {machine.wait_until_ready():.1f} s", flush=True)
    begin = time.monotonic()
    machine.run("systemctl", "stop", "enfilade")
    result = machine.run("systemctl", "show", "--value", "--property=Result", "enfilade").stdout.strip()
    seconds = time.monotonic() - begin
    print(f"  stopped in {seconds:.1f} s: {result}", flush=True)
    require(result == "success" and seconds < STOP_SECONDS, machine.journal()[-3000:])


def main() -> int:
    """Build the machine and try the service."""
    if os.geteuid() != 0 or not shutil.which("mmdebstrap") or not GROUP.parent.is_dir():
        print("service: SKIP it needs root, mmdebstrap and a mounted cgroup hierarchy of systemd")
        return 0
    work = Path(tempfile.mkdtemp(prefix="enfilade-service-"))
    try:
        root = build(work)
        machine = Machine(root)
        try:
            try_service(machine, root)
        finally:
            machine.close()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("service: PASS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
