"""Functions compiled for several instruction sets in one program: callers get the best.

What a processor has is told by the kernel here, in `/proc/cpuinfo`.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.program.library import Library
from test.backends.test_loops import BUSH, robot_of
from test.support.compiler import compilers
from test.support.examples import example

V3 = ("-mavx2", "-mfma", "-mbmi", "-mbmi2")
OF_V3 = {"avx2", "fma", "bmi1", "bmi2"}
FLAGS = {
    "x86_64": ("-DROBCOGEN_CHOOSES", "-DROBCOGEN_X86_64_V3"),
    "x86_64_v3": V3,
}
EMULATOR = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64") or ""
NO_NUMBERS = {"DW.ref.__gxx_personality_v0", "__clang_call_terminate"}
"""What compilers add for exceptions, alike for all sets."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        platform.system() != "Linux" or platform.machine() not in ("x86_64", "AMD64"),
        reason="instruction sets are those of x86-64 on Linux",
    ),
]


def generated(library: Library, folder: Path, batch: bool = False) -> list[Path]:
    files = cpp_files(library, Target("demo", "robot", "model", batch=batch))
    write_changed({folder / path: text for path, text in files.items()})
    sources = sorted((folder / "src").glob("*.cpp"))
    once = [] if batch else ["model"]
    return [each for each in sources if each.stem not in once and "<double>" in each.read_text()]


def compiled(compiler: str, sources: list[Path], chosen: str, *flags: str) -> list[str]:
    """Objects of sources for a set."""
    include = [f"-I{sources[0].parents[1] / 'include'}", f"-I{include_directory()}"]
    options = ["-std=c++17", "-fPIC", f"-DROBCOGEN_INSTRUCTION_SET={chosen}", *FLAGS[chosen]]
    objects = [str(source.with_suffix(f".{chosen}.o")) for source in sources]
    for source, target in zip(sources, objects, strict=True):
        command = [compiler, *options, *flags, *include, "-c", str(source), "-o", target]
        subprocess.run(command, check=True)
    return objects


def defined(objects: list[str]) -> set[str]:
    """Names of what the linker can give to other objects."""
    lines = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True)
    rows = [line.split()[-2:] for line in lines.stdout.splitlines()]
    return {name for kind, name in rows if kind in "TDBRGSVWui"} - NO_NUMBERS


@pytest.mark.parametrize("compiler", compilers())
def test_nothing_that_a_set_compiles_is_taken_for_that_of_another(compiler, tmp_path, monkeypatch):
    """Also of what is not inlined; limbs in lanes, loops, batches, factors."""
    limbs = Library(example("quadruped"), ["inverse_dynamics", "inertia_matrix"])
    sources = generated(limbs, tmp_path / "limbs", batch=True)
    names = defined(compiled(compiler, sources, "x86_64_v3", "-O0"))
    monkeypatch.setattr(Library, "looped", lambda *_: True)
    functions = ["forward_dynamics_derivatives", "inertia_matrix_inverse", "inertia_factor"]
    loops = Library(robot_of(BUSH, tmp_path), functions)
    sources = generated(loops, tmp_path / "loops")
    names |= defined(compiled(compiler, sources, "x86_64_v3", "-O0"))
    assert {name for name in names if "x86_64_v3" not in name} == set()
    assert any("Pack" in name for name in names) and any("sparse" in name for name in names)


PROGRAM = """
#include <cstdio>
#include <initializer_list>

#include "demo/robot/functions.hpp"

#define OF_SET(set)                                                          \\
  namespace set::demo::robot::functions                                      \\
  {                                                                          \\
  template <typename T>                                                      \\
  void inverse_dynamics(const T *, const T *, const T *, T *) noexcept;      \\
  extern template void inverse_dynamics<double>(                             \\
    const double *, const double *, const double *, double *) noexcept;      \\
  }
OF_SET(x86_64)
OF_SET(x86_64_v3)

const double q[] = {0.137, 0.7234, -0.4321}, qd[] = {0.31, -0.97, 1.13};
const double qdd[] = {0.61, 0.23, -0.57};
double early[3];

// Before anything is chosen.
[[gnu::section(".preinit_array"), gnu::used]] static void (* const before)() = [] {
  demo::robot::functions::inverse_dynamics<double>(q, qd, qdd, early);
};

int main(int count, char **)
{
  const auto chosen = demo::robot::functions::inverse_dynamics<double>;
  const auto of_all = x86_64::demo::robot::functions::inverse_dynamics<double>;
  const auto of_v3 = x86_64_v3::demo::robot::functions::inverse_dynamics<double>;
  std::printf("%a %a %a\\n", early[0], early[1], early[2]);
  for (const auto call : {of_all, chosen, of_v3})
  {
    double tau[3] = {};
    if (call != of_v3 || count > 1)
    {
      call(q, qd, qdd, tau);
    }
    std::printf("%a %a %a\\n", tau[0], tau[1], tau[2]);
  }
}
"""


@pytest.mark.parametrize("compiler", compilers())
def test_callers_get_the_best_that_this_processor_has(compiler, tmp_path):
    """Once the library is loaded; before, what all processors have."""
    words = Path("/proc/cpuinfo").read_text().split()
    has = set(words).issuperset(OF_V3)
    sources = generated(Library(example("hyl"), ["inverse_dynamics"]), tmp_path)
    objects = [
        name
        for chosen in FLAGS
        for name in compiled(compiler, sources, chosen, "-O2", "-ffp-contract=fast")
    ]
    source, program = tmp_path / "use.cpp", tmp_path / "use"
    source.write_text(PROGRAM)
    include = f"-I{tmp_path / 'include'}"
    command = [compiler, "-std=c++17", "-static", include, str(source), *objects]
    subprocess.run([*command, "-o", str(program)], check=True)
    check_chosen([str(program)], has)
    for processor, has_v3 in (("Nehalem", False), ("Haswell", True)) if EMULATOR else ():
        check_chosen([EMULATOR, "-cpu", processor, str(program)], has_v3)


def check_chosen(command: list[str], has_v3: bool) -> None:
    """Asserts what a program calls on a processor that has the set, or has not."""
    words = [*command, "v3"] if has_v3 else command
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    early, of_all, chosen, of_v3 = done.stdout.splitlines()
    assert early == of_all
    assert chosen == (of_v3 if has_v3 else of_all)
    if has_v3:
        numbers = [[float.fromhex(x) for x in line.split()] for line in (of_all, of_v3)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-14)
        assert of_all != of_v3
