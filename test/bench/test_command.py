"""The command bench."""

from __future__ import annotations

import json
import shutil

import pytest

from robcogen_ros.bench import peers
from robcogen_ros.bench.batch import STATES, batch_rows, ways
from robcogen_ros.bench.compilers import Compiler, lacks
from robcogen_ros.cli import bench
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.library import Library
from test.support.examples import example, example_path

NEEDS_COMPILER = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")


@pytest.mark.slow
@NEEDS_COMPILER
def test_why_a_library_is_not_found_is_told_in_the_words_of_the_compiler(tmp_path):
    header = tmp_path / "library.hpp"
    compiler = Compiler("g++", ("g++",))
    options = [f"-I{tmp_path}"]
    assert "library.hpp: No such file" in lacks(compiler, "library.hpp", options)
    header.write_text("#include <its_own_need.hpp>\n")
    assert "its_own_need.hpp: No such file" in lacks(compiler, "library.hpp", options)
    header.write_text("#error needs C++99\n")
    assert "needs C++99" in lacks(compiler, "library.hpp", options)
    header.write_text("")
    assert lacks(compiler, "library.hpp", options) == ""


@pytest.mark.slow
@NEEDS_COMPILER
def test_a_function_is_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CXX", "g++")
    output = tmp_path / "measured.json"
    words = [str(example_path("hyl")), "--function", "inertia_matrix", "--peers", "none"]
    assert bench.main([*words, "--json", str(output)]) == 0
    found = json.loads(output.read_text())
    (row,) = found["rows"]
    counts = operation_counts(
        Library(example("hyl"), ["inertia_matrix"]).entry("inertia_matrix").fastest
    )
    assert row["multiplications"] == counts["multiply"] + counts.get("divide", 0)
    assert row["hot"] > 0 and row["cold"] > row["hot"]
    assert row["instructions"] is None or row["instructions"] > sum(counts.values()) / 8
    assert row["bytes"] is None or row["bytes"] > 4 * sum(counts.values()) / 8
    text = capsys.readouterr().out
    assert "inertia_matrix  robcogen_ros" in text and "g++" in text


@pytest.mark.slow
@NEEDS_COMPILER
def test_single_calls(monkeypatch, capsys):
    monkeypatch.setenv("CXX", "g++")
    words = [str(example_path("hyl")), "--function", "gravity_torques", "--tail", "1000"]
    assert bench.main(words) == 0
    lines = capsys.readouterr().out.splitlines()[-3:]
    assert [line.split()[0] for line in lines] == ["gravity_torques", "additions", "reading"]
    for line in lines:
        median, most, nearly_all, worst = map(float, line.split()[-8:-4])
        assert 0 < median <= most <= nearly_all <= worst


@pytest.mark.slow
@NEEDS_COMPILER
@pytest.mark.parametrize("states", [[], ["3"]])
def test_many_states(states, monkeypatch, capsys):
    counts = []

    def noted(comparison, functions, count):
        counts.append(count)
        return batch_rows(comparison, functions, count)

    monkeypatch.setattr(bench, "batch_rows", noted)
    monkeypatch.setenv("CXX", "g++")
    words = [str(example_path("hyl")), "--function", "gravity_torques", "--peers", "none"]
    assert bench.main([*words, "--batch", *states]) == 0
    assert counts == [int(*states) or STATES]
    head, _, row = capsys.readouterr().out.splitlines()[-3:]
    assert head.split() == [
        "function",
        "one",
        "call",
        "ns",
        *(word for way in ways() for word in (*way.split(), "ns", "x")),
    ]
    function, library, one, *many = row.split()
    assert (function, library) == ("gravity_torques", "robcogen_ros")
    for state, ratio in zip(many[::2], many[1::2], strict=True):
        assert float(one) / float(state) == pytest.approx(float(ratio), abs=0.2, rel=0.1)


@pytest.mark.parametrize("states", ["0", "many", "-1"])
def test_a_call_takes_a_state_at_least(states, capsys):
    with pytest.raises(SystemExit):
        bench.main([str(example_path("hyl")), f"--batch={states}"])
    assert f"expected a number from 1 on, found '{states}'" in capsys.readouterr().err


@pytest.mark.slow
@NEEDS_COMPILER
def test_a_function_that_the_robot_cannot_have_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CXX", "g++")
    robot = tmp_path / "massless.urdf"
    robot.write_text(
        '<robot name="massless"><link name="base"/><link name="tip"/><joint name="j" '
        'type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint>'
        "</robot>"
    )
    words = [str(robot), "--function", "forward_dynamics", "--peers", "none"]
    assert bench.main(words) == 0
    assert "no forward_dynamics" in capsys.readouterr().err


def test_a_library_that_is_not_known(capsys):
    with pytest.raises(SystemExit) as stopped:
        bench.main([str(example_path("hyl")), "--peers", "pinocchio,drake"])
    assert stopped.value.code == 2
    assert "found 'drake'" in capsys.readouterr().err


@pytest.mark.slow
@NEEDS_COMPILER
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "takes about 7 min here"),
        (("--function", "forward_dynamics"), "takes about 3 min here"),
        (("--peers", "mujoco"), ""),
        (("--function", "jacobian"), ""),
        (("--quiet",), ""),
    ],
)
def test_what_compiles_for_minutes_is_told_before(words, told, monkeypatch, capsys, tmp_path):
    compiler, pinocchio = Compiler("g++", ("g++",)), peers.PEERS[0]
    if peers.missing(pinocchio, compiler):
        pytest.skip("Pinocchio's headers are missing")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CXX", "g++")
    monkeypatch.setattr(bench.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(bench, "_compare", lambda *_: None)
    assert bench.main([str(example_path("hyl")), *words]) == 0
    said = capsys.readouterr().err
    assert told in said and ("Pinocchio is compiled first" in said) == bool(told)
    found = peers.uncompiled(pinocchio, ["forward_dynamics_local"], [compiler])
    for path in found:
        path.touch()
    assert not peers.uncompiled(pinocchio, ["forward_dynamics_local"], [compiler]) and found
