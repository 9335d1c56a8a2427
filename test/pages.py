"""The shell lines of the first pages, run in their order, as a user would run them.

    python -m test.pages [--minutes] [PAGE ...]

A block of shell is indented by four spaces. It runs in a fresh environment of Python, unless the
line before it says otherwise: `<!-- shell: MARK -->`. A block of text after it has what it prints,
`...` stands for anything. Files that a page shows with their names are written where the shell is.
The clone is of the last commit here.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOW_TO = sorted((ROOT / "docs" / "how_to").glob("*.md"))
PAGES = (
    *("README.md", "docs/install.md", "docs/quick_start.md", "docs/tutorial.md"),
    *(page.relative_to(ROOT).as_posix() for page in HOW_TO),
)
CLONED = "https://github.com/robcogen/robcogen_ros.git"
WORKSPACE, MINUTES = "workspace", "minutes"
MARKS = {
    WORKSPACE: "ROS 2 or colcon is not here",
    "ros": "for running nodes",
    MINUTES: "takes minutes",
    "system": "changes the computer",
}
"""Marks, and why lines are left out that have them."""
FILES = {
    "my_robot.urdf": "examples/two_link_arm/two_link_arm.urdf",
    "arm.urdf": "examples/two_link_arm/two_link_arm.urdf",
    "arm.urdf.xacro": "examples/my_arm_control/description/my_arm.urdf.xacro",
    "my_arm.ros2_control.xacro": "examples/my_arm_control/description/my_arm.ros2_control.xacro",
    "quadruped.kindsl": "examples/quadruped.kindsl",
    "leg.urdf": "examples/linkages/leg.urdf",
    "leg.yaml": "examples/linkages/leg.yaml",
}
"""What a user of the pages has."""
_HAS_COLCON = shutil.which("colcon") is not None and "AMENT_PREFIX_PATH" in os.environ
SHOWN = 1500
_PART = re.compile(
    r"(?:^<!-- shell: (?P<mark>.*) -->\n\n)?^(?P<shell>(?: {4}.*\n)+)"
    r"(?:\n```text.*\n(?P<printed>(?:(?!```).*\n)*)```$)?"
    r"|^```\w* ?(?P<name>.*)\n(?P<text>(?:(?!```).*\n)*)```$",
    re.MULTILINE,
)
"""Shell with its mark and what it prints, or a fenced block with its name."""


@dataclass
class Block:
    """A part of a page: lines of shell with their mark and output, or a file with its name."""

    line: int
    mark: str = ""
    name: str = ""
    lines: list[str] = field(default_factory=list)
    printed: str = ""

    def commands(self) -> Iterator[str]:
        """The lines of shell, those that belong together as one."""
        command = ""
        for line in self.lines:
            command += f"{line}\n"
            if not line.endswith("\\") and _whole(command):
                yield command.strip()
                command = ""


def _whole(command: str) -> bool:
    try:
        return bool(shlex.split(command, comments=True))
    except ValueError:
        return False


def blocks(page: str) -> list[Block]:
    """The blocks of a page that are shell, or files with names."""
    found = list[Block]()
    for part in _PART.finditer(page):
        line = page.count("\n", 0, part.start("shell") if part["shell"] else part.start()) + 1
        if part["shell"]:
            lines = [each[4:] for each in part["shell"].splitlines()]
            found.append(
                Block(line, part["mark"] or "", lines=lines, printed=part["printed"] or "")
            )
        elif part["name"]:
            found.append(Block(line, name=part["name"], lines=part["text"].splitlines()))
    return found


class Page:
    """A page, and what became of its lines."""

    def __init__(self, name: str, home: Path, python: Path, minutes: bool) -> None:
        """A page for which a folder, an environment of Python, and perhaps minutes are there."""
        for file, source in FILES.items():
            shutil.copy(ROOT / source, home / file)
        self.name, self.home, self.minutes, self.failed = name, home, minutes, ""
        self.ended = Counter[str]()
        clone = ("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", f"url.{ROOT}.insteadOf")
        self.here = {**os.environ, **dict(clone), "GIT_CONFIG_VALUE_0": CLONED}
        ros = "AMENT", "CMAKE", "COLCON", "LD_LIB", "PYTHON"
        bare = {n: text for n, text in self.here.items() if not n.startswith(ros)}
        path = f"{python / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.fresh = {**bare, "PATH": path, "VIRTUAL_ENV": str(python)}

    def run(self) -> None:
        """Run it until a line fails."""
        mark = ""
        for block in blocks((ROOT / self.name).read_text(encoding="utf-8")):
            if block.name:
                file = Path(self._shell(mark, "pwd")[1].strip(), block.name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("\n".join([*block.lines, ""]), encoding="utf-8")
                continue
            mark = block.mark
            outputs = [self._line(block, command) for command in block.commands()]
            output = "".join(filter(None, outputs))
            compared = None not in outputs and mark != MINUTES and not self.failed
            if compared and not _has(output, block.printed):
                self.failed = f"{self.name}:{block.line}: prints\n{output[-SHOWN:]}"

    def _line(self, block: Block, command: str) -> str | None:
        """The output of a command; None of one that is left out."""
        why = MARKS.get(block.mark, "")
        if (block.mark == MINUTES and self.minutes) or (block.mark == WORKSPACE and _HAS_COLCON):
            why = ""
        needed = [shlex.split(command, comments=True)[0], *re.findall(r"/usr/\S+", command)]
        missing = [n for n in needed if self._shell(block.mark, f"command -v {n} || ls {n}")[0]]
        if missing and not why:
            why = f"{missing[0]} is not here"
        if self.failed:
            why = "after a failure"
        self.ended[f"left out, {why}" if why else "ran"] += 1
        if why:
            return None
        print(f"{self.name}:{block.line}: {command}", flush=True)
        code, output = self._shell(block.mark, command.replace("~/", f"{self.home}/"))
        if code:
            self.failed = f"{self.name}:{block.line}: {command}\nexit {code}\n{output[-SHOWN:]}"
        return output

    def _shell(self, mark: str, command: str) -> tuple[int, str]:
        """Exit code and output of a command; folder and variables are those that the last left."""
        state = self.home / f".state.{mark}"
        after = f"code=$?; (export -p; printf 'cd %q\\n' \"$PWD\") > {state}; exit $code"
        done = subprocess.run(
            ["bash", "-c", f"[ ! -f {state} ] || . {state}\n{command}\n{after}"],
            cwd=self.home,
            env=self.here if mark == WORKSPACE else self.fresh,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout


def _has(output: str, printed: str) -> bool:
    parts = [re.escape(part.strip("\n")) for part in printed.split("...")]
    return re.search(r"[\s\S]*".join(parts), output) is not None


def main() -> int:
    """Run the pages; 1 if a line fails."""
    parser = argparse.ArgumentParser(prog="python -m test.pages", description=__doc__)
    parser.add_argument("pages", nargs="*", default=PAGES)
    parser.add_argument("--minutes", action="store_true", help="also what takes minutes")
    options = parser.parse_args()
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder, "python"), with_pip=True)
        for name in options.pages:
            home = Path(folder, name.replace("/", "_"))
            home.mkdir()
            page = Page(name, home, Path(folder, "python"), options.minutes)
            page.run()
            pages.append(page)
    for page in pages:
        print(f"{page.name}: " + "; ".join(f"{count} {how}" for how, count in page.ended.items()))
    failures = [page.failed for page in pages if page.failed]
    print(*failures, sep="\n", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
