from __future__ import annotations

import pytest
from tests.unit.webhooks.hooks import Webhook

from enfilade.webhooks.http import AddressPolicy, WebhookSender


@pytest.fixture
def webhook(tmp_path):
    made = Webhook(tmp_path)
    yield made
    made.close()


@pytest.fixture
def sender(webhook):
    """A sender for which loopback is the open internet: what tests alone may say."""
    return WebhookSender(to_loopback(webhook.authorities))


def to_loopback(authorities):
    return AddressPolicy(
        resolve=lambda _host, _port: ["127.0.0.1"],
        is_fit=lambda address: address == "127.0.0.1",
        authorities=authorities,
    )
