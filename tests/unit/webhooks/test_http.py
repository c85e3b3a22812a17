"""One message to a real HTTPS server: what arrives there, and what comes of each answer."""

from __future__ import annotations

import time

import pytest
from tests.unit.webhooks.conftest import to_loopback
from tests.unit.webhooks.hooks import HOST, Answer, Webhook

from enfilade.webhooks.http import MAX_RETRY_SECONDS, WebhookSender


def post(sender, webhook, text="Ann moves."):
    return sender.post(webhook.url, webhook.host, text)


def answered(sender, webhook, answer):
    webhook.answers.append(answer)
    return post(sender, webhook)


def test_a_message_arrives_under_the_right_host_name_without_mentions(sender, webhook):
    outcome = post(sender, webhook, "@everyone look")
    ((path, headers, body),) = webhook.requests
    assert (outcome.kind, outcome.sentence) == ("posted", f"Posted to {webhook.host}.")
    assert (path, headers["Host"]) == ("/api/webhooks/117/s3cr3t-t0ken", webhook.host)
    assert webhook.names == [HOST]
    assert body == {"content": "@everyone look", "allowed_mentions": {"parse": []}, "flags": 4}


@pytest.mark.parametrize("status", [200, 201, 204])
def test_every_success_status_means_posted(sender, webhook, status):
    assert answered(sender, webhook, Answer(status)).kind == "posted"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503])
def test_a_temporary_failure_is_tried_later(sender, webhook, status):
    outcome = answered(sender, webhook, Answer(status))
    assert (outcome.kind, str(status) in outcome.sentence) == ("later", True)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 413])
def test_a_redirect_or_a_refusal_is_final(sender, webhook, status):
    headers = {"Location": f"https://{webhook.host}/elsewhere"}
    assert answered(sender, webhook, Answer(status, headers)).kind == "refused"
    assert len(webhook.requests) == 1


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7),
        ("0.5", 0.5),
        ("-3", 0),
        ("nan", 0),
        ("inf", 0),
        ("1e400", 0),
        ("99999999", MAX_RETRY_SECONDS),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 0),
    ],
)
def test_retry_after_is_honored_up_to_a_limit(sender, webhook, said, seconds):
    assert answered(sender, webhook, Answer(429, {"Retry-After": said})).wait_seconds == seconds


def test_an_endless_response_is_not_read(sender, webhook):
    began = time.monotonic()
    assert answered(sender, webhook, Answer(200, dripped=400)).kind == "posted"
    assert time.monotonic() - began < 3


def test_a_host_without_a_valid_certificate_gets_nothing(webhook, tmp_path):
    folder = tmp_path / "another"
    folder.mkdir()
    impostor = Webhook(folder, host="another.example.com")
    try:
        for authorities in (impostor.authorities, webhook.authorities, None):
            outcome = WebhookSender(to_loopback(authorities)).post(impostor.url, impostor.host, "Ann moves.")
            assert (outcome.kind, "TLS" in outcome.sentence) == ("later", True)
        assert impostor.requests == []
    finally:
        impostor.close()


def test_plain_http_is_refused(sender, webhook):
    with pytest.raises(KeyError):
        sender.post(webhook.url.replace("https", "http"), webhook.host, "Ann moves.")
    assert webhook.requests == []


def test_a_failure_does_not_reveal_the_url(sender, webhook):
    webhook.close()
    outcome = post(sender, webhook)
    assert outcome.kind == "later"
    assert "s3cr3t" not in repr(outcome)
