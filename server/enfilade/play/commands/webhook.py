"""What a game master does with the table's webhook, and what may be said of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.errors import Forbidden, IllegalAct
from enfilade.play.command import WebhookState
from enfilade.play.commands.edits import Draft
from enfilade.store.protocol import Webhook


def set_webhook(url: str, hosts: Sequence[str], seq: int) -> Draft:
    """Has what follows entry `seq` posted to a URL, or nothing more to an empty one; raises Forbidden."""
    webhook = Webhook(url=url, posted=seq)
    if not url:
        return Draft(text="This log is no longer posted anywhere.", webhook=webhook)
    if webhook.host not in hosts:
        only = f"only to {', '.join(hosts)}" if hosts else "to no webhook; whoever runs it may allow some"
        raise Forbidden(f"This server posts {only}.")
    return Draft(text=f"This log is posted to {webhook.host} from now on.", webhook=webhook)


def try_webhook(webhook: Webhook) -> Draft:
    """Says a line that is posted like any other, and begins again what was given up; raises IllegalAct."""
    if not webhook.url:
        raise IllegalAct("No webhook is set at this table.")
    again = replace(webhook, due_ms=0, tries=0, is_stopped=False)
    return Draft(text=f"A test: this log is posted to {webhook.host}.", webhook=again)


def state_of(webhook: Webhook, hosts: Sequence[str]) -> WebhookState | None:
    """What the game master may know of a webhook; None where there is none and the server allows none."""
    if not hosts and not webhook.url:
        return None
    return WebhookState(
        hosts=tuple(hosts),
        host=webhook.host,
        outcome=webhook.outcome,
        at_ms=webhook.at_ms,
        is_stopped=webhook.is_stopped,
    )
