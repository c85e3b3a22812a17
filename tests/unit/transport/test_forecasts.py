"""Forecast jobs on real worker processes and on a real Dask cluster: progress, cancellation, seats."""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext, suppress

import gevent
import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.unit.tactics.test_decision_map import ANN, ORC, battle

from enfilade.client.http import Client
from enfilade.errors import Forbidden, NotFound, RateLimited
from enfilade.importers.demo import demo_battle
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.runtime.config import config_from_environment
from enfilade.transport import forecasts as module
from enfilade.transport.forecasts import ForecastJob, Forecasts

DUEL = battle(ANN, ORC)
DEADLINE_SECONDS = 60


def until(forecasts, forecast, is_reached):
    """Read a forecast of the GM until a condition holds."""
    ends = time.monotonic() + DEADLINE_SECONDS
    found = forecasts.read("t", "gm", forecast)
    while not is_reached(found):
        assert time.monotonic() < ends, f"it is still {found.state} at {found.played}"
        gevent.sleep(0.05)
        found = forecasts.read("t", "gm", forecast)
    return found


def test_worker_processes_count_all_continuations_while_the_loop_goes_on():
    forecasts, turns = Forecasts(), []
    started = forecasts.start("t", "gm", 7, DUEL, 30)
    assert (started.state, started.played, started.seq) in {("waiting", 0, 7), ("running", 0, 7)}

    def loop():
        while True:
            turns.append(time.monotonic())
            gevent.sleep(0.01)

    ticking = gevent.spawn(loop)
    done = until(forecasts, started.forecast, lambda one: one.state == "done")
    ticking.kill()
    assert done.played == 30
    assert sum(count for _, count in done.rounds) == 30
    assert len(turns) > 20, "the loop ran meanwhile"


def test_a_cancelled_job_ends_soon_and_keeps_what_it_has_counted():
    forecasts = Forecasts()
    brawl = demo_battle(COUP_DE_GRACE).scene
    started = forecasts.start("t", "gm", 0, brawl, 5_000)
    some = until(forecasts, started.forecast, lambda one: one.played > 0)
    assert some.state == "running"
    forecasts.cancel("t", "gm", started.forecast)
    ended = until(forecasts, started.forecast, lambda one: one.state == "cancelled")
    assert 0 < ended.played < 5_000


def test_a_seat_has_one_job_and_reads_no_other_seats():
    forecasts = Forecasts()
    first = forecasts.start("t", "gm", 0, DUEL, 5_000)
    others = forecasts.start("t", "player:mia", 0, DUEL, 10)
    second = forecasts.start("t", "gm", 1, DUEL, 4)
    for seat, forecast in (("gm", first), ("gm", others), ("player:mia", second)):
        with pytest.raises(NotFound):
            forecasts.read("t", seat, forecast.forecast)
    assert until(forecasts, second.forecast, lambda one: one.state == "done").played == 4
    forecasts.close()


@pytest.fixture
def turns(monkeypatch):
    """Forecasts whose jobs count nothing and run until they are cancelled."""

    def play(job, _where):
        while not job.is_cancelled:
            gevent.sleep(0.001)
        job.end("done")

    monkeypatch.setattr(ForecastJob, "play", play)
    forecasts = Forecasts()
    yield SlowForecasts(forecasts)
    forecasts.close()


class SlowForecasts:
    """Forecasts that run until the test ends them, by table and seat."""

    def __init__(self, forecasts):
        self.forecasts = forecasts
        self._ids = {}

    def start(self, table, seat):
        self._ids[table, seat] = self.forecasts.start(table, seat, 0, DUEL, 50).forecast
        gevent.idle()

    def end(self, table, seat):
        self.forecasts.cancel(table, seat, self._ids[table, seat])
        while self.state(table, seat) not in ("done", "cancelled"):
            gevent.sleep(0.001)
        gevent.idle()  # the next one begins

    def state(self, table, seat):
        return self.forecasts.read(table, seat, self._ids[table, seat]).state


def test_another_tables_forecast_comes_after_one_of_a_table_that_asks_for_many(turns):
    turns.start("greedy", "gm")
    for seat in ("player:1", "player:2", "player:3"):
        with suppress(RateLimited):
            turns.start("greedy", seat)
    turns.start("honest", "gm")
    turns.end("greedy", "gm")
    assert turns.state("honest", "gm") == "running"
    assert turns.state("greedy", "player:1") == "waiting"


def test_a_table_has_one_waiting_place_which_its_gm_takes(turns):
    turns.start("other", "gm")
    turns.start("t", "player:1")
    with pytest.raises(RateLimited):
        turns.start("t", "player:2")
    turns.start("t", "player:1")  # in place of its own
    turns.start("t", "gm")
    assert turns.state("t", "player:1") == "cancelled"
    with pytest.raises(RateLimited):
        turns.start("t", "player:1")
    turns.end("other", "gm")
    assert turns.state("t", "gm") == "running"


def test_a_waiting_forecast_that_is_cancelled_leaves_its_place(turns):
    turns.start("other", "gm")
    turns.start("t", "player:1")
    turns.end("t", "player:1")
    turns.start("t", "player:2")
    assert turns.state("t", "player:2") == "waiting"


def test_a_tables_ended_forecasts_push_no_other_tables_out(turns, monkeypatch):
    monkeypatch.setattr(module, "MAX_KEPT", 2)
    turns.start("honest", "gm")
    turns.end("honest", "gm")
    for number in range(5):
        turns.start("greedy", f"player:{number}")
        turns.end("greedy", f"player:{number}")
    turns.start("greedy", "gm")
    assert turns.state("honest", "gm") == "done"
    with pytest.raises(NotFound):
        turns.state("greedy", "player:0")
    assert turns.state("greedy", "player:4") == "done"


def test_a_job_whose_batch_fails_says_so():
    forecasts = Forecasts()
    started = forecasts.start("t", "gm", 0, replace(DUEL, ruleset="go"), 4)
    failed = until(forecasts, started.forecast, lambda one: one.state == "failed")
    assert failed.played == 0


@contextmanager
def dask_cluster():
    """Yield the address of a Dask cluster with two workers."""
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(processes=True, host="127.0.0.1", **settings) as cluster:
        yield cluster.scheduler_address


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "place", [nullcontext("2"), dask_cluster()], ids=["processes of the server", "Dask cluster"]
)
def test_the_same_job_runs_in_processes_of_the_server_and_on_a_cluster(place):
    with place as where:
        forecasts = Forecasts(where)
        started = forecasts.start("t", "gm", 0, DUEL, 24)
        done = until(forecasts, started.forecast, lambda one: one.state in ("done", "failed"))
        assert (done.state, done.played) == ("done", 24)
        forecasts.close()


def test_the_settings_name_the_cluster_and_the_processes(monkeypatch):
    monkeypatch.setenv("ENFILADE_DASK", "tcp://10.0.0.5:8786")
    monkeypatch.setenv("ENFILADE_FORECAST_PROCESSES", "3")
    config = config_from_environment()
    assert (config.dask, config.forecast_processes) == ("tcp://10.0.0.5:8786", 3)
    monkeypatch.setenv("ENFILADE_DASK", "file:///etc/passwd")
    with pytest.raises(Exception, match="ENFILADE_DASK"):
        config_from_environment()


# Over the wire


def test_a_client_follows_a_forecast_to_its_end(game):
    gm, steps = Client(game.url, game.table, game.gm_key), []
    found = gm.forecast(8, report=steps.append)
    assert not differences("forecast", found)
    assert (found["state"], found["played"]) == ("done", 8)
    assert steps[-1] == found


def test_a_spectator_gets_no_forecast(game):
    with pytest.raises(Forbidden):
        Client(game.url, game.table, game.spectator_key).forecast(4)
