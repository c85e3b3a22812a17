"""Run `enfilade serve`: a server with demo tables, and the links that open them."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import webbrowser
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import gevent
import msgspec

from enfilade.app import App, create_app
from enfilade.cluster import logs
from enfilade.errors import BadFile, Forbidden
from enfilade.i18n import localize
from enfilade.importers.demo import demo_battle
from enfilade.play.tables import Links
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.config import Config
from enfilade.store.backup import move_into_place
from enfilade.store.maintenance import tables_without_ruleset
from enfilade.store.sql.database import wait_for_database
from enfilade.transport.http.uploads import put_imported
from enfilade.transport.limits.connections import allow_open_files
from enfilade.transport.shards import ALL, READY, Shard
from enfilade.transport.wsgi import NoDelayServer

# A commit waits for the interpreter in a thread of its own. With Python's 5 ms it would wait for every
# slice of a long computation.
_SWITCH_SECONDS = 0.0005


def run(config: Config, opens_browser: bool, shard: Shard = ALL, dispatcher_fd: int | None = None) -> None:
    """Serve all tables or a shard of them until a signal ends the process.

    `dispatcher_fd` is the file descriptor of the socket over which a dispatcher forwards connections.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    gevent.config.track_greenlet_tree = False  # tracking takes four times as long as starting a greenlet
    logs.configure(config.log)
    logs.log_greenlet_errors(gevent.get_hub())
    allow_open_files(config.limits.connections)
    app = create_app(config, shard=shard)
    if app.ownership is not None:
        app.ownership.start()  # the demo tables may take longer than a lease
    links = demo_links(app) if shard.index == 0 else {}
    if shard.index == 0:
        _name_waiting_tables(app)
    tune_garbage_collector()
    dispatcher = None if dispatcher_fd is None else socket.socket(fileno=dispatcher_fd)
    server = app.listen(dispatcher)
    if links:
        url = _print_links(app, links, config if dispatcher else replace(config, port=server.server_port))
        if url and opens_browser and _has_desktop():
            webbrowser.open(url)
    if dispatcher:
        dispatcher.send(READY)
        app.connections.listeners.append(partial(_report_known, dispatcher))
    for ending in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(ending, _stop, app, server)
    try:
        server.serve_forever()
    finally:
        app.close()


def _name_waiting_tables(app: App) -> None:
    """Print the tables that can be read but not played."""
    waiting = tables_without_ruleset(app.store, app.tables.rulesets)
    if waiting:
        click.echo(localize("cli.tables_wait", tables=" ".join(waiting)))


def _stop(app: App, server: NoDelayServer) -> None:
    """Stop to serve; in a cluster first hand over the tables."""
    app.drain()
    server.stop(1)


def _report_known(dispatcher: socket.socket, address: str) -> None:
    """Tell the dispatcher of a known address, so that it keeps room for it too."""
    with suppress(OSError):  # the dispatcher is gone or busy
        dispatcher.send(f"{address}\n".encode())


def tune_garbage_collector() -> None:
    """Keep collections from delaying commands.

    The collector ignores the objects that exist now, which live as long as the server, and scans the others
    less often: reference counting frees nearly all of a command's objects. Both young generations stay small,
    so that one collection takes a millisecond or two; all objects are scanned as seldom as with 20,000, 20
    and 10.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(1_000, 1, 2_000)


def _has_desktop() -> bool:
    # Without one, webbrowser would start a text browser in the server's own terminal.
    displays = (os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY"))
    return sys.platform in ("darwin", "win32") or any(displays)


def _print_links(app: App, links: dict[str, Links], config: Config) -> str:
    """Print each table's links; return the first GM link that is valid, or an empty string."""
    gm_links = []
    for ruleset in app.tables.rulesets.values():
        link = links[ruleset.key]
        board = f"http://{config.host}:{config.port}/board/#table={link.table}&key="
        click.echo(ruleset.title)
        has_gm, has_spectator = (_is_valid(app, link.table, key) for key in (link.gm_key, link.spectator_key))
        replaced = localize("cli.link_replaced")
        gm_links += [f"{board}{link.gm_key}"] if has_gm else []
        click.echo(localize("cli.gm_link", url=f"{board}{link.gm_key}" if has_gm else replaced))
        url = f"{board}{link.spectator_key}" if has_spectator else replaced
        click.echo(localize("cli.spectator_link", url=url))
    return next(iter(gm_links), "")


def _is_valid(app: App, table: str, key: str) -> bool:
    """Return whether a key opens its table; the GM may have replaced it."""
    try:
        app.tables.members.holder(table, key)
    except Forbidden:
        return False
    return True


def demo_links(app: App) -> dict[str, Links]:
    """Return the links of each ruleset's demo table; create the tables that are missing.

    A file that only its owner can read has the links, because the store has only hashes of the keys.
    """
    path = app.config.data / "links.json"
    links = _read_links(path)  # has those of rulesets that are not installed now: they may come back
    stored = set(wait_for_database(app.store.table_ids, app.config.database_seconds))
    for ruleset in app.tables.rulesets.values():
        if ruleset.key not in links or links[ruleset.key].table not in stored:  # its GM may have deleted it
            create = partial(_create_demo, app, ruleset)
            links[ruleset.key] = wait_for_database(create, app.config.database_seconds)
            _write_links(path, links)
    return links


def _read_links(path: Path) -> dict[str, Links]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Links])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadFile(localize("cli.links_unreadable", file=path, reason=problem)) from None


def _write_links(path: Path, links: dict[str, Links]) -> None:
    part = path.with_name(f"{path.name}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(links))
        move_into_place(part, path)
    except OSError as problem:
        raise BadFile(localize("cli.cannot_write", file=path, reason=problem)) from None


def _create_demo(app: App, ruleset: Ruleset) -> Links:
    battle = demo_battle(ruleset)
    links = app.tables.create_empty(ruleset.key, battle.scene.name)  # undo ends at the battle
    table, _ = app.tables.enter(links.table, links.gm_key)
    put_imported(app.rooms.of(table), battle)
    return links
