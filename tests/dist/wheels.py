"""Build the sdist and both wheels, and check what is in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNEL = "enfilade/geometry/kernel/_kernel."
PRODUCT = "enfilade/product/"
VENDORED = (
    "LICENSE",
    "LICENSES.txt",
    "foundry.min.js",
    "owlbear.min.js",
    "pixi.min.js",
    "planarally.min.js",
    "socket.io.esm.min.js",
    "unsafe-eval.min.js",
)


def build(target: Path) -> list[Path]:
    """Build the sdist, and from it both wheels; return the wheels, the pure one first.

    The build uses the setuptools of this environment. The wheels are of the sdist and not of the checkout, so
    that nothing that the sdist lacks can be in them.
    """
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("enfilade-*.whl"):
        old.unlink()
    sources = target / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    _run("-m", "build", "--sdist", "--no-isolation", "--outdir", sources, ROOT)
    sdist = next(sources.glob("*.tar.gz"))
    with tarfile.open(sdist) as archive:
        archive.extractall(sources, filter="data")
    tree = next(path for path in sources.iterdir() if path.is_dir())
    wheel = ("-m", "build", "--wheel", "--no-isolation", "--outdir", target)
    _run(*wheel, tree, ENFILADE_NO_KERNEL="1")
    shutil.rmtree(tree / "build")
    _run(*wheel, tree, ENFILADE_NO_KERNEL="")
    shutil.copy(ROOT / "constraints.txt", target)  # with the wheels, all that the image is built from
    shutil.move(sdist, target / sdist.name)
    shutil.rmtree(sources)
    return sorted(target.glob("enfilade-*.whl"), key=has_kernel)


def _run(*command: object, **settings: str) -> None:
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")


def has_kernel(wheel: Path) -> bool:
    """Return whether a wheel contains the C kernel."""
    with zipfile.ZipFile(wheel) as archive:
        return any(name.startswith(KERNEL) for name in archive.namelist())


def wrong_contents(wheel: Path) -> list[str]:
    """Return a sentence for everything that a wheel lacks, or has and should not."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    found = [f"{name} is missing." for name in sorted(_expected() - names)]
    strange = [name for name in names if name.endswith((".c", ".h", ".d.ts", ".pyc")) or "tests/" in name]
    found += [f"{name} should not be in it." for name in sorted(strange)]
    is_pure = wheel.name.endswith("-py3-none-any.whl")
    if is_pure == has_kernel(wheel):
        found.append("It is tagged for all platforms and has a kernel, or the other way round.")
    if not wheel.name.split("-", 2)[2].startswith("py3-none-"):
        found.append("It is for one version of Python.")
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names):
        found.append("The license is missing.")
    return found


def _expected() -> set[str]:
    """Return the names of the tracked files that a wheel must contain, and of the page's libraries."""
    listed = subprocess.run(
        ["git", "ls-files", "server/enfilade", "plugin_manifest", "schemas", "deploy"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    code = {
        name.removeprefix("server/") for name in names if name.endswith((".py", ".json", ".uvtt", ".txt"))
    }
    product = {PRODUCT + name for name in names if not name.startswith("server/")}
    product = {name for name in product if not name.endswith(".d.ts")}
    vendored = {f"{PRODUCT}plugin_manifest/vendor/{name}" for name in VENDORED}
    return {name for name in code if name.startswith("enfilade/")} | product | vendored | {f"{PRODUCT}deploy/constraints.txt"}
