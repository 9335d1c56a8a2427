"""What is known to be wrong in code that the original generated, and must be right in ours.

The list is that of a study of RobCoGen 0.4 and 0.5; what concerns C++ is tested on compiled code.
"""

from __future__ import annotations

import re
import subprocess
from functools import lru_cache

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.build import build
from test.support.cpp_program import CppRobot
from test.support.examples import example, example_path

pytestmark = pytest.mark.slow

SHIFT = 1e-6
PENDULUM = """Robot Pendulum {
    RobotBase base { children { bob via pivot } }
    link bob {
        id = 1
        inertia_params {
            mass = MASS CoM = (0.0, 0.0, 0.0)
            Ix = 0.1 Iy = 0.1 Iz = 0.1 Ixy = 0.0 Ixz = 0.0 Iyz = 0.0
        }
        children { }
    }
    r_joint pivot { ref_frame { translation = (0.0, 0.0, 0.0) rotation = (0.0, 0.0, 0.0) } }
}
"""


@lru_cache
def compiled(floating: bool):
    """A quadruped, so a robot with branches, compiled."""
    names = ("inertia_matrix", "inertia_factor", "inertia_matrix_inverse", "kinematics")
    return build(example_path("quadruped"), floating_base=floating, functions=names)


def position(robot):
    return np.random.default_rng(5).uniform(-1, 1, robot.n)


@pytest.mark.parametrize("floating", [False, True])
def test_factor_and_inverse_of_the_inertia_matrix_belong_to_it(floating):
    """There, rows of joints were taken for rows of the base where the base floats."""
    robot = compiled(floating)
    q = position(robot)
    H, L = robot.inertia_matrix(q), robot.inertia_factor(q)
    assert H.shape == (robot.n + 6 * floating,) * 2
    np.testing.assert_allclose(L.T @ L, H, atol=1e-12 * np.abs(H).max())
    np.testing.assert_allclose(robot.inertia_matrix_inverse(q) @ H, np.eye(len(H)), atol=1e-9)


def test_the_inverse_has_entries_between_branches():
    """There, the inverse had the zeros of the matrix, which it has not where the base floats."""
    robot = compiled(True)
    q = position(robot)
    zeros = robot.inertia_matrix(q) == 0
    inverse = robot.inertia_matrix_inverse(q)
    assert zeros.any()
    assert (np.abs(inverse[zeros]) > 1e-6).any()


def test_columns_of_a_jacobian_between_branches_have_their_sign():
    """There, joints between the base frame and the common ancestor counted the wrong way."""
    robot = compiled(False)
    q = position(robot)
    feet = [name for name in robot.frame_names if "foot" in name.lower()][:2]
    one, other = feet
    J = robot.jacobian(one, other, q)
    for i in range(robot.n):
        step = np.zeros(robot.n)
        step[i] = SHIFT
        after, before = (robot.transform(one, other, q + s) for s in (step, -step))
        change = (after - before) / (2 * SHIFT)
        spin = change[:3, :3] @ robot.transform(one, other, q)[:3, :3].T
        expected = [spin[2, 1], spin[0, 2], spin[1, 0], *change[:3, 3]]
        np.testing.assert_allclose(J[:, i], expected, atol=1e-8)
    assert (np.abs(J).max(axis=0) > 0.01).sum() == 6


def test_constants_have_all_their_digits():
    """There, constants were printed with six digits, and read as numbers of 32 bits."""
    bob = PENDULUM.replace("MASS", "0.123456789012345")
    library = Library(reduce(parse(Source("pendulum.kindsl", bob))), ["total_mass"])
    files = cpp_files(library, Target("demo", "arm", "model"))
    assert any("T(0.123456789012345)" in text for text in files.values())


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    """Some of a robot's compiled sources."""
    library = Library(example("hyl", floating_base=True))
    robot = CppRobot(library, tmp_path_factory.mktemp("hyl"), shared=("default",))
    robot.compile("-O1", only=("inertia_matrix", "inverse_dynamics", "state"))
    return robot.objects


def symbols(objects: list[str], *options: str) -> str:
    command = ["nm", *options, *objects]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_compiled_functions_keep_nothing(objects):
    """There, intermediate results were kept in static memory, one for all threads."""
    kinds = {line.split()[-2] for line in symbols(objects).splitlines() if len(line.split()) > 1}
    assert kinds & {"T", "W"}
    assert not kinds & set("bBdDgGsScC")


def test_exported_functions_take_plain_pointers(objects):
    """Flags of a user change how Eigen lays out its types, so none may be in a symbol."""
    listed = symbols(objects, "-C")
    public = re.findall(r" [TW] (?:void )?demo::arm::functions::(?:.+)<double>\((.*)\)", listed)
    assert len(public) > 5
    for arguments in public:
        assert set(arguments.split(", ")) <= {"double const*", "double*"}, arguments
    assert "Eigen" not in listed
