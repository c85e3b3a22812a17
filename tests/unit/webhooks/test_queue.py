"""A table's log on its way to a real webhook: once, in order, through restarts, refusals and outages."""

from __future__ import annotations

from contextlib import closing

import gevent
import pytest
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE, Duel
from tests.unit.webhooks.hooks import Answer

from enfilade.errors import IllegalAct, StoreDown
from enfilade.play.commit import Listener
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.scene.model import GM, SPECTATOR
from enfilade.store.sql.tables import SqlStore
from enfilade.webhooks.queue import RetrySchedule, WebhookQueue

QUICK = RetrySchedule(between=0, first_wait=0.01, longest_wait=0.05, tries=4, claim=0.3, store_down=0.01)
PATIENCE_SECONDS = 10


class Posting(Duel):
    """A duel whose log is posted, by a server that can be ended and begun again."""

    listening = None

    def __init__(self, webhook, sender, store=None, pace=QUICK):
        self.hosts, self.sender, self.pace, self.sent = (webhook.host,), sender, pace, []
        super().__init__(store, SCENE)
        self.begin()

    def _tables(self):
        self.tables = Tables(self.store, {"first_blood": FIRST_BLOOD}, SeededDice(7), self.hosts)
        return self.tables

    def begin(self):
        self.queue = WebhookQueue(
            self.tables, self.store, self.sender, self.hosts, self.sent.append, self.pace
        )
        self.queue.begin()
        if self.listening is not self.table:
            self.listening = self.table
            watched, _ = self.queue.listener(self.table)
            self.table.listen(Listener(watched, lambda commit: self.queue.listener(self.table).call(commit)))

    def restart(self):
        self.enter()
        self.begin()

    def set(self, webhook):
        return self.do("webhook.set", url=webhook.url)

    def move(self, to):
        return self.do("token.move", token="ann", at=[to, 3])

    def state(self):
        return self.table.snapshot(GM).webhook

    def settle(self, is_so=lambda: True):
        """Lets the greenlets run until nothing is left to post, or until something is so."""
        with gevent.Timeout(PATIENCE_SECONDS):
            while self.queue._wakeups or not is_so():
                gevent.sleep(0.005)


@pytest.fixture
def posting(webhook, sender):
    return Posting(webhook, sender)


def moves(webhook):
    return [line for line in webhook.lines if "moves" in line]


def test_entries_after_the_webhook_was_set_are_posted_in_order(posting, webhook):
    posting.move(1)
    posting.set(webhook)
    for to in (0, 1, 2):
        posting.move(to)
    posting.settle()
    sent = [entry.text for entry in posting.entries()][1:]
    assert [line.replace("\\", "") for line in webhook.lines] == sent
    assert webhook.lines[0].endswith("from now on.")


def test_nothing_about_a_hidden_token_is_posted(posting, webhook):
    posting.set(webhook)
    posting.do("token.move", token="spy", at=[6, 6])
    posting.do("token.remove", token="spy")
    posting.move(1)
    posting.settle()
    assert "Sam" not in repr(webhook.requests)
    assert len(moves(webhook)) == 1
    assert posting.table.webhook.posted == posting.table.seq


def test_the_gm_sees_the_outcome_and_no_seat_sees_the_url(posting, webhook):
    posting.set(webhook)
    posting.settle()
    assert (posting.state().outcome, posting.state().host) == (f"Posted to {webhook.host}.", webhook.host)
    assert posting.sent
    assert posting.table.snapshot(SPECTATOR).webhook is None
    seen = [posting.table.snapshot(role) for role in (GM, SPECTATOR)]
    seen += [posting.table.entries_after(role, 0) for role in (GM, SPECTATOR)]
    assert "s3cr3t" not in repr([*seen, *posting.table.export_log(), *posting.entries()])


def test_a_busy_webhook_is_retried_and_misses_nothing(posting, webhook):
    webhook.answers = [Answer(429, {"Retry-After": "0.05"}), Answer(503), Answer(500), Answer()]
    posting.set(webhook)
    posting.move(1)
    posting.settle()
    assert len(webhook.requests) >= 4
    assert webhook.requests[0][2] == webhook.requests[1][2]
    assert len(set(webhook.lines)) == 2
    assert posting.table.webhook.tries == 0


def test_a_deleted_webhook_is_given_up_and_only_the_gm_reads_so_in_the_log(posting, webhook):
    webhook.answers = [Answer(404)]
    posting.set(webhook)
    posting.settle()
    posting.move(1)
    posting.settle()
    assert (len(webhook.requests), posting.state().is_stopped) == (1, True)
    sent = posting.table.snapshot(GM).log[1]
    assert (sent.seat, sent.secret) == ("table", True)
    assert "no longer posted" in sent.text
    assert "status 404" in sent.text
    assert "no longer posted" not in repr(posting.table.snapshot(SPECTATOR).log)


def test_a_test_resumes_a_stopped_webhook_and_nothing_is_missed(posting, webhook):
    webhook.answers = [Answer(404)]
    posting.set(webhook)
    posting.settle()
    posting.move(1)
    posting.do("webhook.test")
    posting.settle()
    assert [line.split(" ")[0] for line in webhook.lines[1:]] == ["This", "Ann", "Test\\:"]
    assert posting.state().is_stopped is False


def test_a_silent_webhook_is_given_up_after_some_tries(posting, webhook):
    webhook.answers = [Answer(503)] * 10
    posting.set(webhook)
    posting.settle()
    assert (len(webhook.requests), posting.state().is_stopped) == (QUICK.tries, True)


def test_delivery_resumes_after_a_restart(webhook, sender, tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    posting = Posting(webhook, sender, SqlStore(url))
    posting.set(webhook)
    posting.settle()
    posting.queue.wake = lambda _table: None  # it ends before it gets to what follows
    posting.move(1)
    posting.move(2)
    posting.store.close()
    posting.store = SqlStore(url)
    posting.restart()
    posting.settle(lambda: len(moves(webhook)) == 2)
    assert len(webhook.lines) == 3
    posting.store.close()


def test_a_new_url_gets_the_following_entries_and_an_empty_one_none(posting, webhook):
    posting.set(webhook)
    posting.move(1)
    posting.do("webhook.set", url=webhook.url.replace("117", "118"))
    posting.settle()
    paths = [path for path, _, _ in webhook.requests]
    assert paths[-1].startswith("/api/webhooks/118/")
    posting.do("webhook.set", url="")
    posting.move(2)
    posting.settle()
    assert [path for path, _, _ in webhook.requests] == paths
    with pytest.raises(IllegalAct, match="This table has no webhook"):
        posting.do("webhook.test")


def test_only_one_of_two_servers_on_a_store_posts(webhook, sender, tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with closing(SqlStore(url)) as own, closing(SqlStore(url)) as others:
        first = Posting(webhook, sender, own)
        first.set(webhook)
        second = WebhookQueue(first._tables(), others, sender, first.hosts, first.sent.append, QUICK)
        second.begin()
        first.settle()
        with gevent.Timeout(PATIENCE_SECONDS):
            gevent.sleep(0.05)
            while second._wakeups:
                gevent.sleep(0.01)
    assert len(webhook.requests) == 1


def test_a_message_is_not_repeated_if_its_success_could_not_be_recorded(posting, webhook, monkeypatch):
    save, failures = posting.store.save, iter([False, True, True, True])

    def failing(kept, entry, answered):
        if kept.webhook.outcome and next(failures, False):
            raise StoreDown("The disk is full.")
        save(kept, entry, answered)

    next(failures)
    monkeypatch.setattr(posting.store, "save", failing)
    posting.set(webhook)
    posting.settle()
    assert next(failures, None) is None
    assert len(webhook.requests) == 1


def test_a_host_removed_from_the_settings_gets_nothing(posting, webhook):
    posting.hosts = ("discord.com",)
    posting.begin()
    posting.set(webhook)
    posting.settle()
    assert (webhook.requests, posting.state().is_stopped) == ([], True)
