"""A robot on the ground under its `Balance`."""

from __future__ import annotations

import numpy as np

from robcogen_ros.control.balance import Balance
from robcogen_ros.runtime.gait import GAITS

UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])


class Loop:
    """A robot on the ground under its controller."""

    def __init__(self, robot, posture, settings=None, **options):
        settings = settings or {}
        self.robot, self.ground, self.time = robot, robot.ground(), 0.0
        self.deaf: set[int] = set()
        self.dead: set[int] = set()
        self.ground.place(posture.q, position=[0.0, 0.0, posture.height])
        self.balance = Balance(robot, {"posture": posture.q, **settings}, **options)

    def base(self):
        ground = self.ground
        self.balance.take_base(ground.position, ground.orientation, ground.base_velocity, self.time)

    def joints(self):
        names, ground = self.robot.joint_names, self.ground
        return self.balance.take_joints(names, ground.q, ground.qd, self.time)

    def run(self, steps, force=(0.0, 0.0, 0.0)):
        push = np.zeros((len(self.robot.link_names), 6))
        push[0, 3:] = force
        for _ in range(steps):
            self.base()
            for i, force in enumerate(self.ground.forces):
                if i not in self.deaf:
                    self.balance.take_force(i, force * (i not in self.dead))
            efforts = self.joints()
            if efforts is not None:  # something holds the robot until its estimator has begun
                self.ground.advance(efforts, 0.002, external_forces=push)
            self.time += 0.002


class Walk(Loop):
    """The robot, commanded to go somewhere."""

    def __init__(self, robot, posture, gait, **settings):
        super().__init__(robot, posture, {"gait": float(GAITS.index(gait)), **settings})

    def go(self, steps, velocity):
        for _ in range(steps // 50):
            if velocity is not None:
                self.balance.command(velocity, self.time)
            self.run(50)


class Sensed(Walk):
    """The robot under an estimator: nothing else tells where it is.

    Its IMU may be changed by `imu`, a function of rate and acceleration.
    """

    imu = staticmethod(lambda rate, acceleration: (rate, acceleration))

    def base(self):
        reading = self.imu(self.ground.angular_velocity, self.ground.linear_acceleration)
        self.balance.take_imu(*reading, self.time)
