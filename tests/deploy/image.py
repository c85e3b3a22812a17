"""Try deploy/Dockerfile where no builder of images is: `python -m tests.deploy.image`, as root.

mmdebstrap makes the base image's file system. Each step of the Dockerfile runs in it as written, with chroot
for RUN and cp for COPY. The result runs as a container would: a read-only root, an empty /tmp, one writable
volume, the Dockerfile's user, environment, command and health check. IMAGE_BASE=folder names a file system
that is there already.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
BASE = "debian:bookworm-slim"
CHROOT = shutil.which("chroot")
START_SECONDS = 60
STOP_SECONDS = 10
HOST_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/apt", "/etc/ssl/certs", "/etc/pip.conf", "/etc/xdg/pip")
"""What a machine's way to its package registries may need, lent to a build step and taken back after it."""


@dataclass
class Stage:
    """One stage of the build: its file system, and what the image says about it."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    volume: str = ""
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)


def instructions() -> Iterator[tuple[str, str]]:
    """Yield the instructions of the Dockerfile with their arguments."""
    text = re.sub(r"\\\n\s*", "", DOCKERFILE.read_text("utf-8"))
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, arguments = line.partition(" ")
            yield name, arguments


def build(work: Path) -> Stage:
    """Run every instruction; return the last stage. Raises SystemExit at an unknown one."""
    base, stages = base_image(work), {}
    stage = Stage(work / "none")
    for name, arguments in instructions():
        print(f"  {name} {arguments[:90]}", flush=True)
        if name == "FROM":
            image, *alias = arguments.split()
            require(image == BASE, f"the base image is {image}")
            stage = stages[alias[1] if alias else ""] = Stage(work / f"stage{len(stages)}")
            subprocess.run(["cp", "-a", base, stage.root], check=True)
        elif name == "RUN":
            run_step(stage, arguments)
        elif name == "COPY":
            copy(stage, stages, arguments)
        else:
            note(stage, name, arguments)
    return stage


def note(stage: Stage, name: str, arguments: str) -> None:
    """Note what an instruction says about the image. Raises SystemExit at an unknown one."""
    match name:
        case "ENV":
            key, _, value = arguments.partition("=")
            stage.environment[key] = value
        case "USER":
            stage.user = arguments
        case "VOLUME":
            stage.volume = arguments
        case "CMD":
            stage.command = json.loads(arguments)
        case "HEALTHCHECK":
            stage.health = json.loads(arguments.partition("CMD ")[2])
        case _:
            require(name in ("EXPOSE", "STOPSIGNAL"), f"unknown instruction {name}")


def base_image(work: Path) -> Path:
    """Return the base image's file system."""
    given = os.environ.get("IMAGE_BASE")
    if given:
        return Path(given)
    target = work / "base"
    command = [
        "mmdebstrap",
        "--variant=minbase",
        "--quiet",
        BASE.split(":")[1].removesuffix("-slim"),
        str(target),
    ]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return target


def run_step(stage: Stage, command: str) -> None:
    """Run a command in the stage, with the host's way to its package registries."""
    lent = []
    for name in HOST_FILES:
        source, target = Path(name), stage.root / name.lstrip("/")
        if not source.exists():
            continue
        kept = target.with_name(f"{target.name}.kept")
        if target.exists() or target.is_symlink():
            target.rename(kept)
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-aL", name, str(target)], check=False)
        lent.append((target, kept))
    pip = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_"))}
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", **pip}
    done = subprocess.run(
        ["chroot", str(stage.root), "sh", "-c", command],
        env={**environment, **stage.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    for target, kept in lent:
        shutil.rmtree(target) if target.is_dir() else target.unlink()
        if kept.exists() or kept.is_symlink():
            kept.rename(target)
    require(done.returncode == 0, f"{command}\n{done.stdout[-3000:]}")


def copy(stage: Stage, stages: dict[str, Stage], arguments: str) -> None:
    """Copy files from the build's folder, or from an earlier stage."""
    source = ROOT / "dist"  # what `docker build` gets as its context
    *names, target = shlex.split(arguments)
    if names[0].startswith("--from="):
        source = stages[names.pop(0).removeprefix("--from=")].root
    found = [path for name in names for path in sorted(glob(str(source / name.lstrip("/"))))]
    require(bool(found), f"COPY finds no {names}")
    place = stage.root / target.lstrip("/")
    (place if target.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", *found, str(place)], check=True)


def container(stage: Stage, volume: Path, command: list[str]) -> list[str]:
    """Return the command that runs another in the image: in its own mounts, and with a read-only root."""
    mounts = f"""set -e
mount --bind {stage.root} {stage.root}
mount --bind {volume} {stage.root}{stage.volume}
mount -t tmpfs none {stage.root}/tmp
mount -t proc none {stage.root}/proc
mount --bind /dev/null {stage.root}/dev/null
mount --bind /dev/urandom {stage.root}/dev/urandom
mount -o remount,bind,ro {stage.root}
exec {CHROOT} --userspec={stage.user}:{stage.user} {stage.root} {shlex.join(command)}"""
    return ["unshare", "--mount", "sh", "-c", mounts]


def try_image(stage: Stage, work: Path) -> None:
    """Start the server, ask its health check, and see what it may write."""
    volume = work / "volume"
    shutil.copytree(stage.root / stage.volume.lstrip("/"), volume)
    owner = (stage.root / stage.volume.lstrip("/")).stat()
    os.chown(volume, owner.st_uid, owner.st_gid)
    for name in ("null", "urandom"):
        (stage.root / "dev" / name).touch()

    def call(*command: str) -> subprocess.CompletedProcess[str]:
        run = container(stage, volume, list(command))
        return subprocess.run(run, env=stage.environment, capture_output=True, text=True, check=False)

    require(call(*stage.health).returncode != 0, "the health check passes without a server")
    server = subprocess.Popen(
        container(stage, volume, stage.command), env=stage.environment, stdout=subprocess.PIPE, text=True
    )
    try:
        begin = time.monotonic()
        while call(*stage.health).returncode:
            require(server.poll() is None, "the server ended")
            require(time.monotonic() - begin < START_SECONDS, "the server is never healthy")
        print(f"  healthy after {time.monotonic() - begin:.1f} s", flush=True)
        require(call("sh", "-c", "touch /opt/enfilade/x").returncode != 0, "the root can be written")
        require(call("sh", "-c", "touch /data/x /tmp/x").returncode == 0, "the volume cannot be written")
        require(call("id", "-u").stdout.strip() == "10001", "the server is privileged")
        require(call("gcc", "--version").returncode != 0, "the image has a compiler")
        report = call("enfilade", "doctor")
        print("\n".join(f"  {line}" for line in report.stdout.splitlines()), flush=True)
        require(
            report.returncode == 0 and "The C kernel answers" in report.stdout, report.stdout + report.stderr
        )
    finally:
        begin = time.monotonic()
        server.send_signal(signal.SIGTERM)
        server.wait(STOP_SECONDS)
    print(f"  stopped in {time.monotonic() - begin:.1f} s", flush=True)
    require((volume / "enfilade.sqlite").is_file(), "the volume has no store")


def require(holds: bool, sentence: str) -> None:
    """Raise SystemExit unless something holds."""
    if not holds:
        raise SystemExit(f"image: FAIL {sentence}")


def size_mb(folder: Path) -> int:
    """Return the size of a folder in megabytes."""
    return int(
        subprocess.run(["du", "-sm", folder], capture_output=True, text=True, check=True).stdout.split()[0]
    )


def main() -> int:
    """Build and try the image."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        print("image: SKIP it needs root")
        return 0
    work = Path(tempfile.mkdtemp(prefix="enfilade-image-"))
    try:
        stage = build(work)
        try_image(stage, work)
        print(f"image: PASS {size_mb(stage.root)} MB")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
