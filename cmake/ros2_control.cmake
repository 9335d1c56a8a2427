# The library of controllers and simulated hardware of ros2_control, which serve all robots; where it is not installed,
# packages of robots compile it once each. Its sources are in `sources`, its packages in `packages`.

function(_robcogen_add_ros2_control library include_directory)
  file(GLOB sources CONFIGURE_DEPENDS "${include_directory}/robcogen_ros/ros2_control/*.cpp")
  add_library(${library} STATIC ${sources})
  set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${library} PRIVATE cxx_std_17)
  if(controller_interface_VERSION VERSION_GREATER_EQUAL 6)
    target_compile_features(${library} PRIVATE cxx_std_20)
  endif()
  target_compile_definitions(${library} PRIVATE NDEBUG EIGEN_STACK_ALLOCATION_LIMIT=4194304)
  target_compile_options(${library} PRIVATE $<$<STREQUAL:$<CONFIG>,>:-O2> $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
    -fno-associative-math -fno-reciprocal-math -fsigned-zeros -fno-finite-math-only)
  foreach(needed IN ITEMS Eigen3::Eigen controller_interface::controller_interface
      hardware_interface::hardware_interface urdf::urdf rclcpp_lifecycle::rclcpp_lifecycle
      ${control_msgs_TARGETS} ${trajectory_msgs_TARGETS} ${nav_msgs_TARGETS} ${geometry_msgs_TARGETS})
    target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:${needed}>)
  endforeach()
endfunction()

# The packages that it is compiled with.
set(_robcogen_ros2_control_packages controller_interface hardware_interface pluginlib urdf control_msgs trajectory_msgs
  geometry_msgs rclcpp_lifecycle)
