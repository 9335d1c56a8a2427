"""A colcon workspace: what a package gets from `robcogen_generate()`, and who can use it."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from robcogen_ros.cli.main import COMMANDS
from robcogen_ros.version import __version__
from test.cmake.tools import (
    colcon_build,
    dynamic_symbols,
    environment,
    make_workspace,
    needs_ros,
    run,
)

pytestmark = needs_ros

EXECUTABLES = "install/robcogen_ros/lib/robcogen_ros"
"""Where `ros2 run` looks."""
PENDULUM = """<robot name="pendulum">
  <link name="base"/>
  <link name="bob">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="swing" type="continuous">
    <parent link="base"/><child link="bob"/><axis xyz="0 1 0"/>
  </joint>
</robot>"""
LIGHT, HEAVY = 0.25 + 1 * 0.5**2, 0.25 + 7 * 0.5**2
C_LIBRARY = {"memcpy", "memmove", "memset", "__stack_chk_fail"}
MATHEMATICS = {"acos", "asin", "atan", "atan2", "cos", "sin", "sincos", "sqrt", "tan"}


def sourced(workspace: Path, command: str) -> str:
    """What `command` prints where the workspace is sourced."""
    return run(["bash", "-c", f"source install/local_setup.bash && {command}"], cwd=workspace)


def test_two_configurations_of_one_robot_live_in_one_process(workspace: Path) -> None:
    printed = sourced(workspace, "install/two_arms/lib/two_arms/both")
    assert printed.split() == [f"{LIGHT:g}", f"{HEAVY:g}", "2", "1"]


@pytest.mark.parametrize("arm", ["light", "heavy"])
def test_another_package_links_to_a_generated_target(workspace: Path, arm: str) -> None:
    assert sourced(workspace, f"install/consumer/lib/consumer/use_{arm}") == "swing\n"


def test_python_finds_every_generated_robot_by_its_name(workspace: Path) -> None:
    code = (
        "from robcogen_ros import load;"
        "arms = load('two_arms/light'), load('two_arms/heavy');"
        "print(*(float(arm.inertia_matrix([0.0])[0, 0]) for arm in arms))"
    )
    assert sourced(workspace, f'python3 -c "{code}"').split() == [str(LIGHT), str(HEAVY)]


def test_parameters_and_payload_of_a_target(workspace: Path) -> None:
    code = (
        "from robcogen_ros import load; arm = load('two_arms/open');"
        "arm.parameters.update({'bob.mass': 7.0, 'payload.mass': 2.0, 'payload.com.z': -0.75});"
        "print(float(arm.inertia_matrix([0.0])[0, 0]))"
    )
    assert sourced(workspace, f'python3 -c "{code}"').split() == [str(HEAVY + 2 * 0.75**2)]


def test_contacts_of_a_target(workspace: Path) -> None:
    code = (
        "from robcogen_ros import load; arm = load('two_arms/open');"
        "print(*arm.contacts, float(arm.contact_jacobian([0.0])[0, 0]))"
    )
    name, row = sourced(workspace, f'python3 -c "{code}"').split()
    assert (name, float(row)) == ("bob:orientation_y", 1.0)


@pytest.mark.skipif(
    platform.system() != "Linux" or platform.machine() not in ("x86_64", "AMD64"),
    reason="instruction sets are those of x86-64 on Linux",
)
@pytest.mark.parametrize(("arm", "sets"), [("light", {"v3", "v4"}), ("open", set())])
def test_one_library_has_the_functions_of_all_instruction_sets(
    workspace: Path, arm: str, sets: set[str]
) -> None:
    lib = workspace / "install" / "two_arms" / "lib"
    found = set(re.findall(r"x86_64_(v\d)", run(["nm", lib / f"libtwo_arms__{arm}.so"])))
    assert found == sets
    assert not (lib / "glibc-hwcaps").exists()


@pytest.mark.parametrize("arm", ["light", "heavy"])
def test_a_loadable_library_exports_one_symbol_and_needs_only_mathematics(
    workspace: Path, arm: str
) -> None:
    library = workspace / "install" / "two_arms" / "lib" / f"libtwo_arms__{arm}.so"
    exported, undefined = dynamic_symbols(library)
    assert exported == {f"robcogen_model_two_arms__{arm}"}
    assert undefined <= C_LIBRARY | MATHEMATICS


def test_another_package_uses_generated_transforms(workspace: Path) -> None:
    assert sourced(workspace, "install/consumer/lib/consumer/use_crane") == "-1.5\n"


def test_a_robot_is_installed_in_other_languages(workspace: Path) -> None:
    share = workspace / "install" / "two_arms" / "share" / "two_arms" / "light"
    code = "import light; print(light.inertia_matrix([0.0])[0, 0])"
    assert run([sys.executable, "-c", code], cwd=share) == f"{LIGHT}\n"
    assert "_J_" in (share / "light.mac").read_text()


def test_a_robot_of_a_workspace_has_casadi_functions(workspace: Path) -> None:
    pytest.importorskip("casadi", reason="CasADi is not installed")
    code = "from robcogen_ros import load; H = load('two_arms/light').casadi('inertia_matrix')"
    assert float(sourced(workspace, f'python3 -c "{code}; print(H(0.0))"')) == LIGHT
    code = (
        "import robcogen_ros as r; arm = r.load('two_arms/heavy')\n"
        "try: arm.casadi('inertia_matrix')\n"
        "except r.RobcogenError as error: print(error)"
    )
    told = "add casadi to BACKENDS of robcogen_generate()"
    assert told in sourced(workspace, f'python3 -c "{code}"')


def test_transforms_are_installed_in_other_languages(workspace: Path) -> None:
    share = workspace / "install" / "cranes" / "share" / "cranes" / "crane"
    code = "import crane; print(crane.base_X_hook(crane.Variables(rope=4.0))[2, 3])"
    assert run([sys.executable, "-c", code], cwd=share) == "-1.5\n"
    assert (share / "+crane" / "base_X_hook.m").is_file()
    assert "float" in (share / "cranes_crane.c").read_text()
    assert not (share / "include").exists()


def test_headers_lie_where_overlays_work(workspace: Path) -> None:
    include = workspace / "install" / "two_arms" / "include" / "two_arms" / "two_arms"
    assert (include / "light.hpp").is_file()
    assert (include / "heavy.hpp").is_file()


def test_a_second_build_generates_and_compiles_nothing(workspace: Path) -> None:
    printed = (workspace / "again.log").read_text()
    assert "Finished" in printed
    assert "Generating" not in printed
    assert "Building" not in printed


def test_symlinked_install_with_ninja(workspace: Path, tmp_path: Path) -> None:
    make_workspace(tmp_path, "two_arms")
    options = ["--symlink-install", "--cmake-args", "-G", "Ninja"]
    colcon_build(tmp_path, *options, underlay=workspace)
    printed = sourced(tmp_path, "install/two_arms/lib/two_arms/both")
    assert printed.split() == [f"{LIGHT:g}", f"{HEAVY:g}", "2", "1"]


def test_a_model_error_is_shown_with_file_line_and_column(workspace: Path, tmp_path: Path) -> None:
    make_workspace(tmp_path, "two_arms")
    bob = tmp_path / "src" / "two_arms" / "urdf" / "pendulum.urdf.xacro"
    bob.write_text(bob.read_text().replace('<child link="bob"/>', '<child link="bub"/>'))
    printed = colcon_build(tmp_path, underlay=workspace, fails=True)
    assert f"{bob}:" in printed
    assert "bub" in printed
    assert ": error: " in printed
    assert "Traceback" not in printed


def test_an_error_in_motions_is_shown_with_its_place_and_mended(
    workspace: Path, tmp_path: Path
) -> None:
    make_workspace(tmp_path, "cranes")
    motions = tmp_path / "src" / "cranes" / "crane.motdsl"
    text = motions.read_text()
    motions.write_text(text.replace("trz (2.5)", "tr (2.5)"))
    printed = colcon_build(tmp_path, underlay=workspace, fails=True)
    assert f"{motions}:5:" in printed
    assert ": error: " in printed
    assert "Traceback" not in printed
    motions.write_text(text.replace("2.5", "3.5"))
    colcon_build(tmp_path, underlay=workspace)
    include = tmp_path / "install" / "cranes" / "include" / "cranes" / "cranes"
    assert "T(3.5)" in (include / "crane.hpp").read_text()


def test_ros2_run_finds_every_command_and_node(workspace: Path) -> None:
    folder = workspace / EXECUTABLES
    names = {path.name for path in folder.iterdir()}
    assert {"transform_publisher", "inverse_dynamics_controller", "simulated_robot"} <= names
    assert names >= {*COMMANDS}
    assert sourced(workspace, f"{folder / 'check'} --help").startswith("usage: ")
    code = (
        "from importlib.metadata import distribution as d;"
        "print(*(e.name for e in d('robcogen_ros').entry_points if callable(e.load())))"
    )
    assert {*sourced(workspace, f'python3 -c "{code}"').split()} == names


def test_view_is_the_command_with_an_option_and_the_node_without(workspace: Path) -> None:
    view = f"{EXECUTABLES}/view"
    (workspace / "pendulum.urdf").write_text(PENDULUM)
    assert not sourced(workspace, f"{view} pendulum.urdf --html pendulum.html")
    assert (workspace / "pendulum.html").stat().st_size > 1000
    assert "error: no.urdf" in run_view(workspace, "no.urdf --ros-args -p port:=0")
    assert "error: no.urdf" in run_view(workspace, "no.urdf side:=left")
    assert "no file takes the argument 'side:=left'" in run_view(workspace, "side:=left")


def run_view(workspace: Path, words: str) -> str:
    """What `view` says, which fails."""
    line = f"source install/local_setup.bash && {EXECUTABLES}/view {words}"
    return run(["bash", "-c", line], cwd=workspace, fails=True)


@pytest.mark.parametrize("setup", ["setup.bash", "local_setup.bash", "setup.sh"])
def test_a_sourced_workspace_has_two_commands_and_no_common_word(
    workspace: Path, setup: str
) -> None:
    own = (workspace / "install/robcogen_ros").resolve()
    names = ["robcogen", "urdf2kindsl", *COMMANDS, "demo"]
    clean = {name: text for name, text in environment().items() if name != "PATH"}
    clean["PATH"] = os.pathsep.join(
        folder for folder in os.environ["PATH"].split(os.pathsep) if "robcogen_ros" not in folder
    )
    find = f"for name in {' '.join(names)}; do command -v $name; done"
    line = f". install/{setup}; robcogen --version; {find}"
    shell = "sh" if setup.endswith(".sh") else "bash"
    done = subprocess.run(
        [shell, "-c", line], cwd=workspace, env=clean, text=True, capture_output=True, timeout=60
    )
    version, *found = done.stdout.splitlines()
    assert version == f"robcogen {__version__}"
    ours = {Path(path) for path in found if Path(path).is_relative_to(own)}
    assert ours == {own / "bin/robcogen", own / "bin/urdf2kindsl"}
    assert not done.stderr
