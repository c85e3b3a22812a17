"""Install each wheel into a fresh environment far from the checkout, and play on it in a browser.

    python -m tests.dist build dist     build the sdist and both wheels
    python -m tests.dist test dist      test the wheels of a folder; packages come from the registry
    python -m tests.dist short          build and test; packages come from this environment

The board is played by board.mjs: it needs Node.js and Chromium. A wheel that contains the kernel must use it,
and the other one must not. A short run plays on the wheel without the kernel alone: the files of the page are
the same in both, and the kernel is what all other tests use.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.dist import wheels
from tests.dist.outside import write_package

ROOT = wheels.ROOT
STEP_SECONDS = 300


class Installation:
    """A wheel in a fresh environment, run in an empty folder that is no checkout."""

    def __init__(self, wheel: Path, folder: Path, is_short: bool) -> None:
        self.wheel, self.folder, self.is_short = wheel, folder, is_short
        self.environment = folder / "environment"
        self.empty = folder / "empty"
        self.empty.mkdir(parents=True)

    def program(self, name: str) -> str:
        """Return the path of a program of the environment."""
        return str(self.environment / "bin" / name)

    def install(self, outside: Path) -> None:
        """Install the wheel, and a ruleset of another package."""
        self._call(sys.executable, "-m", "venv", "--without-pip", self.environment)
        pip = (sys.executable, "-m", "pip", "--python", self.program("python"), "--quiet", "install")
        if self.is_short:
            # A path file adds the packages of this environment, but not its own Enfilade: Python does not
            # read the path files of a folder that a path file adds.
            site = next(self.environment.glob("lib/python*/site-packages"))
            (site / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
            quick = ("--no-deps", "--no-index", "--no-compile")
            self._call(*pip, *quick, self.wheel)
            self._call(*pip, *quick, "--no-build-isolation", outside)
        else:
            self._call(*pip, "-c", ROOT / "constraints.txt", self.wheel)
            self._call(*pip, outside)

    def examine(self) -> None:
        """Check where the package is, what the doctor finds, and which engine answers."""
        where = "import enfilade; print(enfilade.__file__)"
        place = Path(self._call(self.program("python"), "-c", where).strip())
        require(place.is_relative_to(self.environment.resolve()), f"enfilade is imported from {place}")
        version = self._call(self.program("enfilade"), "--version")
        require(self.wheel.name.split("-")[1] in version, f"--version prints {version}")
        report = self._call(self.program("enfilade"), "doctor", "--port", "0")
        wanted = "The C kernel answers" if wheels.has_kernel(self.wheel) else "no C kernel"
        require(wanted in report and "problem" not in report, f"the doctor reports:\n{report}")
        require("First Blood" in report, f"the doctor does not find the outside ruleset:\n{report}")

    def play(self) -> str:
        """Play on the board in Chromium; return the report."""
        return self._call("node", ROOT / "tests" / "dist" / "board.mjs", ENFILADE=self.program("enfilade"))

    def _call(self, *command: object, **settings: str) -> str:
        """Run a command in the empty folder, with none of the checkout's settings. Raises SystemExit."""
        kept = {key: os.environ[key] for key in ("PATH", "CHROMIUM", "LANG", "TMPDIR") if key in os.environ}
        pip = {key: value for key, value in os.environ.items() if key.startswith("PIP_")}
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.empty,
            env={**kept, **pip, "HOME": str(self.empty), **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=STEP_SECONDS,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
        return done.stdout


def require(holds: bool, sentence: str) -> None:
    """Raise SystemExit unless something holds."""
    if not holds:
        raise SystemExit(f"dist: FAIL {sentence}")


def check(wheel: Path, folder: Path, is_short: bool) -> str:
    """Test one wheel; return the report. Raises SystemExit."""
    start = time.monotonic()
    wrong = wheels.wrong_contents(wheel)
    require(not wrong, f"{wheel.name}: {' '.join(wrong[:10])}")
    installation = Installation(wheel, folder, is_short)
    installation.install(write_package(folder / "outside"))
    installation.examine()
    report = "" if is_short and wheels.has_kernel(wheel) else installation.play()
    return f"{wheel.name}, {wheel.stat().st_size >> 10} KiB, {time.monotonic() - start:.0f} s\n{report}"


def main() -> int:
    """Run one of the three commands."""
    command, *paths = sys.argv[1:]
    if command == "build":
        for wheel in wheels.build(Path(paths[0])):
            print(wheel)
        return 0
    folder = Path(tempfile.mkdtemp(prefix="enfilade-dist-"))
    try:
        built = wheels.build(folder / "dist") if command == "short" else sorted(Path(paths[0]).glob("*.whl"))
        built = [wheel.resolve() for wheel in built]
        require({wheels.has_kernel(wheel) for wheel in built} == {True, False}, "one of the wheels is missing.")
        with ThreadPoolExecutor(2 if command == "short" else 1) as pool:
            jobs = [pool.submit(check, wheel, folder / wheel.stem, command == "short") for wheel in built]
        for job in jobs:
            print(job.result())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"dist: PASS wheels={len(built)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
