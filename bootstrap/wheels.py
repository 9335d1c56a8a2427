"""Repairs the wheels of ROS 2, whose CMake files name directories of the build machine."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

PYTHON_HEADERS = re.compile(r"/opt/python/[^/;\"]*/include/python[\d.]+")
NUMPY_HEADERS = re.compile(r"/opt/python/[^/;\"]*/lib/[^;\"]*/numpy/[^;\"]*include")
QUERY = "import numpy, sysconfig; print(sysconfig.get_path('include')); print(numpy.get_include())"


def repair(venv: Path) -> None:
    """Points the exported targets in `venv` at its own Python and NumPy."""
    answer = subprocess.check_output([venv / "bin" / "python", "-c", QUERY], text=True)
    python_headers, numpy_headers = answer.split("\n")[:2]
    for file in venv.glob("share/*/cmake/*.cmake"):
        text = file.read_text()
        new = NUMPY_HEADERS.sub(numpy_headers, PYTHON_HEADERS.sub(python_headers, text))
        if new != text:
            file.write_text(new)
