"""Which of several compiled libraries is loaded."""

from __future__ import annotations

import pytest

from robcogen_ros.runtime import instruction_sets

V2 = "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3"
V3 = f"{V2} abm avx avx2 bmi1 bmi2 f16c fma movbe xsave"
V4 = f"{V3} avx512f avx512bw avx512cd avx512dq avx512vl"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (V4, ["x86-64-v4", "x86-64-v3", "x86-64-v2"]),
        (V3, ["x86-64-v3", "x86-64-v2"]),
        (V3.replace("fma", "fma4"), ["x86-64-v2"]),
        (V4.replace("avx2 ", ""), ["x86-64-v2"]),
        ("sse2", []),
    ],
)
def test_a_processor_has_the_sets_whose_instructions_it_has(flags, expected):
    text = f"model name\t: some\nflags\t\t: fpu {flags} tsc\nbugs\t: none\n"
    assert instruction_sets.instruction_sets(text) == expected


def test_a_processor_of_another_kind_has_none():
    assert instruction_sets.instruction_sets("Features\t: fp asimd\n") == []


@pytest.mark.parametrize(
    ("flags", "compiled", "expected"),
    [
        (V4, ["v3", "v4"], "glibc-hwcaps/x86-64-v4/librobot.so"),
        (V4, ["v3"], "glibc-hwcaps/x86-64-v3/librobot.so"),
        (V3, ["v3", "v4"], "glibc-hwcaps/x86-64-v3/librobot.so"),
        (V2, ["v3", "v4"], "librobot.so"),
        (V4, [], "librobot.so"),
    ],
)
def test_the_best_that_the_processor_runs_is_loaded(
    flags, compiled, expected, tmp_path, monkeypatch
):
    processor = tmp_path / "cpuinfo"
    processor.write_text(f"flags : {flags}\n")
    monkeypatch.setattr(instruction_sets, "_PROCESSOR", processor)
    for name in compiled:
        folder = tmp_path / "glibc-hwcaps" / f"x86-64-{name}"
        folder.mkdir(parents=True)
        (folder / "librobot.so").touch()
    assert instruction_sets.best_library(tmp_path / "librobot.so") == tmp_path / expected
