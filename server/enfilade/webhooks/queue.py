"""Every table's log on its way to its webhook: each entry once, in order, through restarts and refusals.

How far a table has come stands in its row, so nothing waits anywhere that a crash could lose. A message that
was sent before a crash and not yet noted is sent twice; there is no other way it can be.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gevent
from gevent.event import Event
from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from enfilade.errors import EnfiladeError, StaleBase, StoreDown
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.scene.seat import SPECTATOR
from enfilade.store.protocol import Store, Webhook
from enfilade.time_budget import REST_SECONDS
from enfilade.webhooks.outcome import Outcome
from enfilade.webhooks.text import message

if TYPE_CHECKING:
    from enfilade.webhooks.http import WebhookSender

log = logging.getLogger(__name__)

_ENTRIES_AT_ONCE = 50
_POSTS_AT_ONCE = 8


@dataclass(frozen=True, kw_only=True)
class RetrySchedule:
    """How fast messages follow each other and how long one is tried, in seconds.

    With these, one that nobody takes is given up after about an hour.
    """

    between: float = 2
    """Discord takes 30 messages a minute in one channel."""
    first_wait: float = 2
    longest_wait: float = 300
    tries: int = 20
    claim: float = 15
    """How long others leave a message alone that one process is sending: longer than that may take."""
    store_down: float = 5


class WebhookQueue:
    """WebhookQueue the logs of all tables that have a webhook, a greenlet each."""

    def __init__(
        self,
        tables: Tables,
        store: Store,
        poster: WebhookSender | None,
        hosts: Collection[str],
        tell: Callable[[Table], None],
        pace: RetrySchedule | None = None,
        has: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """`hosts` are those allowed now; `tell` has a game master told that there is news of the webhook.

        There need be no poster where no host is allowed. `has` says whether the table with an id is this
        process's.
        """
        self._tables = tables
        self._store = store
        self._poster = poster
        self._hosts = hosts
        self._tell = tell
        self._pace = pace or RetrySchedule()
        self._has = has
        self._awake: dict[str, Event] = {}
        self._turns = BoundedSemaphore(_POSTS_AT_ONCE)

    def begin(self) -> None:
        """Goes on with what was left when the server ended."""
        gevent.spawn(self._look_for_work)

    def wake(self, table: Table) -> None:
        """Looks at a table again, at which something happened; returns at once."""
        awake = self._awake.get(table.id)
        if awake:
            awake.set()
        elif has_work(table):
            self._awake[table.id] = Event()
            gevent.spawn(self._work, table)

    def _look_for_work(self) -> None:
        try:
            for table_id in filter(self._has, self._store.table_ids()):
                self._look_at(table_id)
                gevent.sleep(REST_SECONDS)
        except StoreDown as problem:
            log.error("The webhooks were not looked for: %s", problem.sentence)

    def _look_at(self, table_id: str) -> None:
        try:
            kept = self._store.load(table_id)
            table = self._tables.find(table_id) if kept and kept.webhook.url else None
        except EnfiladeError as problem:  # a damaged table stays closed; its game master hears of it
            log.error("The webhook of table %s rests: %s", table_id, problem.sentence)
        else:
            if table:
                self.wake(table)

    def _work(self, table: Table) -> None:
        awake = self._awake[table.id]
        try:
            while has_work(table):
                awake.clear()
                wait = self._step(table)
                if wait:
                    awake.wait(wait)
        except Exception as problem:
            # Without its words, which may have the URL in them.
            where = "".join(traceback.format_tb(problem.__traceback__))
            log.error("Table %s no longer posts its log: %s\n%s", table.id, type(problem).__name__, where)
        finally:
            del self._awake[table.id]

    def _step(self, table: Table) -> float:
        """Sends the next message where it is due; how long to wait then, in seconds."""
        webhook = table.webhook
        if webhook.due_ms > _now_ms():
            return (webhook.due_ms - _now_ms()) / 1000
        try:
            return self._send(table, webhook)
        except StoreDown:
            return self._pace.store_down
        except StaleBase:  # another process was quicker; the table has caught up
            return 0

    def _send(self, table: Table, webhook: Webhook) -> float:
        text, last = message(table.words_after(SPECTATOR, webhook.posted, _ENTRIES_AT_ONCE), webhook.posted)
        if not text:
            table.keep_webhook(webhook, replace(webhook, posted=last))
            return 0
        with self._turns:
            claimed = replace(webhook, due_ms=_in(self._pace.claim))
            if table.keep_webhook(webhook, claimed):
                self._note(table, claimed, self._after(claimed, self._posted(webhook, text), last))
        return 0

    def _posted(self, webhook: Webhook, text: str) -> Outcome:
        if (
            self._poster is None or webhook.host not in self._hosts
        ):  # the settings have changed since it was set
            return Outcome("refused", f"This server does not post to {webhook.host}.")
        return self._poster.post(webhook.url, webhook.host, text)

    def _after(self, webhook: Webhook, outcome: Outcome, last: int) -> Webhook:
        """The webhook once a message has been tried."""
        said = replace(webhook, outcome=outcome.sentence, at_ms=_now_ms())
        if outcome.kind == "posted":
            return replace(said, posted=last, tries=0, due_ms=_in(self._pace.between))
        tries = webhook.tries + 1
        if outcome.kind == "refused" or tries >= self._pace.tries:
            return replace(said, tries=tries, due_ms=0, is_stopped=True)
        doubled = min(self._pace.first_wait * 2**webhook.tries, self._pace.longest_wait)
        return replace(said, tries=tries, due_ms=_in(max(doubled, outcome.wait_seconds)))

    def _note(self, table: Table, was: Webhook, now: Webhook) -> None:
        """Stores what came of a message, however long that takes: it must not be sent twice."""
        text = f"This log is no longer posted to {now.host}: {now.outcome}" if now.is_stopped else ""
        while True:
            try:
                table.keep_webhook(was, now, text)
                break
            except StaleBase:
                continue
            except StoreDown:
                gevent.sleep(self._pace.store_down)
        self._tell(table)


def has_work(table: Table) -> bool:
    """Whether there is anything to post at a table."""
    webhook = table.webhook
    return bool(webhook.url) and not webhook.is_stopped and webhook.posted < table.seq


def _now_ms() -> int:
    return int(time.time() * 1000)


def _in(seconds: float) -> int:
    return _now_ms() + int(seconds * 1000)
