"""Where Eigen's headers are."""

import sysconfig
from pathlib import Path

import pytest


def eigen_directory() -> Path:
    """The directory that holds `Eigen/Core`; the test is skipped where there is none."""
    wheels = (
        Path(sysconfig.get_paths()[scheme], "cmeel.prefix/include/eigen3")
        for scheme in ("purelib", "platlib")
    )
    for directory in (*wheels, Path("/usr/include/eigen3"), Path("/usr/local/include/eigen3")):
        if (directory / "Eigen" / "Core").is_file():
            return directory
    pytest.skip("Eigen is not installed")
