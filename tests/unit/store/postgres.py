"""A real PostgreSQL for the tests: a new cluster on a free port, run by an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

ROOTS_STAND_INS = ("postgres", "nobody")


def programs() -> Path | None:
    """The folder with initdb and pg_ctl, where PostgreSQL is installed."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return Path(on_path).parent if on_path else found[-1].parent if found else None


class Postgres:
    """A cluster in a folder of its own; synced to disk as always."""

    def __init__(self, bin_folder: Path) -> None:
        self._bin = bin_folder
        self._user = _unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="enfilade-postgres-"))
        if self._user:
            shutil.chown(self.folder, self._user)
        self._run("initdb", "--auth=trust", "--username=enfilade", "--encoding=UTF8", "--no-sync")
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://enfilade@127.0.0.1:{self.port}/{database}"

    def start(self, addresses: str = "127.0.0.1", access: str = "") -> None:
        """`access` is a line for pg_hba.conf, for a server that is reached from other addresses."""
        if access:
            with (self.folder / "data" / "pg_hba.conf").open("a") as file:
                file.write(f"{access}\n")
        options = f"-p {self.port} -c listen_addresses={addresses} -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "start", "--wait", f"--log={self.folder}/log", f"--options={options}")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "--wait", f"--mode={mode}")

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), "-D", str(self.folder / "data"), *arguments]
        # To a file: the server that pg_ctl leaves behind would hold a pipe open for ever.
        with tempfile.TemporaryFile("w+") as said:
            given = {"user": self._user, "cwd": self.folder, "stdout": said, "stderr": said}
            code = subprocess.run(command, stdin=subprocess.DEVNULL, **given).returncode
            said.seek(0)
            assert code == 0, said.read()


def _unprivileged() -> str | None:
    """Whom root becomes, since PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in ROOTS_STAND_INS if name in known)
