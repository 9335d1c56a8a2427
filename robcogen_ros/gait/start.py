"""Where the search for a gait begins: a trunk that glides, feet that step below it."""

from __future__ import annotations

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.standing import Legs, Posture
from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.problem import Problem


def gliding(
    problem: Problem, legs: Legs, posture: Posture, pattern: Pattern, step_height: float
) -> Array:
    """Values of all variables.

    The base moves ahead at its height. A foot that stands stays where it is, half of the way of its
    stance ahead of where it is in the posture when it lands; while it swings it is brought there on
    a squared sine. The forces carry the weight in equal parts.
    """
    program = problem.program
    x = np.array(program.start)
    stride, speed = float(x[problem.stride[0]]), float(x[problem.speed[0]])
    level = legs.poses(posture.q)

    def joints(at: float, near: Array) -> Array:
        targets = level.copy()
        for foot in range(len(level)):
            way = speed * stride * pattern.duty[foot]
            swung = pattern.swing(foot, at)
            if swung is None:
                since = (at - pattern.phase[foot]) % 1.0
                targets[foot, 0, 3] += 0.5 * way - speed * stride * since
            else:
                targets[foot, 0, 3] += way * (swung - 0.5)
                targets[foot, 2, 3] += step_height * np.sin(np.pi * swung) ** 2
        found = legs.placed(near, targets)
        return near if found is None else found

    q = joints(0.0, posture.q)
    for grid in problem.grids:
        rows = []
        for at in grid.times:
            q = joints(float(at), q)
            rows.append(np.concatenate([[speed * stride * at, 0, posture.height, 0, 0, 0], q]))
        times = stride * grid.times
        y = np.array(rows)
        v = np.gradient(y, times, axis=0)
        free = grid.coordinates.free
        x[grid.y], x[grid.v], x[grid.a] = y[:, free], v[:, free], 0.0
        x[grid.footholds] = grid.coordinates.stood(y)
        x[grid.forces] = 0.0
        points = grid.forces.shape[1] // 3
        if points:
            x[grid.forces[:, 2::3]] = 1.0 / points
    for impulses in problem.impulses:
        x[impulses[2::3]] = 0.02
    return np.asarray(np.clip(x, program.lower, program.upper))
