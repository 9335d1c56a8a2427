"""robcogen design-study: the same table whoever computes it, and nothing is lost."""

from __future__ import annotations

import csv
import fcntl
import importlib.util
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.study.journal import Journal
from test.support.small_study import STUDY, design_study, expected_torque, write_study

GRID = ("--vary", "length=0.2:0.6:5", "--vary", "m=1,2")
COUNTED = STUDY.replace(
    "def study(robot, point):",
    "def study(robot, point):\n    open('calls', 'a').write(repr(point) + '\\n')",
)
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Where commands run, beside model and study."""
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)
    return tmp_path


def rows(path: str = "study.csv") -> list[dict[str, str]]:
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def calls() -> int:
    return len(Path("calls").read_text().splitlines())


@pytest.mark.slow
def test_the_table_is_the_same_whoever_computes_it(capsys):
    assert design_study(*GRID) == 0
    text = Path("study.csv").read_bytes()
    found = rows()
    assert [(float(r["length"]), float(r["m"])) for r in found][:3] == [
        (0.2, 1),
        (0.2, 2),
        (0.3, 1),
    ]
    for row in found:
        expected = -expected_torque(float(row["m"]), float(row["length"]), 0.0)
        assert abs(float(row["torque"])) == pytest.approx(expected, rel=1e-12)
    assert "torque: " in capsys.readouterr().out
    assert design_study(*GRID, "-o", "two.csv", processes=2) == 0
    assert Path("two.csv").read_bytes() == text
    if importlib.util.find_spec("distributed"):
        assert design_study(*GRID, "-o", "dask.csv", scheduler=["--scheduler", "dask"]) == 0
        assert Path("dask.csv").read_bytes() == text


@pytest.mark.slow
def test_ray_gives_the_same_table(monkeypatch):
    pytest.importorskip("ray", reason="ray is not installed: pip install ray")
    paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    assert design_study(*GRID) == 0
    assert design_study(*GRID, "-o", "ray.csv", scheduler=["--scheduler", "ray"]) == 0
    assert Path("ray.csv").read_bytes() == Path("study.csv").read_bytes()


@pytest.mark.slow
def test_what_is_done_is_not_done_again_unless_the_study_or_the_model_changed(folder):
    write_study(folder, COUNTED)
    assert design_study("--vary", "length=0.2:0.6:3") == 0
    assert calls() == 3
    assert design_study("--vary", "length=0.2:0.6:3", "-o", "study.csv") == 0
    assert calls() == 3  # rows that are there need no process
    (journal,) = Path("study.journal").iterdir()
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 9])  # a line that was not ended
    assert design_study("--vary", "length=0.2:0.6:5") == 0
    assert calls() == 6  # the line's point, and two that are new
    before = [row["torque"] for row in rows()]
    (folder / "study.py").write_text(COUNTED.replace('m"] = 2.0', 'm"] = 4.0'))
    assert design_study("--vary", "length=0.2:0.6:5") == 0
    assert calls() == 11
    assert [float(row["torque"]) for row in rows()] == [2 * float(t) for t in before]


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(folder):
    kill = "import os\nif point['length'] == 0.4 and not os.path.exists('killed'):\n"
    kill += "    open('killed', 'w')\n    os.kill(os.getpid(), 9)\n"
    killing = "".join(f"    {line}\n" for line in kill.splitlines())
    head = "def study(robot, point):\n"
    write_study(folder, STUDY.replace(head, head + killing))
    assert design_study("--vary", "length=0.2:0.6:9", processes=2) == 0
    assert Path("killed").exists()
    torques = [abs(float(row["torque"])) for row in rows()]
    expected = [-expected_torque(2.0, float(row["length"]), 0.0) for row in rows()]
    assert torques == pytest.approx(expected, rel=1e-12) and len(torques) == 9


@pytest.mark.slow
def test_points_that_raise_or_kill_are_recorded_and_told(folder, capsys):
    head = "def study(robot, point):\n"
    bad = "    import os\n    if point['angle'] == 3: os._exit(1)\n    1 / (point['angle'] - 2)\n"
    write_study(folder, STUDY.replace(head, head + bad))
    assert design_study("--vary", "length=0.5", "--vary", "angle=1,2,3,4", processes=2) == 1
    found = rows()
    assert [bool(row["error"]) for row in found] == [False, True, True, False]
    assert found[1]["error"] == "ZeroDivisionError: float division by zero"
    assert found[1]["torque"] == "nan"
    assert "ended" in found[2]["error"]
    told = capsys.readouterr().err
    line = (folder / "study.py").read_text()[:-1].split("1 / (")[0].count("\n") + 1
    assert f"study.py:{line}:1: error: ZeroDivisionError" in told
    assert "at length=0.5, angle=2; 1 of 4 points" in told
    assert "2 of 4 points have no results" in told


@pytest.mark.slow
def test_an_interrupted_study_leaves_no_process_and_goes_on(folder):
    head = "def study(robot, point):\n"
    slow = "    import time; time.sleep(0.02)\n"
    write_study(folder, COUNTED.replace(head, head + slow))
    words = ["--vary", "length=0.2:0.6:250", "--processes", "2", "--backend", "numpy"]
    command = ["design-study", "pendulum.kindsl", "--run", "study.py", *words]
    running = subprocess.Popen(
        [sys.executable, "-m", "robcogen_ros", *command],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not any(folder.glob("study.journal/*")) or not Path("calls").exists():
        time.sleep(0.02)
    while calls() < 10:
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "of 250 points are done and kept; the same command goes on" in told
    assert "Traceback" not in told
    with pytest.raises(ProcessLookupError):
        for _ in range(500):  # what watches over memory ends when the others have
            os.killpg(running.pid, 0)
            time.sleep(0.02)
    assert not Path("study.csv").exists()
    done = sum(p.read_text().count("mass") for p in folder.glob("study.journal/*"))
    before = calls()
    assert done and design_study("--vary", "length=0.2:0.6:250") == 0
    assert len(rows()) == 250 and calls() - before < 250


@pytest.mark.parametrize("line", ["3", "[1]", "{}", '{"points": 1}', "{", "\\xff"])
def test_what_is_no_line_of_a_journal_is_told_with_its_place(line, tmp_path):
    with closing(Journal(tmp_path / "study.csv", "key", ["length"])) as journal:
        journal.append([[0.5]], [{"mass": 1.0}])
        assert len([*journal.rows()]) == 1
        with journal.path.open("ab") as file:
            file.write(line.encode() + b"\n")
        with pytest.raises(ModelError, match=r"key.jsonl:2:.* no line of a journal"):
            [*journal.rows()]


@pytest.mark.slow
def test_two_runs_of_one_study_are_refused(folder, capsys):
    assert design_study("--vary", "length=0.5") == 0
    (journal,) = Path("study.journal").iterdir()
    with journal.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert design_study("--vary", "length=0.5") == 1
    assert "this study runs already" in capsys.readouterr().err


@pytest.mark.slow
def test_tables_in_parquet_and_pictures(folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("matplotlib")
    words = ("--vary", "length=0.2:0.6", "--vary", "m=1:2", "--sample", "sobol:8")
    assert design_study(*words, "-o", "study.parquet", "--plot", "study.png") == 0
    assert design_study(*words) == 0
    table = parquet.read_table("study.parquet").to_pydict()
    for name in ("length", "m", "mass", "torque"):
        assert table[name] == [float(row[name]) for row in rows()]
    assert table["error"] == [None] * 8
    assert Path("study.png").read_bytes().startswith(b"\x89PNG")


WRONG = {
    "--vary length=0.2:0.6": "expected FROM:TO:COUNT",
    "--vary lenght=1": "--vary: the model has no parameter 'lenght'; did you mean 'length'?",
    "--vary wrong=1": "robcogen inspect --parameters lists what may be one",
    "--vary length=1 --vary length=2": "'length' is varied twice",
    "--vary length=0:1:100000 --vary m=1:2:100000": "10000000000 points are too many",
    "--vary length=1 -o table.xls": "table.xls: expected a file *.csv or *.parquet",
    "--vary length=1 --run none.py": "none.py:1:1: error: cannot read the file",
    "--points none.csv": "none.csv:1:1: error: cannot read the file",
}
MISUSED = {
    "--vary length=0.2:x:3": "expected NAME=FROM:TO:COUNT",
    "--vary length": "found 'length'",
    "--vary length=1:2:0": "expected NAME=FROM:TO:COUNT",
    "--vary length=1 --scheduler dusk": "invalid choice: 'dusk'",
    "--vary length=1 --address tcp://there:1": "--address is that of a cluster",
    "--vary length=1:2 --sample sobel:3": "expected SAMPLER:COUNT with sobol",
    "": "expected --vary, or --points FILE",
}
SCRIPTS = {
    "": "study.py:1:1: error: expected a function study(robot, point)",
    "\ndef study(robot): pass": "study.py:2:1: error: expected a function study(robot, point)",
    "study = 3": "found 3",
    "1 +": "study.py:1:1: error: the script raises an error when it is read",
    "\n\nimport nothing_so_called": "study.py:3:1: error: the script raises an error when",
    "FUNCTIONS = 'total_mass'\ndef study(robot, point): pass": "FUNCTIONS: expected a list",
}


@pytest.mark.parametrize("words, message", WRONG.items())
def test_wrong_options_are_told(words, message, capsys):
    assert design_study(*words.split()) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("words, message", MISUSED.items())
def test_misused_options_are_told(words, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        design_study(*words.split())
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text, message", SCRIPTS.items())
def test_wrong_scripts_are_told(folder, text, message, capsys):
    write_study(folder, text)
    assert design_study("--vary", "length=0.5") == 1
    told = capsys.readouterr().err
    assert message in told
    assert "robcogen_ros" not in told


@pytest.mark.parametrize("scheduler", ["dask", "ray"])
def test_a_scheduler_that_is_not_installed_is_told(scheduler, monkeypatch, capsys):
    module = {"dask": "distributed", "ray": "ray"}[scheduler]
    monkeypatch.setitem(sys.modules, module, None)
    assert design_study("--vary", "length=0.5", scheduler=["--scheduler", scheduler]) == 1
    assert f"--scheduler {scheduler} needs {module}" in capsys.readouterr().err


@pytest.mark.slow
def test_other_names_than_at_the_first_point_are_told(folder, capsys):
    write_study(folder, "def study(robot, point): return {'ab'[point['length'] > 0.5]: 1.0}")
    assert design_study("--vary", "length=0.4,0.6", processes=1) == 1
    told = capsys.readouterr().err
    assert "study.py:1:1: error: study() returned b at length=0.6, but a at length=0.4" in told


@pytest.mark.slow
def test_numbers_of_the_file_become_parameters_by_being_varied(folder, capsys):
    text = (folder / "pendulum.kindsl").read_text().replace("= m", "= 2.0")
    (folder / "study.py").write_text(
        "FUNCTIONS = ['total_mass']\n"
        "def study(robot, point):\n"
        "    robot.parameters['length'] = 1.0\n"
        "    return {'mass': robot.total_mass()}\n"
    )
    (folder / "pendulum.kindsl").write_text(text)
    assert design_study("--vary", "rod.mass=1,3") == 0
    assert [row["mass"] for row in rows()] == ["1.0", "3.0"]
