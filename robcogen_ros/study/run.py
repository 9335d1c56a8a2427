"""Running a study: blocks of points go out, rows come in, each is written down at once."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from robcogen_ros.errors import Location, ModelError, RobcogenError
from robcogen_ros.progress import task
from robcogen_ros.study.journal import Journal
from robcogen_ros.study.points import Points
from robcogen_ros.study.schedulers import Scheduler
from robcogen_ros.study.table import Table
from robcogen_ros.study.work import Failure, Outcome

_SECONDS = 0.5
"""Time that a block takes, about."""

_ASKED = 2.0
"""Seconds after which a cluster is asked again how many workers it has."""

_MOST_LOST = 20
"""Number of blocks lost one after the other, none done, that means that no worker works."""

_ENDED = "the process that computed it ended, each time: killed, out of memory or crashed"


@dataclass(frozen=True, slots=True)
class _Block:
    """Numbers of points, and how often a worker ended with them; with twice it is a single one."""

    indices: Sequence[int]
    lost: int = 0


class Running:
    """A study that runs.

    Attributes:
        table: What is known of it.
    """

    def __init__(self, points: Points, journal: Journal, place: Location) -> None:
        """A study of which the journal has some rows already.

        Args:
            points: Where to run it.
            journal: Its rows.
            place: Where the function is, for messages.
        """
        self.table = Table(points)
        self._journal, self._place = journal, place
        index_of = {row.tobytes(): i for i, row in enumerate(points.values)}
        done = set()
        for point, row in journal.rows():
            if (index := index_of.get(point)) is not None:
                self._take(index, row)
                done.add(index)
        self._left = deque(i for i in range(len(points)) if i not in done)
        self._again: deque[_Block] = deque()
        self._alone: deque[_Block] = deque()
        self._size, self._done, self._lost_in_turn = 1, len(done), 0

    @property
    def done(self) -> int:
        """The number of points that are done."""
        return self._done

    def run(self, scheduler: Scheduler) -> None:
        """Runs all points that are left.

        Raises:
            RobcogenError: If the study returns something else than the numbers it should, or no
                worker works.
        """
        under_way: dict[Future[Outcome], _Block] = {}
        workers, due = 0, 0.0
        with task("design study", len(self.table.points), "points") as step:
            while self._left or self._again or self._alone or under_way:
                if time.monotonic() >= due:
                    workers, due = scheduler.workers(), time.monotonic() + _ASKED
                while block := self._next(workers, len(under_way)):
                    points = self.table.points.values[list(block.indices)].tolist()
                    under_way[scheduler.submit(points)] = block
                ended = wait(under_way, timeout=1.0, return_when=FIRST_COMPLETED).done
                for future in [future for future in under_way if future in ended]:
                    self._ended(under_way.pop(future), future, scheduler)
                step.advance(self._done - step.done)

    def _next(self, workers: int, under_way: int) -> _Block | None:
        """The next block, if there is one and anybody to run it.

        Points with which a worker ended twice come last and alone, so that it can be told which one
        it was.
        """
        if under_way >= max(1, 2 * workers):
            return None
        if self._again:
            return self._again.popleft()
        if self._left:
            share = math.ceil(len(self._left) / (4 * max(1, workers)))
            count = max(1, min(self._size, share))
            return _Block([self._left.popleft() for _ in range(count)])
        if self._alone and not under_way:
            return self._alone.popleft()
        return None

    def _ended(self, block: _Block, future: Future[Outcome], scheduler: Scheduler) -> None:
        """Handles a block that is not under way any more: its results, or its loss."""
        try:
            outcome = future.result()
        except scheduler.lost:
            self._lost(block)
            return
        except Exception as error:
            raise RobcogenError(_of_worker(error)) from None
        if outcome.wrong:
            raise RobcogenError(outcome.wrong)
        self._lost_in_turn = 0
        count = len(block.indices)
        self._size = max(1, int(_SECONDS * count / max(outcome.seconds, 1e-6)))
        rows = dict(zip(block.indices, outcome.results, strict=True))
        returned = {i: row for i, row in rows.items() if not isinstance(row, Failure)}
        for index, row in returned.items():
            self._take(index, row)
        values = self.table.points.values[list(returned)].tolist()
        self._journal.append(values, list(returned.values()))
        failed = {i: row for i, row in rows.items() if isinstance(row, Failure)}
        self.table.failures.update(failed)
        self._done += count

    def _lost(self, block: _Block) -> None:
        self._lost_in_turn += 1
        if self._lost_in_turn > _MOST_LOST and self._left:
            raise RobcogenError(
                f"{self._lost_in_turn} blocks of points were lost one after the other: the "
                "processes that compute end at once; try one point by --scheduler local"
            )
        if block.lost == 0:
            self._again.append(_Block(block.indices, lost=1))
        elif block.lost == 1:
            self._alone.extend(_Block([index], lost=2) for index in block.indices)
        else:
            self.table.failures[block.indices[0]] = Failure(_ENDED)
            self._done += 1

    def _take(self, index: int, row: dict[str, float]) -> None:
        """Puts a row into the table, if it has the names of the first that came."""
        first = self.table.first
        if first is not None and row.keys() != self.table.columns.keys():
            points = self.table.points
            raise ModelError.at(
                self._place,
                f"study() returned {_names(row)} at {points.described(index)}, but "
                f"{_names(self.table.columns)} at {points.described(first)}; expected the "
                "same names at all points, with float('nan') where there is no number",
            )
        self.table.put(index, row)


def _names(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


def _of_worker(error: Exception) -> str:
    """Returns the message for an error that is none of the study."""
    reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return (
        f"the workers cannot run the study: {reason}; each machine of a cluster, that of its "
        "scheduler too, needs robcogen_ros of this version and what the script imports"
    )
