"""Installs the generator by pip, without ROS: commands, generated code and `robcogen_ros.build`."""

from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

from setuptools import find_packages, setup

HERE = Path(__file__).parent
COMMANDS = ("robcogen", "urdf2kindsl")  # `ros2 run` also has the shorter names: robcogen <name>

package = ElementTree.parse(HERE / "package.xml").getroot()
entry_points = ConfigParser()
entry_points.read(HERE / "cmake" / "entry_points.cfg")
scripts = entry_points["options.entry_points"]["console_scripts"].strip().splitlines()

setup(
    name="robcogen_ros",
    version=package.findtext("version"),
    description=" ".join(package.findtext("description", "").split()),
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="BSD-3-Clause",
    author=package.findtext("author"),
    python_requires=">=3.10",
    install_requires=[
        "jinja2",
        "lark>=1.1",
        "numpy>=1.21",
        "pyyaml",
        "sympy",
        "tqdm",
        "urdfdom-py",
        "xacro",
    ],
    extras_require={"casadi": ["casadi>=3.6"], "demo": ["matplotlib"], "lsp": ["pygls>=1.3"]},
    packages=[
        *find_packages(include=["robcogen_ros", "robcogen_ros.*"]),
        "robcogen_ros.include",
        "robcogen_ros.templates",
    ],
    package_dir={"robcogen_ros.include": "include", "robcogen_ros.templates": "templates"},
    package_data={
        "robcogen_ros": ["py.typed", "*/*.lark", "bench/cpp/*"],
        "robcogen_ros.include": ["**/*"],
        "robcogen_ros.templates": ["**/*"],
    },
    entry_points={
        "console_scripts": [line for line in scripts if line.split("=")[0].strip() in COMMANDS]
    },
)
