"""Functions of robots that stand on limbs which follow what else moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.functions.contacts.dynamics import (
    CONTACT_ROTATION,
    contact_forces,
    divided,
    free_forces,
    ground_axes,
    of_base,
    row_argument,
)
from robcogen_ros.algorithms.functions.function import (
    BASE_ACCELERATION,
    REGULAR,
    Argument,
    Function,
    Results,
    Values,
    forces_argument,
    gravity_argument,
    motion_inputs,
    state,
)
from robcogen_ros.algorithms.functions.limb_positions import limb_positions, pose_of
from robcogen_ros.algorithms.mechanics.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.mechanics.contacts.dynamics import contact_jacobian, contact_rows
from robcogen_ros.algorithms.mechanics.contacts.eliminated_limbs import (
    StanceLimb,
    dependence,
    eliminated,
    stance_limbs,
)
from robcogen_ros.algorithms.mechanics.inverse_kinematics.closed_form import Form, solved
from robcogen_ros.algorithms.mechanics.inverse_kinematics.limb_forms import (
    form_between,
    limb_between,
)
from robcogen_ros.algorithms.mechanics.joint_terms import with_armature
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms, with_turns
from robcogen_ros.algorithms.mechanics.kinematics import relative_pose
from robcogen_ros.algorithms.mechanics.operational_space import product
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Frame, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import IDENTITY, Pose

STANCE_LIMBS = "limbs with as many joints as their contacts have rows"
STANCE_FORMS = "such limbs in closed form"


def lacking_limbs(robot: Robot) -> dict[str, str]:
    """Returns the functions of stance limbs that a robot has not, each with the reason."""
    try:
        limbs = stance_limbs(robot)
    except RobcogenError as error:
        return dict.fromkeys((STANCE_LIMBS, STANCE_FORMS), str(error))
    try:
        for limb in limbs:
            form_between(robot, *_ends(robot, limb))
    except RobcogenError as error:
        return {STANCE_FORMS: f"contact '{robot.contacts[limb.contact].name}': {error}"}
    return {}


def reduced_functions(robot: Robot) -> tuple[Function, ...]:
    """Returns the functions of reduced dynamics of a robot with contacts; none without."""
    if not robot.contacts:
        return ()
    rows = contact_rows(robot)
    forced = (
        *motion_inputs(robot, "q", "qd", "tau"),
        gravity_argument(robot),
        forces_argument(robot),
    )
    motion = (*state(robot, "qdd"), *of_base(robot, BASE_ACCELERATION), contact_forces(rows))
    forms = _forms(robot)
    chosen = _chosen(robot, forms)
    places = Argument("positions", robot.n, meaning="of all joints [rad or m]")
    rates = Argument("velocities", robot.n, meaning="of all joints [rad/s or m/s]")
    margin = Argument(
        "margin", len(robot.contacts), meaning="of each limb's reach, negative beyond"
    )
    return (
        Function(
            "contact_forward_dynamics_eliminated",
            "Motion of a robot in contact, and the forces, limbs that stand eliminated",
            (
                *forced,
                row_argument("contact_acceleration", rows, "what the rows are to accelerate"),
                CONTACT_ROTATION,
            ),
            motion,
            _eliminated,
            on_request=True,
            needs=(REGULAR, STANCE_LIMBS),
        ),
        Function(
            "dependent_positions",
            "Positions of the joints, those of limbs that stand found from the contacts' places",
            (*state(robot, "q"), *chosen),
            (places, margin),
            partial(_positions, forms),
            on_request=True,
            needs=(STANCE_FORMS,),
        ),
        Function(
            "dependent_velocities",
            "Velocities of the joints, those of limbs that stand such that their contacts rest",
            motion_inputs(robot, "q", "qd"),
            (rates,),
            _velocities,
            on_request=True,
            needs=(STANCE_LIMBS,),
        ),
        Function(
            "reduced_dynamics",
            "Motion of a robot whose limbs that stand follow what else moves, and the forces",
            (*forced, *chosen, CONTACT_ROTATION),
            (*motion, places, rates, margin),
            partial(_reduced, forms),
            on_request=True,
            needs=(REGULAR, STANCE_FORMS),
        ),
    )


def _forms(robot: Robot) -> tuple[Form, ...]:
    """The forms of the limbs that stand; none where one has none."""
    if lacking_limbs(robot):
        return ()
    return tuple(form_between(robot, *_ends(robot, limb)) for limb in stance_limbs(robot))


def _chosen(robot: Robot, forms: Sequence[Form]) -> tuple[Argument, Argument]:
    """Returns the arguments of the contacts' poses and of the solutions that are meant."""
    limbs = stance_limbs(robot) if forms else []
    meant = ", ".join(
        limb.joints[k].name for limb, form in zip(limbs, forms, strict=True) for k in form.branches
    )
    count = sum(len(form.branches) for form in forms)
    poses = "homogeneous transforms of the contacts' frames, one beside another, base coordinates"
    return (
        Argument("contact_poses", 4, 4 * len(robot.contacts), poses, matrix=True),
        Argument("branch", count, meaning=f"1 or -1, of {meant}"),
    )


def _eliminated(robot: Robot, values: Values) -> Results:
    transforms = list(joint_transforms(robot, values["q"]))
    return _moved(robot, values, transforms, values["contact_acceleration"])


def _positions(forms: Sequence[Form], robot: Robot, values: Values) -> Results:
    _, q, margins = _placed(forms, robot, values)
    return {"positions": q, "margin": margins}


def _velocities(robot: Robot, values: Values) -> Results:
    return {"velocities": _rates(robot, values, joint_transforms(robot, values["q"]))}


def _reduced(forms: Sequence[Form], robot: Robot, values: Values) -> Results:
    transforms, q, margins = _placed(forms, robot, values)
    qd = _rates(robot, values, transforms)
    still = [0] * contact_rows(robot)
    found = _moved(robot, {**values, "q": q, "qd": qd}, transforms, still)
    return {**found, "positions": q, "velocities": qd, "margin": margins}


def _moved(
    robot: Robot, values: Values, transforms: list[JointTransform], wanted: Sequence[Scalar]
) -> Results:
    free, bias = free_forces(robot, values, transforms)
    H = with_armature(robot, inertia_matrix(robot, transforms))
    J = contact_jacobian(robot, transforms, ground_axes(values))
    rest = [c - b for c, b in zip(wanted, bias, strict=True)]
    motion, forces = eliminated(H, free, J, rest, stance_limbs(robot))
    return {**divided(robot, motion, "qdd", "base_acceleration"), "contact_forces": forces}


def _rates(robot: Robot, values: Values, transforms: Sequence[JointTransform]) -> list[Scalar]:
    """Velocities of all joints, those of limbs that stand such that no contact moves."""
    qd, base = list(values["qd"]), list(values.get("base_velocity", ()))
    J = contact_jacobian(robot, transforms, IDENTITY)
    for limb in stance_limbs(robot):
        _, G = dependence(J, limb)
        found = product(G, [[x] for x in (*base, *values["qd"])])
        for k, (rate,) in zip(limb.coordinates, found, strict=True):
            qd[k - len(base)] = rate
    return qd


def _placed(
    forms: Sequence[Form], robot: Robot, values: Values
) -> tuple[list[JointTransform], list[Scalar], list[Scalar]]:
    """Transforms and positions of all joints, of limbs that stand those sought, and margins."""
    transforms = list(joint_transforms(robot, values["q"]))
    q, margins, turns, first = list(values["q"]), [], {}, 0
    for limb, form in zip(stance_limbs(robot), forms, strict=True):
        start, end = _ends(robot, limb)
        step(f"{end.name}: joints of the limb")
        goal = pose_of(values["contact_poses"][16 * limb.contact : 16 * limb.contact + 16])
        if start.link:
            goal = relative_pose(robot, transforms, start, Frame("base", 0, Pose())) @ goal
        branch = values["branch"][first : first + len(form.branches)]
        first += len(branch)
        found = solved(form, limb_between(robot, start, end), goal, branch)
        own, margin = limb_positions(limb.joints, found)
        margins.append(margin)
        for joint, turn, angle in zip(limb.joints, found.turns, own, strict=True):
            q[joint.coordinate] = angle
            turns[joint.successor - 1] = turn.cosine, turn.sine
    return list(with_turns(robot, transforms, turns)), q, margins


def _ends(robot: Robot, limb: StanceLimb) -> tuple[Frame, Frame]:
    """The frame of the link that carries a limb, and that of its contact."""
    start = Frame(robot.links[limb.joints[0].predecessor].name, limb.joints[0].predecessor, Pose())
    return start, robot.frames[robot.contacts[limb.contact].frame]
