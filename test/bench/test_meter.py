"""The measuring program counts what is there to count."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from robcogen_ros.bench.kept import SOURCES

PROGRAM = r"""
#include <cstdio>

#include "instructions.hpp"

int main()
{
  const auto few = [] { asm volatile(".rept 100\n\tnop\n\t.endr"); };
  const auto many = [] { asm volatile(".rept 1100\n\tnop\n\t.endr"); };
  std::printf("%ld\n", bench::instructions(many) - bench::instructions(few));
  std::printf("%ld\n", bench::stepped(many) - bench::stepped(few));
  const auto repeating = []
  {
#ifdef __x86_64__
    char filled[100];
    void * place = filled;
    long count = 100;
    asm volatile("rep stosb" : "+D"(place), "+c"(count) : "a"(0) : "memory");
#endif
  };
  std::printf("%ld\n", bench::stepped(repeating) - bench::stepped([] {}));
}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_instructions_are_counted_one_by_one(tmp_path):
    source, program = tmp_path / "count.cpp", tmp_path / "count"
    source.write_text(PROGRAM)
    line = ["g++", "-std=c++17", "-O1", f"-I{SOURCES}", str(source), "-o", str(program)]
    subprocess.run(line, check=True)
    found = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    counted, stepped, repeating = map(int, found.split())
    if stepped == 0:
        pytest.skip("processes may not be traced here")
    assert abs(counted - 1000) <= 2
    assert stepped == 1000
    assert repeating < 50
