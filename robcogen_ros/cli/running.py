"""Running a command: errors become messages and exit codes, never tracebacks."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Callable

from robcogen_ros.errors import RobcogenError, called_from
from robcogen_ros.program.garbage_collection import rare_collections

OK, MODEL_ERROR, USAGE_ERROR, INTERNAL_ERROR = 0, 1, 2, 70


def run(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """The exit code of a command; what goes wrong is said on stderr."""
    try:
        with rare_collections(), called_from(caller()):
            if isinstance(sys.stdout, io.TextIOWrapper):
                sys.stdout.reconfigure(errors="backslashreplace")
            code = command(options)
            sys.stdout.flush()
            return code
    except RobcogenError as error:
        print(error, file=sys.stderr)
        return MODEL_ERROR
    except BrokenPipeError:
        _write_nowhere()
        return OK
    except OSError as error:
        print(f"error: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        if error.filename is None:
            _write_nowhere()
        return MODEL_ERROR
    except Exception:
        print("internal error, please report it with the model and what follows", file=sys.stderr)
        traceback.print_exc()
        return INTERNAL_ERROR


def caller() -> str:
    """Who runs the command: "cli", or "cmake", as `robcogen_generate()` says."""
    return "cmake" if os.environ.get("ROBCOGEN_CALLER") == "cmake" else "cli"


def flush() -> None:
    """Write what is left for stdout, unless its reader has gone."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _write_nowhere()


def _write_nowhere() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
