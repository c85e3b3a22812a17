"""An attack before its die, and the rules that forbid it (CDG-008, CDG-021, CDG-037 to CDG-052)."""

from __future__ import annotations

import msgspec

from enfilade.errors import CannotPay, IllegalAct, OutOfReach, OutOfTurn
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.causes import barred, walled_off
from enfilade.rules.battle.memo import Memo, per_owner, per_scene, recent_by_size
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import QuickRefusal
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import (
    Battlefield,
    battlefield,
)
from enfilade.rulesets.coup_de_grace.catalog import Item
from enfilade.rulesets.coup_de_grace.laws import ATTACKS, LAWS
from enfilade.rulesets.coup_de_grace.movement_costs import doublings, is_walled
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.sight import blocked_by, range_between
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene

RANGED_COST = 4
"""The movement points of a ranged attack without an adjacent enemy (CDG-038)."""

_COSTS = {"melee": 0, "ranged": RANGED_COST}


class Aim(msgspec.Struct, dict=True):
    """An attack before it has a target.

    Attributes:
        battle: the battlefield.
        attacker: the miniature that attacks.
        weapon: the name of the held item in the attacker's hands, like "sword 2".
        item: the item.
        kind: the kind of act: "melee", "ranged" or "spell".
    """

    battle: Battlefield
    attacker: Fighter
    weapon: str
    item: Item
    kind: str

    @lazy
    def is_melee(self) -> bool:
        """Return whether this is a melee attack. The text of a spell says which kind it is (CDG-062)."""
        return (self.item.spell if self.kind == "spell" else self.kind) == "melee"

    @property
    def from_cell(self) -> Cell:
        """Return the attacker's cell. The attacker must be on the board."""
        assert self.attacker.token.at is not None
        return self.attacker.token.at

    @lazy
    def cost(self) -> int:
        """Return the cost in movement points (CDG-037 to CDG-042)."""
        if self.kind == "melee":
            return _COSTS["melee"]
        return cost_at_its_cell(self.battle, self.attacker.id, self.weapon, self.kind)

    @lazy
    def not_now(self) -> IllegalAct | None:
        """Return why it is not the attacker's turn, if so."""
        return _not_now(self.battle, self.attacker)

    @lazy
    def not_free(self) -> IllegalAct | None:
        """Return why the attacker or its weapon may not attack, if so."""
        return _not_free(self.battle, self.attacker, self.weapon, self.kind)

    @lazy
    def not_at_all(self) -> IllegalAct | None:
        """Return why no enemy on the board may be attacked now, if so."""
        return _not_on_board(self.attacker) or self.not_now or self.not_free

    @lazy
    def not_paid(self) -> IllegalAct | None:
        """Return why the attacker cannot pay for the attack, if so."""
        return check_refusal(require_points, self.battle, self.attacker, self.cost)

    @lazy
    def needs_range(self) -> bool:
        """Return whether a target may be out of range: by a limited reach, or with ranges along paths."""
        return bool(self.item.reach) or self.battle.setting(house_rules.RANGE) == "path"


@per_owner
def _not_now(battle: Battlefield, attacker: Fighter) -> IllegalAct | None:
    """Return why it is not a miniature's turn, if so: once for all its targets."""
    return check_refusal(require_turn, battle, attacker)


@per_owner
def _not_free(battle: Battlefield, attacker: Fighter, weapon: str, kind: str) -> IllegalAct | None:
    """Return why a miniature may not attack with a weapon, if so: once for all its targets."""
    act = Act(kind=kind, token=attacker.id, weapon=weapon)
    return LAWS.refusal(battle.scene, act, ATTACKS[kind]) or check_refusal(
        require_unused, battle, attacker, weapon
    )


class Strike(Aim):
    """An attack before its die.

    Attributes:
        target: the miniature that is attacked.
    """

    target: Fighter

    @lazy
    def memo(self) -> Memo:
        """The results that are worked out once for the strike."""
        return {}

    @property
    def to_cell(self) -> Cell:
        """Return the target's cell. The target must be on the board."""
        assert self.target.token.at is not None
        return self.target.token.at

    @lazy
    def range(self) -> int | None:
        """Return the range in cells. It is None if range is counted along paths and no path leads there."""
        return range_between(self.battle, self.from_cell, self.to_cell)

    @property
    def is_backstab(self) -> bool:
        """Return whether the target faces directly away from the attacker (CDG-054)."""
        return self.is_melee and self.battle.is_behind(self.target, self.from_cell)

    @property
    def is_coup_de_grace(self) -> bool:
        """Return whether the target is downed (CDG-076)."""
        return self.target.is_downed


@recent_by_size
def strike_of(scene: Scene, act: Act) -> Strike:
    """Return the strike of an act. Raises IllegalAct if the weapon is not in hand, and NotFound."""
    battle = battlefield(scene)
    attacker = battle.fighter(act.token)
    target = battle.fighter(act.target)
    return Strike(battle, attacker, act.weapon, item_in_hand(attacker, act), act.kind, target)


def item_in_hand(one: Fighter, act: Act) -> Item:
    """Return the held item of an act. Raises IllegalAct if no held item can do the act (CDG-008)."""
    item = one.items.get(act.weapon)
    if item is None or not item.can(act.kind):
        if act.kind == "spell":
            sentence = localize("coup_de_grace.refuse_no_focus", name=one.name, item=act.weapon)
        else:
            sentence = localize(
                "coup_de_grace.refuse_no_weapon", name=one.name, item=act.weapon, kind=act.kind
            )
        raise IllegalAct(sentence, "CDG-008", "missing")
    return item


def cost_of(battle: Battlefield, one: Fighter, item: Item, kind: str, at: Cell | None = None) -> int:
    """Return the movement points of an attack or spell, doubled for each adjacent enemy (CDG-037 to CDG-042).

    The cost is that from the miniature's own cell, or from the cell `at`.
    """
    base = item.cost if kind == "spell" else _COSTS[kind]
    if one.is_downed or one.token.at is None or not base:
        return 0
    if kind == "spell" and "mage left fist" in one.profile.hands and item.name != "mage left fist":
        return base
    return base << doublings(battle, one, at or one.token.at)


@per_owner
def cost_at_its_cell(battle: Battlefield, token_id: str, weapon: str, kind: str) -> int:
    """Return the movement points of an attack, which are the same for all targets."""
    one = battle.fighter(token_id)
    return cost_of(battle, one, one.items[weapon], kind)


def require_turn(battle: Battlefield, one: Fighter) -> None:
    """Raise IllegalAct if a miniature is not on the board, or it is not its activation."""
    if one.is_out or one.token.at is None:
        raise IllegalAct(localize("coup_de_grace.refuse_not_on_board", name=one.name), "CDG-068", "edge")
    if not battle.is_active(one):
        raise OutOfTurn(localize("coup_de_grace.refuse_not_active", name=one.name), "CDG-027")


def require_unused(battle: Battlefield, one: Fighter, weapon: str) -> None:
    """Raise CannotPay if a held weapon has attacked this round (CDG-021)."""
    if battle.is_in_play and weapon in one.listed("used"):
        raise CannotPay(
            localize("coup_de_grace.refuse_used", name=one.name, item=one.items[weapon].name), "CDG-021"
        )


def require_points(battle: Battlefield, one: Fighter, cost: int) -> None:
    """Raise CannotPay if an act costs more movement points than are left (CDG-043)."""
    left = battle.points_left(one)
    if cost > left:
        raise CannotPay(localize("coup_de_grace.refuse_cost", cost=cost, left=left), "CDG-043")


def require_on_board(strike: Strike) -> None:
    """Raise OutOfReach if attacker or target is off the board. The GM cannot override this."""
    _raise(_not_on_board(strike.attacker) or _not_on_board(strike.target))


def _not_on_board(one: Fighter) -> IllegalAct | None:
    if one.token.at is None or one.is_out:
        return OutOfReach(localize("coup_de_grace.refuse_not_on_board", name=one.name), "CDG-068", "edge")
    return None


def require_legal(strike: Strike) -> None:
    """Raise the IllegalAct of the first rule that forbids a strike."""
    _raise(strike_refusal(strike))


@per_owner
def strike_refusal(strike: Strike) -> IllegalAct | None:
    """Return the IllegalAct of the first rule that forbids a strike; cached."""
    return target_refusal(strike, strike.target)


@per_scene
def aim_of(scene: Scene, token_id: str, weapon: str, kind: str) -> Aim | None:
    """Return an attack before it has a target, the same for all; None if no held item can do it."""
    battle = battlefield(scene)
    one = battle.fighter(token_id)
    item = one.items.get(weapon)
    return Aim(battle, one, weapon, item, kind) if item and item.can(kind) else None


def attack_refusal(scene: Scene, act: Act) -> IllegalAct | None:
    """Return the IllegalAct that refuses an attack, as its own checks do; None also for a wrong item."""
    aim = aim_of(scene, act.token, act.weapon, act.kind)
    return target_refusal(aim, aim.battle.fighter(act.target)) if aim else None


def attack_refusals(scene: Scene, token_id: str) -> QuickRefusal:
    """Return `attack_refusal` for a miniature's attacks; what refuses them at all enemies is asked once."""
    battle, aims = battlefield(scene), dict[tuple[str, str], Aim | None]()
    enemies = battle.enemies_of(battle.fighter(token_id))

    def refusal(scene: Scene, act: Act) -> IllegalAct | None:
        way = act.weapon, act.kind
        if way not in aims:
            aims[way] = aim_of(scene, token_id, *way)
        aim, enemy = aims[way], enemies.get(act.target)
        if enemy is None or aim is None:
            return attack_refusal(scene, act)
        return aim.not_at_all or _place_refusal(aim, enemy)

    return refusal


def target_refusal(aim: Aim, target: Fighter) -> IllegalAct | None:
    """Return the IllegalAct of the first rule that forbids an attack on a target; cheap checks come first."""
    return (
        _not_on_board(aim.attacker)
        or _not_on_board(target)
        or aim.not_now
        or _not_an_enemy(aim, target)
        or aim.not_free
        or _place_refusal(aim, target)
    )


def _place_refusal(aim: Aim, target: Fighter) -> IllegalAct | None:
    """Return why the places of attacker and target forbid an attack, or its price, if so."""
    if aim.is_melee:
        return _not_in_front(aim, target) or aim.not_paid or _behind_a_wall(aim, target)
    return _not_in_range(aim, target) or aim.not_paid or _not_in_sight(aim, target)


def _raise(refused: IllegalAct | None) -> None:
    if refused:
        raise type(refused)(refused.sentence, refused.rule, refused.cause)


def is_out_of_reach(strike: Strike) -> bool:
    """Return whether a further attack of the same act no longer reaches its target, as after a push."""
    target = strike.target
    if strike.is_melee:
        return (_not_in_front(strike, target) or _behind_a_wall(strike, target)) is not None
    return (_not_in_range(strike, target) or _not_in_sight(strike, target)) is not None


def _not_an_enemy(aim: Aim, target: Fighter) -> IllegalAct | None:
    attacker = aim.attacker
    if attacker.token.side == target.token.side:
        return IllegalAct(localize("coup_de_grace.refuse_same_side", name=target.name), "CDG-052", "target")
    if aim.battle.are_allies(attacker, target) and not aim.battle.is_on(house_rules.ATTACK_ALLIES):
        return IllegalAct(localize("coup_de_grace.refuse_ally", name=target.name), "CDG-052", "target")
    return None


def _cell_of(target: Fighter) -> Cell:
    assert target.token.at is not None
    return target.token.at


def _not_in_front(aim: Aim, target: Fighter) -> OutOfReach | None:
    battle, attacker, there = aim.battle, aim.attacker, _cell_of(target)
    if not battle.are_adjacent(aim.from_cell, there):
        return OutOfReach(
            localize("coup_de_grace.refuse_not_adjacent", name=target.token.name), "CDG-049", "distance"
        )
    if not attacker.is_downed and not battle.is_facing(attacker, there):
        return OutOfReach(
            localize("coup_de_grace.refuse_not_straight_ahead", name=attacker.name, target=target.name),
            "CDG-014",
            "arc",
        )
    return None


def _behind_a_wall(aim: Aim, target: Fighter) -> OutOfReach | None:
    if is_walled(aim.battle, aim.from_cell, _cell_of(target)):
        return walled_off(aim.attacker.name, target.name, "CDG-049")
    return None


def _not_in_range(aim: Aim, target: Fighter) -> OutOfReach | None:
    attacker, there = aim.attacker, _cell_of(target)
    start, facing = attacker.token.at, attacker.facing
    is_ahead = start and facing is not None and aim.battle.is_in_front_arc(start, facing, there)
    if not is_ahead and not attacker.is_downed:
        return OutOfReach(localize("coup_de_grace.refuse_not_in_arc", name=target.name), "CDG-050", "arc")
    if not aim.needs_range:
        return None
    return _not_within(aim.battle, attacker, aim.from_cell, target, aim.item.reach)


def require_within(battle: Battlefield, one: Fighter, target: Fighter, reach: int) -> None:
    """Raise OutOfReach if a target is farther than a reach (0: unlimited), or if there is no range to it."""
    _raise(_not_within(battle, one, _cell_of(one), target, reach))


def _not_within(
    battle: Battlefield, one: Fighter, start: Cell, target: Fighter, reach: int
) -> OutOfReach | None:
    there = _cell_of(target)
    steps = range_between(battle, start, there)
    if steps is None:
        return _no_range(battle, one, start, target)
    if reach and steps > reach:
        return OutOfReach(
            localize("coup_de_grace.refuse_out_of_range", name=target.name, steps=steps),
            "CDG-038",
            "distance",
        )
    return None


def _no_range(battle: Battlefield, one: Fighter, start: Cell, target: Fighter) -> OutOfReach:
    """Return the refusal of a target without a range to it: what bars the path along which it counts."""
    there, sentence = _cell_of(target), localize("coup_de_grace.refuse_no_range", name=target.name)

    def has_range(less: Scene) -> bool:
        return range_between(battlefield(less), start, there) is not None

    found = barred(battle.scene, one.token, has_range, "CDG-017", OutOfReach("", "CDG-017", "closed"))
    return OutOfReach(f"{sentence} {found.sentence}".strip(), "CDG-017", found.cause)


def _not_in_sight(aim: Aim, target: Fighter) -> OutOfReach | None:
    if aim.attacker.is_downed and not aim.battle.is_on(house_rules.DOWNED_NEED_SIGHT):
        return None
    return _hidden(aim.battle, aim.attacker, target)


def require_sight(battle: Battlefield, one: Fighter, target: Fighter) -> None:
    """Raise OutOfReach if the line of sight between two miniatures is blocked (CDG-051)."""
    _raise(_hidden(battle, one, target))


def _hidden(battle: Battlefield, one: Fighter, target: Fighter) -> OutOfReach | None:
    obstacle = blocked_by(battle, one, target)
    return (
        OutOfReach(localize("coup_de_grace.blocked", obstacle=obstacle), "CDG-051", "sight")
        if obstacle
        else None
    )
