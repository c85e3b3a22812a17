"""Members and invitations, in every store."""

from __future__ import annotations

import pytest

from enfilade.errors import Forbidden
from enfilade.play.members import Members
from enfilade.scene.model import Grid, Scene
from enfilade.store.protocol import TableState


@pytest.fixture
def members(store):
    store.create(TableState(id="t", seq=0, scene=Scene(ruleset="any", grid=Grid("square", 5, 5))), {})
    return Members(store.members)


def meanwhile(store, monkeypatch, deed):
    """Run something between finding an invitation and using it."""
    find = store.members.invitation_by_secret

    def found(table, secret):
        invitation = find(table, secret)
        deed()
        return invitation

    monkeypatch.setattr(store.members, "invitation_by_secret", found)


@pytest.mark.parametrize("role", ["player", "spectator"])
def test_an_invitation_revoked_during_a_request_admits_no_player(store, members, monkeypatch, role):
    invited = members.invite("t", role, 1)
    meanwhile(store, monkeypatch, lambda: members.withdraw("t", invited.id))
    with pytest.raises(Forbidden):
        members.ask("t", invited.secret, "Kit")
    assert list(members.all_members("t")) == []


def test_an_invitation_used_up_during_a_request_admits_no_second_player(store, members, monkeypatch):
    invited = members.invite("t", "player", 1)
    first = members.ask("t", invited.secret, "Mia")
    meanwhile(store, monkeypatch, lambda: members.approve("t", first.seat))
    with pytest.raises(Forbidden):
        members.ask("t", invited.secret, "Kit")
    assert [member.name for member in members.all_members("t")] == ["Mia"]
