"""One side of `compare`, run in its own checkout: a function of a robot, by each compiler."""

import json
import sys
from pathlib import Path

from robcogen_ros.bench.compilers import compilers
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.formats.read import read


def main() -> None:
    """Writes and compiles; prints one library a line."""
    asked = json.loads(sys.argv[1])
    folder = Path(asked["folder"])
    robot = read(asked["file"], floating_base=asked["floating"], lock=asked["lock"]).robot
    write_sources(robot, asked["function"], folder)
    for compiler in compilers():
        output = folder / compiler.name
        output.mkdir(parents=True)
        print(compile_function(folder, compiler, output)[0])


if __name__ == "__main__":
    main()
