"""All tables of one server: create, find and enter them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence

from enfilade.errors import NotFound
from enfilade.i18n import localize
from enfilade.play.commit import Listener
from enfilade.play.dice import Chains
from enfilade.play.members import Members, hash_secret, new_secret
from enfilade.play.setup import empty_board, prepare_scene
from enfilade.play.table import Table
from enfilade.rules.dice import DiceBox
from enfilade.rules.registry import Rulesets, find_ruleset, ruleset_for, rulesets_for
from enfilade.runtime.time_budget import UnmeteredRLock
from enfilade.scene.model import Scene, Seat, Value
from enfilade.store.integrity import verify_tail
from enfilade.store.members import Member
from enfilade.store.protocol import Migration, Store, TableState


class Links(Value, frozen=True, kw_only=True):
    """The links of a new table: its ID, the GM's key, and the spectators' key."""

    table: str
    gm_key: str
    spectator_key: str


def new_table_id() -> str:
    """Return an unguessable ID for a new table."""
    return secrets.token_hex(8)


class Tables:
    """The tables of one server; a table stays in memory until it is not used for a while."""

    def __init__(
        self,
        store: Store,
        rulesets: Rulesets,
        dice: DiceBox | Chains,
        hosts: Sequence[str] = (),
        require_owned: Callable[[str], None] = lambda _table: None,
        max_bytes: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`hosts` are those that a log may be posted to, `max_bytes` what a table may take (0: any number).

        `require_owned` makes this process the owner of a table, or raises OtherProcess.
        """
        self._require_owned = require_owned
        self.members = Members(store.members)
        self.listeners: list[Callable[[Table], Listener]] = []
        """What follows the commits of each table that is opened from now on."""
        self.forgotten: list[Callable[[str], None]] = []
        """Called with the ID of each table that this process drops from memory."""
        self._store = store
        self.rulesets = rulesets
        self._dice = dice
        self._hosts = hosts
        self._max_bytes = max_bytes
        self._open: dict[str, Table] = {}
        self._used: dict[str, float] = {}
        """When each open table was last asked for, in seconds of the clock."""
        self._clock = clock
        # A table is opened once, however many ask for it while its store lets others go on. Those that wait
        # give up their turn at computing, which the one that opens the table needs.
        self._opening = UnmeteredRLock()

    def create(self, scene: Scene, table: str = "") -> Links:
        """Create a table with a scene, under a new ID. Raises BadMessage, WrongGrid, or NotFound."""
        scene = prepare_scene(ruleset_for(self.rulesets, scene), scene)
        links = Links(table=table or new_table_id(), gm_key=new_secret(), spectator_key=new_secret())
        members = {
            hash_secret(links.gm_key): Member(table=links.table, id="gm", role="gm"),
            hash_secret(links.spectator_key): Member(table=links.table, id="spectator", role="spectator"),
        }
        version = self.rulesets[scene.ruleset].version
        migrations = (Migration(0, version),) if version > 1 else ()
        state = TableState(id=links.table, seq=0, scene=scene, migrations=migrations)
        self._store.create(state, members)
        return links

    def create_empty(self, ruleset: str, name: str) -> Links:
        """Create a table with an empty board of the ruleset's own kind. Raises NotFound."""
        grid = empty_board(find_ruleset(self.rulesets, ruleset))
        return self.create(Scene(ruleset=ruleset, grid=grid, name=name))

    def create_with_pictures(
        self, scene: Scene, table: str, pictures: Mapping[str, tuple[str, bytes]]
    ) -> Links:
        """Create a table with a scene and its pictures, each with its media type, by their new IDs.

        Nothing is stored if the scene is refused. Raises as `create`.
        """
        links = self.create(scene, table)
        for asset, (kind, data) in pictures.items():
            self._store.add_asset(table, asset, kind, data)
        return links

    def enter(self, table_id: str, key: str) -> tuple[Table, Seat]:
        """Return the table and the seat of a key. Raises Forbidden, the same for a wrong key and no table.

        Raises Damaged if the stored table is damaged.
        """
        member = self.members.seated_member(table_id, key)
        return self.of(member), member.seat

    def of(self, member: Member) -> Table:
        """Return the table of an admitted member. Raises Damaged, NotFound."""
        table = self.find(member.table)
        if table is None:
            raise NotFound(localize("play.table_gone"))
        return table

    def find(self, table_id: str) -> Table | None:
        """Return a table without a key, for the server's own use. Raises Damaged, OtherProcess."""
        self._require_owned(table_id)  # first, so that no other process changes the row that is read
        if table_id in self._open:  # no store read: a large row takes 20 ms
            self._used[table_id] = self._clock()
            return self._open[table_id]
        state = self._store.load(table_id)
        return None if state is None else self._opened(state)

    def delete(self, table_id: str) -> None:
        """Delete a table for good. Raises NotFound, StoreDown."""
        self.forget(table_id)
        if not self._store.delete(table_id):
            raise NotFound(localize("play.table_gone"))

    def forget(self, table_id: str) -> None:
        """Drop a table from memory, because another process may change it now."""
        self._open.pop(table_id, None)
        self._used.pop(table_id, None)
        for told in self.forgotten:
            told(table_id)

    def release_unused(self, seconds: float, has_connections: Callable[[str], bool]) -> int:
        """Drop the tables from memory that no one asked for in the last seconds; return their number.

        The next request opens them again. A table with connections stays, and one that posts its log.
        """
        oldest = self._clock() - seconds
        unused = [
            table_id
            for table_id, table in self._open.items()
            if self._used[table_id] < oldest and not table.webhook.url and not has_connections(table_id)
        ]
        for table_id in unused:
            del self._open[table_id], self._used[table_id]
        return len(unused)

    def _opened(self, state: TableState) -> Table:
        with self._opening:
            if state.id not in self._open:
                verify_tail(state, self._store)
                version = state.version_at(state.seq)
                rulesets = rulesets_for(self.rulesets, state.scene, version)
                table = Table(state, self._store, rulesets, self._dice, self._hosts, self._max_bytes)
                for listener in self.listeners:
                    table.listen(listener(table))
                table.prepare()
                self._open[state.id] = table
                self._used[state.id] = self._clock()
            return self._open[state.id]
