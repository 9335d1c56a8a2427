"""The code of transforms: right, and with nothing to spare."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from robcogen_ros.cli.main import main
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.frame_transforms import KINDS, TransformPrograms
from robcogen_ros.program.interpret import interpret
from robcogen_ros.transforms.convert import transforms as convert
from test.support.compiler import compile_program
from test.support.eigen import eigen_directory
from test.transforms.documents import motions, transforms
from test.transforms.random_documents import PARAMETERS, VARIABLES, of_kind, random_motions

KEYS = {key.removeprefix("p:"): value for key, value in PARAMETERS.items()}


def evaluate(programs, entry):
    values = [VARIABLES[symbol.name] for symbol in programs.variables]
    entries = interpret(entry.program, {"variables": values}, KEYS)["X"]
    return np.reshape(np.array(entries, dtype=float), (entry.kind.size, -1), order="F")


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(random_motions())
def test_transforms_equal_the_product_of_matrices(document):
    programs = TransformPrograms(convert(motions(document.text)))
    for entry in programs.entries:
        kind = next(name for name, kind in KINDS.items() if kind is entry.kind)
        left, right = (document.poses[f] for f in (entry.relation.left, entry.relation.right))
        expected = of_kind(kind, np.linalg.solve(left, right))
        assert evaluate(programs, entry) == pytest.approx(expected, abs=1e-12)


def counts(text: str, kind: str = "homogeneous"):
    document = transforms(f"Params g {{ l }} MovedFramePos = right {text}")
    (entry,) = TransformPrograms(document, [kind]).entries
    return operation_counts(entry.program)


@pytest.mark.parametrize(
    "steps",
    [
        "Rz(a) Rz(b)",
        "Rz(a) Tz(c) Rz(b)",
        "Rz(a) Rx(PI/2.0) Ry(-b)",
        "Rz(a) Rx(PI/2.0) Ry(b) Rx(-PI/2.0) Rz(PI) Rz(2.0 b)",
    ],
)
def test_turns_about_one_axis_are_one(steps):
    found = counts(f"{{A}}_X_{{B}} = {steps}")
    assert (found["sin"], found["cos"], found.get("multiply", 0)) in ((1, 1, 0), (1, 1, 1))


def test_what_is_done_and_undone_costs_nothing():
    assert not counts("{A}_X_{B} = Rz(a) Tx(l) Ry(b) Ry(-b) Tx(-l) Rz(-a)", "motion")
    assert not counts("{A}_X_{B} = Tx(l) Ty(m) Tx(-l) Ty(-m)")


def test_shifts_are_no_matter_to_the_rotation():
    found = counts("{A}_X_{B} = Rz(a) Tx(l) Rz(b) Tx(l) Rz(c)", "rotation")
    assert found == {"add": 2, "sin": 1, "cos": 1}


def test_the_coupling_of_spatial_transforms_is_formed_where_it_is_short():
    """Of a turn and a shift, p x R is the turned (r x): no product of sines."""
    for kind in ("motion", "force"):
        found = counts("{A}_X_{B} = Rz(a) Tx(g.l)", kind)
        assert found == {"multiply": 2, "sin": 1, "cos": 1}


def test_sines_are_shared():
    found = counts("{A}_X_{B} = Rz(a) Tx(0.3) Rx(b) Tz(0.1) Ry(-a)", "motion")
    assert (found["sin"], found["cos"]) == (2, 2)


def test_quarter_turns_leave_only_zeros_and_ones():
    (entry,) = TransformPrograms(
        transforms("MovedFramePos = left {A}_X_{B} = Rx(PI/2.0) Rz(-PI/2.0)"), ["rotation"]
    ).entries
    assert {str(node.literal) for node in entry.program.outputs[0].nodes} == {"0", "1", "-1"}


DOCUMENT = """Model crane
Frames { base, boom, hook }
Params lengths { boom }
Convention = local
base -> boom : trz (2.5) rotz (slew) roty (luff) [tower]
boom -> hook : trx (lengths.boom[12.0]) roty (-luff) trz (-1.0 rope) rotx (PI/2.0)
"""
USER = """#include <cstdio>
#include "site/crane.hpp"
int main()
{
  site::crane::Variables<> v{0.4, -0.7, 3.0};
  site::crane::Parameters<> p;
  p.boom = 10.0;
  site::crane::base_X_hook<> X;
  site::crane::base_XM_hook<> M;
  site::crane::base_XF_hook<> F;
  site::crane::base_R_hook<> R;
  site::crane::tower<float> tower;
  auto print = [](const auto & A) {
    for (int i = 0; i < A.size(); ++i) std::printf("%.17g ", static_cast<double>(A.data()[i]));
    std::puts("");
  };
  print(X(v, p));
  print(M(v, p));
  print(F(v, p));
  print(R(v, p));
  print(tower({0.4f, -0.7f, 3.0f}, {}));
}
"""


def generate(tmp_path: Path, *options: str) -> Path:
    document = tmp_path / "crane.motdsl"
    document.write_text(DOCUMENT)
    words = ["generate", str(document), "-o", str(tmp_path / "out"), "--project", "site"]
    assert main([*words, "--name", "crane", *options]) == 0
    return tmp_path / "out" / "include"


@pytest.mark.slow
def test_the_code_compiles_without_a_warning_and_is_right(tmp_path):
    include = generate(tmp_path)
    (tmp_path / "user.cpp").write_text(USER)
    flags = [f"-I{include}", "-isystem", str(eigen_directory()), "-Wpedantic", "-Wshadow"]
    program = compile_program(tmp_path / "user.cpp", tmp_path, *flags)
    lines = subprocess.run(
        [program], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    programs = TransformPrograms(convert(motions(DOCUMENT)))
    names = ("base_X_hook", "base_XM_hook", "base_XF_hook", "base_R_hook", "tower")
    for name, line, boom, tolerance in zip(
        names, lines, [10.0] * 5, [1e-14] * 4 + [1e-6], strict=True
    ):
        (entry,) = (e for e in programs.entries if e.name == name)
        values = {"variables": [0.4, -0.7, 3.0]}
        expected = interpret(entry.program, values, {"lengths.boom": boom})["X"]
        assert [float(x) for x in line.split()] == pytest.approx(expected, abs=tolerance)


def test_a_call_leaves_alone_what_never_changes(tmp_path):
    text = (generate(tmp_path) / "site" / "crane" / "functions.hpp").read_text()
    assert "slew" in text and "const T sin_luff = sin(luff);" in text
    assert not re.search(r"X\[\d+\] = T\([^)]*\);", text)


def test_only_what_is_asked_for_is_generated(tmp_path):
    wanted = tmp_path / "crane.dtdsl"
    wanted.write_text("Model crane Frames { base, hook } Transforms { base -> hook }")
    stamp, depfile = tmp_path / "stamp", tmp_path / "depfile"
    options = ["--desired", str(wanted), "--kind", "force", "--stamp", str(stamp)]
    include = generate(tmp_path, *options, "--depfile", str(depfile))
    assert re.findall(r"class (\w+)", (include / "site" / "crane.hpp").read_text()) == [
        "hook_XF_base"
    ]
    assert stamp.exists()
    assert {str(wanted.resolve()), str((tmp_path / "crane.motdsl").resolve())} <= set(
        re.split(r"[\s\\]+", depfile.read_text())
    )


@pytest.mark.slow
def test_names_that_c_plus_plus_keeps_for_itself(tmp_path):
    document = tmp_path / "odd.ctdsl"
    document.write_text(
        "MovedFramePos = right {class}_X_{B} = Rx (double) Tz (X) [Variables] {a}_X_{A} = Ry (sin)"
    )
    assert main(["generate", str(document), "-o", str(tmp_path / "out")]) == 0
    user = tmp_path / "user.cpp"
    user.write_text('#include "robots/transforms.hpp"\nint main() {}\n')
    include = f"-I{tmp_path / 'out' / 'include'}"
    compile_program(user, tmp_path, include, "-isystem", str(eigen_directory()))
