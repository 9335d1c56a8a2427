"""Random documents of the Motion-DSL, and their transforms by plain products of matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

VARIABLES = {"a": 0.3, "b": -1.2, "c": 2.1}
PARAMETERS = {"p:k": 0.7, "g.m": -0.4}
CONSTANTS = {"0.25": 0.25, "-1.5": -1.5, "PI/2.0": np.pi / 2, "-PI": -np.pi, "PI/4": np.pi / 4}
VALUES = VARIABLES | PARAMETERS | CONSTANTS
FORMS = {
    "{}": lambda x: x,
    "-{}": lambda x: -x,
    "2.0 {}": lambda x: 2 * x,
    "-0.5*{}": lambda x: -0.5 * x,
    "{}/4": lambda x: x / 4,
}
WORDS = [f"{word}{axis}" for word in ("rot", "tr") for axis in "xyz"]


@dataclass(frozen=True)
class RandomMotions:
    """A document, and the matrix of each frame in the first one.

    Attributes:
        text: The document.
        poses: For each frame, its pose in frame f0.
    """

    text: str
    poses: dict[str, np.ndarray]


def amounts():
    """The text of an amount, and its value."""
    return st.one_of(
        st.sampled_from(sorted(CONSTANTS.items())),
        st.tuples(
            st.sampled_from(sorted(VARIABLES | PARAMETERS)), st.sampled_from(list(FORMS))
        ).map(lambda pair: (pair[1].format(pair[0]), FORMS[pair[1]](VALUES[pair[0]]))),
    )


@st.composite
def random_motions(draw):
    """A tree of up to five frames, each placed by up to six steps."""
    convention = draw(st.sampled_from(["local", "currentFrame", "fixed", "fixedFrame"]))
    poses = {"f0": np.eye(4)}
    lines = ["Params g { m }", f"Convention = {convention}"]
    for i in range(1, draw(st.integers(2, 5))):
        parent = draw(st.sampled_from(sorted(poses)))
        steps = draw(st.lists(st.tuples(st.sampled_from(WORDS), amounts()), max_size=6))
        relative = np.eye(4)
        for word, (_, value) in steps:
            factor = primitive(word, value)
            if convention.startswith("fixed"):
                relative[:3, :3] = factor[:3, :3] @ relative[:3, :3]
                relative[:3, 3] += factor[:3, 3]
            else:
                relative = relative @ factor
        text = " ".join(f"{word}({amount})" for word, (amount, _) in steps)
        if draw(st.booleans()):
            lines.append(f"{parent} -> f{i} : {text}")
            poses[f"f{i}"] = poses[parent] @ relative
        else:
            lines.append(f"f{i} -> {parent} : {text}")
            poses[f"f{i}"] = poses[parent] @ np.linalg.inv(relative)
    return RandomMotions("\n".join(lines), poses)


def primitive(word: str, value: float) -> np.ndarray:
    """The homogeneous matrix of one step."""
    matrix, axis = np.eye(4), "xyz".index(word[-1])
    if word.startswith("tr"):
        matrix[axis, 3] = value
        return matrix
    n = np.eye(3)[axis]
    K = np.cross(n, np.eye(3)).T
    matrix[:3, :3] += np.sin(value) * K + (1 - np.cos(value)) * K @ K
    return matrix


def of_kind(kind: str, X: np.ndarray) -> np.ndarray:
    """The transform of a kind that a homogeneous matrix stands for."""
    R, p, zero = X[:3, :3], X[:3, 3], np.zeros((3, 3))
    crossed = np.cross(p, np.eye(3)).T @ R
    return {
        "homogeneous": X,
        "rotation": R,
        "motion": np.block([[R, zero], [crossed, R]]),
        "force": np.block([[R, crossed], [zero, R]]),
    }[kind]
