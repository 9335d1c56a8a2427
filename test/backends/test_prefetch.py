"""Long code asks for itself before it is reached: for lines that are its own, and for many."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.compiler import compilers
from test.support.robots import robot_path

pytestmark = pytest.mark.slow

ASKED = re.compile(r"prefetch<(?:T|double), (\d+)(, 0)?>\((.*)\);")

ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", False),
    "hyq": ("hyq_description/robots/hyq_no_sensors.urdf", True),
    "talos": ("talos_data/robots/talos_reduced.urdf", True),
}


def texts(name, function, **options):
    """The files of one function of a robot."""
    file, floating = ROBOTS[name]
    library = Library(read(robot_path(file), floating_base=floating).robot, [function], **options)
    return cpp_files(library, Target("p", "r", "robot"))


def sources(files):
    """All texts in one."""
    return "\n".join(files.values())


def compiled(files, folder, source, *options):
    """An object of one of the sources."""
    write_changed({folder / path: text for path, text in files.items()})
    include = [f"-I{path}" for path in (folder / "include", include_directory())]
    output = folder / "out.o"
    command = [*options, "-std=c++17", "-w", "-fPIC", *include, "-c", f"{folder}/src/{source}.cpp"]
    subprocess.run([*command, "-o", output], check=True)
    return output


def told(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def sizes(path, function):
    """The bytes of a function's usual form for double, and of its parts."""
    found = {}
    for line in told("nm", "-SC", path).splitlines():
        match = re.match(rf"\w+ (\w+) \w (?:void )?(.*::{function}(?:_part_\d+)?)\b(.*)", line)
        if match and "_general" not in line and "cold" not in line and "float" not in line:
            found[match[2].split("::")[-1]] = int(match[1], 16)
    return found


CASES = [
    ("panda", "inverse_dynamics"),
    ("panda", "inertia_matrix"),
    ("panda", "forward_dynamics"),
    ("hyq", "inverse_dynamics_fully_actuated"),
    ("hyq", "forward_dynamics"),
    ("hyq", "inertia_matrix"),
    ("talos", "inverse_dynamics_fully_actuated"),
]


@pytest.mark.parametrize("options", ["-O2", "-O2 -mavx2 -mfma -ffp-contract=fast"])
@pytest.mark.parametrize(("robot", "function"), CASES)
def test_what_is_asked_for_is_the_function_and_much_of_it(robot, function, options, tmp_path):
    if not shutil.which("nm") or told("c++", "-dumpmachine").split("-")[0] != "x86_64":
        pytest.skip("bytes of operations are known of x86-64, where nm tells them")
    files = texts(robot, function)
    source = function.removesuffix("_fully_actuated")
    path = next(iter(p for p in files if p.name == f"{source}.cpp"))
    own = files[path] if "prefetch<" in files[path] else sources(files)
    asked = {}
    for operations, _, called in ASKED.findall(own):
        name = called.split("<")[0].split("::")[-1]
        asked.setdefault(name, int(operations))
    for compiler in compilers():
        there = sizes(compiled(files, tmp_path, source, compiler, *options.split()), function)
        bytes_of_operation = 7 if "fma" in options else 12
        usual = {name: each for name, each in asked.items() if "_general" not in name}
        assert usual
        for name, operations in usual.items():
            assert 0.4 < operations * bytes_of_operation / there[name] < 1.2, (compiler, name)


@pytest.mark.parametrize("compiler", compilers())
def test_compilers_ask(compiler, tmp_path):
    """What has no effect that they know of, they may leave out."""
    if not shutil.which("objdump") or told(compiler, "-dumpmachine").split("-")[0] != "x86_64":
        pytest.skip("instructions are named as on x86-64")

    def count(**options):
        files = texts("panda", "forward_dynamics", **options)
        path = compiled(files, tmp_path, "forward_dynamics", compiler, "-O3")
        return told("objdump", "-d", path).count("prefetch")

    assert count() >= 2 * 8
    assert count(without=["fetching"]) == 0


def test_other_scalars_ask_for_nothing(tmp_path):
    """Their operations may be calls, of code that is somewhere else."""
    if not shutil.which("objdump") or told("c++", "-dumpmachine").split("-")[0] != "x86_64":
        pytest.skip("instructions are named as on x86-64")
    files = texts("panda", "forward_dynamics")
    (path,) = (p for p in files if p.name == "forward_dynamics.cpp")
    files[path] = files[path].replace("<double>", "<float>").replace("double *", "float *")
    out = compiled(files, tmp_path, "forward_dynamics", "c++", "-O2")
    assert "forward_dynamics<float>" in told("nm", "-C", out)
    assert "prefetch" not in told("objdump", "-d", out)


def test_short_and_very_long_functions_do_not_ask():
    assert "prefetch<" in sources(texts("panda", "inertia_matrix"))
    assert "prefetch<" not in sources(texts("panda", "center_of_mass"))
    assert "prefetch<" not in sources(texts("talos", "forward_dynamics"))


def test_of_functions_in_parts_the_first_lines_of_the_others_are_asked_for_too():
    header = sources(texts("talos", "inverse_dynamics_fully_actuated"))
    found = [(called, whole) for _, whole, called in ASKED.findall(header) if "parts::" in called]
    assert found
    assert all(bool(whole) != ("_part_1<" in called) for called, whole in found)
