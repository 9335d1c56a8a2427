# robcogen_generate(<target> MODEL <file> [...]): a robot's description, or transforms, become a library.
#
#   robcogen_generate(arm MODEL urdf/arm.urdf.xacro XACRO_ARGS gripper:=true)
#   target_link_libraries(my_node PRIVATE arm)
#
# makes the target <target> (alias <project>::<target>), its header <project>/<target>.hpp and the loadable
# library lib<project>__<target>.so that robcogen_ros.load("<project>/<target>") and the nodes find. All are
# installed and, under ament, exported. Everything happens at build time, again whenever the model, a file it
# includes or the generator changed.
#
# Of motions or transforms, <target> is a library of headers alone; MODEL, DESIRED, BACKENDS, SCALAR, SKIP_INSTALL
# and DEPENDS are for them too.
#
#   MODEL <file>                     URDF, xacro, MJCF, Kinematics-DSL; .motdsl or .ctdsl
#   XACRO_ARGS <name>:=<value> ...   arguments of a xacro
#   ARGUMENTS <file>                 more words for the command generate, one a line: for those that CMake would take
#                                    for something else, with semicolons, backslashes or dollars
#   PACKAGE_PATHS <package>:=<directory> ...   where $(find <package>) and package:// lead
#   DESIRED <file>                   .dtdsl file: transforms and Jacobians that become functions of their own
#   FLOATING_BASE                    the root link moves freely
#   ROOT <link>, TIPS <link> ...     use only the part of the robot between these
#   KEEP_ATTACHED                    keep links outside of these that can only move with the others
#   LOCK_JOINTS <joint>=<value> ...  joints that are fixed at a position
#   ACTUATED <joint> ...             joints that motors move: independent before others of their loops
#   GRAVITY <x> <y> <z> | mount      gravity in the base frame if a call gives none [m/s^2], 0 0 -9.81 by default;
#                                    mount: that of the upright file, seen from ROOT
#   FUNCTIONS <name> ...             generate only these (names of the Python methods)
#   TRANSFORMS <A>_X_<B> ...         transforms between frames that become functions of their own
#   JACOBIANS <A>_J_<B> ...          the same for Jacobians
#   SHARE <name> ...                 functions that share their work on one state: update(q, qd, state), then
#                                    <name>(state, ...); `default` stands for the usual ones
#   BATCH                            calls for many states (C interface, Python) compute several at once
#   READABLE                         beside functions in C++ and Python their algorithms as a textbook writes them, in
#                                    the build directory, robcogen/<target>/readable
#   INSTRUCTION_SETS <set> ...       x86-64-v3, x86-64-v4: all functions are also compiled for these, and the library
#                                    chooses when it is loaded; x86-64: for none of them
#                                    (default: x86-64-v3, inertia matrices also x86-64-v4)
#   SNAP_ANGLES <tolerance>          by which rounded right angles are restored [rad]; 0: as written (default: 1e-5
#                                    for angles such as 1.5708)
#   ACCEPT_INERTIA                   negative masses and moments of inertia are only warnings if the inertia matrix is
#                                    positive definite
#   STRICT                           all warnings are errors
#   LOOPS <file>                     YAML that says what closes loops of links
#   LOOPS_AS coordinates|multipliers joints of loops follow coordinates, or forces hold the spanning tree closed
#   KEEP_SPINNING                    let rods of loops turn about their own axes, where that moves nothing else
#   CUT_LOOPS                        leave out what closes loops of links, and the later of two parents of a link;
#                                    otherwise these are errors
#   WITH <term> ...                  joint terms that become part of the dynamics: armature, damping, friction, springs
#   PARAMETERS <name> ...            numbers that are set at run time: <link>.mass, <joint>.origin.z, ...
#   PAYLOAD <frame>                  frame that carries a body, which is set at run time
#   CONTACTS <frame>[:<rows>] ...    frames that may touch something: adds the contact functions; rows are position
#                                    (a point, the default), pose, orientation, position_z, ...
#   GROUND                           the robot on a simulated ground: robot.ground()
#   WHOLE_BODY                       a controller of trunk and feet: robot.whole_body_controller(); it keeps limits if
#                                    find_package finds proxsuite
#   MOMENTUM_OBSERVER                an observer of external forces: robot.momentum_observer()
#   BACKENDS <name> ...              languages beside C++: octave, python, c, cuda, maxima, casadi, program; installed in
#                                    share/<project>/<target>
#   SCALAR <type>                    numbers in C: double (the default) or float
#   CONTROLLER                       ros2_control plugins: <project>/<Target>Controller, and
#                                    <project>/<Target>System, simulated hardware
#   TASK_SPACE_CONTROLLER            ros2_control plugin <project>/<Target>TaskSpaceController, for a tool
#   WHOLE_BODY_CONTROLLER            the same as CONTROLLER for a robot on legs (FLOATING_BASE, CONTACTS):
#                                    <project>/<Target>WholeBodyController, and <project>/<Target>System on a ground
#   EXTERNAL_FORCE_BROADCASTER       ros2_control plugin <project>/<Target>ExternalForceBroadcaster: wrenches on
#                                    contacts, a push at the base, external efforts on joints
#   INVERSE_DYNAMICS_SOLVER          plugin <project>/<Target>InverseDynamicsSolver, an
#                                    inverse_dynamics_solver::InverseDynamicsSolver
#   KINEMATICS_PLUGIN                plugin <project>/<Target>Kinematics, a
#                                    kinematics_interface::KinematicsInterface
#   MOVEIT_PLUGIN                    plugin <project>/<Target>MoveItKinematics, a kinematics::KinematicsBase
#   SHARED | STATIC                  kind of <target>, STATIC by default
#   SKIP_INSTALL                     neither install nor export
#   DEPENDS <file or target> ...     what must exist before the model can be read

cmake_policy(PUSH)
cmake_policy(VERSION 3.22)

# A macro, because ament_export_*() leave what they collect in the scope of their caller.
macro(robcogen_generate target)
  if(_${PROJECT_NAME}_AMENT_PACKAGE)
    message(FATAL_ERROR "robcogen_generate(${target}) must be called before ament_package()")
  endif()
  _robcogen_find_packages(${ARGN})
  _robcogen_generate(${target} ${ARGC} ${ARGN})
  if(_robcogen_export AND COMMAND ament_export_targets)
    ament_export_dependencies(Eigen3 robcogen_ros)
    ament_export_targets(${_robcogen_export} ${_robcogen_kind})
  endif()
  if(_robcogen_plugins)
    _robcogen_export_plugins(${_robcogen_plugins})
    unset(_robcogen_plugins)
  endif()
  unset(_robcogen_export)
  unset(_robcogen_kind)
endmacro()

# `given` is how many arguments the macro has, which divides them at semicolons.
function(_robcogen_generate target given)
  set(of_plugins CONTROLLER TASK_SPACE_CONTROLLER WHOLE_BODY_CONTROLLER EXTERNAL_FORCE_BROADCASTER INVERSE_DYNAMICS_SOLVER KINEMATICS_PLUGIN
    MOVEIT_PLUGIN)
  set(code BATCH READABLE GROUND WHOLE_BODY MOMENTUM_OBSERVER ${of_plugins})
  set(lists FUNCTIONS TRANSFORMS JACOBIANS SHARE INSTRUCTION_SETS)
  _robcogen_model_options()
  set(of_robots ${switch} ${single} ${multiple} ${code} ${lists} SHARED STATIC)
  math(EXPR handed "${ARGC} - 1")
  set(once ${single} MODEL ARGUMENTS DESIRED SCALAR)
  cmake_parse_arguments(PARSE_ARGV 2 arg "${switch};${code};SHARED;STATIC;SKIP_INSTALL"
    "${once}" "${multiple};${lists};BACKENDS;DEPENDS")
  set(words ${ARGN})
  if(DEFINED arg_MODEL)
    cmake_path(ABSOLUTE_PATH arg_MODEL NORMALIZE OUTPUT_VARIABLE model)
  endif()
  if(DEFINED arg_LOOPS AND NOT arg_LOOPS MATCHES "^package://")
    cmake_path(ABSOLUTE_PATH arg_LOOPS NORMALIZE)
  endif()
  set(transforms FALSE)
  if(model MATCHES "\\.(motdsl|ctdsl)$")
    set(transforms TRUE)
  endif()
  set(desired "")
  if(DEFINED arg_DESIRED)
    cmake_path(ABSOLUTE_PATH arg_DESIRED NORMALIZE OUTPUT_VARIABLE desired)
  endif()
  set(arguments_file "")
  if(DEFINED arg_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH arg_ARGUMENTS NORMALIZE OUTPUT_VARIABLE arguments_file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arguments_file}")
  endif()
  _robcogen_check_arguments()

  set(directory "${CMAKE_CURRENT_BINARY_DIR}/robcogen/${target}")
  set(plugins "")
  if(transforms)
    _robcogen_add_transforms()
  else()
    _robcogen_add_robot()
  endif()
  if(NOT arg_SKIP_INSTALL)
    _robcogen_install()
    set(_robcogen_export export_${PROJECT_NAME}_${target} PARENT_SCOPE)
    set(_robcogen_kind ${library_kind} PARENT_SCOPE)
    set(_robcogen_plugins ${plugins} PARENT_SCOPE)
  endif()
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/robcogen_arguments.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/robcogen_options.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/robcogen_plugins.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/robcogen_targets.cmake")
cmake_policy(POP)
