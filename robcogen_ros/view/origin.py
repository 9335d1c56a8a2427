"""Pages that may talk to a server: its own.

A browser lets every page open web sockets to any address, those of this computer included, and
says where the page is from. Viser does not look at that.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from robcogen_ros.errors import RobcogenError

REFUSED = "This server answers its own page only: open the address that it printed.\n"


@contextmanager
def own_pages_only(host: str) -> Iterator[None]:
    """A server of viser's that is made meanwhile answers web sockets of its own pages alone.

    Args:
        host: Address that it listens at.

    Raises:
        RobcogenError: If none is made that can be told so.
    """
    import websockets.asyncio.server as websockets

    serve, guarded = websockets.serve, list[bool]()

    def serve_own(*arguments: Any, process_request: Any = None, **options: Any) -> Any:
        def process(connection: Any, request: Any) -> Any:
            page, asked = (",".join(request.headers.get_all(name)) for name in ("Origin", "Host"))
            if "Upgrade" in request.headers and not is_own(page, asked, host):
                return connection.respond(HTTPStatus.FORBIDDEN, REFUSED)
            return process_request(connection, request)

        guarded.append(True)
        return serve(*arguments, process_request=process, **options)

    websockets.serve = serve_own  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        websockets.serve = serve  # type: ignore[misc]
    if not guarded:
        raise RobcogenError(
            "this version of viser lets pages of others talk to the viewer; install viser 1.1"
        )


def is_own(origin: str, host: str, served: str) -> bool:
    """Returns True if a page is one that the server itself sent.

    Its name has to be one of this computer, lest a name of others be led here.

    Args:
        origin: Where the page is from, `http://127.0.0.1:8080`.
        host: Address that it talks to, `127.0.0.1:8080`.
        served: Address that the server listens at, `127.0.0.1`.
    """
    try:
        page, asked = urlsplit(origin), urlsplit(f"http://{host}")
        if page.scheme not in ("http", "https") or page.netloc.lower() != asked.netloc.lower():
            return False
        name = (asked.hostname or "").rstrip(".")
    except ValueError:
        return False
    return _is_address(name) or name in {"localhost", served.lower(), *_own_names()}


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _own_names() -> tuple[str, ...]:
    """Returns the names of this computer in its network."""
    name = socket.gethostname().lower()
    return name, f"{name}.local"
