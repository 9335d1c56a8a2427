"""A study's script: a file of Python with `study(robot, point)`."""

from __future__ import annotations

import hashlib
import inspect
import linecache
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import decode_source
from pathlib import Path
from types import ModuleType
from typing import Any

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.model import given

FUNCTION = "study"
_MODULE = "robcogen_design_study"
"""Name of the script's module, wherever it runs."""

Study = Callable[[Any, dict[str, float]], Any]


@dataclass(frozen=True, slots=True)
class Script:
    """A script as it is sent to who runs it.

    Attributes:
        path: Its file, absolute.
        data: What is in the file.
        shown: Its path in messages.
    """

    path: str
    data: bytes
    shown: str

    @classmethod
    def read(cls, path: str) -> Script:
        """The script in a file.

        Raises:
            ModelError: If it cannot be read.
        """
        try:
            data = Path(path).read_bytes()
            decode_source(data)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ModelError.at(Location(path), f"cannot read the file: {reason}") from None
        except (SyntaxError, UnicodeDecodeError) as error:
            raise ModelError.at(Location(path), f"cannot read the file: {error}") from None
        return cls(str(Path(path).resolve()), data, path)

    def run(self) -> ModuleType:
        """The module that the script makes.

        Raises:
            ModelError: If it raises something, with the traceback.
        """
        text = decode_source(self.data)
        linecache.cache[self.path] = (len(text), None, text.splitlines(keepends=True), self.path)
        module = ModuleType(_MODULE)
        module.__file__ = self.path
        folder = str(Path(self.path).parent)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        sys.modules[_MODULE] = module
        try:
            exec(compile(self.data, self.path, "exec"), module.__dict__)
        except (Exception, SystemExit) as error:
            line = error.lineno if isinstance(error, SyntaxError) else line_of(error)
            message = f"the script raises an error when it is read:\n{traceback_text(error)}"
            raise ModelError.at(Location(self.shown, line or 0), message) from None
        return module

    def study(self, module: ModuleType) -> Study:
        """The function of a script that was run.

        Raises:
            ModelError: If there is none, or it does not take a robot and a point.
        """
        function: Study | None = getattr(module, FUNCTION, None)
        wanted = f"expected a function {FUNCTION}(robot, point) that returns numbers by name"
        if not callable(function):
            found = "there is none" if function is None else f"found {function!r}"
            raise ModelError.at(Location(self.shown), f"{wanted}; {found}")
        signature = inspect.signature(function)
        try:
            signature.bind(None, {})
        except TypeError:
            found = f"found {FUNCTION}{signature}"
            raise ModelError.at(self.place(function), f"{wanted}; {found}") from None
        return function

    def names(self, module: ModuleType, variable: str) -> tuple[str, ...]:
        """Names that a variable of the script lists; none where there is no such variable."""
        return given.names(f"{self.shown}: {variable}", getattr(module, variable, ()))

    def place(self, function: Study) -> Location:
        """Returns the place of a function of the script."""
        code = getattr(function, "__code__", None)
        if code is None or code.co_filename != self.path:
            return Location(self.shown)
        return Location(self.shown, code.co_firstlineno)

    def digest(self) -> str:
        """Returns the digest of the script, once it was run, and of the modules beside it."""
        content = hashlib.sha256(self.data)
        for path in sorted(_imported_files(Path(self.path), list(sys.modules.values()))):
            content.update(path.name.encode() + path.read_bytes())
        return content.hexdigest()


def traceback_text(error: BaseException) -> str:
    """A traceback from the script's first line in it on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals.get("__name__") != _MODULE:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def line_of(error: BaseException) -> int:
    """The innermost line of the script in a traceback; 0 if there is none."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [n for frame, n in frames if frame.f_globals.get("__name__") == _MODULE]
    return lines[-1] if lines else 0


def _imported_files(script: Path, modules: Iterable[ModuleType]) -> set[Path]:
    """Files of modules in the script's folder, and in folders of it."""
    files = (getattr(module, "__file__", None) for module in modules)
    paths = {Path(file) for file in files if file}
    return {
        path
        for path in paths
        if path.is_relative_to(script.parent)
        and path != script
        and path.is_file()
        and "site-packages" not in path.parts
    }
