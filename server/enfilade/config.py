"""The settings of a server: read once from the environment, then a frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from environs import Env, EnvError, ValidationError

from enfilade.errors import BadInput

_KIB = 1024
_SHORTEST_KEY = 24
_PLUGIN = Path(__file__).resolve().parents[2] / "plugin_manifest"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much of anything one client may ask of the server; sizes in bytes."""

    frame_bytes: int = 64 * _KIB
    """The largest message over a socket, and the largest HTTP body that is not a map."""
    upload_bytes: int = 64 * _KIB * _KIB
    """The largest map file."""
    queue_packets: int = 256
    queue_bytes: int = _KIB * _KIB
    """What may wait to be sent to one client before it is cut."""
    waiting_messages: int = 64
    """How many messages of one client may wait to be handled before it is read no further."""
    connections: int = 2_000
    """How many connections, sockets and requests together, are served at once."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """Where the server listens, where it keeps its data, whom it lets in.

    `origins` are the exact origins (`https://vtt.example.org`) whose pages may connect besides the server's
    own. `operator_key` lets whoever has it make tables from another machine; without one that is for this
    machine alone. `plugin` is the folder with the module and the board page. `store` is a database URL like
    `postgresql://enfilade@localhost/enfilade`; without one, tables are kept in an SQLite file in `data`.
    """

    host: str = "127.0.0.1"
    port: int = 8090
    data: Path = Path("data")
    store: str = ""
    plugin: Path = _PLUGIN
    origins: tuple[str, ...] = ()
    operator_key: str = field(default="", repr=False)
    limits: Limits = field(default_factory=Limits)

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
    """The settings in ENFILADE_HOST, _PORT, _DATA, _STORE, _ORIGINS (with commas), _QUEUE_BYTES...

    Raises environs.EnvError, whose sentence names the variable that cannot be used.
    """
    env = Env(prefix="ENFILADE_")
    usual = Config()
    return Config(
        host=env.str("HOST", usual.host),
        port=env.int("PORT", usual.port),
        data=env.path("DATA", usual.data),
        store=env.str("STORE", usual.store),
        plugin=env.path("PLUGIN", usual.plugin),
        origins=tuple(env.list("ORIGINS", [], subcast=str)),
        operator_key=env.str("OPERATOR_KEY", usual.operator_key, validate=_is_long_enough),
        limits=_limits(env),
    )


def _is_long_enough(operator_key: str) -> None:
    if 0 < len(operator_key) < _SHORTEST_KEY:
        raise ValidationError(f"It must have at least {_SHORTEST_KEY} characters, so that nobody guesses it.")


def _limits(env: Env) -> Limits:
    usual = vars(Limits())
    return Limits(**{name: env.int(name.upper(), value) for name, value in usual.items()})
