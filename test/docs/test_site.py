"""`make docs`: the site is built without a warning, and fails where a page or a file is gone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def built(pages: Path, site: Path) -> subprocess.CompletedProcess[str]:
    for package in ("sphinx", "myst_parser", "furo", "breathe", "latex2mathml"):
        pytest.importorskip(package, reason=f"no {package}: make environment-docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(pages), str(site)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_site_is_built_without_a_warning_and_without_the_network(tmp_path):
    site = tmp_path / "docs" / "html"
    run = built(ROOT / "docs", site)
    assert (run.stderr, run.returncode) == ("", 0)
    commands = (site / "reference" / "commands.html").read_text()
    assert 'id="cmdoption-robcogen-generate-function"' in commands
    assert (
        "robcogen_ros.FloatingBaseRobot.full_jacobian"
        in (site / "reference" / "python.html").read_text()
    )
    cpp = (site / "reference" / "cpp.html").read_text()
    assert ("inverse_dynamics" in cpp) if shutil.which("doxygen") else ("apt install" in cpp)
    for page in site.rglob("*.html"):
        scripts = re.findall(
            r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)', page.read_text()
        )
        assert not scripts, page


def test_what_is_gone_fails(tmp_path):
    pages = tmp_path / "docs"
    shutil.copytree(ROOT / "docs" / "_extensions", pages / "_extensions")
    shutil.copytree(ROOT / "docs" / "_static", pages / "_static")
    shutil.copy(ROOT / "docs" / "conf.py", pages)
    (pages / "index.md").write_text(
        "# Index\n\n## Part\n\n- [A page](page.md)\n- [Gone](gone.md)\n"
    )
    (pages / "page.md").write_text(
        "# Page\n\n[file](../include/gone.hpp), [anchor](index.md#gone)\n"
    )
    (pages / "alone.md").write_text("# In no list\n")
    run = built(pages, tmp_path / "html")
    assert run.returncode == 1
    for said in ("there is no ../include/gone.hpp", "'gone'", "#gone", "alone.md: WARNING"):
        assert said in run.stderr
