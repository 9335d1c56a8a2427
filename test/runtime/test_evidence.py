"""Evidence about C: hand-written functions whose machine code is known, and a robot's."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath

import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.evidence import evidence
from test.support.examples import example_path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("objdump") is None, reason="there is no objdump"),
]

PARTS = """
#include <math.h>
__attribute__((noinline)) static void f_part_1(const double * in, double * out)
{ volatile char room[1000]; room[0] = (char)in[0]; out[0] = in[1] + room[0]; }
void once(const double * in, double * out) { f_part_1(in, out); out[1] = sin(out[0]); }
void twice(const double * in, double * out)
{ f_part_1(in, out); f_part_1(out, out + 1); out[2] = sin(out[0]); }
"""


def page_of(text: str) -> tuple[str, dict[str, list[str]]]:
    page = evidence({PurePosixPath("a.c"): text})
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE)
    return page, {name: cells.split(" | ") for name, cells in rows}


def test_parts_count_as_often_as_they_are_called_and_their_deepest_stack_once() -> None:
    page, rows = page_of(PARTS)
    assert rows.keys() == {"once", "twice"}
    ones, twos = int(rows["once"][0]), int(rows["twice"][0])
    assert ones < twos < 2 * ones + 6
    for _, branches, stack, calls in rows.values():
        assert (branches, calls) == ("0", "1 sin")
        assert 1000 < int(stack) < 1200
    assert "There is no conditional branch" in page
    assert "are re-entrant" in page


def test_a_loop_and_static_memory_are_told() -> None:
    page, rows = page_of(
        "static int calls;\n"
        "void f(const double * in, double * out)\n"
        "{ calls++; for (int i = 0; i < calls; ++i) out[0] += in[i]; }\n"
    )
    assert int(rows["f"][1]) > 0
    assert "4 bytes of static memory are written: functions are not re-entrant" in page
    assert "There is no conditional branch" not in page


def test_a_function_that_calls_itself_is_no_evidence() -> None:
    with pytest.raises(RobcogenError, match="calls itself"):
        page_of(
            "void f(int n, double * x)\n{ if (n) { f(n - 1, x); x[n] += f == 0; f(n - 2, x); } }\n"
        )


def test_a_robot_has_no_branches(tmp_path: Path) -> None:
    words = ["--target", "c", "--function", "forward_dynamics", "--evidence", "-o", str(tmp_path)]
    assert main(["generate", str(example_path("quadruped")), *words]) == 0
    page = (tmp_path / "robots_robot_evidence.md").read_text()
    assert "There is no conditional branch" in page
    assert "0 bytes of static memory are written" in page
    assert (
        main(["generate", str(example_path("quadruped")), "--evidence", "-o", str(tmp_path)]) == 1
    )
