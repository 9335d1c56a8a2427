"""What each driver answers that is called for help, or with what is not there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from robcogen_ros.cli.against.mujoco_reading import package
from robcogen_ros.errors import RobcogenError


class _Mujoco:
    """MuJoCo, once something of it is wanted: help is there without it."""

    def __getattr__(self, name: str) -> Any:
        """Returns what it has of a name."""
        return getattr(package(), name)


if TYPE_CHECKING:
    import mujoco
else:
    mujoco = _Mujoco()


@contextmanager
def usage(text: str | None = None, arguments: int = 0) -> Iterator[None]:
    """Tells what is missing in a line; ends with a text for `--help` or too few arguments.

    Args:
        text: The driver's own; None where it reads its arguments by argparse.
        arguments: How many it needs.

    Raises:
        SystemExit: Then.
    """
    if text and {"-h", "--help"} & {*sys.argv[1:]}:
        print(text)
        raise SystemExit(0)
    if len(sys.argv) <= arguments:
        raise SystemExit(text)
    try:
        yield
    except (RobcogenError, OSError, ImportError) as error:
        raise SystemExit(str(error)) from error
