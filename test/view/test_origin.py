"""A viewer talks to its own page: not to other pages in the browser, nor to the network."""

from __future__ import annotations

import socket

import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.view.origin import is_own, own_pages_only

viser = pytest.importorskip("viser", reason="viser is not installed")
from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from robcogen_ros.view.server import address, serving  # noqa: E402


def heard(port: int, origin: str | None, host: str = "", to: str = "127.0.0.1") -> int:
    """Bytes of the first message to a page of some origin; 0 if it is refused."""
    try:
        with connect(
            f"ws://{host or to}:{port}",
            sock=socket.create_connection((to, port)),
            origin=origin,
            subprotocols=[f"viser-v{viser.__version__}"],
            max_size=None,
            proxy=None,
        ) as page:
            return len(page.recv(timeout=10))
    except InvalidStatus as refused:
        assert refused.response.status_code == 403
        return 0


@pytest.fixture(scope="module")
def port():
    with serving("127.0.0.1", 0, "r", dark=False) as server:
        yield server.get_port()


def test_its_own_page_is_answered(port):
    assert heard(port, f"http://127.0.0.1:{port}")
    assert heard(port, f"http://localhost:{port}", "localhost")


def test_pages_of_others_are_refused(port):
    for origin in ("http://evil.example", f"http://evil.example:{port}", "null", None):
        assert not heard(port, origin), origin
    assert not heard(port, f"http://127.0.0.1:{port + 1}")


def test_a_name_of_others_that_leads_here_is_refused(port):
    assert not heard(port, f"http://evil.example:{port}", "evil.example")


def test_only_this_computer_is_served(port):
    """Another address of it is not listened at."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port))


@pytest.mark.parametrize(
    ("origin", "host", "served", "own"),
    [
        ("http://127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1", True),
        ("http://localhost:9000", "localhost:9000", "127.0.0.1", True),
        ("http://[::1]:8080", "[::1]:8080", "::1", True),
        ("http://10.0.0.7:8080", "10.0.0.7:8080", "0.0.0.0", True),
        ("http://Robot.lan:8080", "robot.lan:8080", "robot.lan", True),
        (f"http://{socket.gethostname()}:8080", f"{socket.gethostname()}:8080", "0.0.0.0", True),
        ("http://robot.lan:8080", "robot.lan:8080", "0.0.0.0", False),
        ("http://127.0.0.1:8081", "127.0.0.1:8080", "127.0.0.1", False),
        ("http://127.0.0.1:8080", "localhost:8080", "127.0.0.1", False),
        ("http://localhost.evil.example", "localhost.evil.example", "127.0.0.1", False),
        ("file://", "", "127.0.0.1", False),
        ("null", "127.0.0.1:8080", "127.0.0.1", False),
        ("", "", "127.0.0.1", False),
        ("http://[", "[", "127.0.0.1", False),
        ("http://127.0.0.1:1,http://a", "127.0.0.1:1,127.0.0.1:1", "127.0.0.1", False),
    ],
)
def test_which_pages_are_its_own(origin, host, served, own):
    assert is_own(origin, host, served) is own


def test_a_server_that_cannot_be_guarded_is_an_error():
    with pytest.raises(RobcogenError, match="install viser"), own_pages_only("127.0.0.1"):
        pass


def test_addresses_of_ipv6_are_in_brackets():
    class Server:
        def get_port(self) -> int:
            return 80

    assert address("::1", Server()) == "http://[::1]:80"
    assert address("127.0.0.1", Server()) == "http://127.0.0.1:80"
