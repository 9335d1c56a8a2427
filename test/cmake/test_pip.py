"""What `pip install` brings, used with plain CMake: no ROS 2, no sourced environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from test.cmake.tools import CMAKE, NOTHING_SOURCED, ROOT, make_plain_project, run

pytestmark = pytest.mark.slow

SOURCES = "setup.py", "pyproject.toml", "package.xml", "README.md", "LICENSE", "MANIFEST.in"
FOLDERS = "robcogen_ros", "cmake", "include", "templates", "config", "editors", "launch"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that pip installed into; what it depends on is that of this environment."""
    folder = tmp_path_factory.mktemp("pip")
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        shutil.copy(ROOT / name, source)
    for name in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    prefix = folder / "prefix"
    words = ["--quiet", "--no-deps", "--disable-pip-version-check", "--prefix"]
    command = [sys.executable, "-m", "pip", "install", *words, str(prefix), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if "No matching distribution found for setuptools" in done.stderr:
        pytest.skip("pip reaches no registry, from which it would bring setuptools")
    assert done.returncode == 0, done.stderr
    (installed,) = prefix.rglob("robcogen_ros/cmake")
    (installed.parents[1] / "others.pth").write_text(sysconfig.get_path("purelib"))
    return installed.parents[1]


def told(site: Path, option: str) -> Path:
    """The folder that `robcogen` tells there."""
    code = f"import site, sys; site.addsitedir({str(site)!r}); sys.path.insert(0, {str(site)!r});"
    code += "from robcogen_ros.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-I", "-c", code, option]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=site).stdout
    return Path(printed.strip())


def test_a_program_is_built_on_what_robcogen_tells(site: Path, tmp_path: Path) -> None:
    assert (told(site, "--include-dir") / "robcogen_ros" / "model.h").is_file()
    make_plain_project(tmp_path)
    where = f"-Drobcogen_ros_DIR={told(site, '--cmake-dir')}"
    python = f"-DPython3_EXECUTABLE={sys.executable}"
    eigen = f"-DCMAKE_PREFIX_PATH={Path(sysconfig.get_path('purelib')) / 'cmeel.prefix'}"
    run(
        [CMAKE, "-S", tmp_path, "-B", tmp_path / "build", where, python, eigen], env=NOTHING_SOURCED
    )
    run([CMAKE, "--build", tmp_path / "build", "--parallel", "2"], env=NOTHING_SOURCED)
    moment = 0.25 + 1.0 * 0.5**2  # of the bob about the joint
    assert float(run([tmp_path / "build" / "print"])) == moment


def test_without_eigen_the_message_says_what_to_install(site: Path, tmp_path: Path) -> None:
    make_plain_project(tmp_path)
    words = [
        f"-Drobcogen_ros_DIR={told(site, '--cmake-dir')}",
        "-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON",
    ]
    printed = run(
        [CMAKE, "-S", tmp_path, "-B", tmp_path / "build", *words], env=NOTHING_SOURCED, fails=True
    )
    assert "pip install cmeel-eigen" in printed
