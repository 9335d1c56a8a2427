# The targets that robcogen_generate() makes. Variables are those of _robcogen_generate().

# What sources are compiled with after all flags of others, and libraries linked: -ffast-math, -Ofast and their parts
# would have sums other than those that are written, and let a library change how its process computes.
set(_robcogen_arithmetic -fno-associative-math -fno-reciprocal-math -fsigned-zeros -fno-finite-math-only)
set(_robcogen_startup -fno-fast-math -fno-unsafe-math-optimizations -O2)

# What functions are compiled with for the processors of each set, besides those of all processors. Whether they have
# it is asked when a library is loaded: include/robcogen_ros/interface/instruction_set.hpp.
set(_robcogen_x86_64_v2 -msse4.2 -mpopcnt)
set(_robcogen_x86_64_v3 ${_robcogen_x86_64_v2} -mavx2 -mfma -mbmi -mbmi2)
set(_robcogen_x86_64_v4 ${_robcogen_x86_64_v3} -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl
  -mtune=icelake-server) # else what is moved 512 bits at once is waited for where less of it is read

# The library of a robot, and the one to load.
macro(_robcogen_add_robot)
  if(arg_SHARED)
    set(kind SHARED)
  else()
    set(kind STATIC)
  endif()
  set(library_kind HAS_LIBRARY_TARGET)
  set(plugin_sources "")
  if(arg_CONTROLLER)
    list(APPEND plugin_sources controller)
  endif()
  if(arg_TASK_SPACE_CONTROLLER)
    list(APPEND plugin_sources task_space_controller)
  endif()
  if(arg_WHOLE_BODY_CONTROLLER)
    list(APPEND plugin_sources whole_body_controller)
  endif()
  if(arg_EXTERNAL_FORCE_BROADCASTER)
    list(APPEND plugin_sources external_force_broadcaster)
  endif()
  if(arg_INVERSE_DYNAMICS_SOLVER)
    list(APPEND plugin_sources inverse_dynamics_solver)
  endif()
  if(arg_KINEMATICS_PLUGIN)
    list(APPEND plugin_sources kinematics_plugin)
  endif()
  if(arg_MOVEIT_PLUGIN)
    list(APPEND plugin_sources moveit_plugin)
  endif()
  set(function_sources inverse_dynamics forward_dynamics inertia_matrix inertia_inverse momentum kinematics state more)
  _robcogen_add_generation(${function_sources} model ${plugin_sources})
  set(sources_of_sets ${function_sources})
  if(arg_BATCH)
    list(APPEND sources_of_sets model)
  endif()
  list(TRANSFORM sources_of_sets REPLACE "(.+)" "${directory}/src/\\1.cpp")
  foreach(source IN LISTS plugin_sources)
    list(REMOVE_ITEM sources "${directory}/src/${source}.cpp")
  endforeach()
  _robcogen_add_libraries()
  set(of "of ${PROJECT_NAME}/${target} on its generated dynamics.")
  set(system "System=hardware_interface=SystemInterface=Simulation of ${PROJECT_NAME}/${target} by its generated dynamics.")
  if(arg_CONTROLLER)
    _robcogen_add_control_plugins(CONTROLLER controller "${system}"
      "Controller=controller_interface=ChainableControllerInterface=Control ${of}")
  endif()
  if(arg_TASK_SPACE_CONTROLLER)
    _robcogen_add_control_plugins(TASK_SPACE_CONTROLLER task_space_controller
      "TaskSpaceController=controller_interface=ChainableControllerInterface=Control of a tool ${of}")
  endif()
  if(arg_WHOLE_BODY_CONTROLLER)
    _robcogen_add_control_plugins(WHOLE_BODY_CONTROLLER whole_body_controller "${system}"
      "WholeBodyController=controller_interface=ChainableControllerInterface=Whole-body control ${of}")
  endif()
  if(arg_EXTERNAL_FORCE_BROADCASTER)
    _robcogen_add_control_plugins(EXTERNAL_FORCE_BROADCASTER external_force_broadcaster
      "ExternalForceBroadcaster=controller_interface=ControllerInterface=What acts on ${PROJECT_NAME}/${target} from outside.")
  endif()
  if(arg_INVERSE_DYNAMICS_SOLVER)
    _robcogen_add_interface_plugin(INVERSE_DYNAMICS_SOLVER inverse_dynamics_solver inverse_dynamics_solver
      inverse_dynamics_solver InverseDynamicsSolver inverse_dynamics_solver::InverseDynamicsSolver
      "Generated dynamics of ${PROJECT_NAME}/${target}.")
  endif()
  if(arg_KINEMATICS_PLUGIN)
    _robcogen_add_interface_plugin(KINEMATICS_PLUGIN kinematics_interface kinematics_interface
      kinematics_plugin Kinematics kinematics_interface::KinematicsInterface
      "Generated kinematics of ${PROJECT_NAME}/${target}.")
  endif()
  if(arg_MOVEIT_PLUGIN)
    _robcogen_add_interface_plugin(MOVEIT_PLUGIN moveit_core moveit_kinematics_base
      moveit_plugin MoveItKinematics kinematics::KinematicsBase
      "Inverse kinematics of ${PROJECT_NAME}/${target}.")
  endif()
endmacro()

# Eigen, whose types stand at the border of generated code. A macro: its targets are those of the caller's folder.
macro(_robcogen_find_eigen)
  find_package(Eigen3 QUIET)
  if(NOT TARGET Eigen3::Eigen)
    _robcogen_error("Eigen is not found: apt install libeigen3-dev, or pip install cmeel-eigen")
  endif()
endmacro()

# The library of transforms: headers alone.
macro(_robcogen_add_transforms)
  set(library_kind "")
  _robcogen_add_generation()
  _robcogen_find_eigen()
  add_library(${target} INTERFACE)
  _robcogen_describe_library(INTERFACE)
endmacro()

# The target <target>__generate: runs the generator, which writes certain sources, then listed in `sources`.
function(_robcogen_add_generation)
  set(stamp "${directory}/generated.stamp")
  set(digest "${directory}/generated.sha256")
  set(sources ${ARGN})
  list(TRANSFORM sources REPLACE "(.+)" "${directory}/src/\\1.cpp")
  set(headers "${directory}/include/${PROJECT_NAME}/${target}.hpp"
    "${directory}/include/${PROJECT_NAME}/${target}/functions.hpp")

  _robcogen_arguments(arguments)
  _robcogen_remember("${arguments}")
  _robcogen_python(python)
  add_custom_command(OUTPUT "${stamp}" BYPRODUCTS "${digest}" ${headers} ${sources}
    COMMAND ${python} -m robcogen_ros generate "@${directory}/arguments"
    COMMAND ${CMAKE_COMMAND} "-DDIRECTORY=${directory}" "-DDIGEST=${digest}" "-DHEADERS=${headers}"
      -P "${robcogen_ros_DIR}/robcogen_mark_changes.cmake"
    DEPENDS "${model}" ${desired} "${directory}/arguments" ${arg_DEPENDS}
    DEPFILE "${directory}/generated.d"
    WORKING_DIRECTORY "${directory}"
    COMMENT "Generating ${PROJECT_NAME}::${target} from ${arg_MODEL}"
    VERBATIM)
  add_custom_target(${target}__generate ALL DEPENDS "${stamp}")
  set_source_files_properties(${sources} PROPERTIES
    OBJECT_DEPENDS "${digest}" COMPILE_OPTIONS "${_robcogen_arithmetic}")
  set(sources "${sources}" PARENT_SCOPE)
endfunction()

# Writes the arguments to the file that the generator reads and depends on; where they changed, what was generated with others is removed.
function(_robcogen_remember arguments)
  set(before "")
  if(EXISTS "${directory}/arguments")
    file(READ "${directory}/arguments" before)
  endif()
  if(NOT arguments STREQUAL before)
    file(REMOVE_RECURSE "${directory}")
    file(MAKE_DIRECTORY "${directory}/include")
    file(WRITE "${directory}/arguments" "${arguments}")
  endif()
endfunction()

# The library <target> to link to, and the library <target>__model to load: compiled once.
function(_robcogen_add_libraries)
  _robcogen_find_eigen()
  _robcogen_add_objects(${target}__objects ${sources})
  set(objects $<TARGET_OBJECTS:${target}__objects>)
  _robcogen_add_instruction_sets()
  add_library(${target} ${kind} ${objects})
  target_link_options(${target} PRIVATE ${_robcogen_startup})
  if(arg_WHOLE_BODY OR arg_WHOLE_BODY_CONTROLLER)
    _robcogen_use_proxqp(${target})
  endif()
  _robcogen_describe_library(PUBLIC)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${PROJECT_NAME}_${target} LINKER_LANGUAGE CXX)
  _robcogen_add_model()
endfunction()

# Compiles functions once more for each instruction set, into the same libraries. Without a request, x86-64-v4 is for
# inertia matrices alone: those of humanoids take half the time of x86-64-v3, other functions at least 0.8 of it.
macro(_robcogen_add_instruction_sets)
  _robcogen_instruction_sets(instruction_sets)
  if(instruction_sets)
    target_compile_definitions(${target}__objects PRIVATE ROBCOGEN_INSTRUCTION_SET=x86_64 ROBCOGEN_CHOOSES)
  endif()
  foreach(set IN LISTS instruction_sets)
    set(sources_of_set ${sources_of_sets})
    if(set STREQUAL "x86-64-v4" AND NOT DEFINED arg_INSTRUCTION_SETS)
      set(sources_of_set "${directory}/src/inertia_matrix.cpp")
    endif()
    string(REPLACE "-" "_" set "${set}")
    string(TOUPPER "ROBCOGEN_${set}" compiled)
    set_property(SOURCE ${sources_of_set} APPEND PROPERTY COMPILE_DEFINITIONS ${compiled})
    _robcogen_add_objects(${target}__objects_${set} ${sources_of_set})
    target_compile_definitions(${target}__objects_${set} PRIVATE ROBCOGEN_INSTRUCTION_SET=${set})
    target_compile_options(${target}__objects_${set} PRIVATE ${_robcogen_${set}})
    if(NOT "${CMAKE_CXX_FLAGS}" MATCHES "-ffp-contract=")
      target_compile_options(${target}__objects_${set} PRIVATE -ffp-contract=fast)
    endif()
    set_target_properties(${target}__objects_${set} PROPERTIES
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    list(APPEND objects $<TARGET_OBJECTS:${target}__objects_${set}>)
  endforeach()
endmacro()

# Compiles sources.
function(_robcogen_add_objects objects)
  add_library(${objects} OBJECT ${ARGN})
  add_dependencies(${objects} ${target}__generate)
  target_include_directories(${objects} PRIVATE "${directory}/include")
  target_link_libraries(${objects} PRIVATE robcogen_ros::robcogen_ros Eigen3::Eigen)
  target_compile_features(${objects} PRIVATE cxx_std_17)
  # Tables of two libraries of one name, as of one that was built again, are not to be shared.
  target_compile_options(${objects} PRIVATE
    $<$<STREQUAL:$<CONFIG>,>:-O2> $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(kind STREQUAL "STATIC")
    set_target_properties(${objects} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()

# Looks for proxsuite, once: what it looks for in turn cannot be found twice.
macro(_robcogen_find_proxsuite)
  if(NOT TARGET proxsuite::proxsuite)
    find_package(proxsuite QUIET)
  endif()
endmacro()

# The target robcogen_ros__proxqp: the solver of quadratic programs, compiled once for the robots of a project, where it is
# not installed as robcogen_ros::proxqp; none without proxsuite.
function(_robcogen_add_proxqp)
  if(TARGET robcogen_ros__proxqp)
    return()
  endif()
  _robcogen_find_proxsuite()
  if(NOT TARGET proxsuite::proxsuite)
    message(STATUS "robcogen_generate(${target}): proxsuite is not found, so whole-body control distributes forces by "
      "least squares and only reports limits that it exceeds; install ros-$ENV{ROS_DISTRO}-proxsuite for a QP")
    return()
  endif()
  add_library(robcogen_ros__proxqp OBJECT "${robcogen_ros_INCLUDE_DIR}/robcogen_ros/whole_body/proxqp.cpp")
  target_link_libraries(robcogen_ros__proxqp PRIVATE robcogen_ros::robcogen_ros proxsuite::proxsuite)
  target_compile_features(robcogen_ros__proxqp PRIVATE cxx_std_17)
  target_compile_options(robcogen_ros__proxqp PRIVATE $<$<STREQUAL:$<CONFIG>,>:-O2> ${_robcogen_arithmetic})
  set_target_properties(robcogen_ros__proxqp PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# Lets the controller of whole bodies in a library, and in what links to it, solve quadratic programs.
function(_robcogen_use_proxqp library)
  if(TARGET robcogen_ros::proxqp)
    target_link_libraries(${library} PUBLIC robcogen_ros::proxqp)
  else()
    _robcogen_add_proxqp()
    if(NOT TARGET robcogen_ros__proxqp)
      return()
    endif()
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:robcogen_ros__proxqp>)
  endif()
  target_compile_definitions(${library} PUBLIC ROBCOGEN_ROS_WITH_PROXQP)
endfunction()

# A library to load, of what was compiled.
function(_robcogen_add_model)
  set(library ${target}__model)
  add_library(${library} MODULE ${objects})
  target_link_options(${library} PRIVATE ${_robcogen_startup})
  set_target_properties(${library} PROPERTIES
    OUTPUT_NAME ${PROJECT_NAME}__${target} PREFIX lib SUFFIX .so LINKER_LANGUAGE CXX)
  if(APPLE)
    target_link_options(${library} PRIVATE "-Wl,-exported_symbol,_robcogen_*_${PROJECT_NAME}__${target}")
  else()
    set(exports "${directory}/exports.map")
    file(CONFIGURE OUTPUT "${exports}" CONTENT
      "{ global: robcogen_*_${PROJECT_NAME}__${target}; local: *; };\n")
    set_target_properties(${library} PROPERTIES LINK_DEPENDS "${exports}")
    target_link_options(${library} PRIVATE
      "-Wl,--version-script=${exports}" -Wl,--as-needed -Wl,--no-undefined -Wl,-z,now)
  endif()
endfunction()

# The instruction sets to compile for besides: none where flags or another processor decide already.
function(_robcogen_instruction_sets result)
  set(sets x86-64-v3 x86-64-v4)
  if(DEFINED arg_INSTRUCTION_SETS)
    set(sets ${arg_INSTRUCTION_SETS})
    list(REMOVE_ITEM sets x86-64)
    list(REMOVE_DUPLICATES sets)
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  get_directory_property(options COMPILE_OPTIONS)
  set(why "")
  if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${configuration}} ${options}" MATCHES "-march=|-mcpu=|-mavx|-mfma")
    set(why "flags of the compiler name one")
  elseif(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"
      OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
    set(why "they are those of x86-64 on Linux")
  elseif(configuration STREQUAL "DEBUG")
    set(why "nothing is optimised")
  endif()
  if(why AND DEFINED arg_INSTRUCTION_SETS)
    message(STATUS "robcogen_generate(${target}): INSTRUCTION_SETS left out: ${why}")
  endif()
  if(why)
    set(sets "")
  endif()
  set(${result} "${sets}" PARENT_SCOPE)
endfunction()

# What users of the library <target> need: INTERFACE if it has no code of its own, else PUBLIC.
function(_robcogen_describe_library scope)
  add_library(${PROJECT_NAME}::${target} ALIAS ${target})
  add_dependencies(${target} ${target}__generate)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${directory}/include>
    $<INSTALL_INTERFACE:include/${PROJECT_NAME}>)
  target_link_libraries(${target} ${scope} robcogen_ros::robcogen_ros Eigen3::Eigen)
  target_compile_features(${target} ${scope} cxx_std_17)
endfunction()

function(_robcogen_install)
  install(TARGETS ${target} EXPORT export_${PROJECT_NAME}_${target}
    ARCHIVE DESTINATION lib LIBRARY DESTINATION lib RUNTIME DESTINATION bin)
  install(DIRECTORY "${directory}/include/${PROJECT_NAME}" DESTINATION include/${PROJECT_NAME}
    FILES_MATCHING PATTERN "*.hpp")
  if(DEFINED arg_BACKENDS)
    install(DIRECTORY "${directory}/" DESTINATION share/${PROJECT_NAME}/${target}
      FILES_MATCHING PATTERN "*.m" PATTERN "*.py" PATTERN "*.mac" PATTERN "*.h" PATTERN "*.c" PATTERN "*.program"
      PATTERN include EXCLUDE PATTERN src EXCLUDE)
  endif()
  if(NOT transforms)
    _robcogen_install_model()
  endif()
endfunction()

function(_robcogen_install_model)
  install(TARGETS ${target}__model LIBRARY DESTINATION lib)
  set(entry "${directory}/${PROJECT_NAME}__${target}")
  set(library lib${PROJECT_NAME}__${target}.so)
  file(CONFIGURE OUTPUT "${entry}" CONTENT "lib/${library}\nrobcogen_model_${PROJECT_NAME}__${target}\n")
  install(FILES "${entry}" DESTINATION share/ament_index/resource_index/robcogen_models)
endfunction()
