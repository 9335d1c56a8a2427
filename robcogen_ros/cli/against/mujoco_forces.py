"""Forces that move a robot in MuJoCo: inertia, weight, and all that acts besides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, SupportsInt

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats.bodies import Movement
from robcogen_ros.formats.weighed import position
from robcogen_ros.model.names import listed

Array = NDArray[np.float64]

_ROTATED = [3, 4, 5, 0, 1, 2]
"""Places where MuJoCo has our three rotations, then our three translations of a free base."""


@dataclass(frozen=True, slots=True)
class ComparedState:
    """A state of motion and its change, over the coordinates; six of a floating base come first.

    Attributes:
        q: Positions of the free joints, by name [rad or m].
        velocity: (k,) velocities; of the base in its axes, rotation first.
        acceleration: (k,) accelerations, likewise.
    """

    q: dict[str, float]
    velocity: Array
    acceleration: Array


@dataclass(frozen=True, slots=True)
class Moved:
    """Generalized forces (k,) over the same coordinates [N m or N].

    Attributes:
        needed: What inertia and weight need for the motion.
        acting: What acts besides, by what it is in the model.
    """

    needed: Array
    acting: dict[str, Array]


class MujocoForces:
    """A robot in MuJoCo, in our coordinates.

    Contacts, limits and dry friction are off. Joints that follow others are where these put them.
    """

    def __init__(
        self,
        mujoco: Any,
        model: Any,
        joints: Sequence[tuple[Movement, int]],
        names: Sequence[str],
        base: int | None,
    ) -> None:
        """A model, whose options are changed.

        Args:
            mujoco: The package.
            model: MuJoCo's model.
            joints: Our joints with their numbers there.
            names: Our coordinates, of joints that are free.
            base: Number of the free joint of a floating base.
        """
        bits = mujoco.mjtDisableBit
        off = bits.mjDSBL_CONTACT | bits.mjDSBL_LIMIT | bits.mjDSBL_FRICTIONLOSS
        model.opt.disableflags |= off
        model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        self._mujoco, self._model, self._data = mujoco, model, mujoco.MjData(model)
        self._joints, self._base, self._damping = joints, base, damping(mujoco, model)
        self._stiffness = stiffness(mujoco, model)
        self._causes = (
            self.springs,
            self._dampers(),
            self._gravcomp(),
            self._fluid(),
            self._actuators(),
        )
        first = 0 if base is None else 6
        self._map = np.zeros((model.nv, first + len(names)))
        if base is not None:
            start = model.jnt_dofadr[base]
            self._map[start : start + 6, _ROTATED] = np.eye(6)
        for movement, joint in joints:
            column = first + names.index(movement.leader or movement.name)
            self._map[model.jnt_dofadr[joint], column] = float(movement.multiplier)

    @property
    def size(self) -> int:
        """Number k of coordinates."""
        return int(self._map.shape[1])

    @property
    def inertia(self) -> Array:
        """(k,) What each coordinate moves, if the others stand still [kg m^2 or kg]."""
        H = np.zeros((self._model.nv, self._model.nv))
        self._mujoco.mj_fullM(self._model, self._data, H)
        return np.asarray(np.einsum("ij,ik,kj->j", self._map, H, self._map))

    @property
    def carried(self) -> Array:
        """(k,) Mass that each coordinate moves, at most [kg]."""
        model = self._model
        return np.asarray(
            ((self._map != 0) * model.body_subtreemass[model.dof_bodyid][:, None]).max(
                axis=0, initial=0.0
            )
        )

    def place(self, motion: ComparedState) -> None:
        """Puts it into a state; a floating base in the axes of the world."""
        model, data = self._model, self._data
        self._mujoco.mj_resetData(model, data)
        for movement, joint in self._joints:
            data.qpos[model.jnt_qposadr[joint]] = position(movement, motion.q)
        if self._base is not None:
            start = model.jnt_qposadr[self._base] + 3
            data.qpos[start : start + 4] = [1, 0, 0, 0]
        data.qvel[:] = self._map @ motion.velocity
        self._mujoco.mj_forward(model, data)

    def moved(self, motion: ComparedState, known: Collection[int]) -> Moved:
        """The forces of a motion.

        Args:
            motion: The motion.
            known: Numbers of equalities that are not asked for.
        """
        self.place(motion)
        model, data = self._model, self._data
        acceleration = motion.acceleration.copy()
        if self._base is not None:
            acceleration[3:6] += np.cross(motion.velocity[:3], motion.velocity[3:6])
        needed = np.zeros(model.nv)
        self._mujoco.mj_mulM(model, data, needed, self._map @ acceleration)
        needed += data.qfrc_bias
        own = armature(self._mujoco, model) * (self._map @ acceleration)
        data.qfrc_applied[:] = needed + self._of_joints()
        self._mujoco.mj_forward(model, data)
        acting = {what: self._map.T @ force for what, force in self._acting(known)}
        return Moved(self._map.T @ (needed - own), acting)

    def _springs_of_joints(self) -> Array:
        """(nv,) Forces that hold the linear springs of joints."""
        at = self._model.jnt_qposadr[self._model.dof_jntid]
        return np.asarray(self._stiffness * (self._data.qpos[at] - self._model.qpos_spring[at]))

    def _of_joints(self) -> Array:
        """(nv,) Forces that overcome the linear dampers and springs of joints."""
        return np.asarray(self._damping * self._data.qvel + self._springs_of_joints())

    def _acting(self, known: Collection[int]) -> Iterator[tuple[str, Array]]:
        """Yields by name what acts besides the applied force, dampers and springs of joints."""
        model, data = self._model, self._data
        damper = data.qfrc_damper + self._damping * data.qvel
        lifted = np.asarray(model.jnt_actgravcomp, bool)[model.dof_jntid]
        lift = np.where(lifted, 0.0, data.qfrc_gravcomp)
        spring = data.qfrc_spring + self._springs_of_joints()
        forces = spring, damper, lift, data.qfrc_fluid, data.qfrc_actuator
        found = {what: np.array(force) for what, force in zip(self._causes, forces, strict=True)}
        smooth = data.qfrc_smooth + data.qfrc_bias - data.qfrc_applied
        found["something that is no spring, damper or actuator"] = (
            smooth + self._of_joints() - sum(found.values())
        )
        yield from found.items()
        equality = data.efc_type == self._mujoco.mjtConstraint.mjCNSTR_EQUALITY
        for number in np.unique(data.efc_id[equality]):
            if number not in known:
                force, mine = np.zeros(model.nv), equality & (data.efc_id == number)
                self._mujoco.mj_mulJacTVec(model, data, force, np.where(mine, data.efc_force, 0.0))
                yield self._equality(number), force

    @property
    def tied(self) -> list[str]:
        """Tendons whose own inertia is felt at the joints."""
        values = getattr(self._model, "tendon_armature", np.zeros(0))
        return [f"tendon {self._name('TENDON', number)}" for number in np.flatnonzero(values)]

    @property
    def springs(self) -> str:
        """The springs that are not of one joint alone."""
        curved = _more(self._model, "jnt_stiffnesspoly", self._model.njnt)
        joints = np.flatnonzero(
            curved | (_many_axes(self._mujoco, self._model) & (self._model.jnt_stiffness != 0))
        )
        named = [self._name("JOINT", j) for j in joints] + self._with_tendons("stiffness")
        return f"the stiffness of {listed(named)}" if named else "the lack of springs"

    def _dampers(self) -> str:
        curved = _more(self._model, "dof_dampingpoly", self._model.nv)
        joints = [self._name("JOINT", j) for j in self._model.dof_jntid[curved]]
        named = [f"{name} (not linear)" for name in joints] + self._with_tendons("damping")
        return f"the damping of {listed(named)}"

    def _with_tendons(self, what: str) -> list[str]:
        """The tendons that have stiffness or damping, with the linear part of it."""
        values = getattr(self._model, f"tendon_{what}")
        curved = _more(self._model, f"tendon_{what}poly", len(values))
        numbers = np.flatnonzero((values != 0) | curved)
        return [f"tendon {self._name('TENDON', n)} ({values[n]:.4g})" for n in numbers]

    def _gravcomp(self) -> str:
        values = self._model.body_gravcomp
        bodies = [f"{self._name('BODY', b)} ({values[b]:.4g})" for b in np.flatnonzero(values)]
        return f"the gravcomp of {listed(bodies)}"

    def _fluid(self) -> str:
        option = self._model.opt
        wind = f", wind {' '.join(f'{x:.4g}' for x in option.wind)}" if any(option.wind) else ""
        return f"the medium (density {option.density:.4g}, viscosity {option.viscosity:.4g}{wind})"

    def _actuators(self) -> str:
        kinds, none = self._model.actuator_biastype, self._mujoco.mjtBias.mjBIAS_NONE
        names = [self._name("ACTUATOR", number) for number in range(len(kinds))]
        servos = [name for name, kind in zip(names, kinds, strict=True) if kind != none]
        lift = ", with gravcomp," if np.any(self._model.jnt_actgravcomp) else ""
        return f"the bias of actuators {listed(servos or names)} at control 0{lift}"

    def _equality(self, number: int) -> str:
        kind = self._mujoco.mjtEq(self._model.eq_type[number]).name.removeprefix("mjEQ_").lower()
        return f"the equality {self._name('EQUALITY', number)} ({kind})"

    def _name(self, kind: str, number: SupportsInt) -> str:
        of = getattr(self._mujoco.mjtObj, f"mjOBJ_{kind}")
        name = self._mujoco.mj_id2name(self._model, of, int(number))
        return f"'{name}'" if name else f"number {number}"


def armature(mujoco: Any, model: Any) -> Array:
    """(nv,) Rotors that are felt at the joints, of actuators too [kg m^2 or kg]."""
    return np.asarray(model.dof_armature + _of_actuators(mujoco, model, "actuator_armature"))


def damping(mujoco: Any, model: Any) -> Array:
    """(nv,) Viscous friction of the joints, of actuators too [N m s or N s/m]."""
    if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_DAMPER:
        return np.zeros(model.nv)
    return np.asarray(model.dof_damping + _of_actuators(mujoco, model, "actuator_damping"))


def stiffness(mujoco: Any, model: Any) -> Array:
    """(nv,) Stiffness of the springs of joints that turn about or slide along one axis."""
    if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_SPRING:
        return np.zeros(model.nv)
    joint = model.dof_jntid
    return np.where(_many_axes(mujoco, model)[joint], 0.0, model.jnt_stiffness[joint])


def _many_axes(mujoco: Any, model: Any) -> NDArray[np.bool_]:
    """(njnt,) Whether joints are balls or free."""
    kinds = mujoco.mjtJoint.mjJNT_BALL, mujoco.mjtJoint.mjJNT_FREE
    return np.isin(model.jnt_type, [int(kind) for kind in kinds])


def _of_actuators(mujoco: Any, model: Any, what: str) -> Array:
    found = np.zeros(model.nv)
    values = getattr(model, what, np.zeros(len(model.actuator_trntype)))
    for actuator, joint in actuated(mujoco, model):
        gear = float(model.actuator_gear[actuator, 0])
        found[model.jnt_dofadr[joint]] += gear**2 * float(values[actuator])
    return found


def actuated(mujoco: Any, model: Any) -> Iterator[tuple[int, int]]:
    """Numbers of the actuators that act on a single joint, and of these joints."""
    kinds = int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT)
    for actuator in range(len(model.actuator_trntype)):
        if int(model.actuator_trntype[actuator]) in kinds:
            yield actuator, int(model.actuator_trnid[actuator, 0])


def _more(model: Any, name: str, count: int) -> NDArray[np.bool_]:
    """(count,) Whether there are coefficients beyond the linear one, which MuJoCo 3 has not."""
    values = getattr(model, name, None)
    return np.zeros(count, bool) if values is None else np.any(values, axis=1)
