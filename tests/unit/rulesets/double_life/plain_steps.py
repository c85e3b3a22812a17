"""Plain steps that read the map and the characters each time, to compare the shared positions with."""

from __future__ import annotations

from heapq import heappop, heappush

from enfilade.geometry.board.base import LANES, lane_to
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.rules.kit.board import barred_table
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.profiles import read_character


class PlainSteps:
    """The steps of a character on a board."""

    def __init__(self, scene, one):
        self.scene, self.one, self.board = scene, one, battlefield(scene).board
        self.others = [read_character(t) for t in scene.on_board() if not t.has("out") and t.id != one.id]
        self.barred = barred_table(scene.walls, self.board)
        cells = [(x, y) for x in range(self.board.columns) for y in range(self.board.rows)]
        self.standable = [cell for cell in cells if self.can_stand(cell)]

    def cells(self, character, at):
        x, y = at
        return [(x + dx, y + dy) for dy in (0, 1) for dx in (0, 1)] if character.is_troll else [at]

    def cost(self, cell):
        costs = [patch.cost for patch in self.scene.terrain if cell in patch.cells]
        return 0 if 0 in costs else max([1, *costs])

    def bars(self, start, end):
        return self.barred[grid_of(self.board).index(start)] >> lane_to(start, end) & 1

    def has_room(self, cell):
        there = [other for other in self.others if cell in self.cells(other, other.token.at)]
        if self.one.is_gnome + sum(other.is_gnome for other in there) > 2:
            return False
        return all(self.may_share(other) for other in there)

    def may_share(self, other):
        gnomes = self.one.is_gnome + other.is_gnome
        return gnomes == 2 or (gnomes == 1 and not self.scene.are_allies(self.one.token, other.token))

    def can_stand(self, at):
        cells = self.cells(self.one, at)
        if not all(cell in self.board and self.cost(cell) and self.has_room(cell) for cell in cells):
            return False
        return not any(cell != at and self.bars(at, cell) for cell in cells)

    def steps(self, cell):
        """Return the cases one step away with their costs, in the order of the lanes."""
        own = [one for one in self.cells(self.one, cell) if one in self.board]
        found = []
        for dx, dy in LANES:
            there = (cell[0] + dx, cell[1] + dy)
            if not any(self.bars(one, (one[0] + dx, one[1] + dy)) for one in own) and there in self.standable:
                found.append((there, max(map(self.cost, self.cells(self.one, there)))))
        return found

    def paths(self, budget):
        """Return each case within a budget, in the order of the search, with its cost and its path."""
        start = self.one.token.at
        found, queue = {}, [((0, 0), start, (start,))]
        best = {start: (0, 0)}
        while queue:
            rank, cell, path = heappop(queue)
            if cell in found:
                continue
            found[cell] = rank[0], list(path)
            for there, cost in self.steps(cell):
                reached = rank[0] + cost, rank[1] + (there[0] != cell[0] and there[1] != cell[1])
                if reached[0] <= budget and (there not in best or reached < best[there]):
                    best[there] = reached
                    heappush(queue, (reached, there, (*path, there)))
        return found

    def attackable(self, at):
        """Return the cases that the character attacks from a case."""
        own = [cell for cell in self.cells(self.one, at) if cell in self.board]
        if self.one.is_gnome:
            return set(own)
        around = [(one, (one[0] + dx, one[1] + dy)) for one in own for dx, dy in LANES]
        return {*own, *(cell for one, cell in around if cell in self.board and not self.bars(one, cell))}

    def steps_to(self, goals):
        """Return the steps from each case to the nearest case from which one of the goals is attacked."""
        reached, steps = {}, 0
        frontier = [cell for cell in self.standable if self.attackable(cell) & goals]
        while frontier:
            new = [cell for cell in dict.fromkeys(frontier) if cell not in reached]
            reached |= dict.fromkeys(new, steps)
            frontier, steps = [there for cell in new for there, _ in self.steps(cell)], steps + 1
        return reached
