"""Program files: what C++ computes of them is what Python does; wrong ones are refused."""

import os
import re
import subprocess
import zlib
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.backends.render import include_directory
from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.compiling.toolchain import c_compiler, compiler
from robcogen_ros.runtime.evaluators.interpreter import FLAGS
from test.support.built import built
from test.support.examples import example, example_path
from test.support.operations import reference

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "interpreter.md").read_text(encoding="utf-8")
INTERPRETER = include_directory() / "robcogen_ros" / "interpreter"
FEET = ("LF_foot", "RF_foot", "LH_foot:pose")
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion")


@pytest.fixture(scope="session")
def caller(tmp_path_factory):
    """The program that calls functions of a file."""

    def build(folder):
        include = f"-I{include_directory()}"
        more = [*STRICT, *_sanitizers(folder)]
        for source in INTERPRETER.glob("*.c"):
            object_file = str(folder / f"{source.stem}.o")
            command = [*c_compiler(), *FLAGS, *more, include, "-c", str(source)]
            subprocess.run([*command, "-o", object_file], check=True)
        source = str(PurePosixPath(__file__).parent / "interpreter.cpp")
        for each in (source, str(_page_program(folder))):
            objects = [str(path) for path in folder.glob("*.o")]
            command = [*compiler(), "-std=c++17", *more, include, each, *objects]
            subprocess.run([*command, "-o", str(folder / PurePosixPath(each).stem)], check=True)

    return built(tmp_path_factory, "interpreter", build) / "interpreter"


def _sanitizers(folder):
    """Flags by which a program ends with 99 at an error of memory, where there are sanitizers."""
    source = folder / "probe.cpp"
    source.write_text("int main() {}")
    probe = [*compiler(), *SANITIZED, str(source), "-o", str(folder / "probe")]
    works = not subprocess.run(probe, capture_output=True, check=False).returncode
    return (
        SANITIZED
        if works and not subprocess.run([folder / "probe"], check=False).returncode
        else ()
    )


def _page_program(folder):
    """The example of the page as a program, which prints what it computes."""
    head, body = re.search(r"```cpp\n(.*?\n\n)(const.*?)```", PAGE, re.DOTALL).groups()
    source = folder / "page.cpp"
    loop = 'for (double x : H) std::printf("%a ", x);'
    source.write_text(f"#include <cstdio>\n{head}\nint main() {{\n{body}\n{loop}\n}}\n")
    return source


def call(caller, file, functions, lines=(), given=()):
    words = [str(caller), str(file), ",".join(functions), ",".join(given)]
    text = "".join(f"{line}\n" for line in lines)
    limits = {**os.environ, "ASAN_OPTIONS": "exitcode=99:max_allocation_size_mb=256"}
    return subprocess.run(
        words, input=text, capture_output=True, text=True, check=False, env=limits
    )


def line(name, values):
    return " ".join([name, *(float(x).hex() for x in np.ravel(values))])


def results(done):
    assert done.returncode == 0, done.stderr
    rows = (row.split() for row in done.stdout.splitlines())
    return [(name, [float.fromhex(x) for x in values]) for name, *values in rows]


def text_of(library):
    (text,) = BACKENDS["program"](library, Target("p", "robot", "robot.urdf")).values()
    return text


@pytest.fixture(scope="module")
def hyl(tmp_path_factory):
    path = tmp_path_factory.mktemp("hyl") / "hyl.program"
    path.write_text(text_of(Library(example("hyl"), ["default", "derivatives"])))
    return path


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hyl", {}),
        ("hyl", {"parameters": ["lowerleg.mass", "KFE.origin.x"]}),
        ("quadruped", {"contacts": FEET}),
    ],
)
def test_cpp_computes_what_python_does(name, options, caller, tmp_path):
    compare(Library(example(name, **options)), caller, tmp_path / "robot.program")


def compare(library, caller, file):
    """Write all functions of a library into a file, and compare what it computes."""
    file.write_text(text_of(library))
    random = np.random.default_rng(3)
    parameters = {p.name: random.uniform(1, 2) for p in library.robot.parameters}
    for function in library.names:
        entry = library.entry(function)
        for program in filter(None, (entry.general, entry.usual)):
            values = {a.name: random.uniform(0.1, 1, a.size) for a in program.inputs}
            lines = [line(*each) for each in values.items()]
            lines += [f"parameter {line(*each)}" for each in parameters.items()]
            given = [a.name for a in program.inputs if a.optional]
            found = results(call(caller, file, [function], lines, given))
            expected = reference(program, values, parameters)
            assert [result for result, _ in found] == [*expected]
            for result, entries in found:
                np.testing.assert_array_equal(entries, expected[result], f"{function}.{result}")


def test_arguments_of_one_name_may_have_several_sizes(caller, tmp_path):
    """A leg has two numbers of a branch, two legs have four; a solver has one of both."""
    names = ["reduced_dynamics", "trunk_inverse_kinematics_LF_foot"]
    file = tmp_path / "robot.program"
    compare(Library(example("quadruped", contacts=FEET[:2]), names), caller, file)
    refused = call(caller, file, names)
    assert refused.returncode == 1
    assert refused.stderr.startswith("argument 'branch' of these functions has several sizes")


def test_functions_in_one_solver(hyl, caller):
    q, qd = line("q", [0.1, 0.2, 0.3]), line("qd", [1, 2, 3])
    names = ["inverse_dynamics", "inertia_matrix", "forward_dynamics"]
    together = results(call(caller, hyl, names, [q, qd]))
    single = [
        each
        for name in names
        for each in results(call(caller, hyl, [name], [q, qd][: 1 + (name != "inertia_matrix")]))
    ]
    assert together == single


def test_contacts_by_name(caller, tmp_path):
    library = Library(example("quadruped", contacts=FEET), ["contact_forward_dynamics"])
    file = tmp_path / "robot.program"
    file.write_text(text_of(library))
    state = [line("q", [0.3, -0.6, 1.1] * 4), line("gravity", [0, 0, -9.81])]
    name = ["contact_forward_dynamics"]

    def found(*lines):
        return results(call(caller, file, name, [*state, *lines], ["contact"]))

    assert found() == found(line("contact", [1] * 12)) == found(f"contacts {' '.join(FEET)}")
    rows = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    closed = found("contacts LH_foot:pose RF_foot")
    assert closed == found(line("contact", rows))
    assert closed != found()
    refused = call(caller, file, name, ["contacts tail"], ["contact"])
    assert refused.stderr == "unknown contact 'tail'\n"


@pytest.mark.parametrize(
    ("functions", "lines", "given", "message"),
    [
        (["flight"], [], [], "robot 'HyL' has no function 'flight' in its program; name it"),
        (["inertia_matrix"], ["qd 0 0 0"], [], "no argument 'qd'; there are q\n"),
        (["inertia_matrix"], [], ["wind"], "no function takes argument 'wind'"),
        (["inertia_matrix"], ["parameter mass 1"], [], "unknown parameter 'mass'"),
        (["inertia_matrix"], ["contacts"], [], "no argument 'contact'"),
    ],
)
def test_wrong_names_are_refused(functions, lines, given, message, hyl, caller):
    refused = call(caller, hyl, functions, lines, given)
    assert refused.returncode == 1
    assert message in refused.stderr


def test_a_file_that_is_not_there(caller, tmp_path):
    refused = call(caller, tmp_path / "no.program", ["inertia_matrix"])
    assert refused.stderr == f"{tmp_path}/no.program: cannot be opened\n"


def test_a_file_that_was_changed_is_refused(hyl, caller, tmp_path):
    text = hyl.read_text()
    for changed in (text[:-1], text[: len(text) // 2], text.replace("HFE", "HFF"), "", "robcogen"):
        file = tmp_path / "changed.program"
        file.write_text(changed)
        refused = call(caller, file, ["inertia_matrix"])
        assert refused.returncode == 1
        assert refused.stderr.startswith(f"{file}:")


def edited(tmp_path, library, *edits):
    """A program file with other words, and the checksum that they have."""
    _, _, body = text_of(library).split("\n", 2)
    for old, new in edits:
        assert body.count(old) == 1
        body = body.replace(old, new)
    file = tmp_path / "edited.program"
    file.write_text(f"robcogen program 1\nchecksum {zlib.crc32(body.encode()):08x}\n{body}")
    return file


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (("1 1 - parameters", "1 1 - parameter"), "expected an argument 'parameters'"),
        (("1 1 - parameters", "0 1 - parameters"), "expected an entry for each parameter"),
        (("parameters 1\n", f"parameters 2\n- {'m' * 99999}\n"), "entry for each parameter"),
        (("\n3 LF_foot\n", "\n4 LF_foot\n"), "expected an entry for each row of the contacts"),
        (("\n3 LF_foot\n", "\n4000 LF_foot\n"), "expected an entry for each row of the contacts"),
        (("12 1 - qd\n", "9999 9999 - qd\n"), "number of entries out of range"),
    ],
)
def test_counts_beyond_their_arguments_are_refused(edit, message, caller, tmp_path):
    library = Library(
        example("quadruped", contacts=FEET[:2], parameters=["LF_shank.mass"]),
        ["contact_forward_dynamics"],
    )
    file = edited(tmp_path, library, edit)
    lines = ["contacts LF_foot RF_foot"]
    refused = call(caller, file, ["contact_forward_dynamics"], lines, ["contact"])
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert refused.stderr.startswith(f"{file}:") and message in refused.stderr


def test_what_is_no_program_file_is_not_read_to_its_end(caller):
    refused = call(caller, "/dev/zero", ["inertia_matrix"])
    assert refused.stderr.startswith("/dev/zero:1: expected 'robcogen program 1'")


EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 30), st.text("0159afx -,\nadinput", max_size=9)),
    min_size=1,
    max_size=3,
)


@settings(max_examples=150)
@given(EDITS)
def test_wrong_files_with_a_right_checksum_are_no_crash(hyl, caller, tmp_path_factory, edits):
    _, _, body = hyl.read_text().split("\n", 2)
    for place, deleted, inserted in edits:
        begin = int(place * len(body))
        body = body[:begin] + inserted + body[begin + deleted :]
    file = tmp_path_factory.getbasetemp() / "edited.program"
    file.write_text(f"robcogen program 1\nchecksum {zlib.crc32(body.encode()):08x}\n{body}")
    done = call(caller, file, ["inertia_matrix", "forward_dynamics"])
    assert done.returncode in (0, 1)
    assert done.returncode == 0 or done.stderr


def test_the_examples_of_the_page(caller, hyl, monkeypatch):
    monkeypatch.chdir(hyl.parent)
    done = subprocess.run([caller.parent / "page"], capture_output=True, text=True, check=True)
    found = [float.fromhex(x) for x in done.stdout.split()]
    monkeypatch.chdir(example_path("hyl").parent)
    known: dict = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], known)
    np.testing.assert_allclose(found, known["leg"].inertia_matrix([0.1, 0, 0]).ravel(), atol=1e-12)
    assert known["tau"].shape == (3,)


def test_the_command_writes_it(tmp_path):
    words = ["generate", str(example_path("hyl")), "--name", "leg", "--target", "program"]
    assert main([*words, "-o", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["leg.program"]
    assert (tmp_path / "leg.program").read_text().startswith("robcogen program 1\nchecksum ")


def test_names_that_no_line_can_hold_are_refused():
    robot = example("hyl")
    with pytest.raises(RobcogenError, match="cannot be in a program file"):
        text_of(Library(replace(robot, name="leg\nrobot"), ["inertia_matrix"]))
