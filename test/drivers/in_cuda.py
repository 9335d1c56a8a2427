"""What nvcc makes of a robot's kernels: registers, spills, stack a thread, and how long it takes.

    python -m test.drivers.in_cuda [--floating-base] [--scalar float] [--architecture sm_90] FILE...

nvcc is the one on the PATH, or that of the packages nvidia-cuda-nvcc, nvidia-cuda-runtime and
nvidia-cuda-cccl of pip. No GPU is needed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.drivers.usage import usage

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "inertia_matrix")
_PROPERTIES = re.compile(
    r"Compiling entry function '\S*?robot_(\w+?)_kernel.*?(\d+) bytes stack frame, "
    r"(\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers"
    r"(?:.*?(\d+) bytes cumulative stack)?",
    re.DOTALL,
)


def nvcc() -> str | None:
    """Returns the compiler, if there is one."""
    packages = (Path(path) / "nvidia" for path in sys.path)
    found = [str(path) for folder in packages for path in folder.glob("*/bin/nvcc")]
    return shutil.which("nvcc") or next((path for path in found if os.access(path, os.X_OK)), None)


def kernels_of(
    source: Path, compiler: str, architecture: str = "sm_90"
) -> Iterator[tuple[str, ...]]:
    """Yields name, registers, spilled bytes, stack and seconds of each kernel of a header.

    Args:
        source: The header of a robot, whose names begin with `cuda_robot_`.
        compiler: nvcc.
        architecture: The GPU.
    """
    text = source.read_text(encoding="utf-8")
    heads = re.findall(r"^static __global__ void .*?(\w+_kernel)(\(.*?\))\n\{", text, re.M | re.S)
    return [
        _kernel_of(source, name, arguments, compiler, architecture) for name, arguments in heads
    ]


def _kernel_of(
    source: Path, name: str, arguments: str, compiler: str, architecture: str
) -> tuple[str, ...]:
    """Returns the row of a kernel, which is compiled alone: all at once take minutes."""
    whole = source.with_name("kernel.cu")
    instance = f"template __global__ void {name}<128>{arguments};"
    whole.write_text(f'#include "{source.name}"\n{instance}\n', encoding="utf-8")
    options = [f"-arch={architecture}", "-std=c++17", "-O3", "-Xptxas", "-v", "-cubin"]
    command = [compiler, *options, "-o", str(source.with_name("kernel.cubin")), str(whole)]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds = f"{time.perf_counter() - begin:.0f}"
    ((short, stack, stores, loads, registers, total),) = _PROPERTIES.findall(done.stderr)
    return short, registers, str(int(stores) + int(loads)), total or stack, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--floating-base", action="store_true")
    parser.add_argument("--scalar", default="double", choices=["double", "float"])
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    compiler = nvcc()
    if compiler is None:
        sys.exit("there is no nvcc on the PATH, nor in packages of pip")
    names = (*FUNCTIONS, "inverse_dynamics_derivatives")
    print(f"{'robot':24} {'function':36} registers spilled stack [bytes a thread] compiled [s]")
    for file in given.files:
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
            warnings.simplefilter("ignore")
            library = Library(read(file, floating_base=given.floating_base).robot, names)
            target = Target("cuda", "robot", Path(file).name, given.scalar)
            ((path, text),) = BACKENDS["cuda"](library, target).items()
            header = Path(folder, path)
            header.write_text(text, encoding="utf-8")
            for kernel in kernels_of(header, compiler, given.architecture):
                name, registers, spilled, stack, seconds = kernel
                robot = f"{Path(file).stem:24.24} {name:36}"
                print(f"{robot} {registers:>9} {spilled:>7} {stack:>5} {seconds:>25}", flush=True)


if __name__ == "__main__":
    with usage():
        main()
