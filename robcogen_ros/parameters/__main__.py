"""Renders the tables of parameters into a checkout: `python -m robcogen_ros.parameters`."""

from pathlib import Path

from robcogen_ros.backends.render import write_changed
from robcogen_ros.parameters.rendered import rendered

write_changed(rendered(Path(__file__).resolve().parents[2]))
