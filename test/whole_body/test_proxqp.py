"""Solutions of quadratic programs one after another, and what solving them allocates."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.backends.render import include_directory
from robcogen_ros.runtime.compiling.toolchain import eigen_directory, proxsuite_directory
from test.support.compiler import compile_program
from test.support.objects import rounds
from test.whole_body.conftest import STANDING, Stand

pytestmark = pytest.mark.slow
Array = NDArray[np.float64]
CPP = Path(__file__).parent / "cpp"
NO_LIMIT = 1e20


class Programs:
    """Programs of one size: hard ones in turn with such that no limit holds, each near the last."""

    def __init__(self, variables: int, rows: int, count: int) -> None:
        """Draw them."""
        random = np.random.default_rng(variables)
        steps = random.normal(size=(count, variables + 2, variables)) * 0.05
        steps[0] *= 20
        factors = np.cumsum(steps, axis=0)
        self.hessian = factors.swapaxes(1, 2) @ factors + 1e-3 * np.eye(variables)
        self.rows = np.cumsum(random.normal(size=(count, rows, variables)) * 0.1, axis=0)
        self.rows += random.normal(size=(rows, variables))
        sizes = random.choice([0.01, 1.0, 30.0], size=(count, 1))
        self.gradient = sizes * random.normal(size=(count, variables))
        self.lower = -random.uniform(0, 1, (count, rows))
        self.upper = self._or_none(random.uniform(0, 1, (count, rows)), random)
        self.bounds = self._or_none(random.uniform(0.01, 1, (count, variables)), random)

    @staticmethod
    def _or_none(limits: Array, random: np.random.Generator) -> Array:
        return np.where(random.uniform(size=limits.shape) < 0.5, limits, NO_LIMIT)

    def solve(self, program: Path) -> tuple[Array, Array, Array]:
        """Whether each is solved, calls of the allocator, and what is found."""
        parts = (self.hessian, self.gradient, self.rows, self.lower, self.upper, self.bounds)
        flat = np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)
        count, rows, variables = self.rows.shape
        sizes = np.array([variables, rows], dtype=float)
        said = subprocess.run(
            [program], input=sizes.tobytes() + flat.tobytes(), capture_output=True, check=True
        )
        answers = np.frombuffer(said.stdout).reshape(count, 2 + variables)
        return answers[:, 0] != 0, answers[:, 1], answers[:, 2:]

    def cost(self, x: Array) -> Array:
        """Of an x for each."""
        half = 0.5 * np.einsum("ki,kij,kj->k", x, self.hessian, x)
        cost: Array = half + np.einsum("ki,ki->k", self.gradient, x)
        return cost

    def violation(self, x: Array) -> Array:
        """By how much an x for each misses the limits."""
        values = np.einsum("kij,kj->ki", self.rows, x)
        beyond = (self.lower - values, values - self.upper, np.abs(x) - self.bounds)
        violation: Array = np.concatenate(beyond, axis=1).max(axis=1)
        return violation

    def least_costs(self) -> Array:
        """Of all sets of limits that may hold, what costs least and violates none."""
        count, _, variables = self.rows.shape
        normals = np.concatenate(
            [self.rows, np.broadcast_to(np.eye(variables), self.hessian.shape)], axis=1
        )
        low = np.concatenate([self.lower, -self.bounds], axis=1)
        high = np.concatenate([self.upper, self.bounds], axis=1)
        least = np.full(count, np.inf)
        for sides in product((0, -1, 1), repeat=normals.shape[1]):
            held = [i for i, side in enumerate(sides) if side]
            if len(held) <= variables:
                at = np.where(np.array(sides) < 0, low, high)[:, held]
                x = self._held(normals[:, held], at)
                fits = np.isfinite(x).all(axis=1) & (self.violation(x) <= 1e-9)
                least = np.where(fits, np.minimum(least, self.cost(x)), least)
        return least

    def _held(self, normals: Array, at: Array) -> Array:
        """What costs least where normals times x are given."""
        count, held, variables = normals.shape
        system = np.zeros((count, variables + held, variables + held))
        system[:, :variables, :variables] = self.hessian
        system[:, variables:, :variables] = normals
        system[:, :variables, variables:] = normals.swapaxes(1, 2)
        given = np.concatenate([-self.gradient, at], axis=1)
        sound = (np.abs(at) < NO_LIMIT).all(axis=1) & (np.linalg.cond(system) < 1e12)
        system[~sound] = np.eye(variables + held)
        x: Array = np.linalg.solve(system, given[..., None])[:, :variables, 0]
        x[~sound] = np.nan
        return x


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What solves programs that it reads."""
    proxsuite = proxsuite_directory()
    assert proxsuite is not None
    flags = [f"-isystem{folder}" for folder in (proxsuite, eigen_directory())]
    solver = include_directory() / "robcogen_ros" / "whole_body" / "proxqp.cpp"
    folder = tmp_path_factory.mktemp("proxqp")
    return compile_program(CPP / "programs.cpp", folder, str(solver), "-O2", *flags)


def test_what_is_found_does_not_depend_on_the_programs_before(program: Path) -> None:
    """Limits that held in the program before are let go; all sets of limits are tried beside."""
    programs = Programs(3, 2, 1500)
    solved, _, x = programs.solve(program)
    assert solved.all()
    assert programs.violation(x).max() < 1e-5
    least = programs.least_costs()
    assert np.abs(programs.cost(x) - least).max() < 1e-4 * (1 + np.abs(least).max())
    assert np.all(programs.cost(x) <= least + 1e-5 * (1 + np.abs(least)))


def test_rows_of_zeros_are_no_reason_to_throw(program: Path) -> None:
    """As without a foot on the ground; proxsuite's assertions would end the process."""
    programs = Programs(3, 2, 3)
    programs.rows[:] = 0.0
    programs.bounds[:] = NO_LIMIT
    solved, _, x = programs.solve(program)
    assert solved.all()
    free = -np.linalg.solve(programs.hessian, programs.gradient[..., None])[..., 0]
    np.testing.assert_allclose(x, free, rtol=1e-4, atol=1e-4)


def test_nothing_is_allocated_however_many_limits_hold(program: Path) -> None:
    """Sizes of a quadruped's programs."""
    programs = Programs(24, 20, 2000)
    solved, calls, x = programs.solve(program)
    assert solved.mean() > 0.99
    held = np.abs(np.abs(x) - programs.bounds) < 1e-5
    assert held.sum(axis=1).max() > 5
    assert calls.sum() == 0


def test_commands_of_a_robot_in_hard_states_allocate_nothing(stand: Stand, tmp_path: Path) -> None:
    """HyQ bent, thrown and asked for what it cannot do, on changing feet."""
    random, count = np.random.default_rng(0), 3000
    turn = np.append(0.3 * random.normal(size=(count, 3)), np.ones((count, 1)), axis=1)
    closed = random.uniform(size=(count, 4)) < 0.8

    def motions(each: int) -> Array:
        """Positions, quaternions, then velocities and accelerations."""
        motion = random.normal(size=(count, each, 19)) * ([0.3] * 7 + [3.0] * 12)
        motion[..., 6] = 1.0
        motion[..., 3:7] /= np.linalg.norm(motion[..., 3:7], axis=-1, keepdims=True)
        return motion.reshape(count, -1)

    states = [
        0.3 * random.normal(size=(count, 3)),
        turn / np.linalg.norm(turn, axis=1, keepdims=True),
        STANDING + 0.3 * random.normal(size=(count, 12)),
        random.normal(size=(count, 6)),
        3.0 * random.normal(size=(count, 12)),
        closed,
        motions(1),
        random.uniform(size=(count, 4)) < 0.8,
        motions(4),
        np.broadcast_to(STANDING, (count, 12)),
        100.0 * random.normal(size=(count, 24)),
        random.uniform(size=(count, 1)) < 0.5,
    ]
    inputs = np.concatenate([np.asarray(s, dtype=float) for s in states], axis=1)
    rows = rounds(stand.robot, "whole_body", ("compute",), inputs, tmp_path)
    calls, faults = rows[:, 0], rows[:, -3]
    assert (faults.astype(int) & 1 << 5 == 0).mean() > 0.99  # no_solution
    assert calls.sum() == 0


def test_the_library_of_a_robot_calls_mathematics_alone(stand: Stand) -> None:
    """Objects are in the core, so no C++ runtime is needed beside it."""
    said = subprocess.run(
        ["nm", "-D", "--undefined-only", str(stand.robot.library_path)],
        capture_output=True,
        check=True,
        text=True,
    )
    needed = {
        line.split()[1].partition("@")[0] for line in said.stdout.splitlines() if " U " in line
    }
    assert needed <= {"cos", "memcpy", "memmove", "memset", "sin", "sincos", "sqrt"}
