"""`enfilade serve`: a server with tables on it, and the links that open the table."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path

import click
import gevent
import msgspec

from enfilade import logs
from enfilade.app import App, create_app
from enfilade.config import Config
from enfilade.demo import demo_battle
from enfilade.errors import BadFile
from enfilade.play.tables import Links
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.store.backup import move_into_place
from enfilade.transport.http.maps import put_imported
from enfilade.transport.shards import ALL, READY, Shard

# A commit waits for its turn in a thread of its own; with Python's 5 ms it would wait for a long answer's
# every slice.
_SWITCH_SECONDS = 0.0005


def run(config: Config, opens_browser: bool, shard: Shard = ALL, front: int | None = None) -> None:
    """Serves until it is told to end: all tables, or a share of them.

    `front` is then the number of the socket by which connections are handed over.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    gevent.config.track_greenlet_tree = False  # who started whom, which takes four times as long as starting
    logs.set_up(config.log)
    logs.write_escaped(gevent.get_hub())
    app = create_app(config, shard=shard)
    links = _links(app) if shard.index == 0 else {}
    _favour_latency()
    line = None if front is None else socket.socket(fileno=front)
    server = app.listen(line)
    if links:
        _say(links, config if line else replace(config, port=server.server_port), opens_browser)
    if line:
        line.send(READY)
    for ending in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(ending, server.stop, 1)
    server.serve_forever()


def _say(links: dict[str, Links], config: Config, opens_browser: bool) -> None:
    url = _say_links(links, config)
    if opens_browser and _has_desktop():
        webbrowser.open(url)


def _favour_latency() -> None:
    """Has no table wait for what only this process's housekeeping gains by.

    The garbage collector leaves alone what there is now, which lives as long as the server, and looks at the
    rest less often: a command's hundreds of objects nearly all go by themselves.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 10)


def _has_desktop() -> bool:
    # Without one, webbrowser would start a text browser in the server's own terminal.
    displays = (os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY"))
    return sys.platform in ("darwin", "win32") or any(displays)


def _say_links(links: dict[str, Links], config: Config) -> str:
    """Prints each table's links, and answers with the first game master's."""
    pages = []
    for ruleset in BUILT_IN:
        link = links[ruleset.key]
        board = f"http://{config.host}:{config.port}/board/#table={link.table}&key="
        click.echo(ruleset.title)
        click.echo(f"GM link: {board}{link.gm_key}")
        click.echo(f"Spectator link: {board}{link.spectator_key}")
        pages.append(f"{board}{link.gm_key}")
    return pages[0]


def _links(app: App) -> dict[str, Links]:
    """The links of each ruleset's demo table, made where there is none yet.

    They are kept in a file for its owner alone: the store has only their hashes.
    """
    path = app.config.data / "links.json"
    known = _known_links(path)
    links = {ruleset.key: known.get(ruleset.key) or _demo_table(app, ruleset) for ruleset in BUILT_IN}
    if links != known:
        _keep_links(path, links)
    return links


def _known_links(path: Path) -> dict[str, Links]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Links])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadFile(
            f"{path} cannot be read: {problem}. Without that file, new demo tables are made."
        ) from None


def _keep_links(path: Path, links: dict[str, Links]) -> None:
    part = path.with_name(f"{path.name}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(links))
        move_into_place(part, path)
    except OSError as problem:
        raise BadFile(f"{path} cannot be written: {problem}.") from None


def _demo_table(app: App, ruleset: Ruleset) -> Links:
    battle = demo_battle(ruleset)
    links = app.tables.create(battle.scene)
    table, _ = app.tables.enter(links.table, links.gm_key)
    put_imported(app.rooms.of(table), battle)
    return links
