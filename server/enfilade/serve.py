"""`enfilade serve`: a server with a table on it, and the links that open the table."""

from __future__ import annotations

import logging
import os
import signal
from dataclasses import replace
from importlib import resources
from typing import Any

import click
import gevent
import msgspec
from environs import EnvError

from enfilade.app import App, create_app
from enfilade.config import Config, from_environment
from enfilade.errors import BadInput
from enfilade.play.tables import Links
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Grid, Scene
from enfilade.transport.maps import put_map
from enfilade.transport.rooms import Room

DEMO_MAP = "tavern-and-yard.uvtt"


def run(**given: Any) -> None:
    """Serves until it is told to end; `given` (where not None) goes over the settings in the environment."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    config = replace(_settings(), **{key: value for key, value in given.items() if value is not None})
    app = create_app(config)
    links = _links(app)
    server = app.listen()
    _print(links, config, server.server_port)
    for ending in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(ending, server.stop, 1)
    server.serve_forever()


def _settings() -> Config:
    try:
        return from_environment()
    except EnvError as problem:
        raise BadInput(str(problem)) from None


def _print(links: Links, config: Config, port: int) -> None:
    board = f"http://{config.host}:{port}/board/#table={links.table}&key="
    click.echo(f"GM link: {board}{links.gm_key}")
    click.echo(f"Spectator link: {board}{links.spectator_key}")


def _links(app: App) -> Links:
    """The first table's links, kept in a file for its owner alone: the store has only their hashes."""
    path = app.config.data / "links.json"
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=Links)
    links = _demo_table(app)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(links))
    return links


def _demo_table(app: App) -> Links:
    links = app.tables.create(Scene(ruleset=BUILT_IN[0].key, grid=Grid("square", 20, 14)))
    table, _ = app.tables.enter(links.table, links.gm_key)
    data = resources.files("enfilade").joinpath("maps", DEMO_MAP).read_bytes()
    put_map(Room(table, lambda *_: None), data, DEMO_MAP)
    return links
