"""The server of viser's that a browser looks at."""

from __future__ import annotations

import contextlib
import io
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.view.origin import own_pages_only

PORT = 8080
"""Port where a server is looked for first."""
_PORTS = 100


@contextmanager
def serving(host: str, port: int | None, title: str, dark: bool) -> Iterator[Any]:
    """A server, which ends with the block, and answers web sockets of its own pages alone.

    Args:
        host: Address that it listens at.
        port: Its port; None for the first free one from `PORT` on, 0 for any.
        title: What it is called.
        dark: Whether it is dark.

    Raises:
        RobcogenError: If viser is not installed, or the port is in use.
    """
    viser = package("viser", "view")
    chosen = free_port(host, port)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    server: Any = None
    try:
        silent = contextlib.redirect_stdout(io.StringIO())  # viser tells on its own what we tell
        with silent, own_pages_only(host):
            server = viser.ViserServer(host=host, port=chosen, label=title, verbose=False)
        server.gui.configure_theme(
            dark_mode=dark, show_logo=False, show_share_button=False, control_width="large"
        )
        server.scene.set_up_direction("+z")
        yield server
    finally:
        with contextlib.redirect_stdout(io.StringIO()):
            if server is not None:
                server.stop()


def address(host: str, server: Any) -> str:
    """Returns the address by which a browser finds a server that listens at a host."""
    return f"http://{f'[{host}]' if ':' in host else host}:{server.get_port()}"


def free_port(host: str, port: int | None) -> int:
    """A port that nobody listens at.

    Raises:
        RobcogenError: If the one asked for is in use, or may not be used.
    """
    wanted = range(PORT, PORT + _PORTS) if port is None else [port]
    reason = ""
    for number in wanted:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((host, number))
            except OSError as error:
                reason = error.strerror or str(error)
                continue
            return int(trial.getsockname()[1])
    which = f"ports {PORT} to {PORT + _PORTS - 1} are" if port is None else f"port {port} is"
    raise RobcogenError(
        f"{which} not free at {host} ({reason}); give another by --port, or 0 for any"
    )
