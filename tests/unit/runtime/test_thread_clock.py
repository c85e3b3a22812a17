from enfilade.runtime.thread_clock import ERROR_SECONDS, ThreadClock


class Machine:
    """A thread that computes and waits, its two clocks, and how often the exact one was read."""

    def __init__(self):
        self.cpu, self.wall, self.reads = 5.0, 100.0, 0

    def exact(self):
        self.reads += 1
        return self.cpu

    def fast(self):
        return self.wall

    def compute(self, seconds):
        self.cpu, self.wall = self.cpu + seconds, self.wall + seconds

    def wait(self, seconds):
        self.wall += seconds


def test_readings_close_together_share_one_system_call():
    machine = Machine()
    clock = ThreadClock(machine.exact, machine.fast)
    for _ in range(10):
        machine.compute(ERROR_SECONDS / 20)
        assert abs(clock() - machine.cpu) < 1e-9
    assert machine.reads == 1


def test_a_long_wait_counts_for_nothing():
    machine = Machine()
    clock = ThreadClock(machine.exact, machine.fast)
    machine.wait(3)
    machine.compute(0.002)
    assert clock() == machine.cpu


def test_a_reading_is_above_the_exact_one_by_a_short_wait_at_most():
    machine = Machine()
    clock = ThreadClock(machine.exact, machine.fast)
    for part in range(1, 40):
        machine.wait(ERROR_SECONDS / part)
        machine.compute(ERROR_SECONDS / 7)
        assert 0 <= clock() - machine.cpu + 1e-9 <= ERROR_SECONDS + 2e-9
