"""What was worked out for a value is remembered as long as it is asked for, and no longer."""

from __future__ import annotations

import gc
import weakref

from enfilade.rulesets.coup_de_grace.remembered import remembered

MOST = 10


class Thing:
    """Something that is known by being the very same one."""


def counting():
    asked = []

    @remembered(MOST)
    def ask(thing):
        asked.append(thing)
        return len(asked)

    return ask, asked


def test_what_is_asked_for_now_and_then_is_worked_out_once_however_many_others_are():
    ask, asked = counting()
    known = Thing()
    for _ in range(100):
        ask(known)
        ask(Thing())
    assert asked.count(known) == 1


def test_no_more_are_kept_than_there_may_be():
    @remembered(MOST)
    def ask(_thing):
        return "an answer"

    things = [Thing() for _ in range(100)]
    alive = [weakref.ref(thing) for thing in things]
    while things:
        ask(things.pop())
    gc.collect()
    assert 0 < sum(thing() is not None for thing in alive) <= MOST
