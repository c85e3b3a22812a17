"""Write nginx's configuration for several processes: the files of deploy/nginx, put together, without TLS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

DEPLOY = Path(__file__).parents[2] / "deploy" / "nginx"
_ADDRESSES = [f"10.0.0.{number}:8090" for number in (1, 2, 3)]
"""The addresses in cluster.conf."""
NOWHERE = "127.0.0.1:1"


def write_configuration(folder: Path, addresses: Sequence[str], listen: str) -> Path:
    """Write nginx's whole configuration for up to three processes a, b, c into a folder.

    nginx listens at the address `listen`, without TLS: the certificate is tested by tests/deploy/proxy.py.
    """
    cluster = (DEPLOY / "cluster.conf").read_text("utf-8")
    for number, placeholder in enumerate(_ADDRESSES):
        if number < len(addresses):
            cluster = cluster.replace(placeholder, addresses[number])
        else:
            cluster = re.sub(rf"    server {re.escape(placeholder)} max_fails[^;]*;\n", "", cluster)
            cluster = cluster.replace(placeholder, NOWHERE)  # its name stays, and reaches no process
    (folder / "cluster.conf").write_text(cluster)
    (folder / "cluster-locations.conf").write_text((DEPLOY / "cluster-locations.conf").read_text("utf-8"))
    text = (DEPLOY / "enfilade.conf.template").read_text("utf-8")
    text = replaced(text, r"upstream enfilade \{\n.*?\n\}\n", f"include {folder}/cluster.conf;\n")
    text = replaced(
        text, r" location / \{\s*proxy_pass[^}]*\}\n", f"include {folder}/cluster-locations.conf;\n"
    )
    text = replaced(text, r"server \{\n    listen 80;.*?\n\}\n", "")
    text = replaced(text, r"    listen 443 ssl;\n    listen \[::\]:443 ssl;\n", f"    listen {listen};\n")
    text = re.sub(r"    ssl_\w+ [^;]*;\n", "", text).replace("${ENFILADE_NAME}", "_")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    path = folder / "nginx.conf"
    path.write_text(f"""
user root; daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 2048; }}
http {{
access_log {folder}/access.log;
{temporary}{text}
}}
""")
    return path


def replaced(text: str, pattern: str, by: str) -> str:
    """Return a text with the only match of a pattern replaced. Raises ValueError without exactly one."""
    result, count = re.subn(pattern, lambda _: by, text, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"{count} matches of {pattern}")
    return result
