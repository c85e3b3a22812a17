"""A plain path search that reads the map at each step, to compare the tables of the ruleset with."""

from __future__ import annotations

from heapq import heappop, heappush

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET, battlefield
from enfilade.rulesets.knights_of_valour.profiles import height
from enfilade.rulesets.knights_of_valour.sub_actions import climb_cost, descent_cost, leap_cost, vault_cost


class PlainSearch:
    """The cheapest paths of a creature: each square within the budget with its cost and its sub-actions."""

    def __init__(self, scene, creature, start, budget, is_allowed=None):
        self.battle = battlefield(scene)
        self.ground = self.battle.landscape
        self.creature = creature
        self.height = height(scene, creature)
        self.passes_allies = is_on(scene, house_rules.PASS_ALLIES)
        self.counts_excess = setting(scene, house_rules.DESCENT) != "whole distance"
        self.diagonal_costs = self.battle.board.diagonals.value
        is_fixed = setting(scene, house_rules.DIFFICULT_DIAGONALS) == "15 feet"
        self.is_fixed = is_fixed and self.battle.board.diagonals.alternate
        self.found = {}
        ranks = {(start, 0): (0, 0)}
        queue = [((0, 0), (start, 0), ())]
        while queue:
            rank, node, path = heappop(queue)
            if rank > ranks[node]:
                continue
            self.found.setdefault(node[0], (rank[0], path))
            for end, parts, diagonals in self.legs(*node):
                reached = (rank[0] + sum(cost for _, cost in parts), rank[1] + diagonals)
                odd = (node[1] + diagonals) % 2 if self.battle.board.diagonals.alternate else 0
                known = ranks.get((end, odd))
                if reached[0] > budget or (known is not None and reached >= known):
                    continue
                if is_allowed is None or is_allowed(node[0], end):
                    ranks[end, odd] = reached
                    heappush(queue, (reached, (end, odd), (*path, (end, parts))))

    def ends(self):
        """Each square where the creature can end."""
        free = {cell for cell in self.found if self.battle.at(cell) in ([], [self.creature])}
        return {cell: self.found[cell] for cell in free if self.ground.is_standable(cell)}

    def legs(self, start, odd):
        for lane in self.battle.board.lanes(start):
            leg = self.leg(start, LANES[lane], odd)
            if leg is not None and self.can_pass(leg[0]):
                yield leg

    def can_pass(self, cell):
        other = next(iter(self.battle.at(cell)), None)
        if other is None or other.id == self.creature.id:
            return True
        return self.passes_allies and self.battle.are_allies(other, self.creature)

    def leg(self, start, step, odd):
        ground, end = self.ground, shift(start, step)
        if not self.is_open(start, end):
            return None
        if end in ground.gaps:
            return self.leap(start, step, odd)
        if end in ground.obstacles:
            return self.cross(start, step, odd)
        return self.arrive(start, end, step, odd, (), 0) if ground.is_standable(end) else None

    def is_open(self, start, end):
        if end not in self.battle.board:
            return False
        lane = LANES.index((end[0] - start[0], end[1] - start[1]))
        return not self.battle.barred[grid_of(self.battle.board).index(start)] >> lane & 1

    def leap(self, start, step, odd):
        edge, end, width, count = start, shift(start, step), 0, 0
        while end in self.ground.gaps:
            width += self.step_cost(step, odd + count)
            edge, end, count = end, shift(end, step), count + 1
            if not self.is_open(edge, end):
                return None
        cost = leap_cost(self.height, width)
        if cost is None or not self.ground.is_standable(end):
            return None
        if self.ground.height(end) > self.ground.height(start):
            return None
        return self.arrive(start, end, step, odd, (("leap", cost),), count)

    def cross(self, start, step, odd):
        crossed, end = [], shift(start, step)
        while end in self.ground.obstacles:
            crossed.append(end)
            end = shift(end, step)
            if not self.is_open(crossed[-1], end):
                return None
        if not self.ground.is_standable(end):
            return None
        top, here, there = (
            max(map(self.ground.obstacles.get, crossed)),
            *map(self.ground.height, (start, end)),
        )
        vault = vault_cost(self.height, top - here, self.battle.five)
        if len(crossed) == 1 and vault:
            return self.arrive(start, end, step, odd, (("vault", vault),), 0)
        if there > top and end in self.ground.cliffs:
            return None
        down = ("descend", descent_cost(self.height, top - there, self.counts_excess))
        down = ("climb", climb_cost(there - top)) if there > top else down
        feet = sum(self.step_cost(step, odd + count) for count in range(len(crossed) - 1))
        feet += self.onto(end, step, odd + len(crossed) - 1)
        parts = (("climb", climb_cost(max(0, top - here))), down, ("walk", feet))
        return end, parts, len(crossed) * is_diagonal(step)

    def arrive(self, start, end, step, odd, before, leapt):
        feet = self.onto(end, step, odd + leapt)
        walk, rise = ("walk", feet), self.ground.height(end) - self.ground.height(start)
        parts = (*before, walk)
        if rise > 0:
            if end in self.ground.cliffs:
                return None
            parts = (*before, ("climb", climb_cost(rise)), walk)
        elif rise < 0:
            parts = (*parts, ("descend", descent_cost(self.height, -rise, self.counts_excess)))
        return end, parts, (leapt + 1) * is_diagonal(step)

    def onto(self, end, step, diagonals):
        feet = self.step_cost(step, diagonals)
        if end not in self.ground.difficult:
            return feet
        return 15 if self.is_fixed and is_diagonal(step) else 2 * feet

    def step_cost(self, step, diagonals):
        if not is_diagonal(step):
            return FEET * self.diagonal_costs.straight
        return FEET * ((self.diagonal_costs.even if diagonals % 2 else self.diagonal_costs.odd) or 1)


def shift(cell, step):
    return (cell[0] + step[0], cell[1] + step[1])


def is_diagonal(step):
    return step[0] != 0 and step[1] != 0
