"""What is known to be wrong in code that the original generated, and must be right in ours.

The list is that of a study of RobCoGen 0.4 and 0.5; that factor, inverse and Jacobians between
branches are right, is tested of random trees (`test/property`).
"""

from __future__ import annotations

import re
import subprocess

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import example
from test.support.model_of import model_of

pytestmark = pytest.mark.slow

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


def test_constants_have_all_their_digits():
    """There, constants were printed with six digits, and read as numbers of 32 bits."""
    bob = PENDULUM.replace("MASS", "0.123456789012345")
    library = Library(model_of(bob, "pendulum.kindsl"), ["total_mass"])
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
