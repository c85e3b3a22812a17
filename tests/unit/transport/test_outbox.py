"""The outbox of one client: no sender waits for a message that can never be sent."""

from __future__ import annotations

import gevent

from enfilade.config import Limits
from enfilade.transport.socketio.outbox import Outbox


def test_closing_an_outbox_without_a_socket_releases_its_waiters():
    outbox = Outbox(limits=Limits(), on_cut=lambda _: None)
    outbox.send(b"a greeting")
    waiter = gevent.spawn(outbox.get)
    gevent.sleep(0)
    outbox.put(None)
    waiter.join(timeout=1)
    assert waiter.successful()
