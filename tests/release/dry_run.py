"""Build a release from a fresh clone, install each of its packages in an empty folder, and start it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server
from typing import TypeVar

import requests

from tests.release import addresses, manifests, numbers
from tests.style import translations

T = TypeVar("T")
START_SECONDS = 120
STEP_SECONDS = 900


class Environment:
    """A package in a fresh virtual environment, used in an empty folder that is no checkout."""

    def __init__(self, package: Path, folder: Path, constraints: Path) -> None:
        self.package, self._constraints = package, constraints
        self.bin = folder / "environment" / "bin"
        self.empty = folder / "empty"
        self.empty.mkdir(parents=True)

    def install(self) -> None:
        """Install the package with its dependencies from the index."""
        call(sys.executable, "-m", "venv", self.bin.parent, cwd=self.empty)
        self.run("python", "-m", "pip", "--quiet", "install", "-c", self._constraints, self.package)

    def run(self, program: str, *arguments: object) -> str:
        """Run a program of the environment in the empty folder; return its output. Raises SystemExit."""
        return call(self.bin / program, *arguments, cwd=self.empty)

    @contextmanager
    def server(self) -> Iterator[str]:
        """Run `enfilade serve` in the empty folder until the block ends; yield its address."""
        with create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        command = [str(self.bin / "enfilade"), "serve", "--port", str(port)]
        with (self.empty / "output").open("w") as output:
            process = subprocess.Popen(
                command, cwd=self.empty, env=outside_settings(), stdout=output, stderr=output
            )
        try:
            url = f"http://127.0.0.1:{port}"
            end = time.monotonic() + START_SECONDS
            while not is_ready(url):
                started = process.poll() is None and time.monotonic() < end
                require(
                    started, f"{self.package.name} does not start:\n{(self.empty / 'output').read_text()}"
                )
                time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait(30)


def run(root: Path, target: Path, tag: str, releases: str) -> None:
    """Build and try a release; what it would upload is in `target` afterwards. Raises SystemExit."""
    refuse(numbers.wrong_numbers(root, tag))
    version = numbers.version_of(root)
    say(f"version {version} in setup.cfg, {len(numbers.COPIES)} copies and CHANGELOG.md")
    refuse(wrong_workflows(root))
    say(f"every text in {refuse_untranslated()}")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    work = Path(tempfile.mkdtemp(prefix="enfilade-release-"))
    try:
        clone = timed("a fresh clone with the page's libraries", lambda: clone_of(root, work / "clone"))
        built = timed("the sdist and the wheels", lambda: build_packages(clone, target))
        call(sys.executable, "-m", "twine", "check", "--strict", *built, cwd=work)
        say(f"twine check --strict: {', '.join(path.name for path in built)}")
        places = [
            Environment(path, work / f"package{n}", clone / "constraints.txt") for n, path in enumerate(built)
        ]
        for place in places:
            what = f"{place.package.name} installs, starts and answers"
            timed(what, lambda at=place: try_package(at, clone))
        write_add_ons(places[0], target, f"{releases}/download/v{version}", f"{releases}/latest/download")
        refuse(wrong_add_ons(target, version))
        say("the manifests of the add-ons fit their schemas, and their zips hold what they name")
        (target / "constraints.txt").unlink()  # for the image, which the workflow builds of the wheels
        names = [path.name for path in sorted(target.iterdir())]
        named = addresses.named_files(clone, version)
        in_release = [*names, f"enfilade-image-{version}.tar.gz"]  # the workflow builds it with Docker
        refuse([*addresses.missing_files(named, in_release), *addresses.unnamed_files(named, in_release)])
        say(f"every file that the pages name is in the release, and the other way round: {len(named)}")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for path in sorted(target.iterdir()):
        print(f"  {path.name}  {path.stat().st_size >> 10} KiB")
    print(f"release-check: PASS files={len(names)}")


def refuse_untranslated() -> str:
    """Raise SystemExit with the texts that a language lacks; return the languages."""
    spoken = set()
    for folder in translations.CATALOGS.values():
        for language in translations.languages(folder):
            refuse(f"{language} lacks {key}" for key in translations.missing(folder, language))
            refuse(f"{language} has {key} for nothing" for key in translations.stale(folder, language))
            spoken.add(language)
    return ", ".join(sorted(spoken))


def wrong_workflows(root: Path) -> Iterator[str]:
    """Yield what GitHub's schema of workflows refuses in ours."""
    files = sorted((root / ".github" / "workflows").glob("*.yml"))
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        *files,
    ]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        yield done.stdout + done.stderr


def clone_of(root: Path, target: Path) -> Path:
    """Clone the last commit, and fetch and build the page's libraries there."""
    if call("git", "status", "--porcelain", cwd=root).strip():
        say("note: changes that are not committed are not in the release")
    call("git", "clone", "--quiet", "--no-hardlinks", root, target, cwd=target.parent)
    call("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", cwd=target)
    call("npm", "run", "--silent", "vendor", cwd=target)
    return target


def build_packages(clone: Path, target: Path) -> list[Path]:
    """Build the sdist and both wheels from the clone alone; return them, the pure wheel first."""
    call(sys.executable, "-m", "tests.dist", "build", target, cwd=clone, PYTHONPATH=str(clone / "server"))
    found = [*target.glob("*.whl"), *target.glob("*.tar.gz")]
    require(len(found) == 3, f"built are {[path.name for path in found]}")
    return sorted(found, key=lambda path: (path.suffix == ".gz", "none-any" not in path.name))


def try_package(place: Environment, clone: Path) -> None:
    """Install a package, start its server, and ask it for all that the pages promise. Raises SystemExit."""
    place.install()
    version = numbers.version_of(clone)
    require(version in place.run("enfilade", "--version"), "--version prints another version")
    report = place.run("enfilade", "doctor", "--port", "0")
    has_kernel = "none-any" not in place.package.name
    require(("The C kernel answers" in report) == has_kernel, f"the doctor reports:\n{report}")
    shown = place.run("enfilade", "--help")
    for name, page in addresses.commands(clone).items():
        require(f"\n  {name} " in shown, f"{page} names the command `enfilade {name}`, which is not there")
    with place.server() as url:
        for path, page in addresses.server_paths(clone).items():
            answer = requests.get(f"{url}{path}", timeout=30)
            require(answer.ok, f"{page} names {path}, which answers {answer.status_code}")
        offered = requests.get(f"{url}/foundry/module.json", timeout=30).json()
        archive = requests.get(offered["download"], timeout=30)
        require(archive.content[:2] == b"PK", "the server offers no zip of the Foundry module")


def write_add_ons(place: Environment, target: Path, url: str, latest: str) -> None:
    """Have an installed package write the add-ons, so that no file of the clone can be in them alone."""
    package = "enfilade.transport.http"
    place.run("python", "-m", f"{package}.module_package", target, url, latest)
    place.run("python", "-m", f"{package}.planarally", target)
    place.run("python", "-m", f"{package}.owlbear", target)


def wrong_add_ons(target: Path, version: str) -> Iterator[str]:
    """Yield what is wrong with the add-ons in a folder."""
    module = (target / "module.json").read_bytes()
    yield from manifests.wrong_module(module, (target / f"enfilade-{version}.zip").read_bytes(), version)
    yield from manifests.wrong_mod((target / "enfilade.pam").read_bytes(), version)
    extension = (target / f"enfilade-owlbear-{version}.zip").read_bytes()
    yield from manifests.wrong_extension(extension, version)


def call(*command: object, cwd: Path, **settings: str) -> str:
    """Run a command without this environment's settings; return its output. Raises SystemExit."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**outside_settings(), **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=STEP_SECONDS,
        check=False,
    )
    require(done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def outside_settings() -> dict[str, str]:
    """Return the environment of a user who has no checkout: the way to the registries, and nothing else."""
    kept = ("PATH", "LANG", "TMPDIR", "HOME", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
    prefixes = ("PIP_", "NPM_", "npm_config_")
    return {key: value for key, value in os.environ.items() if key in kept or key.startswith(prefixes)}


def is_ready(url: str) -> bool:
    """Return whether a server answers that it is ready."""
    try:
        return requests.get(f"{url}/ready", timeout=3).ok
    except requests.RequestException:
        return False


def timed(what: str, step: Callable[[], T]) -> T:
    """Run a step, and say how long it took."""
    start = time.monotonic()
    result = step()
    say(f"{what}: {time.monotonic() - start:.0f} s")
    return result


def say(sentence: str) -> None:
    """Print a line at once."""
    print(f"  {sentence}", flush=True)


def refuse(problems: Iterable[str]) -> None:
    """Raise SystemExit with the problems, if there are any."""
    found = list(problems)
    require(not found, "\n".join(found))


def require(holds: bool, sentence: str) -> None:
    """Raise SystemExit unless something holds."""
    if not holds:
        raise SystemExit(f"release-check: FAIL {sentence}")
