"""A server's configuration: read once from the environment, then a frozen value; and its folder's lock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from environs import Env, EnvError, ValidationError, validate
from filelock import FileLock, Timeout

from enfilade.errors import BadInput
from enfilade.i18n import localize
from enfilade.product import product_folder

_KIB = 1024
_MIN_KEY_LENGTH = 24
_MAX_WORKERS = 64
LogForm = Literal["auto", "text", "json"]
"""The format of the log: text, JSON, or auto (text on a terminal, else JSON)."""

_HOST = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z][a-z0-9-]{0,61}(:[0-9]{1,5})?")
_PROCESS = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_DASK = re.compile(r"(tcp|tls)://[A-Za-z0-9._-]+:[0-9]{1,5}")
_URL = re.compile(r"https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits that keep one client from slowing the others down. Sizes are in bytes."""

    frame_bytes: int = 64 * _KIB
    """The largest message over a socket, and the largest HTTP body that is not an upload."""
    scene_bytes: int = 16 * _KIB * _KIB
    """The largest command that has a whole scene, over HTTP or in parts over a socket."""
    upload_bytes: int = 64 * _KIB * _KIB
    """The largest map file."""
    total_upload_bytes: int = 256 * _KIB * _KIB
    """The total size of the map files that are read at one time."""
    queue_packets: int = 256
    queue_bytes: int = _KIB * _KIB
    """The data that may be queued for one client before it is cut."""
    connections: int = 2_000
    """The open connections of the server, sockets and requests together."""
    address_connections: int = 256
    """The open connections of one address. Behind proxies the server does not count them; the proxy must."""
    request_seconds: int = 12
    """How long a new connection may take to send the line and the headers of its first request."""
    handshakes_per_second: int = 5
    handshakes_burst: int = 40
    """The socket handshakes of one address."""
    frames_per_second: int = 100
    frames_burst: int = 400
    """The frames read from one socket: each counts one, plus one for each KiB."""
    wrong_keys_per_second: int = 1
    wrong_keys_burst: int = 20
    """The invalid keys that one address may send."""
    commands_per_second: int = 20
    commands_burst: int = 60
    """The commands of one seat by weight: most count one, an overlay or a preview two, a whole scene ten."""
    attacks_per_second: int = 4
    attacks_burst: int = 12
    compute_ms_per_second: int = 250
    compute_ms_burst: int = 3_000
    """The compute time that the requests of one seat may use."""
    gm_multiplier: int = 10
    """A GM's seat has this many times the limits above, because a bridge acts for the whole table."""
    table_commands_per_second: int = 400
    table_commands_burst: int = 1_200
    table_compute_ms_per_second: int = 500
    table_compute_ms_burst: int = 4_000
    """The compute time of a table, overlays included. Without any left, its questions and overlays wait."""
    address_commands_per_second: int = 1_000
    address_commands_burst: int = 2_000
    answer_ms: int = 1_000
    """The compute time of one request."""
    map_ms: int = 10_000
    """The compute time of one map import."""
    gm_sockets: int = 8
    """The open sockets of a GM's seat: pages, and bridges."""
    seat_sockets: int = 4
    """The open sockets of a player's seat."""
    table_bytes: int = 200 * 2**20
    """The bytes that a table may take when a picture is added: its log, its pictures, its replies."""
    table_sockets: int = 64
    """The open sockets of a table."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """The server's address, data folder, allowed origins, and limits."""

    host: str = "127.0.0.1"
    port: int = 8090
    data: Path = Path("data")
    """The data folder."""
    store: str = ""
    """A database URL such as `postgresql://enfilade@localhost/enfilade`; empty for SQLite in `data`."""
    delete_unused_days: int = 0
    """The days after which a table that nobody uses is deleted; 0: never."""
    start_seconds: int = 60
    """The seconds that a server waits for its database server when it starts."""
    plugin: Path = field(default_factory=lambda: product_folder("plugin_manifest"))
    """The folder with the Foundry module and the board page."""
    origins: tuple[str, ...] = ()
    """The exact origins, such as `https://vtt.example.org`, whose pages may connect, beside the server's."""
    frames: tuple[str, ...] = ("https://www.owlbear.rodeo", "https://owlbear.rodeo")
    """The exact origins whose pages may show the extension for Owlbear Rodeo in a frame."""
    operator_key: str = field(default="", repr=False)
    """The key that may create tables. Without one, only this machine may."""
    proxies: int = 0
    """The number of reverse proxies in front of the server, each of which adds to X-Forwarded-For."""
    metrics_key: str = field(default="", repr=False)
    """The key that may read /metrics from other machines."""
    log: LogForm = "auto"
    webhook_hosts: tuple[str, ...] = ()
    """The exact hosts, such as `discord.com` or `hooks.example.org:8443`, that webhooks may reach."""
    public_url: str = ""
    """The URL by which players reach the server, if it differs from the address it listens on, as behind a
    reverse proxy. Pages of that origin may connect."""
    workers: int = 1
    """The number of processes."""
    forecast_processes: int = 2
    """The processes that play the continuations of a forecast."""
    dask: str = ""
    """The address of the scheduler of a Dask cluster that plays them instead, such as `tcp://10.0.0.5:8786`."""
    strict: bool = False
    """Whether a ruleset of another package that cannot be used keeps the server from starting."""
    process: str = ""
    """The name of this process in a cluster behind a proxy; empty without a cluster."""
    limits: Limits = field(default_factory=Limits)

    @property
    def max_connections_per_address(self) -> int:
        """The open connections of one address; 0 (no limit) behind proxies, where all share one."""
        return 0 if self.proxies else self.limits.address_connections

    @property
    def store_file(self) -> Path:
        """The SQLite file, which is used without a database server."""
        return self.data / "enfilade.sqlite"

    @property
    def store_url(self) -> str:
        """The database URL for SQLAlchemy."""
        return self.store or f"sqlite:///{self.store_file}"

    @property
    def database_seconds(self) -> int:
        """The seconds to wait for a database server at the start; 0 for a file, which is there or not."""
        return self.start_seconds if self.store and not self.store.startswith("sqlite") else 0


def load_config(**overrides: Any) -> Config:
    """Return the environment's configuration with the overrides that are not None. Raises BadInput."""
    try:
        config = config_from_environment()
    except EnvError as problem:
        raise BadInput(str(problem)) from None
    return replace(config, **{key: value for key, value in overrides.items() if value is not None})


def config_from_environment() -> Config:
    """Return the configuration in ENFILADE_HOST, _PORT, _DATA, _STORE, _PROXIES, _PUBLIC_URL, _QUEUE_BYTES...

    Lists are separated by commas: ENFILADE_ORIGINS, ENFILADE_FRAMES, ENFILADE_WEBHOOK_HOSTS. Raises
    environs.EnvError, which names the invalid variable.
    """
    env = Env(prefix="ENFILADE_")
    defaults = Config()
    public_url = env.str("PUBLIC_URL", defaults.public_url).rstrip("/")
    return Config(
        host=env.str("HOST", defaults.host),
        port=env.int("PORT", defaults.port),
        data=env.path("DATA", defaults.data),
        store=env.str("STORE", defaults.store),
        start_seconds=env.int("START_SECONDS", defaults.start_seconds, validate=validate.Range(min=0)),
        delete_unused_days=env.int(
            "DELETE_UNUSED_DAYS", defaults.delete_unused_days, validate=validate.Range(min=0)
        ),
        plugin=env.path("PLUGIN", defaults.plugin),
        origins=(*env.list("ORIGINS", [], subcast=str), *([public_url] if public_url else [])),
        frames=tuple(env.list("FRAMES", list(defaults.frames), subcast=_check_frame)),
        operator_key=env.str("OPERATOR_KEY", defaults.operator_key, validate=_check_key_length),
        proxies=env.int("PROXIES", defaults.proxies, validate=validate.Range(min=0)),
        metrics_key=env.str("METRICS_KEY", defaults.metrics_key, validate=_check_key_length),
        log=cast(LogForm, env.str("LOG", defaults.log, validate=validate.OneOf(get_args(LogForm)))),
        webhook_hosts=tuple(env.list("WEBHOOK_HOSTS", [], subcast=parse_webhook_host)),
        public_url=_check_public_url(public_url),
        workers=env.int("WORKERS", defaults.workers, validate=validate.Range(1, _MAX_WORKERS)),
        forecast_processes=env.int(
            "FORECAST_PROCESSES", defaults.forecast_processes, validate=validate.Range(1, _MAX_WORKERS)
        ),
        dask=_check_dask(env.str("DASK", defaults.dask)),
        strict=env.bool("STRICT", defaults.strict),
        process=_check_process(env.str("PROCESS", defaults.process)),
        limits=_limits(env),
    )


def _check_public_url(url: str) -> str:
    if url and not _URL.fullmatch(url):
        raise EnvError(
            f"ENFILADE_PUBLIC_URL is '{url}'. It must be a URL without a path, such as "
            "https://rules.example.org."
        )
    return url


def _check_frame(origin: str) -> str:
    """Return an origin from the settings: it becomes a part of a header."""
    if not _URL.fullmatch(origin.strip()):
        raise EnvError(
            f"ENFILADE_FRAMES has '{origin}'. It must be an origin such as https://www.owlbear.rodeo."
        )
    return origin.strip()


def _check_process(name: str) -> str:
    if name and not _PROCESS.fullmatch(name):
        sentence = "It must have lower-case letters, digits and dashes, such as a1."
        raise EnvError(f"ENFILADE_PROCESS is '{name}'. {sentence}")
    return name


def _check_dask(address: str) -> str:
    if address and not _DASK.fullmatch(address):
        raise EnvError(f"ENFILADE_DASK is '{address}'. It must be an address such as tcp://10.0.0.5:8786.")
    return address


def _check_key_length(key: str) -> None:
    if 0 < len(key) < _MIN_KEY_LENGTH:
        raise ValidationError(f"A key must have at least {_MIN_KEY_LENGTH} characters.")


def parse_webhook_host(name: str) -> str:
    """Return a webhook host from the settings. Raises EnvError unless it is a host name."""
    if not _HOST.fullmatch(name.strip()):
        raise EnvError(
            f"ENFILADE_WEBHOOK_HOSTS has '{name}'. It must be a host name such as discord.com or "
            "hooks.example.org:8443, in lower case, without an IP address, https:// or a path."
        )
    return name.strip()


def _limits(env: Env) -> Limits:
    positive = validate.Range(min=1)
    return Limits(
        **{name: env.int(name.upper(), value, validate=positive) for name, value in vars(Limits()).items()}
    )


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold a data folder's lock. Raises BadInput if another server has it, or if it cannot be written."""
    lock = FileLock(folder / "server.lock", timeout=0, mode=0o600)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise BadInput(localize("cli.folder_in_use", folder=folder)) from None
    except OSError:
        refused = localize("doctor.data_refused", folder=folder.resolve())
        raise BadInput(f"{refused} {localize('doctor.data_choose')}") from None
    try:
        yield
    finally:
        lock.release()
