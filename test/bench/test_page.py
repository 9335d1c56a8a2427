"""docs/performance.md: its example runs, and it names every option and column."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.bench.comparison import Row
from robcogen_ros.bench.peers import PEERS
from robcogen_ros.bench.table import text
from robcogen_ros.cli import bench
from test.support.examples import example_path

PAGE = (Path(__file__).parents[2] / "docs" / "performance.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_examples_run():
    code, columns, sparse = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

    def build(file, batch, threads=1, functions=()):
        assert (file, batch) == ("leg.kindsl", True)
        return robcogen_ros.build(
            example_path("hyl"), batch=batch, threads=threads, functions=functions
        )

    lines = [line for line in code.splitlines() if line != "import robcogen_ros"]
    names = {"robcogen_ros": SimpleNamespace(build=build)}
    exec("\n".join(lines), names)
    assert names["tau"].shape == (1000, 3)
    H = names["H"]
    assert H.shape == (1000, 3, 3)
    moving = np.einsum("sij,sj->si", H, names["qdd"])
    assert np.allclose(names["tau"] - names["same"], moving)
    in_rows = names["tau"]
    exec(columns, names)
    assert np.array_equal(names["tau"], in_rows)
    exec(sparse, names)
    rows, starts = names["rows"], names["starts"]
    columns_of = np.repeat(np.arange(3), np.diff(starts))
    assert np.allclose(names["entries"], H[:, rows, columns_of])


def test_every_option_is_on_the_page(capsys):
    with pytest.raises(SystemExit):
        bench.main(["--help"])
    told = capsys.readouterr().out
    own = told[told.index("--snap-angles") :]
    for option in re.findall(r"--(function|peers|json|chart|batch|tail)\b", own):
        assert f"--{option}" in PAGE
    for peer in PEERS:
        assert peer.title.split(" + ")[-1] in PAGE


def test_every_column_is_on_the_page():
    row = Row("f", "ours", "", 1, 2, 3, 4.0, 5.0, 6, 7.0, None)
    head = next(iter(text([row])))
    for column in re.split(r"\s{2,}", head.strip())[2:]:
        assert re.search(rf"[`,] ?`?{column}`", PAGE), column
