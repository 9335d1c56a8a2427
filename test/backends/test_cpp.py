"""The generated C++."""

import subprocess
from pathlib import Path

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.cpp.text import comment, function_identifiers, identifiers, quoted
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.formats.read import read
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.program.library import Library
from test.support.compiler import compilers
from test.support.eigen import eigen_directory
from test.support.examples import example

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def generate(robot, directory, target="arm"):
    files = cpp_files(Library(robot), Target("demo", target, "model.kindsl"))
    write_changed({Path(directory) / path: text for path, text in files.items()})
    return files


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fancy", "hyl"])
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("compiler", compilers())
def test_it_compiles_without_a_warning(name, floating, compiler, tmp_path):
    generate(example(name, floating_base=floating), tmp_path)
    user = tmp_path / "src" / "user.cpp"
    user.write_text(
        '#include "demo/arm.hpp"\nint main() { return demo::arm::Model::joint_count; }\n'
    )
    eigen = ["-isystem", str(eigen_directory())]
    include = [f"-I{tmp_path / 'include'}", f"-I{include_directory()}", *eigen]
    for source in sorted((tmp_path / "src").glob("*.cpp")):
        command = [compiler, "-std=c++17", "-fsyntax-only", *WARNINGS, *include, str(source)]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr


def test_equal_input_gives_equal_bytes():
    assert generate_texts("hyl") == generate_texts("hyl")


def generate_texts(name):
    return cpp_files(Library(example(name)), Target("demo", "arm", "model.kindsl"))


def test_files_with_the_same_text_are_left_alone(tmp_path):
    robot = example("hyl")
    generate(robot, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    generate(robot, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")} == before


def test_the_names_of_sources_do_not_depend_on_the_robot():
    assert sources(example("fancy")) == sources(example("hyl", floating_base=True))


def sources(robot):
    return {p for p in cpp_files(Library(robot), Target("a", "b", "c")) if p.suffix == ".cpp"}


def test_no_path_and_no_date_in_the_text():
    for text in generate_texts("fancy").values():
        assert str(Path.home()) not in text
        assert "/examples" not in text


def test_every_constant_is_rounded_once():
    from robcogen_ros.backends.cpp.text import literal

    assert literal((expression(1) / 3).value) == f"T({1 / 3!r})"


@pytest.mark.parametrize("text", ["a\nb", "end */ code(); /*", "trail\\", "ünï"])
def test_no_name_ends_its_comment(text):
    clean = comment(text)
    assert "\n" not in clean and "*/" not in clean and "\\" not in clean and clean.isascii()


def test_a_pose_by_the_name_of_a_frame_is_that_of_no_other(tmp_path):
    links = "".join(
        f'<link name="{name}"/><joint name="to {name}" type="continuous"><parent link="base"/>'
        f'<child link="{name}"/></joint>'
        for name in ("a_b", "a-b")
    )
    path = tmp_path / "ab.urdf"
    path.write_text(f'<robot name="ab"><link name="base"/>{links}</robot>')
    found = function_identifiers(Library(read(path).robot, ["kinematics", "base_X_a-b"]))
    assert found == {"kinematics": "kinematics", "base_X_a-b": "base_X_a_b_2"}


def test_names_become_distinct_identifiers():
    names = identifiers(["a-b", "a_b", "class", "1st", "a__b", "é", "T"])
    assert len(set(names)) == 7
    assert all(name.isidentifier() and "__" not in name for name in names)
    assert "class" not in names and "T" not in names


def test_strings_are_quoted_for_every_compiler():
    assert quoted('a"b\\c??=\n') == '"a\\"b\\\\c\\?\\?=\\012"'
