"""What pip takes over from the ROS package: version, maintainer, commands, headers, templates.

Without a C compiler the interpreter is left out, with a warning.
"""

from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

from setuptools import Extension, find_namespace_packages, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent
DATA = {f"robcogen_ros.{folder}": folder for folder in ("cmake", "include", "templates")}
BENCH = "robcogen_ros/bench"
COMMANDS = ("robcogen", "urdf2kindsl")  # as CMakeLists.txt has them; `ros2 run` has all names

package = ElementTree.parse(HERE / "package.xml").getroot()
maintainer = package.find("maintainer")
entry_points = ConfigParser()
entry_points.read(HERE / "cmake" / "entry_points.cfg")
scripts = entry_points["options.entry_points"]["console_scripts"].strip().splitlines()


class Interpreter(build_ext):
    """Compiles the interpreter to a library beside the modules, which any Python loads."""

    def run(self) -> None:
        """Compile it; for a checkout, whose sources change, `build()` does."""
        if not self.editable_mode:
            super().run()

    def get_ext_filename(self, fullname: str) -> str:
        """Its name, which says nothing of a version of Python."""
        return fullname.replace(".", "/") + ".so"


class Wheel(bdist_wheel):
    """A wheel for any Python of one platform."""

    def get_tag(self) -> tuple[str, str, str]:
        """What the name of the wheel says."""
        return "py3", "none", super().get_tag()[2]


interpreter = Extension(
    "robcogen_ros.librobcogen_ros_interpreter",
    [f"include/robcogen_ros/interpreter/{name}.c" for name in ("evaluate", "make")],
    include_dirs=["include"],
    extra_compile_args=["-std=c99", "-O3", "-ffp-contract=off"],
    libraries=["m"],
    optional=True,
)

setup(
    version=package.findtext("version"),
    author=package.findtext("author"),
    author_email=maintainer.get("email"),
    maintainer=maintainer.text,
    maintainer_email=maintainer.get("email"),
    packages=[
        *find_packages(include=["robcogen_ros", "robcogen_ros.*"]),
        *(
            f"robcogen_ros.bench.{part}"
            for part in find_namespace_packages(BENCH, include=["cpp*"])
        ),
        *DATA,
        *(f"{name}.{part}" for name in DATA for part in find_namespace_packages(DATA[name])),
    ],
    package_dir=DATA,
    ext_modules=[interpreter],
    cmdclass={"build_ext": Interpreter, "bdist_wheel": Wheel},
    package_data={
        "robcogen_ros": ["py.typed", "formats/*/*.lark", "parameters/*.yaml", "bench/cpp/**/*"],
        **{name: ["**/*"] for name in DATA},
    },
    entry_points={
        "console_scripts": [line for line in scripts if line.split("=")[0].strip() in COMMANDS]
    },
)
