"""The programs of one robot: each function traced once, general and specialised."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeVar, cast

from robcogen_ros.algorithms.conditioning.link_frames import with_denavit_hartenberg_frames
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.functions.open_bodies import open_bodies_function
from robcogen_ros.algorithms.limbs import Limbs, find_limbs
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.program import choose
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.definite import refuse_indefinite
from robcogen_ros.program.derived import constant_labels, default_constants
from robcogen_ros.program.graph import TooLongError
from robcogen_ros.program.joint_rows import JointRows, joint_rows
from robcogen_ros.program.leaf import CONSTANTS, Stage
from robcogen_ros.program.optimisations import (
    LOOPS,
    PREFETCHING,
    SIDE_BY_SIDE,
    checked,
    rules_without,
)
from robcogen_ros.program.passes.cut import cut_together
from robcogen_ros.program.passes.depth_first import with_short_live_ranges
from robcogen_ros.program.passes.packs import concerns_several
from robcogen_ros.program.passes.specialise import specialise
from robcogen_ros.program.passes.vectorise import Vectorised, vectorise
from robcogen_ros.program.pickled import pickled
from robcogen_ros.program.program import Program
from robcogen_ros.program.requested import DEFAULT, Requested
from robcogen_ros.program.sweeps.loop_counts import algebra_operations, sweep_operations
from robcogen_ros.program.sweeps.plan import Plan
from robcogen_ros.program.sweeps.swept import Swept
from robcogen_ros.program.sweeps.trace import NotAlikeError, swept
from robcogen_ros.program.trace import prepared_form, trace

Found = TypeVar("Found")


@dataclass(frozen=True)
class Entry:
    """A function's two programs.

    Attributes:
        function: The function.
        general: The program that takes every argument.
        usual: The program for callers who leave the optional arguments out; None where there are
            no optional arguments.
    """

    function: Function
    general: Program
    usual: Program | None

    @property
    def fastest(self) -> Program:
        """The program that most calls run."""
        return self.usual or self.general


class Library:
    """The programs of a robot.

    Attributes:
        robot: The robot.
        requested: The functions that were asked for.
    """

    def __init__(
        self,
        robot: Robot,
        names: Sequence[str] = (),
        desired: Sequence[str] = (),
        without: Iterable[str] = (),
    ) -> None:
        """The functions of the given names.

        Args:
            robot: The robot.
            names: Names of functions; `default` stands for those that most users need, as does
                no name at all, `all` for all but derivatives and those of named frames,
                `derivatives` for the derivatives of the dynamics.
            desired: Names of more functions, such as transforms and Jacobians between frames, or
                several in one, `A_and_B`.
            without: Names of optimisations to leave out, of `program.optimisations`.

        Raises:
            ModelError: If the robot's inertia matrix is not positive definite.
            RobcogenError: If a name is unknown.
        """
        refuse_indefinite(robot)
        self.robot = robot
        self._without = checked(without)
        self._rules = rules_without(self._without)
        self.requested = Requested(robot, [*(names or [DEFAULT]), *desired], self._without)
        self._entries: dict[str, Entry] = {}
        self._packed: dict[str, tuple[Vectorised | None, Vectorised | None]] = {}
        self._facts: dict[Fact, object] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        names = self.requested.all_names
        return pickled(Library, self.robot, names, (), tuple(self._without))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the functions in it."""
        return self.requested.names

    def other(self, names: Sequence[str]) -> Library:
        """Other functions of the robot, by the same means."""
        return Library(self.robot, names, (), self._without)

    def function(self, name: str) -> Function:
        """A function in it."""
        return self.requested.function(name)

    def is_prepared(self, name: str) -> bool:
        """Returns True if a function is computed on another form of the robot."""
        return self.function(name).prepare is not None

    def prepare(self, names: Iterable[str]) -> None:
        """Finds the forms of the robot that functions are computed on; most take the same."""
        for name in names:
            prepared_form(self.function(name), self.robot)

    def entry(self, name: str) -> Entry:
        """The programs of a function."""
        return self.short_entry(name, math.inf)

    def short_entry(self, name: str, most: float) -> Entry:
        """Returns the entry of a function whose general program is no longer than that.

        Args:
            name: The function.
            most: How many nodes its general program may have, if it is not known.

        Raises:
            TooLongError: If it has more.
            RobcogenError: If the robot cannot have it.
        """
        if reason := self.requested.unavailable.get(name):
            raise RobcogenError(f"no {name}: {reason}")
        if name not in self._entries:
            function = self.function(name)
            self._entries[name] = Entry(function, *self._programs(function, most=most))
        return self._entries[name]

    def fact(self, find: Callable[[Library, str], Found], name: str) -> Found:
        """Returns what `find(library, name)` finds of a function, computed once."""
        if (find, name) not in self._facts:
            self._facts[find, name] = find(self, name)
        return cast(Found, self._facts[find, name])

    def facts(self, name: str) -> dict[Fact, object]:
        """Returns what was found of a function, for the same library in another process."""
        return {fact: found for fact, found in self._facts.items() if fact[1] == name}

    def learn(self, facts: Mapping[Fact, object]) -> None:
        """Takes what another process found."""
        self._facts.update(facts)

    def operations(self, name: str) -> dict[str, int]:
        """Returns the operations of a call by kind, without optional arguments."""
        return self.fact(_operations, name)

    def derived(self, name: str) -> Entry:
        """The programs of a function of a parametric robot, as they are generated.

        Their first input, `constants`, is what `update_parameters` makes of the parameters, of
        which they read nothing else. For other robots they are those of `entry`.
        """
        return self._derived[1][name] if self.robot.parameters else self.entry(name)

    def packed(self, name: str) -> tuple[Vectorised | None, Vectorised | None]:
        """The programs of a function, usual and general, with limbs of equal shape side by side.

        None of those for which that is not worth it.
        """
        if name not in self._packed:
            self._packed[name] = self._packed_forms(name)
        return self._packed[name]

    def _packed_forms(self, name: str) -> tuple[Vectorised | None, Vectorised | None]:
        straight, function = self.entry(name), self.function(name)
        if SIDE_BY_SIDE in self._without:
            return None, None
        if not concerns_several(straight.general, self.robot, self.limbs):
            return None, None
        try:
            general, usual = self._programs(function, self.limbs)
        except ArithmeticError:  # what divides in one limb is zero in another
            return None, None
        if straight.usual is None or usual is None:
            return self._worth(straight.general, general), None
        return self._worth(straight.usual, usual), self._worth(straight.general, general)

    def ordered(self, program: Program) -> Program:
        """A straight-line program in the order in which compilers are given it."""
        return with_short_live_ranges(program, self.robot)

    def looped(self, name: str) -> bool:
        """Returns True if a function is better computed in loops over the joints."""
        return self.fact(_looped, name)

    def only_looped(self, name: str) -> bool:
        """Returns True if loops compute several states, too: straight-line code is too long."""
        return self.looped(name) and self.fact(_too_long, name)

    @property
    def may_loop(self) -> bool:
        """True if any function may be in loops."""
        many = len(self.robot.joints) >= choose.FEWEST
        simple = not (self.robot.parameters or self.robot.has_loops)
        return many and simple and LOOPS not in self._without

    def swept(self, name: str, general: bool) -> Swept:
        """The program of a function in sweeps, with or without its optional arguments."""
        function = self.function(name)
        left_out = {a.name: a.values_left_out for a in function.inputs if a.optional}
        return swept(function, self._alike(function), {} if general else left_out, self._rules)

    @cached_property
    def joint_rows(self) -> JointRows:
        """The joints in rows."""
        return joint_rows(self.robot)

    def _alike(self, function: Function) -> Robot:
        return with_denavit_hartenberg_frames(self.robot) if function.prepare else self.robot

    @property
    def prefetching(self) -> bool:
        """True if long code is prefetched."""
        return PREFETCHING not in self._without

    def steps(self, name: str) -> tuple[str, ...]:
        """The functions that one in loops calls before its linear algebra; none of any other."""
        if name not in choose.STEPS or not self.looped(name):
            return ()
        if name != "forward_dynamics_derivatives":
            return choose.STEPS[name]
        whole = "inverse_dynamics_derivatives"
        forces = "inverse_dynamics" + "_fully_actuated" * self.robot.floating_base
        slopes = whole if self._is_dense else f"{whole}_entries"
        return (forces, "inertia_matrix_inverse", slopes)

    @property
    def _is_dense(self) -> bool:
        """True if no derivative by velocities is always zero."""
        pattern = self.robot.patterns.by_velocities
        return len(pattern.rows) == len(pattern.columns) ** 2

    def all_steps(self, name: str) -> tuple[str, ...]:
        """The functions that one in loops calls, and those that they call."""
        steps = self.steps(name)
        return (*steps, *(step for own in steps for step in self.all_steps(own)))

    def _worth(self, straight: Program, united: Program) -> Vectorised | None:
        packed = vectorise(united, self.robot, self.limbs)
        faster = choose.is_faster(choose.vectorised(packed), choose.straight_line(straight))
        return packed if faster else None

    @cached_property
    def limbs(self) -> tuple[Limbs, ...]:
        """Limbs of equal shape."""
        return find_limbs(self.robot)

    @property
    def update_parameters(self) -> Program:
        """The program of what all functions need of a robot's parameters, computed once for all."""
        return self._derived[0]

    @cached_property
    def open_bodies(self) -> Program:
        """Inertias of the bodies that depend on parameters, to tell whether values are sound."""
        return trace(open_bodies_function(self.robot), self.robot)

    @cached_property
    def constant_labels(self) -> dict[tuple[str, int], str]:
        """The names in code of the entries of `constants`; none where there are no parameters."""
        return constant_labels(self.update_parameters) if self.robot.parameters else {}

    @property
    def constant_count(self) -> int:
        """Number of entries of `constants`."""
        return self.update_parameters.outputs[0].argument.size if self.robot.parameters else 0

    @property
    def default_constants(self) -> tuple[Decimal | None, ...]:
        """The entries of `constants` at the parameters' defaults; None where there is no value."""
        parameters = self.robot.parameters
        return default_constants(self.update_parameters, parameters) if parameters else ()

    @cached_property
    def _derived(self) -> tuple[Program, dict[str, Entry]]:
        entries = {name: self.entry(name) for name in self.names}
        programs = [p for e in entries.values() for p in (e.general, e.usual) if p is not None]
        update, cut = cut_together(programs, Stage.PARAMETERS, CONSTANTS)
        late = iter(cut)
        derived = {
            name: Entry(entry.function, next(late), None if entry.usual is None else next(late))
            for name, entry in entries.items()
        }
        summary = "What functions need of the parameters, computed once for all of them"
        update = replace(update, name="update_parameters", summary=summary, inputs=())
        return update, derived

    def _programs(
        self, function: Function, limbs: tuple[Limbs, ...] = (), most: float = math.inf
    ) -> tuple[Program, Program | None]:
        """The programs of a function, general and usual."""
        optional = {a.name: a.values_left_out for a in function.inputs if a.optional}
        general = self._traced(function, limbs, most)
        return general, specialise(general, optional, self._rules) if optional else None

    def _traced(self, function: Function, limbs: tuple[Limbs, ...], most: float) -> Program:
        """The program of a function: the shortest one where it is computed in several ways."""
        other = [function.otherwise] if function.otherwise else []
        programs = [
            trace(replace(function, compute=compute), self.robot, self._rules, limbs, most)
            for compute in (*other, function.compute)
        ]
        return choose.fewest_operations(programs)


Fact = tuple[Callable[[Library, str], object], str]
"""A finder of something of a function, and the function's name."""


def _operations(library: Library, name: str) -> dict[str, int]:
    if library.looped(name):
        if steps := library.steps(name):
            counts = [library.operations(step) for step in steps]
            return algebra_operations(name, library.robot, counts)
        return sweep_operations(library.swept(name, False), library.joint_rows.parents)
    entry = library.derived(name)
    return operation_counts(entry.general if choose.forwards(entry.usual) else entry.fastest)


def _statements(library: Library, name: str, most: float) -> int | None:
    """Statements of a function that is not in loops; None if it has more nodes."""
    try:
        straight = library.short_entry(name, most)
    except TooLongError:
        return None
    packed = library.packed(name)[0]
    program = packed.program if packed else straight.fastest
    return sum(1 for _ in program.statements())


def _too_long(library: Library, name: str) -> bool:
    return _statements(library, name, choose.MOST_NODES) is None


def _looped(library: Library, name: str) -> bool:
    if not library.may_loop or name not in choose.LOOPED:
        return False
    robot, plan = library.robot, None
    if name in choose.STEPS:
        of_factor = name in ("inertia_factor", *choose.IN_CONTACT)
        if robot.has_mimic or (of_factor and not robot.parents_first):
            return False
    else:
        try:
            plan = Plan(library.swept(name, False))
        except NotAlikeError:
            return False
    least = choose.worth_loops(plan, library.joint_rows)
    statements = _statements(library, name, choose.SHARED * least)
    return statements is None or statements > least
