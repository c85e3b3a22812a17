"""The shell command `enfilade deploy`: the files that run Enfilade as a service, which the wheel contains."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from string import Template

import click

from enfilade.cli.output import report_errors
from enfilade.errors import BadFile, BadInput
from enfilade.i18n import localize
from enfilade.product import product_folder

_NGINX = "nginx/enfilade.conf.template"
_CONSTRAINTS = "constraints.txt"
FILES: Mapping[str, Mapping[str, str]] = {
    "systemd": {"enfilade.service": "enfilade.service"},
    "nginx": {"enfilade.conf": _NGINX},
    "cluster": {
        "cluster.conf": "nginx/cluster.conf",
        "cluster-locations.conf": "nginx/cluster-locations.conf",
    },
    "dockerfile": {"Dockerfile": "Dockerfile", _CONSTRAINTS: _CONSTRAINTS},
    "compose": {
        "compose.yaml": "compose.yaml",
        "Dockerfile": "Dockerfile",
        _CONSTRAINTS: _CONSTRAINTS,
        "example.env": "example.env",
        _NGINX: _NGINX,
        "certificate/10-certificate.sh": "certificate/10-certificate.sh",
        "certificate/renew.sh": "certificate/renew.sh",
    },
}
"""The files of each way, by the name under which they are written; the first one is printed."""


@click.command("deploy")
@click.argument("way", type=click.Choice(list(FILES)))
@click.option("--name", default="", help="nginx: the name of the server on the internet.")
@click.option("--server", default="127.0.0.1:8090", help="nginx: the address that Enfilade listens on.")
@click.option(
    "--python", default=Path(sys.prefix), type=click.Path(path_type=Path), help="systemd: its environment."
)
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Write all files into this folder.")
@report_errors
def deploy(way: str, name: str, server: str, python: Path, folder: Path | None) -> None:
    """Print the file that runs Enfilade as a service.

    That is a unit of systemd, nginx for one server or a cluster, Docker Compose, or an image. With --to,
    write it with all files that it names; files that are there already are kept.
    """
    if way == "nginx" and not name:
        raise BadInput(localize("cli.deploy_name"))
    texts = {target: _text(source) for target, source in FILES[way].items()}
    if way == "nginx":
        values = {"ENFILADE_NAME": name, "ENFILADE_SERVER": server}
        texts = {target: Template(text).safe_substitute(values) for target, text in texts.items()}
    elif way == "systemd":
        texts = {
            target: text.replace("/opt/enfilade/", f"{python.resolve()}/") for target, text in texts.items()
        }
    if folder is None:
        click.echo(next(iter(texts.values())), nl=False)
        return
    _write(folder, texts)


def _text(source: str) -> str:
    """Return a file of the product. Raises BadFile in a broken installation."""
    path = product_folder("deploy") / source
    if source == _CONSTRAINTS and not path.is_file():
        path = path.parents[1] / source  # a checkout keeps it at the top
    try:
        return path.read_text("utf-8")
    except OSError as problem:
        raise BadFile(localize("cli.cannot_read", file=path, reason=problem.strerror)) from None


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the files, and say for each whether it was there. Raises BadFile."""
    for target, text in texts.items():
        path = folder / target
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            if path.suffix == ".sh":
                path.chmod(0o755)
            click.echo(localize("cli.deploy_written", file=path))
        except FileExistsError:
            click.echo(localize("cli.deploy_kept", file=path))
        except OSError as problem:
            raise BadFile(localize("cli.cannot_write", file=path, reason=problem.strerror)) from None


COMMANDS = (deploy,)
