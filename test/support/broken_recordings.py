"""One motion as other programs write it, and with the usual mistakes of recorders."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import numpy as np

from robcogen_ros.recordings import Motion

JOINTS = ("j1", "j2")
NAMES = ["time"] + [f"{j}.{k}" for k in ("position", "velocity", "effort") for j in JOINTS]


def motion() -> Motion:
    """Returns two joints for 3 s at 500 Hz; the first turns more than once."""
    t = 0.002 * np.arange(1500)[:, None]
    w, a = np.array([2.1, 3.7]), np.array([4.0, 0.4])
    q, qd, qdd = a * np.sin(w * t), a * w * np.cos(w * t), -a * w**2 * np.sin(w * t)
    return Motion(t[:, 0], q, qd, qdd, 2 * qdd + np.cos(q))


def _rows(**changed: np.ndarray) -> list[list[float]]:
    m = motion()
    parts = {"time": m.time, "q": m.q, "qd": m.qd, "tau": m.tau} | changed
    return np.column_stack(list(parts.values())).tolist()


def _text(rows: list, names=NAMES, **form: object) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", **form)
    writer.writerow(names)
    writer.writerows([[f"{x:.12g}" if isinstance(x, float) else x for x in r] for r in rows])
    return out.getvalue()


def _edited(line: int, old: str, new: str) -> str:
    lines = _text(_rows()).splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(old, new)
    return "".join(lines)


def _ticks(k: int) -> str:
    return f"{1000000 + 977 * k:,}"


def _put(rows: list, row: int, column: int, value: float) -> list:
    rows[row][column] = value
    return rows


_T = motion().time
_Q, _QD, _TAU = motion().q, motion().qd, motion().tau

FILES: dict[str, tuple[Callable[[], str | bytes], str, str]] = {
    "byte order mark": (lambda: _text(_rows()).encode("utf-8-sig"), "", ""),
    "UTF-16": (lambda: _text(_rows()).encode("utf-16"), "", ""),
    "Latin-1": (
        lambda: _text([[*r, 20.0] for r in _rows()], [*NAMES, "température"]).encode("latin-1"),
        "",
        "line 1 is not in UTF-8; names are read as Latin-1",
    ),
    "all quoted": (lambda: _text(_rows(), quoting=csv.QUOTE_ALL), "", ""),
    "quoted text with a comma": (
        lambda: _text([["run 3, warm", *r] for r in _rows()], ["remark", *NAMES]),
        "",
        "",
    ),
    "numbers with commas for thousands": (
        lambda: _text([[_ticks(k), *r] for k, r in enumerate(_rows())], ["ticks", *NAMES]),
        "",
        "",
    ),
    "thousands without quotes": (
        lambda: _text([[_ticks(k), *r] for k, r in enumerate(_rows())], ["ticks", *NAMES]).replace(
            '"', ""
        ),
        ":2:1: error: 10 columns, expected 8",
        "",
    ),
    "semicolons, decimal commas": (
        lambda: (
            _text(_rows(), delimiter=";")
            .replace(".", ",")
            .replace("j1,", "j1.")
            .replace("j2,", "j2.")
        ),
        "",
        "numbers are read with decimal commas",
    ),
    "tabs": (lambda: _text(_rows(), delimiter="\t"), "", ""),
    "Windows line ends": (lambda: _text(_rows()).replace("\n", "\r\n"), "", ""),
    "comma at the end of each line": (lambda: _text(_rows()).replace("\n", ",\n"), "", ""),
    "spaces in the header": (lambda: _text(_rows(), [f" {n}" for n in NAMES]), "", ""),
    "comments before the header": (lambda: "# logger\n# 500 Hz\n" + _text(_rows()), "", ""),
    "header of numpy.savetxt": (lambda: "# " + _text(_rows()), "", ""),
    "'sep=,' of Excel": (lambda: "sep=,\n" + _text(_rows()), "", ""),
    "a '#' in a text": (lambda: _text([["#12", *r] for r in _rows()], ["run", *NAMES]), "", ""),
    "a line cut short at the end": (
        lambda: _text([*_rows(), [9.0] * 7])[:-4],
        "",
        "its last line is cut short and left out",
    ),
    "times in ns since 1970": (
        lambda: _text([[str(1730000000000000000 + round(r[0] * 1e9)), *r[1:]] for r in _rows()]),
        "",
        "times are read as ns since 1970",
    ),
    "seconds and nanoseconds apart": (
        lambda: _text(
            [[str(int(r[0])), str(round(r[0] * 1e9) % 10**9), *r[1:]] for r in _rows()],
            ["stamp.sec", "stamp.nanosec", *NAMES[1:]],
        ),
        "",
        "",
    ),
    "seconds alone": (
        lambda: _text([[str(int(r[0])), *r[1:]] for r in _rows()]),
        "1497 of 1500 states have the time of the one before; expected times that tell",
        "",
    ),
    "times in ms": (
        lambda: _text(_rows(time=1000 * _T)),
        "its states are 2 s apart, too far for accelerations; expected 0.1 s at most. If its times",
        "",
    ),
    "time goes back": (
        lambda: _text(_put(_rows(), 700, 0, 0.1)),
        "time goes back from 1.398000 s to 0.100000 s (state 700); cut the recording there",
        "",
    ),
    "units below the header": (
        lambda: _text([["s", "rad", "rad", "rad/s", "rad/s", "Nm", "Nm"], *_rows()]),
        ":2:1: error: time: expected a number, found 's'",
        "",
    ),
    "a word among numbers": (
        lambda: _edited(801, ",", ",x"),
        ":801:1: error: j1.position: expected a number, found 'x",
        "",
    ),
    "a row too short": (
        lambda: _text(_rows()[:5] + [r[:5] for r in _rows()[5:]]),
        ":7:1: error: 5 columns, expected 7",
        "",
    ),
    "an effort that is no number": (
        lambda: _text(_put(_rows(), 700, 6, float("nan"))),
        "effort of j2 is nan at 1.400000 s (state 700)",
        "",
    ),
    "a velocity that is no number": (
        lambda: _text(_put(_rows(), 700, 4, float("nan"))),
        "",
        "velocity of j2 is nan at 1.400000 s (state 700): recorded velocities are not used",
    ),
    "velocities that are zero": (
        lambda: _text(_rows(qd=0 * _QD)),
        "",
        "velocities of j1 are zero while it moves: recorded velocities are not used",
    ),
    "velocities of the other sign": (
        lambda: _text(_rows(qd=-_QD)),
        "",
        "positions of j1 change by -1 times what its velocities say (opposite signs?)",
    ),
    "velocities in degrees": (
        lambda: _text(_rows(qd=np.degrees(_QD))),
        "",
        "positions of j1 change by 0.01745 times what its velocities say (velocities in degrees?)",
    ),
    "whole turns cut off": (
        lambda: _text(_rows(q=(_Q + np.pi) % (2 * np.pi) - np.pi)),
        "",
        "j1 has 4 jumps of whole turns, made up for",
    ),
    "no efforts": (
        lambda: _text([r[:5] for r in _rows()], NAMES[:5]),
        "no effort of j1, j2; expected a column such as j1.effort, found time, j1.position",
        "",
    ),
    "efforts of one joint": (
        lambda: _text([r[:6] for r in _rows()], NAMES[:6]),
        "no effort of j2; expected a column such as j2.effort",
        "",
    ),
    "other names": (
        lambda: _text(_rows(), [n.replace("j", "arm_joint") for n in NAMES]),
        "no position of j1, j2; expected a column such as j1.position, found time, arm_joint1.po",
        "",
    ),
    "a column twice": (
        lambda: _text([[*r, r[1]] for r in _rows()], [*NAMES, "j1.q"]),
        "j1.position and j1.q are both q of j1",
        "",
    ),
    "zero bytes": (lambda: b"\0" * 100, "has zero bytes; expected text in UTF-8, Latin-1", ""),
    "nothing": (lambda: "", "no position of j1, j2; expected a column such as j1.position", ""),
    "a header alone": (lambda: ",".join(NAMES) + "\n", "no states", ""),
}
"""For each kind of file: its text, the error that it is, the note that is made of it."""


def table() -> list[str]:
    """The rows of docs/identification.md: what is odd about a recording, and what is said of it."""
    silent = [kind for kind, (_, error, note) in FILES.items() if not error and not note]
    rows = [f"| {', '.join(silent)} | read as it is |"]
    for kind, (_, error, note) in FILES.items():
        if error or note:
            said = (error or note).removeprefix(":").replace("|", "\\|")
            rows.append(f"| {kind} | {'refused' if error else 'read'}: `{said}` |")
    return rows
