"""Every table of one server: made, found, and entered with a key."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from threading import RLock

from enfilade.errors import NotFound
from enfilade.play.dice.chains import Chains
from enfilade.play.members import Members, hashed, new_secret
from enfilade.play.setup import empty_board, prepared
from enfilade.play.table import Table
from enfilade.rules.dice import DiceBox
from enfilade.rules.registry import Rulesets, find_ruleset, ruleset_for
from enfilade.scene.model import Scene, Value
from enfilade.scene.seat import Seat
from enfilade.store.integrity import verify_tail
from enfilade.store.members import Member
from enfilade.store.protocol import Store, TableState


class Links(Value, frozen=True, kw_only=True):
    """What opens a new table: its id, the game master's key, and one for those who only watch."""

    table: str
    gm_key: str
    spectator_key: str


class Tables:
    """The tables of one server; a table stays in memory once it has been entered."""

    def __init__(
        self, store: Store, rulesets: Rulesets, dice: DiceBox | Chains, hosts: Sequence[str] = ()
    ) -> None:
        """`hosts` are those that a table's log may be posted to."""
        self.members = Members(store.members)
        self._store = store
        self._rulesets = rulesets
        self._dice = dice
        self._hosts = hosts
        self._open: dict[str, Table] = {}
        # A table is opened once, however many ask for it while its store lets others go on.
        self._opening = RLock()

    def create(self, scene: Scene) -> Links:
        """Makes a table with a scene on it; raises BadMessage, WrongGrid or NotFound for an unfit scene."""
        scene = prepared(ruleset_for(self._rulesets, scene), scene)
        links = Links(table=secrets.token_hex(8), gm_key=new_secret(), spectator_key=new_secret())
        members = {
            hashed(links.gm_key): Member(table=links.table, id="gm", role="gm"),
            hashed(links.spectator_key): Member(table=links.table, id="spectator", role="spectator"),
        }
        self._store.create(TableState(id=links.table, seq=0, scene=scene), members)
        return links

    def create_empty(self, ruleset: str, name: str) -> Links:
        """Makes a table with an empty board of the ruleset's own kind; raises NotFound."""
        grid = empty_board(find_ruleset(self._rulesets, ruleset))
        return self.create(Scene(ruleset=ruleset, grid=grid, name=name))

    def enter(self, table_id: str, key: str) -> tuple[Table, Seat]:
        """The table and the seat a key opens; Forbidden, the same for a wrong key and an absent table.

        Raises Damaged for a table that is not what was stored of it; others go on.
        """
        member = self.members.seated(table_id, key)
        return self.of(member), member.seat

    def of(self, member: Member) -> Table:
        """The table of somebody who has been let in; raises Damaged, NotFound."""
        table = self.find(member.table)
        if table is None:
            raise NotFound("That table is no longer here.")
        return table

    def find(self, table_id: str) -> Table | None:
        """A table without a key, for what only the server itself asks; raises Damaged where it is opened."""
        if table_id in self._open:  # its row is not read for everybody who comes: a large one takes 20 ms
            return self._open[table_id]
        kept = self._store.load(table_id)
        return None if kept is None else self._opened(kept)

    def _opened(self, kept: TableState) -> Table:
        with self._opening:
            if kept.id not in self._open:
                verify_tail(kept, self._store)
                table = Table(kept, self._store, self._rulesets, self._dice, self._hosts)
                table.prepare()
                self._open[kept.id] = table
            return self._open[kept.id]
