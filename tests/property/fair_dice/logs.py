"""Real tables with fair dice, acts at them, and the logs that come of it."""

from __future__ import annotations

import itertools

from msgspec.structs import replace

from enfilade.messages.examples import EXAMPLES, SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.play.dice.chains import LINKS, Chains
from enfilade.play.tables import Tables
from enfilade.rules.fair import commitment
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.dice_notes import IndexUsed, PartsCommitted
from enfilade.scene.seat import GM, Seat
from enfilade.store.dice_secrets import MemoryDiceSecrets
from enfilade.store.members import Member
from enfilade.store.memory import MemoryStore

ACT = EXAMPLES["commands/act"]["body"]["act"]
RULESETS = load_rulesets(BUILT_IN)


class RecordedGame:
    """A table of the contract's example scene, and a game master who attacks for ever."""

    def __init__(self, store=None, seeds=None, links=LINKS, chains=Chains, rulesets=RULESETS):
        self.store, self.seeds = store or MemoryStore(), seeds or MemoryDiceSecrets()
        self.make = lambda: Tables(self.store, rulesets, chains(self.seeds, links))
        self.numbers = itertools.count()
        self.links = self.make().create(load_scene(SCENE))
        self.enter()

    def enter(self):
        """Comes to the table anew, as after a restart."""
        self.table, _ = self.make().enter(self.links.table, self.links.gm_key)

    def do(self, kind, body, random=None, command_id=None, seat=GM):
        number = next(self.numbers)
        command = {"v": 1, "id": command_id or f"c{number}", "kind": kind, "body": body}
        return self.table.execute(seat, load_command({**command, "random": random or f"{number:032x}"}))

    def attack(self, faces=None, secret=False, **more):
        return self.do("act", {"act": ACT, "faces": faces, "secret": secret}, **more)

    def attack_to_the_end(self, secret=False):
        """An attack with the default of every choice, taken back so that the next may follow."""
        done = self.attack(secret=secret)
        while "waiting" in done.result:
            choice = done.result["waiting"]
            done = self.do("choice.answer", {"choice": choice["id"], "answer": choice["default"]})
        self.do("undo", {})

    def entries(self):
        return self.store.entries(self.table.id, 0, 1_000_000)

    def last_entries(self):
        return self.store.entries(self.table.id, max(0, self.table.seq - 10), 10)

    def log(self):
        return "".join(self.table.export_log()).encode()


class Player:
    """A player at a game's table, who takes part in the dice as a page does."""

    def __init__(self, game, name):
        self.game, self.seat = game, Seat("player", name.lower())
        self.values = (f"{name.encode().hex():0>24}{number:08x}" for number in itertools.count())
        self.value = ""
        member = Member(table=game.table.id, id=self.seat.id, role="player", name=name)
        game.store.members.add_member(member, f"key of {name}")

    def take_part(self, give=None):
        """Reveal the bytes that are due, if any, and commit to others."""
        self.value = next(self.values)
        following = commitment(self.game.table.id, self.seat.id, self.value)
        return self.game.do("dice.contribute", {"reveal": give, "commit": following}, seat=self.seat)


def take_all_parts(game, players):
    """Exchange contributions as at the start of a round; all players reveal theirs."""
    parts = game.table._state.parts
    game.table._state = replace(game.table._state, parts=replace(parts, opened_ms=1, closed_ms=1))
    assert game.table.process_contributions()
    assert isinstance(game.entries()[-1].dice, PartsCommitted)
    for player in players:
        player.take_part(give=player.value)


def honest_log(rolls):
    """The log of a game with so many attacks, one in four of them hidden and one in eight shown afterwards.

    It has a chain that had to be followed by others, typed dice, and players who take part in the dice.
    """
    game = RecordedGame(links=max(10, rolls // 3))
    players = [Player(game, name) for name in ("Ann", "Bo")]
    for player in players:
        player.take_part()
    game.attack(faces=[2])
    game.do("undo", {})
    for number in range(rolls):
        if number % 50 == 5:
            take_all_parts(game, players)
        game.attack_to_the_end(secret=number % 4 == 0)
        if number % 8 == 0:
            rolled = next(entry for entry in reversed(game.last_entries()) if is_hidden_roll(entry))
            game.do("dice.reveal", {"seq": rolled.seq})
    return game.log()


def is_hidden_roll(entry):
    return isinstance(entry.dice, IndexUsed) and entry.dice.is_hidden
