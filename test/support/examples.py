"""The robots that this repository ships."""

from pathlib import Path
from tempfile import TemporaryDirectory

from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example_path(name: str) -> Path:
    """The file of `examples/<name>.kindsl`."""
    return EXAMPLES / f"{name}.kindsl"


def example(name: str, **options: object) -> Robot:
    """The robot of `examples/<name>.kindsl`; of `hyl` with a base that floats see `free_leg`."""
    if name == "hyl" and options.get("floating_base"):
        with TemporaryDirectory() as folder:
            return read(free_leg(Path(folder)), **options).robot
    return read(example_path(name), **options).robot


def free_leg(folder: Path) -> Path:
    """The file of `hyl`, with a slider that some body can be, so that its base may float."""
    text = example_path("hyl").read_text()
    path = folder / "hyl.kindsl"
    path.write_text(text.replace("Ixy = 0.028543", "Ixy = -0.022"))
    return path
