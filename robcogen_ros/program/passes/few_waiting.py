"""From the end back, each statement where it leaves the fewest values waiting.

A list schedule for registers, backwards: a statement is placed once all that use its value are; its
operands wait from there on back to where they are computed, its own value no more.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heapify, heappop, heappush

from robcogen_ros.program.graph import Node
from robcogen_ros.program.program import Block, Program, Statement


def few_waiting(program: Program) -> Program:
    """The statements of a straight-line program in an order in which few values wait at once.

    Of several that leave as few, the last one in the given order is placed last.
    """
    statements = list(program.statements())
    return replace(program, body=(Block(tuple(_Schedule(statements).run())),))


def most_waiting(program: Program) -> int:
    """How many values of a straight-line program are known at once and needed later, at most."""
    last = {o: i for i, s in enumerate(program.statements()) for o in s.node.operands}
    waiting: set[Node] = set()
    most = 0
    for i, statement in enumerate(program.statements()):
        node = statement.node
        waiting.difference_update(o for o in node.operands if last[o] == i)
        if node in last:
            waiting.add(node)
        most = max(most, len(waiting))
    return most


class _Schedule:
    """Places statements, from the last one back."""

    def __init__(self, statements: list[Statement]) -> None:
        self._statements = statements
        place = {statement.node: i for i, statement in enumerate(statements)}
        self._operands = [_among(place, statement.node) for statement in statements]
        self._users: list[list[int]] = [[] for _ in statements]
        for i, operands in enumerate(self._operands):
            for operand in operands:
                self._users[operand].append(i)
        self._unplaced_users = [len(users) for users in self._users]
        self._more = [len(operands) for operands in self._operands]
        """For each statement, how many values more wait before it than after it, but its own."""

    def run(self) -> list[Statement]:
        waiting = [False] * len(self._statements)
        ready = [(self._more[i], -i) for i, n in enumerate(self._unplaced_users) if n == 0]
        heapify(ready)
        placed: list[Statement] = []
        done = [False] * len(self._statements)
        while ready:
            more, minus = heappop(ready)
            i = -minus
            if done[i] or more != self._more[i]:
                continue  # it is in the heap again, with fewer
            done[i] = True
            placed.append(self._statements[i])
            for operand in self._operands[i]:
                self._unplaced_users[operand] -= 1
                if not waiting[operand]:
                    waiting[operand] = True
                    self._wait(operand, ready)
                if self._unplaced_users[operand] == 0:
                    heappush(ready, (self._more[operand], -operand))
        return placed[::-1]

    def _wait(self, value: int, ready: list[tuple[int, int]]) -> None:
        """A value waits from now on: its other users, and what computes it, leave one less."""
        for each in (*self._users[value], value):
            self._more[each] -= 1
            if self._unplaced_users[each] == 0:
                heappush(ready, (self._more[each], -each))


def _among(place: dict[Node, int], node: Node) -> list[int]:
    """The places of the operands of a node that are statements, each once."""
    return [place[operand] for operand in dict.fromkeys(node.operands) if operand in place]
