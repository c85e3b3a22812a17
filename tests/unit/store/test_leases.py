"""A table has one owner at a time, and a former owner cannot write, although it may not know yet."""

from __future__ import annotations

import time
from contextlib import closing
from threading import Thread

import pytest
import sqlalchemy as sa
from tests.unit.store.test_stores import KEPT, after, answered, entry

from enfilade.errors import BadInput, OtherProcess, StoreDown
from enfilade.store.sql.schema import TABLES
from enfilade.store.sql.tables import SqlStore

LEASE = 0.8


class Process:
    """One process of a cluster, as far as its store goes."""

    def __init__(self, url, name):
        self.store = SqlStore(url)
        self.leases = self.store.lease_tables(name, LEASE)

    def take(self, table):
        owner = self.leases.claim(table)
        if owner and owner.is_this:
            self.store.set_fences({table: owner.fence})
        return owner

    def close(self):
        self.store.close()


@pytest.fixture
def pair(postgres_url):
    one, other = Process(postgres_url, "one"), Process(postgres_url, "other")
    with closing(one), closing(other):
        yield one, other


@pytest.fixture
def table(pair):
    pair[0].store.create(KEPT, {})
    for process in pair:  # to start the second took time
        process.leases.renew()
    return KEPT.id


def wait_for_expiry():
    time.sleep(LEASE * 1.5)


def test_the_first_to_claim_a_table_owns_it_and_the_other_learns_its_name(pair, table):
    one, other = pair
    assert one.take(table).is_this
    found = other.take(table)
    assert (found.is_this, found.name, found.fence) == (False, "one", 1)


def test_the_other_learns_how_long_the_owner_s_lease_lasts_if_it_is_not_renewed(pair, table):
    one, other = pair
    one.take(table)
    one.leases.renew()
    first = other.take(table).seconds_left
    assert 0 < first <= LEASE
    time.sleep(LEASE / 4)
    assert other.take(table).seconds_left <= first - LEASE / 4
    one.leases.release_all()
    assert other.take(table).is_this


def test_an_owner_that_claims_again_keeps_its_number(pair, table):
    assert [pair[0].take(table).fence for _ in range(3)] == [1, 1, 1]


def test_a_table_that_does_not_exist_has_no_owner(pair):
    assert pair[0].take("nowhere") is None


def test_a_renewed_lease_lasts_and_an_expired_one_is_taken_over_with_a_higher_number(pair, table):
    one, other = pair
    one.take(table)
    for _ in range(4):
        time.sleep(LEASE / 2)
        assert one.leases.renew() == {table: 1}
    assert not other.take(table).is_this
    wait_for_expiry()
    other.leases.renew()
    assert (other.take(table).is_this, other.take(table).fence) == (True, 2)
    assert one.leases.renew() == {}, "a process that wakes after its lease has no table any more"


def write(process, row, seq):
    """Store the next entry of a table; return its new row."""
    row = after(row, seq=seq)
    process.store.save(row, entry(seq), answered(f"c{seq}"))
    return row


def fences(store):
    with store._database.reading() as connection:
        return [
            tuple(row) for row in connection.execute(sa.text("SELECT seq, fence FROM entries ORDER BY seq"))
        ]


def test_a_process_that_owns_nothing_cannot_write(pair, table):
    with pytest.raises(OtherProcess):
        write(pair[0], KEPT, 1)
    assert pair[0].store.entries(table, 0, 10) == []


def test_the_log_shows_who_wrote_each_entry_and_a_former_owner_cannot_write(pair, table):
    one, other = pair
    one.take(table)
    row = write(one, KEPT, 1)
    wait_for_expiry()
    other.leases.renew()
    other.take(table)
    with pytest.raises(OtherProcess):  # before the new owner has written, so the revision alone would fit
        write(one, row, 2)
    row = write(other, other.store.load(table), 2)
    with pytest.raises(OtherProcess):
        write(one, row, 3)
    assert fences(one.store) == [(1, 1), (2, 2)]


def test_a_former_owner_that_renews_late_stays_fenced(pair, table):
    one, other = pair
    one.take(table)
    wait_for_expiry()
    other.leases.renew()
    other.take(table)
    one.store.set_fences({table: 1})  # what it believes, although its renewal says otherwise
    one.leases.renew()
    with pytest.raises(OtherProcess):
        write(one, KEPT, 1)


def test_a_table_is_taken_over_only_after_a_write_in_progress(pair, table):
    one, other = pair
    one.take(table)
    with one.store._database.writing() as connection:
        connection.execute(sa.text("UPDATE tables SET revision = revision WHERE id = :id"), {"id": table})
        wait_for_expiry()
        other.leases.renew()
        taken = []
        taking = Thread(target=lambda: taken.append(other.take(table)))
        taking.start()
        taking.join(0.2)
        assert taken == []
    taking.join(5)
    assert taken[0].is_this


def test_claims_at_the_same_time_give_one_owner(pair, table):
    found = []
    threads = [Thread(target=lambda one=one: found.append(one.take(table))) for one in pair for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {owner.fence for owner in found} == {1}
    assert sum(owner.is_this for owner in found) == 4
    assert len({owner.name for owner in found}) == 1


def test_a_process_that_hands_over_frees_its_tables_at_once_and_takes_none_again(pair, table):
    one, other = pair
    one.take(table)
    one.leases.release_all()
    assert one.leases.renew() == {}
    with pytest.raises(OtherProcess):
        write(one, KEPT, 1)
    assert not one.leases.claim(table).is_this
    assert other.take(table).is_this


def test_a_process_whose_row_is_gone_registers_again(pair, table):
    one, _ = pair
    one.leases.end()
    one.leases.renew()
    assert one.take(table).is_this


def test_a_store_without_leases_writes_to_a_table_of_a_former_cluster(pair, table, postgres_url):
    one, _ = pair
    one.take(table)
    one.leases.release_all()
    with closing(SqlStore(postgres_url)) as alone:
        row = after(alone.load(table), seq=1)
        alone.save(row, entry(1), answered("c1"))
        assert alone.load(table) == row


def test_leases_need_a_database_server(sqlite_url):
    with closing(SqlStore(sqlite_url)) as store, pytest.raises(BadInput):
        store.lease_tables("one")


def test_a_process_that_is_cut_off_within_a_transaction_does_not_keep_the_table(pair, table):
    one, other = pair
    one.take(table)
    taken = []

    def hold_the_row():
        with one.store._database.writing() as connection:
            connection.execute(sa.update(TABLES).where(TABLES.c.id == table).values(owner=TABLES.c.owner))
            wait_for_expiry()
            other.leases.renew()
            taken.append(other.take(table).is_this)

    with pytest.raises(StoreDown):
        hold_the_row()
    assert taken == [True]
