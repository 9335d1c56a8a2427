"""Programs run by Maxima, which print lines of values."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest


def run_maxima(folder: Path, lines: Iterable[str]) -> list[list[str]]:
    """What a program prints by `show(list)`; skips the test where there is no Maxima."""
    maxima = shutil.which("maxima")
    if maxima is None:
        pytest.skip("maxima is not installed")
    head = [
        "linel : 100000$",
        "fpprintprec : 17$",
        'show(given) := print("values", string(given))$',
    ]
    done = subprocess.run(
        [maxima, "--very-quiet"],
        input="\n".join([*head, *lines]),
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    printed = re.findall(r"^values \[(.*)\]", done.stdout, re.MULTILINE)
    assert printed, done.stdout[-500:]
    return [line.split(",") for line in printed]
