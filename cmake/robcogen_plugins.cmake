# The plugins that robcogen_generate() makes. Variables are those of _robcogen_generate().

include("${CMAKE_CURRENT_LIST_DIR}/ros2_control.cmake")

# The packages that the plugin of a keyword is built with, in the variable `result`.
function(_robcogen_packages_of keyword result)
  foreach(each IN ITEMS CONTROLLER TASK_SPACE_CONTROLLER WHOLE_BODY_CONTROLLER EXTERNAL_FORCE_BROADCASTER)
    set(${each} ${_robcogen_ros2_control_packages})
  endforeach()
  set(INVERSE_DYNAMICS_SOLVER inverse_dynamics_solver pluginlib rclcpp urdf)
  set(KINEMATICS_PLUGIN kinematics_interface pluginlib rclcpp urdf)
  set(MOVEIT_PLUGIN moveit_core pluginlib rclcpp urdf)
  set(${result} ${${keyword}} PARENT_SCOPE)
endfunction()

# Looks for the packages of the keywords among certain arguments. A macro: packages whose targets outlive
# a function, but not the variables that guard them, cannot be found there and then again elsewhere.
macro(_robcogen_find_packages)
  set(_robcogen_given ${ARGN})
  foreach(_robcogen_keyword IN ITEMS CONTROLLER TASK_SPACE_CONTROLLER WHOLE_BODY_CONTROLLER EXTERNAL_FORCE_BROADCASTER
      INVERSE_DYNAMICS_SOLVER KINEMATICS_PLUGIN MOVEIT_PLUGIN)
    if("${_robcogen_keyword}" IN_LIST _robcogen_given)
      _robcogen_packages_of(${_robcogen_keyword} _robcogen_packages)
      foreach(_robcogen_package IN LISTS _robcogen_packages)
        find_package(${_robcogen_package} QUIET)
        if(NOT ${_robcogen_package}_FOUND)
          break()
        endif()
      endforeach()
    endif()
  endforeach()
  if("WHOLE_BODY_CONTROLLER" IN_LIST _robcogen_given)
    find_package(nav_msgs QUIET)  # for a base state by topic
  endif()
  unset(_robcogen_given)
  unset(_robcogen_keyword)
  unset(_robcogen_packages)
  unset(_robcogen_package)
endmacro()

# Says what to write into package.xml where a package that a keyword needs was not found.
function(_robcogen_need_packages keyword)
  _robcogen_packages_of(${keyword} packages)
  foreach(package IN LISTS packages)
    if(NOT ${package}_FOUND)
      list(TRANSFORM packages REPLACE "(.+)" "\n  <depend>\\1</depend>")
      list(JOIN packages "" lines)
      _robcogen_error("${keyword} needs the package ${package}, which is not found; install it, and \
see that package.xml has${lines}")
    endif()
  endforeach()
endfunction()

# The library <target>__<kind>: classes of ros2_control, given as <suffix>=<category>=<base>=<description>.
function(_robcogen_add_control_plugins keyword kind)
  _robcogen_need_packages(${keyword})
  _robcogen_class(class)
  set(library ${PROJECT_NAME}_${target}_${kind})
  add_library(${target}__${kind} SHARED "${directory}/src/${kind}.cpp")
  add_dependencies(${target}__${kind} ${target}__generate)
  set_target_properties(${target}__${kind} PROPERTIES OUTPUT_NAME ${library})
  _robcogen_find_ros2_control(controllers)
  target_link_libraries(${target}__${kind} PRIVATE ${target} ${controllers}
    controller_interface::controller_interface hardware_interface::hardware_interface
    pluginlib::pluginlib urdf::urdf ${control_msgs_TARGETS} ${trajectory_msgs_TARGETS} ${nav_msgs_TARGETS}
    ${geometry_msgs_TARGETS}
    rclcpp_lifecycle::rclcpp_lifecycle)
  target_compile_options(${target}__${kind} PRIVATE $<$<STREQUAL:$<CONFIG>,>:-O2>)
  target_link_options(${target}__${kind} PRIVATE ${_robcogen_startup})
  if(controller_interface_VERSION VERSION_GREATER_EQUAL 6)
    target_compile_features(${target}__${kind} PRIVATE cxx_std_20)
  endif()
  foreach(plugin IN LISTS ARGN)
    string(REPLACE "=" ";" plugin "${plugin}")
    list(GET plugin 0 suffix)
    list(GET plugin 1 category)
    list(GET plugin 2 base)
    list(GET plugin 3 description)
    _robcogen_add_plugin(${category} ${library} ${class}${suffix} ${category}::${base} "${description}")
  endforeach()
  if(NOT arg_SKIP_INSTALL)
    install(TARGETS ${target}__${kind} LIBRARY DESTINATION lib)
  endif()
  set(plugins "${plugins}" PARENT_SCOPE)
endfunction()

# The target of the controllers that serve all robots, in the variable `result`: what is installed, else what this project
# compiles once. Installed without the solver of quadratic programs they are compiled anew where there is one.
function(_robcogen_find_ros2_control result)
  _robcogen_find_proxsuite()
  if(TARGET robcogen_ros::ros2_control AND (TARGET robcogen_ros::proxqp OR NOT TARGET proxsuite::proxsuite))
    set(${result} robcogen_ros::ros2_control PARENT_SCOPE)
    return()
  endif()
  set(library robcogen_ros__ros2_control)
  if(NOT TARGET ${library})
    _robcogen_add_ros2_control(${library} "${robcogen_ros_INCLUDE_DIR}")
    target_link_libraries(${library} PUBLIC robcogen_ros::robcogen_ros)
    _robcogen_use_proxqp(${library})
  endif()
  set(${result} ${library} PARENT_SCOPE)
endfunction()

# The library <target>__<kind>: the robot as an interface of another package, of its target `interface`.
function(_robcogen_add_interface_plugin keyword package interface kind class base description)
  _robcogen_need_packages(${keyword})
  _robcogen_class(robot)
  set(library ${PROJECT_NAME}_${target}_${kind})
  add_library(${target}__${kind} SHARED "${directory}/src/${kind}.cpp")
  add_dependencies(${target}__${kind} ${target}__generate)
  set_target_properties(${target}__${kind} PROPERTIES OUTPUT_NAME ${library})
  target_link_libraries(${target}__${kind} PRIVATE ${target}
    ${package}::${interface} pluginlib::pluginlib rclcpp::rclcpp urdf::urdf)
  target_compile_options(${target}__${kind} PRIVATE $<$<STREQUAL:$<CONFIG>,>:-O2>)
  target_link_options(${target}__${kind} PRIVATE ${_robcogen_startup})
  _robcogen_add_plugin(${package} ${library} ${robot}${class} ${base} "${description}")
  if(NOT arg_SKIP_INSTALL)
    install(TARGETS ${target}__${kind} LIBRARY DESTINATION lib)
  endif()
  set(plugins "${plugins}" PARENT_SCOPE)
endfunction()

# What names of plugins begin with, in the variable `result`: left_arm gives LeftArm.
function(_robcogen_class result)
  string(REGEX REPLACE "_+" ";" words "${target}")
  set(class "")
  foreach(word IN LISTS words)
    string(SUBSTRING "${word}" 0 1 first)
    string(TOUPPER "${first}" first)
    string(SUBSTRING "${word}" 1 -1 rest)
    string(APPEND class "${first}${rest}")
  endforeach()
  set(${result} "${class}" PARENT_SCOPE)
endfunction()

# Describes a class of a library to pluginlib; appends <category>=<file> to `plugins`.
function(_robcogen_add_plugin category library class base description)
  set(file "${directory}/${PROJECT_NAME}__${class}.xml")
  file(CONFIGURE OUTPUT "${file}" CONTENT "<library path=\"${library}\">
  <class name=\"${PROJECT_NAME}/${class}\" type=\"${PROJECT_NAME}::${class}\" base_class_type=\"${base}\">
    <description>${description}</description>
  </class>
</library>
")
  if(NOT arg_SKIP_INSTALL)
    install(FILES "${file}" DESTINATION share/${PROJECT_NAME})
  endif()
  set(plugins ${plugins} "${category}=share/${PROJECT_NAME}/${PROJECT_NAME}__${class}.xml" PARENT_SCOPE)
endfunction()

# Hands plugins to pluginlib's own list, which ament_package() writes; so others' entries stay.
macro(_robcogen_export_plugins)
  foreach(_robcogen_plugin IN ITEMS ${ARGN})
    string(REGEX REPLACE "=.*" "" _robcogen_category "${_robcogen_plugin}")
    string(REGEX REPLACE "^[^=]*=" "" _robcogen_file "${_robcogen_plugin}")
    set(__PLUGINLIB_CATEGORY_CONTENT__${_robcogen_category}
      "${__PLUGINLIB_CATEGORY_CONTENT__${_robcogen_category}}${_robcogen_file}\n")
    list(APPEND __PLUGINLIB_PLUGIN_CATEGORIES ${_robcogen_category})
  endforeach()
  unset(_robcogen_plugin)
  unset(_robcogen_category)
  unset(_robcogen_file)
endmacro()
