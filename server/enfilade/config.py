"""The settings of a server: read once from the environment, then a frozen value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from environs import Env, EnvError, ValidationError, validate

from enfilade.errors import BadInput

_KIB = 1024
_SHORTEST_KEY = 24
_MOST_WORKERS = 64
LogForm = Literal["auto", "text", "json"]
"""The form of the log's lines: text for people, JSON for programs; auto: text on a terminal, else JSON."""

_HOST = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z][a-z0-9-]{0,61}(:[0-9]{1,5})?")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?")
_PLUGIN = Path(__file__).resolve().parents[2] / "plugin_manifest"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much of anything one client may ask of the server; sizes in bytes."""

    frame_bytes: int = 64 * _KIB
    """The largest message over a socket, and the largest HTTP body that is not a map."""
    upload_bytes: int = 64 * _KIB * _KIB
    """The largest map file."""
    total_upload_bytes: int = 256 * _KIB * _KIB
    """What all map files that are read at the same time may have together."""
    queue_packets: int = 256
    queue_bytes: int = _KIB * _KIB
    """What may wait to be sent to one client before it is cut."""
    connections: int = 2_000
    """How many connections, sockets and requests together, are served at once."""
    address_connections: int = 256
    """How many of them one address may have; not counted behind proxies, which have to do it themselves."""
    handshakes_per_second: int = 5
    handshakes_burst: int = 40
    """How often one address may connect a socket."""
    frames_per_second: int = 100
    frames_burst: int = 400
    """How fast one socket is read: a frame counts one, and one more for each KiB."""
    wrong_keys_per_second: int = 1
    wrong_keys_burst: int = 20
    """How many keys that open nothing one address may try."""
    commands_per_second: int = 20
    commands_burst: int = 60
    """How much one seat may ask: a command counts one, an overlay or preview two, a whole scene ten."""
    attacks_per_second: int = 4
    attacks_burst: int = 12
    compute_ms_per_second: int = 250
    compute_ms_burst: int = 3_000
    """How much of the server's time the answers to one seat may take."""
    gm_multiplier: int = 10
    """How many times as much a game master has of these: a bridge speaks for the whole table."""
    table_commands_per_second: int = 400
    table_commands_burst: int = 1_200
    address_commands_per_second: int = 1_000
    address_commands_burst: int = 2_000
    answer_ms: int = 1_000
    """How long one answer may be worked on."""
    map_ms: int = 10_000
    """The same for reading a map."""
    seat_sockets: int = 4
    """How many sockets may be connected for a game master's or a player's seat."""
    table_sockets: int = 64
    """How many sockets may be connected to a table."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """Where the server listens, where it keeps its data, whom it lets in.

    `origins` are the exact origins (`https://vtt.example.org`) whose pages may connect besides the server's
    own. `operator_key` lets whoever has it make tables from another machine; without one that is for this
    machine alone. `plugin` is the folder with the module and the board page. `proxies` is how many reverse
    proxies stand before the server, each adding to X-Forwarded-For. `metrics_key` opens /metrics from
    elsewhere than this machine. `log` is the form of a line of the log. `store` is a database URL like
    `postgresql://enfilade@localhost/enfilade`; without one, tables are kept in an SQLite file in `data`.
    `webhook_hosts` are the exact hosts (`discord.com`, or `hooks.example.org:8443`) that the logs of tables
    may be posted to; without one, nothing is posted. `public` is the address by which others reach the server
    (`https://rules.example.org`), where that is another than it listens on, as behind a reverse proxy; pages
    from there may connect too. `workers` is how many processes share the tables out among them.
    """

    host: str = "127.0.0.1"
    port: int = 8090
    data: Path = Path("data")
    store: str = ""
    plugin: Path = _PLUGIN
    origins: tuple[str, ...] = ()
    operator_key: str = field(default="", repr=False)
    proxies: int = 0
    metrics_key: str = field(default="", repr=False)
    log: LogForm = "auto"
    webhook_hosts: tuple[str, ...] = ()
    public: str = ""
    workers: int = 1
    limits: Limits = field(default_factory=Limits)

    @property
    def max_connections_per_address(self) -> int:
        """How many connections one address may have; 0 behind proxies, where all have the proxy's."""
        return 0 if self.proxies else self.limits.address_connections

    @property
    def store_file(self) -> Path:
        """Where tables are kept without a database server."""
        return self.data / "enfilade.sqlite"

    @property
    def store_url(self) -> str:
        """The database that keeps the tables, as SQLAlchemy names it."""
        return self.store or f"sqlite:///{self.store_file}"


def settings(**given: Any) -> Config:
    """The settings in the environment, and over them what is given and not None; raises BadInput."""
    try:
        found = from_environment()
    except EnvError as problem:
        raise BadInput(str(problem)) from None
    return replace(found, **{key: value for key, value in given.items() if value is not None})


def from_environment() -> Config:
    """The settings in ENFILADE_HOST, _PORT, _DATA, _STORE, _PROXIES, _PUBLIC, _QUEUE_BYTES...

    Lists have commas: ENFILADE_ORIGINS, ENFILADE_WEBHOOK_HOSTS.

    Raises environs.EnvError, whose sentence names the variable that cannot be used.
    """
    env = Env(prefix="ENFILADE_")
    usual = Config()
    public = env.str("PUBLIC", usual.public).rstrip("/")
    return Config(
        host=env.str("HOST", usual.host),
        port=env.int("PORT", usual.port),
        data=env.path("DATA", usual.data),
        store=env.str("STORE", usual.store),
        plugin=env.path("PLUGIN", usual.plugin),
        origins=(*env.list("ORIGINS", [], subcast=str), *([public] if public else [])),
        operator_key=env.str("OPERATOR_KEY", usual.operator_key, validate=_is_long_enough),
        proxies=env.int("PROXIES", usual.proxies, validate=validate.Range(min=0)),
        metrics_key=env.str("METRICS_KEY", usual.metrics_key, validate=_is_long_enough),
        log=cast(LogForm, env.str("LOG", usual.log, validate=validate.OneOf(get_args(LogForm)))),
        webhook_hosts=tuple(env.list("WEBHOOK_HOSTS", [], subcast=webhook_host)),
        public=_address(public),
        workers=env.int("WORKERS", usual.workers, validate=validate.Range(1, _MOST_WORKERS)),
        limits=_limits(env),
    )


def _address(public: str) -> str:
    if public and not _ADDRESS.fullmatch(public):
        raise EnvError(
            f"ENFILADE_PUBLIC has '{public}', which is no address like https://rules.example.org (no path)."
        )
    return public


def _is_long_enough(key: str) -> None:
    if 0 < len(key) < _SHORTEST_KEY:
        raise ValidationError(f"It must have at least {_SHORTEST_KEY} characters, so that nobody guesses it.")


def webhook_host(name: str) -> str:
    """A host's name as it may stand in the settings; raises EnvError for what is no name, like an address."""
    if not _HOST.fullmatch(name.strip()):
        raise EnvError(
            f"ENFILADE_WEBHOOK_HOSTS has '{name}', which is no host's name like discord.com or "
            "hooks.example.org:8443 (small letters; no address, no https://, no path)."
        )
    return name.strip()


def _limits(env: Env) -> Limits:
    usual = vars(Limits())
    above_none = validate.Range(min=1)
    return Limits(
        **{name: env.int(name.upper(), value, validate=above_none) for name, value in usual.items()}
    )
