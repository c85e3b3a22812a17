"""Deliver each table's log to its webhook: every entry once and in order, across restarts and refusals.

A table's row records how far delivery has come, so a crash loses nothing. A message that was sent before a
crash and not yet recorded is sent twice, which cannot be avoided.
"""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, NamedTuple, Protocol

import gevent
from gevent.event import Event
from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from enfilade.errors import EnfiladeError, StaleBase, StoreDown
from enfilade.i18n import localize
from enfilade.play.commit import Commit, Listener
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.runtime.time_budget import REST_SECONDS
from enfilade.scene.model import SPECTATOR
from enfilade.store.protocol import Store, Webhook

log = logging.getLogger(__name__)

MAX_CHARACTERS = 2_000
"""The longest message that Discord accepts."""

WATCHED = attrgetter("webhook", "seq")
"""What a commit must change before there may be something to post."""

_MAX_LINE = 900
_ENTRIES_PER_READ = 50
_CONCURRENT_POSTS = 8
_MARKDOWN = re.compile(r"([\\`*_~|<>\[\]()#:@{}=+/-])")
# Control characters, line ends and text direction marks: a name must not affect text around it.
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True)
class Delivery:
    """The result of sending a message: posted, to be tried later, or refused for good."""

    kind: Literal["posted", "later", "refused"]
    sentence: str
    wait_seconds: float = 0


class Sender(Protocol):
    """Sends messages, as `WebhookSender` does."""

    def post(self, url: str, host: str, text: str) -> Delivery:
        """Send a text that is already escaped; never raise for network errors."""


@dataclass(frozen=True, kw_only=True)
class RetrySchedule:
    """The delays between messages and retries, in seconds.

    With the defaults a message that is never accepted is given up after about an hour.
    """

    between: float = 2
    """Discord accepts 30 messages a minute in one channel."""
    first_wait: float = 2
    longest_wait: float = 300
    tries: int = 20
    claim: float = 15
    """The time that other processes leave a claimed message alone; longer than sending may take."""
    store_down: float = 5


class WebhookQueue:
    """Posts the logs of all tables that have a webhook, with one greenlet for each table."""

    def __init__(
        self,
        tables: Tables,
        store: Store,
        sender: Sender | None,
        hosts: Collection[str],
        notify_gms: Callable[[Table], None],
        schedule: RetrySchedule | None = None,
        has: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """`hosts` are the allowed hosts; without any, `sender` may be None.

        `notify_gms` tells a table's GMs that its webhook has changed. `has` returns whether this process
        serves the table with an ID.
        """
        self._tables = tables
        self._store = store
        self._sender = sender
        self._hosts = hosts
        self._notify_gms = notify_gms
        self._schedule = schedule or RetrySchedule()
        self._has = has
        self._wakeups: dict[str, Event] = {}
        self._slots = BoundedSemaphore(_CONCURRENT_POSTS)

    def begin(self) -> None:
        """Resume the deliveries that were left when the server stopped."""
        gevent.spawn(self._resume_all)

    def wake(self, table: Table) -> None:
        """Check a changed table again; return at once."""
        wakeup = self._wakeups.get(table.id)
        if wakeup:
            wakeup.set()
        elif has_work(table):
            self._wakeups[table.id] = Event()
            gevent.spawn(self._work, table)

    def listener(self, table: Table) -> Listener:
        """Return what wakes the delivery of a table whenever its log or its webhook has changed."""

        def call(_commit: Commit) -> None:
            self.wake(table)

        return Listener(WATCHED, call)

    def _resume_all(self) -> None:
        try:
            for table_id in filter(self._has, self._store.table_ids()):
                self._resume(table_id)
                gevent.sleep(REST_SECONDS)
        except StoreDown as problem:
            log.error("Webhooks were not resumed: %s", problem.sentence)

    def _resume(self, table_id: str) -> None:
        try:
            state = self._store.load(table_id)
            table = self._tables.find(table_id) if state and state.webhook.url else None
        except EnfiladeError as problem:  # a damaged table stays closed, and its GM gets the error
            log.error("The webhook of table %s is not resumed: %s", table_id, problem.sentence)
        else:
            if table:
                self.wake(table)

    def _work(self, table: Table) -> None:
        wakeup = self._wakeups[table.id]
        try:
            while has_work(table):
                wakeup.clear()
                wait = self._step(table)
                if wait:
                    wakeup.wait(wait)
        except Exception as problem:
            # Without the message, which may contain the URL.
            where = "".join(traceback.format_tb(problem.__traceback__))
            log.error("Table %s no longer posts its log: %s\n%s", table.id, type(problem).__name__, where)
        finally:
            del self._wakeups[table.id]

    def _step(self, table: Table) -> float:
        """Send the next message if it is due; return the seconds to wait."""
        webhook = table.webhook
        if webhook.due_ms > _now_ms():
            return (webhook.due_ms - _now_ms()) / 1000
        try:
            self._send(table, webhook)
        except StoreDown:
            return self._schedule.store_down
        except StaleBase:  # another process was faster; the table has caught up
            pass
        return 0

    def _send(self, table: Table, webhook: Webhook) -> None:
        texts = table.log_texts_after(SPECTATOR, webhook.posted, _ENTRIES_PER_READ)
        text, last = build_message(texts, webhook.posted)
        if not text:
            table.update_webhook(webhook, replace(webhook, posted=last))
            return
        with self._slots:
            claimed = replace(webhook, due_ms=_in(self._schedule.claim))
            if table.update_webhook(webhook, claimed):
                self._record(table, claimed, self._next_state(claimed, self._post(webhook, text), last))

    def _post(self, webhook: Webhook, text: str) -> Delivery:
        # The settings may have changed since the webhook was set.
        if self._sender is None or webhook.host not in self._hosts:
            return Delivery("refused", localize("webhooks.host_not_allowed", host=webhook.host))
        return self._sender.post(webhook.url, webhook.host, text)

    def _next_state(self, webhook: Webhook, delivery: Delivery, last: int) -> Webhook:
        """Return the webhook after an attempt."""
        tried = replace(webhook, outcome=delivery.sentence, at_ms=_now_ms())
        if delivery.kind == "posted":
            return replace(tried, posted=last, tries=0, due_ms=_in(self._schedule.between))
        tries = webhook.tries + 1
        if delivery.kind == "refused" or tries >= self._schedule.tries:
            return replace(tried, tries=tries, due_ms=0, is_stopped=True)
        doubled = min(self._schedule.first_wait * 2**webhook.tries, self._schedule.longest_wait)
        return replace(tried, tries=tries, due_ms=_in(max(doubled, delivery.wait_seconds)))

    def _record(self, table: Table, was: Webhook, now: Webhook) -> None:
        """Store the result of an attempt, however long that takes: the message must not be sent twice."""
        text = localize("webhooks.stopped", host=now.host, reason=now.outcome) if now.is_stopped else ""
        while True:
            try:
                table.update_webhook(was, now, text)
                break
            except StaleBase:
                continue
            except StoreDown:
                gevent.sleep(self._schedule.store_down)
        self._notify_gms(table)


def has_work(table: Table) -> bool:
    """Return whether a table has entries to post."""
    webhook = table.webhook
    return bool(webhook.url) and not webhook.is_stopped and webhook.posted < table.seq


class Message(NamedTuple):
    """A message (empty if there is nothing to post), and the sequence number of its last entry."""

    text: str
    last: int


def build_message(entries: Iterable[tuple[int, str]], after: int) -> Message:
    """Build the first message from log texts by sequence number; `after` is the last number posted."""
    lines: list[str] = []
    size, last = 0, after
    for seq, text in entries:
        line = escape_markdown(text)
        if line:
            size += len(line) + 1
            if lines and size > MAX_CHARACTERS:
                break
            lines.append(line)
        last = seq
    return Message("\n".join(lines), last)


def escape_markdown(text: str) -> str:
    """Return a text as one line that Discord shows literally: no mention, link, heading or emphasis."""
    plain = _BREAKS.sub(" ", text).strip()
    short = plain if len(plain) <= _MAX_LINE else f"{plain[: _MAX_LINE - 1]}…"
    return _MARKDOWN.sub(r"\\\1", short)


def _now_ms() -> int:
    return int(time.time() * 1000)


def _in(seconds: float) -> int:
    return _now_ms() + int(seconds * 1000)
