"""The shell command `enfilade doctor`: examine an installation and its settings, and say what to do."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
from filelock import FileLock, Timeout

from enfilade.cli.output import json_option, print_result, report_errors
from enfilade.errors import EnfiladeError, StoreDown
from enfilade.geometry import engine
from enfilade.i18n import localize
from enfilade.product import product_folder
from enfilade.rules.registry import find_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.config import Config, load_config

State = Literal["good", "note", "problem"]

_LOW_DISK_BYTES = 200 * 1024 * 1024
_SPARE_FILES = 100
"""File descriptors that a server needs beside those of its connections."""
_CONNECT_SECONDS = 3
_PROXY = "doctor.proxy"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PAGES = ("start.html", "vendor/board.html")
_LINK = re.compile(r'(?:src|href)="/plugin/([^"]+)"')
_IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.{1,2}/[^"']+)["'];""", re.M)
_CHUNK = re.compile(r"""["'](\./board-[^"']+\.js)["']""")
"""An import in a file of the board that `npm run vendor` built."""


class Check(NamedTuple):
    """The result for one part: its name, its state, a sentence, and what to do (or empty)."""

    name: str
    state: State
    finding: str
    advice: str = ""


@click.command("doctor")
@click.option("--host", help="The address that the server listens on.")
@click.option("--port", type=click.IntRange(0, 65535), help="The server's port.")
@click.option("--data", type=click.Path(path_type=Path), help="The server's data folder.")
@json_option
@report_errors
def examine(as_json: bool, **options: Any) -> None:
    """Examine the installation and the settings of `serve`; exit status 1 if there is a problem.

    It changes nothing, and a server may be running.
    """
    checks = list(all_checks(load_config(**options)))
    text = "\n".join(_line(check) for check in checks)
    print_result([check._asdict() for check in checks], text, as_json)
    sys.exit(1 if any(check.state == "problem" for check in checks) else 0)


def _line(check: Check) -> str:
    advice = f"\n{'':10}{check.advice}" if check.advice else ""
    return f"{check.state:<10}{check.name}: {check.finding}{advice}"


def all_checks(config: Config) -> Iterator[Check]:
    """Yield every check of an installation with a configuration."""
    yield _version()
    yield _engine()
    examined: tuple[tuple[str, Callable[[Config], Check]], ...] = (
        ("doctor.rulesets", _rulesets),
        ("doctor.data", _data_folder),
        ("doctor.store", _store),
        ("doctor.tables", _tables),
        ("doctor.port", _port),
        ("doctor.page", _page),
        ("doctor.module", _module),
        ("doctor.schemas", _schemas),
        ("doctor.connections", _file_limit),
    )
    for name, examine_part in examined:
        try:
            yield examine_part(config)
        except EnfiladeError as problem:
            yield Check(localize(name), "problem", problem.sentence)
    yield from _proxy(config)


def _check(name: str, state: State, finding: str, advice: str = "", **values: Any) -> Check:
    """Return a check with the sentences of the catalog: its name, `finding` and `advice` are keys."""
    sentences = [localize(key, **values) if key else "" for key in (finding, advice)]
    return Check(localize(name), state, *sentences)


def _version() -> Check:
    values: dict[str, Any] = {
        "version": version("enfilade"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "folder": Path(sys.prefix),
    }
    return _check("doctor.version", "good", "doctor.version_found", **values)


def _engine() -> Check:
    if engine() == "c":
        return _check("doctor.engine", "good", "doctor.engine_c")
    if os.environ.get("ENFILADE_NO_KERNEL", "") not in ("", "0"):
        return _check("doctor.engine", "note", "doctor.engine_off", "doctor.engine_unset")
    return _check("doctor.engine", "note", "doctor.engine_python", "doctor.engine_install")


def _rulesets(_config: Config) -> Check:
    found = find_rulesets(BUILT_IN)
    titles = ", ".join(ruleset.title for ruleset in found.rulesets.values())
    if found.left_out:
        values = {"titles": titles, "left_out": " ".join(found.left_out)}
        return _check(
            "doctor.rulesets", "problem", "doctor.rulesets_left_out", "doctor.rulesets_mend", **values
        )
    return _check("doctor.rulesets", "good", "doctor.rulesets_found", titles=titles)


def _tables(config: Config) -> Check:
    if not config.store and not config.store_file.exists():
        return _check("doctor.tables", "good", "doctor.tables_none")
    from enfilade.store.maintenance import (
        examine_schema,
        tables_without_ruleset,  # SQLAlchemy is slow to import
    )
    from enfilade.store.sql.tables import SqlStore

    try:
        state = examine_schema(config.store_url)
    except EnfiladeError:  # the check of the store says why
        state = "no store"
    if state in ("no store", "older"):
        return _check("doctor.tables", "good", "doctor.tables_unread")
    store = SqlStore(config.store_url, migrates=False)
    try:
        waiting = tables_without_ruleset(store, find_rulesets(BUILT_IN).rulesets)
    finally:
        store.close()
    if not waiting:
        return _check("doctor.tables", "good", "doctor.tables_playable")
    return _check(
        "doctor.tables", "note", "doctor.tables_wait", "doctor.tables_install", tables=" ".join(waiting)
    )


def _data_folder(config: Config) -> Check:
    folder = config.data.resolve()
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        return _check("doctor.data", "problem", "doctor.data_refused", "doctor.data_choose", folder=folder)
    free = shutil.disk_usage(nearest).free
    if free < _LOW_DISK_BYTES:
        return _check(
            "doctor.data",
            "problem",
            "doctor.data_full",
            "doctor.data_make_room",
            folder=folder,
            free=free >> 20,
        )
    if not folder.exists():
        return _check("doctor.data", "good", "doctor.data_new", folder=folder)
    state = "doctor.data_in_use" if _is_locked(folder) else "doctor.data_free"
    return _check("doctor.data", "good", state, folder=folder, free=free >> 20)


def _is_locked(folder: Path) -> bool:
    """Return whether a server holds a folder's lock."""
    if not (folder / "server.lock").exists():
        return False
    try:
        with FileLock(folder / "server.lock", timeout=0, mode=0o600):
            return False
    except Timeout:
        return True


def _store(config: Config) -> Check:
    from enfilade.store.maintenance import examine_schema  # SQLAlchemy is slow to import

    if not config.store and not config.store_file.exists():
        return _check("doctor.store", "good", "doctor.store_new", file=config.store_file)
    try:
        state = examine_schema(config.store_url)
    except StoreDown as problem:
        reason = str(problem.__cause__).partition("\n")[0]
        return _check("doctor.store", "problem", "doctor.store_down", "doctor.store_start", reason=reason)
    if state == "no store":
        return _check("doctor.store", "good", "doctor.store_empty")
    if state == "older":
        return _check("doctor.store", "note", "doctor.store_older", "doctor.store_copied")
    return _check(
        "doctor.store", "good", "doctor.store_postgresql" if config.store else "doctor.store_sqlite"
    )


def _port(config: Config) -> Check:
    values: dict[str, Any] = {"host": config.host, "port": config.port}
    if config.port == 0:
        return _check("doctor.port", "good", "doctor.port_any")
    server = _greeting(_local_url(config))
    if server is not None:
        return _check("doctor.port", "good", "doctor.port_serves", **values, version=server["version"])
    try:
        family = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((config.host, config.port))
    except OSError as problem:
        return _check(
            "doctor.port",
            "problem",
            "doctor.port_refused",
            "doctor.port_choose",
            **values,
            reason=problem.strerror,
        )
    return _check("doctor.port", "good", "doctor.port_free", **values)


def _is_any_address(host: str) -> bool:
    """Return whether a host stands for all addresses of the machine."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _local_url(config: Config) -> str:
    host = "127.0.0.1" if _is_any_address(config.host) else config.host
    return f"http://[{host}]:{config.port}" if ":" in host else f"http://{host}:{config.port}"


def _greeting(url: str, origin: str = "") -> dict[str, Any] | None:
    """Return the greeting of an Enfilade server at a URL to a page of an origin; None without one."""
    import requests

    headers = {"Origin": origin} if origin else {}
    try:
        answer = requests.get(f"{url}/foundry/greeting.json", headers=headers, timeout=_CONNECT_SECONDS)
        found = answer.json()
    except (requests.RequestException, ValueError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("version"), str) else None


def _page(config: Config) -> Check:
    missing = missing_page_files(config.plugin)
    if missing:
        names = ", ".join(missing[:3])
        return _check(
            "doctor.page",
            "problem",
            "doctor.page_missing",
            "doctor.page_install",
            folder=config.plugin,
            names=names,
        )
    return _check("doctor.page", "good", "doctor.page_whole", folder=config.plugin)


def missing_page_files(plugin: Path) -> list[str]:
    """Return the files that the two pages load, directly or not, and that are not there."""
    pages = [plugin / name for name in _PAGES]
    missing = [page.name for page in pages if not page.is_file()]
    known: set[str] = set()
    waiting = [link for page in pages if page.is_file() for link in _LINK.findall(page.read_text("utf-8"))]
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        known.add(name)
        file = plugin / name
        if not file.is_file():
            missing.append(name)
        elif file.suffix == ".js":
            pattern = _CHUNK if name.startswith("vendor/") else _IMPORT
            imported = (
                os.path.normpath(file.parent / path) for path in pattern.findall(file.read_text("utf-8"))
            )
            waiting += [Path(path).relative_to(plugin).as_posix() for path in imported]
    return sorted(missing)


def _module(config: Config) -> Check:
    from enfilade.transport.http.module_package import build_archive, manifest_at

    try:
        manifest = manifest_at(config.plugin, "https://example.org")
        size = len(build_archive(config.plugin, manifest))
    except (OSError, ValueError) as problem:
        return _check(
            "doctor.module", "problem", "doctor.module_broken", "doctor.page_install", reason=problem
        )
    address = f"{config.public_url or _local_url(config)}/foundry/module.json"
    return _check(
        "doctor.module",
        "good",
        "doctor.module_whole",
        url=address,
        size=size >> 10,
        version=manifest["version"],
    )


def _schemas(_config: Config) -> Check:
    folder = product_folder("schemas")
    if not (folder / "asyncapi.json").is_file():
        return _check(
            "doctor.schemas", "problem", "doctor.schemas_missing", "doctor.page_install", folder=folder
        )
    return _check(
        "doctor.schemas",
        "good",
        "doctor.schemas_whole",
        count=len(list(folder.rglob("*.json"))),
        folder=folder,
    )


def _file_limit(config: Config) -> Check:
    needed = config.limits.connections + _SPARE_FILES
    try:
        from resource import RLIMIT_NOFILE, getrlimit
    except ImportError:  # Windows has no such limit
        return _check(
            "doctor.connections", "good", "doctor.connections_unlimited", count=config.limits.connections
        )
    allowed, _ = getrlimit(RLIMIT_NOFILE)
    values: dict[str, Any] = {"count": config.limits.connections, "allowed": allowed, "needed": needed}
    if allowed < needed:
        return _check(
            "doctor.connections", "note", "doctor.connections_few", "doctor.connections_raise", **values
        )
    return _check("doctor.connections", "good", "doctor.connections_enough", **values)


def _proxy(config: Config) -> Iterator[Check]:
    """Yield what the settings for a reverse proxy and the public address lack."""
    checks = list(_proxy_settings(config))
    if config.public_url and (check := _public_address(config)):
        checks.append(check)
    good = "doctor.proxy_good" if config.proxies else "doctor.proxy_none"
    yield from checks or [_check(_PROXY, "good", good, **_addresses(config))]


def _addresses(config: Config) -> dict[str, Any]:
    return {"host": config.host, "url": config.public_url, "proxies": config.proxies}


def _proxy_settings(config: Config) -> Iterator[Check]:
    values = _addresses(config)
    is_shared = config.host not in _LOOPBACK
    listens_anywhere = _is_any_address(config.host)
    is_public = bool(config.public_url or config.proxies)
    has_tls = config.public_url.startswith("https://")
    if has_tls and not config.proxies:
        yield _check(_PROXY, "problem", "doctor.proxies_unset", "doctor.proxies_unset_do", **values)
    if config.proxies and not config.public_url:
        yield _check(_PROXY, "problem", "doctor.public_url_unset", "doctor.public_url_unset_do", **values)
    if is_shared and not config.public_url:
        yield _check(_PROXY, "note", "doctor.plain_http", "doctor.plain_http_do", **values)
    if listens_anywhere and config.proxies:
        yield _check(_PROXY, "note", "doctor.proxy_bypassed", "doctor.proxy_bypassed_do", **values)
    if is_public and not config.operator_key:
        yield _check(_PROXY, "note", "doctor.no_operator_key", "doctor.no_operator_key_do")


def _public_address(config: Config) -> Check | None:
    """Return what is wrong with the public address of a server that runs; None if it does not run."""
    if config.port == 0 or _greeting(_local_url(config)) is None:
        return None
    answer = _greeting(config.public_url, config.public_url)
    if answer is None:
        return _check(
            _PROXY,
            "problem",
            "doctor.public_url_silent",
            "doctor.public_url_silent_do",
            url=config.public_url,
        )
    if not answer["is_allowed"]:
        return _check(
            _PROXY, "problem", "doctor.public_url_other", "doctor.public_url_other_do", url=config.public_url
        )
    return _check(_PROXY, "good", "doctor.public_url_good", url=config.public_url)


COMMANDS = (examine,)
