"""The outbox of one client: no sender waits for a message that can never be sent."""

from __future__ import annotations

import gevent

from enfilade.config import Limits
from enfilade.transport.socketio.outbox import Outbox


def test_whoever_waits_for_an_outbox_that_never_had_a_socket_goes_on_at_its_end():
    outbox = Outbox(limits=Limits(), on_cut=lambda _: None)
    outbox.send(b"a greeting")
    waiting = gevent.spawn(outbox.get)
    gevent.sleep(0)
    outbox.put(None)
    waiting.join(timeout=1)
    assert waiting.successful()
