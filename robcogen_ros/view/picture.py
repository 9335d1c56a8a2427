"""A picture of a robot, drawn by a browser without a window."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.progress import refresh, tell
from robcogen_ros.view.camera import Camera
from robcogen_ros.view.scene import quaternion

VARIABLE = "ROBCOGEN_BROWSER"
"""Variable of the environment that names the browser."""
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
BACKGROUNDS = {"light": (255, 255, 255), "dark": (27, 30, 36)}
OPTIONS = (
    "--headless=new",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)
"""Options with which a browser draws without a window, a graphics card and the network."""
_ALIKE, _PAUSE = 3, 0.25
"""Number of pictures that have to be like the one before, and the time between them [s]."""
_PATIENCE = 120.0
"""Time that a browser may take to begin and to draw [s]."""


def browser() -> str:
    """The path of Chromium, or of a browser made from it.

    Raises:
        RobcogenError: If there is none.
    """
    named = os.environ.get(VARIABLE)
    for name in (named,) if named else BROWSERS:
        if path := shutil.which(name):
            return path
    where = f"{VARIABLE} names '{named}', which is no program" if named else "none is on the PATH"
    raise RobcogenError(
        f"--png needs Chromium or Chrome, and {where}; install it (apt install chromium), or let "
        f"{VARIABLE} be its path"
    )


def draw(server: Any, path: Path, size: tuple[int, int], camera: Camera, background: str) -> None:
    """Writes a PNG of a server's scene.

    Args:
        server: The server.
        path: The file.
        size: Width and height [pixels].
        camera: Where to look from.
        background: "light", "dark", or "none" for a picture that can be seen through.

    Raises:
        RobcogenError: If there is no browser, or it does not draw.
        OSError: If the file cannot be written.
    """
    program, (width, height) = browser(), size
    with _looking(program, f"http://127.0.0.1:{server.get_port()}") as process:
        client = _client(server, program, process)
        look = {
            "wxyz": quaternion(camera.rotation),
            "position": tuple(camera.position),
            "fov": camera.opening,
            "transport_format": "png",
            "timeout": _PATIENCE,
        }
        try:
            _settle(client, look, size)
            image = client.get_render(height=height, width=width, **look)
        except (RuntimeError, TimeoutError) as error:
            raise RobcogenError(f"{program} does not draw: {error}") from None
    if background != "none":
        image = _over(image, BACKGROUNDS[background])
    data = package("imageio.v3", "--png").imwrite("<bytes>", image, extension=".png")
    path.write_bytes(data)


@contextmanager
def _looking(program: str, url: str) -> Iterator[subprocess.Popen[bytes]]:
    """A browser that looks at a page, with a profile of its own.

    Its window is small, for it is drawn again and again; pictures are drawn in their own size.
    """
    words = [program, *OPTIONS, "--window-size=320,240"]
    if os.geteuid() == 0:
        words.append("--no-sandbox")
    with tempfile.TemporaryDirectory(prefix="robcogen_view", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [*words, f"--user-data-dir={profile}", url],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


def _client(server: Any, program: str, process: subprocess.Popen[bytes]) -> Any:
    """The browser, once it is there."""
    end = time.monotonic() + _PATIENCE
    tell(f"waiting for {Path(program).name}")
    while not server.get_clients():
        refresh()
        if process.poll() is not None:
            raise RobcogenError(f"{program} ended with code {process.returncode}")
        if time.monotonic() > end:
            raise RobcogenError(f"the browser has not opened the page within {_PATIENCE:g} s")
        time.sleep(0.02)
    return next(iter(server.get_clients().values()))


def _settle(client: Any, look: dict[str, Any], size: tuple[int, int]) -> None:
    """Waits until small pictures stay the same: names and materials come after the rest."""
    end, small = time.monotonic() + _PATIENCE, [max(16, pixels // 4) for pixels in size]
    last, alike = np.zeros(0), 0
    tell("waiting until all shapes are drawn")
    while alike < _ALIKE and time.monotonic() < end:
        image = client.get_render(height=small[1], width=small[0], **look)
        alike = alike + 1 if np.array_equal(image, last) else 0
        last = image
        refresh()
        time.sleep(_PAUSE)


def _over(image: NDArray[np.uint8], color: tuple[int, int, int]) -> NDArray[np.uint8]:
    """A picture on a background."""
    opacity = image[..., 3:] / 255.0
    return np.round(image[..., :3] * opacity + np.array(color) * (1 - opacity)).astype(np.uint8)
