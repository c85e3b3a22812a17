"""The real server, for which loopback is the open internet; prints its port and a table's links as JSON.

`python -m tests.unit.webhooks.posting_server AUTHORITIES [TOTAL_SECONDS]`: whose certificates it trusts, and
how long one message may take, which others leave alone for twice as long. Everything is logged, as it is
nowhere else.
"""
# ruff: noqa: E402 - the patch comes before what is patched

from gevent import monkey

monkey.patch_all()

import json
import logging
import sys

import msgspec

from enfilade.app import create_app
from enfilade.cluster.serve import demo_links
from enfilade.runtime.config import config_from_environment
from enfilade.webhooks import http
from enfilade.webhooks.http import AddressPolicy
from enfilade.webhooks.queue import RetrySchedule


def main(authorities: str, total_seconds: float) -> None:
    logging.basicConfig(level=logging.DEBUG)
    http.TOTAL_SECONDS = total_seconds
    reach = AddressPolicy(
        lambda _host, _port: ["127.0.0.1"], lambda address: address == "127.0.0.1", authorities
    )
    app = create_app(config_from_environment(), reach)
    app.webhooks._schedule = RetrySchedule(claim=2 * total_seconds)
    links = msgspec.to_builtins(demo_links(app)["coup_de_grace"])
    server = app.listen()
    print(json.dumps({"port": server.server_port, **links}), flush=True)
    server.serve_forever()


main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else http.TOTAL_SECONDS)
