"""A server is ready soon: what its first answer does not need is not imported before it."""

from __future__ import annotations

import subprocess
import sys

NOT_NEEDED = ("urllib3", "charset_normalizer", "alembic", "enfilade.webhooks.http")
PROGRAM = f"""
from enfilade.__main__ import prepare_to_serve
prepare_to_serve()
import sys, enfilade.cluster.serve
print([name for name in {NOT_NEEDED} if name in sys.modules])
import requests
print(requests.adapters.HTTPAdapter.__name__)
from marshmallow import ValidationError, validate
print("_whole" in vars(validate.Email.DOMAIN_REGEX), validate.Email()("gm@example.org"))
try:
    validate.Email()("gm@example")
except ValidationError as problem:
    print(problem)
"""


def test_a_server_starts_without_what_only_clients_and_few_servers_need():
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
    first, second, *last = said.splitlines()
    assert [first, second] == ["[]", "HTTPAdapter"]
    assert last == ["False gm@example.org", "Not a valid email address."]
