"""What pip takes over from the ROS package: version, maintainer, commands, headers, templates."""

from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

from setuptools import find_namespace_packages, find_packages, setup

HERE = Path(__file__).parent
DATA = {f"robcogen_ros.{folder}": folder for folder in ("include", "templates")}
COMMANDS = ("robcogen", "urdf2kindsl")  # `ros2 run` also has the shorter names: robcogen <name>

package = ElementTree.parse(HERE / "package.xml").getroot()
maintainer = package.find("maintainer")
entry_points = ConfigParser()
entry_points.read(HERE / "cmake" / "entry_points.cfg")
scripts = entry_points["options.entry_points"]["console_scripts"].strip().splitlines()

setup(
    version=package.findtext("version"),
    author=package.findtext("author"),
    author_email=maintainer.get("email"),
    maintainer=maintainer.text,
    maintainer_email=maintainer.get("email"),
    packages=[
        *find_packages(include=["robcogen_ros", "robcogen_ros.*"]),
        "robcogen_ros.bench.cpp",
        *DATA,
        *(f"{name}.{part}" for name in DATA for part in find_namespace_packages(DATA[name])),
    ],
    package_dir=DATA,
    package_data={
        "robcogen_ros": ["py.typed", "*/*.lark", "bench/cpp/*"],
        **{name: ["**/*"] for name in DATA},
    },
    entry_points={
        "console_scripts": [line for line in scripts if line.split("=")[0].strip() in COMMANDS]
    },
)
