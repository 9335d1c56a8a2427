"""Code for another processor gives the same numbers, bit by bit where nothing is fused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.program.library import Library
from test.support.examples import example

CROSS = shutil.which("aarch64-linux-gnu-g++")
EMULATOR = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
PROGRAM = r"""
#include <cstdio>
#include <vector>

#include "robcogen_ros/model.h"

extern "C" const robcogen_model * robcogen_model_p__t(void);

int main()
{
  constexpr std::size_t states = 5;
  const robcogen_model * model = robcogen_model_p__t();
  for (std::size_t k = 0; k < model->function_count; ++k) {
    const robcogen_function & function = model->functions[k];
    std::vector<std::vector<double>> in, out;
    std::vector<const double *> inputs;
    std::vector<double *> outputs;
    for (std::size_t i = 0; i < function.input_count; ++i) {
      in.emplace_back(states * function.inputs[i].rows * function.inputs[i].columns);
      for (std::size_t j = 0; j < in[i].size(); ++j) {
        in[i][j] = static_cast<double>((j * 7919 + i * 104729 + 13) % 1000) / 300.0 - 1.5;
      }
    }
    for (std::size_t i = 0; i < function.output_count; ++i) {
      out.emplace_back(states * function.outputs[i].rows * function.outputs[i].columns);
    }
    for (auto & each : in) {
      inputs.push_back(each.data());
    }
    for (auto & each : out) {
      outputs.push_back(each.data());
    }
    function.call_many(states, nullptr, inputs.data(), outputs.data());
    for (const auto & each : out) {
      for (const double value : each) {
        std::printf("%a\n", value);
      }
    }
  }
}
"""


def printed(folder: Path, compiler: str, name: str, emulator: list[str]) -> list[str]:
    flags = [
        "-std=c++17",
        "-O1",
        "-ffp-contract=off",
        "-DROBCOGEN_UNFUSED_SINES",
        "-static",
        "-Wall",
        "-Wextra",
        "-Werror",
    ]
    include = [f"-I{folder / 'include'}", f"-I{include_directory()}"]
    sources = [str(path) for path in sorted((folder / "src").glob("*.cpp"))]
    program = folder / name
    subprocess.run([compiler, *flags, *include, *sources, "-o", str(program)], check=True)
    done = subprocess.run([*emulator, str(program)], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.skipif(CROSS is None, reason="there is no aarch64-linux-gnu-g++")
@pytest.mark.skipif(EMULATOR is None, reason="there is no qemu-aarch64")
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_aarch64_computes_the_same_numbers(tmp_path):
    library = Library(example("hyl"), ["inverse_dynamics", "inertia_matrix"])
    files = cpp_files(library, Target("p", "t", "hyl.kindsl", batch=True))
    write_changed({tmp_path / path: text for path, text in files.items()})
    (tmp_path / "src" / "main.cpp").write_text(PROGRAM)
    for source in list((tmp_path / "src").glob("*.cpp")):
        text = source.read_text()
        if source.name not in ("main.cpp", "model.cpp") and "template void" not in text:
            source.unlink()
    here = printed(tmp_path, "g++", "here", [])
    there = printed(tmp_path, CROSS or "", "there", [EMULATOR or ""])
    assert len(here) == 5 * (3 + 9)
    assert any(float.fromhex(value) != 0 for value in here)
    assert there == here
