"""Programs of tests that include the header of a generated robot."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.program.library import Library
from test.support.eigen import eigen_directory


class CppRobot:
    """The files of a robot, and its functions compiled for double.

    Attributes:
        folder: Where the files are.
        objects: The compiled sources.
    """

    def __init__(
        self,
        library: Library,
        folder: Path,
        *,
        name: str = "arm",
        project: str = "demo",
        shared: tuple[str, ...] = (),
    ) -> None:
        """Generate the robot."""
        self.folder = folder
        files = cpp_files(library, Target(project, name, "model", shared=shared))
        write_changed({folder / path: text for path, text in files.items()})
        self.objects: list[str] = []

    def compile(self, *flags: str, only: tuple[str, ...] = ()) -> None:
        """Compile the sources, or some of them."""
        for source in sorted((self.folder / "src").glob("*.cpp")):
            if not only or source.stem in only:
                target = str(source.with_suffix(".o"))
                _compiler("-fPIC", *flags, *self.include, "-c", str(source), "-o", target)
                self.objects.append(target)

    @property
    def include(self) -> list[str]:
        """Options by which a compiler finds all headers."""
        own = [f"-I{self.folder / 'include'}", f"-I{include_directory()}"]
        return [*own, "-isystem", str(eigen_directory())]

    def run(self, text: str, *flags: str) -> str:
        """What a program prints, linked to what was compiled."""
        program = self._program(text, *flags)
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout

    def ended(self, text: str, *flags: str) -> str:
        """What a program says that must end itself by abort()."""
        program = self._program(text, *flags)
        result = subprocess.run([program], capture_output=True, text=True, check=False)
        assert result.returncode == -signal.SIGABRT
        return result.stderr

    def _program(self, text: str, *flags: str) -> Path:
        source, program = self.folder / "use.cpp", self.folder / "use"
        source.write_text(text)
        warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        _compiler(*warnings, *flags, *self.include, str(source), *self.objects, "-o", str(program))
        return program

    def refused(self, text: str) -> str:
        """What the compiler says about a program that it must refuse."""
        command = ["c++", "-std=c++17", "-fsyntax-only", *self.include, "-x", "c++", "-"]
        result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert result.returncode != 0
        return result.stderr


def _compiler(*arguments: str) -> None:
    result = subprocess.run(
        ["c++", "-std=c++17", *arguments], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
