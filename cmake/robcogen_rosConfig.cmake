# find_package(robcogen_ros) for an installation by pip, which has no ament:
#
#   cmake -S . -B build -D robcogen_ros_DIR=$(robcogen --cmake-dir)
#
# robcogen_generate() makes, installs and exports the same libraries; keywords of plugins find no packages there.
cmake_path(SET robcogen_ros_INCLUDE_DIR NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../include")
cmake_path(SET robcogen_ros_PYTHON_DIR NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../robcogen_ros/__init__.py") # a checkout, by `pip install --editable`
  cmake_path(SET robcogen_ros_PYTHON_DIR NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/..")
endif()

# The Python of the environment: <prefix>/lib/python3.12/site-packages is that of <prefix>/bin/python3.12.
if(robcogen_ros_PYTHON_DIR MATCHES "^(.*)/lib(64)?/(python3\\.[0-9]+)/")
  set(robcogen_ros_PYTHON_EXECUTABLE "${CMAKE_MATCH_1}/bin/${CMAKE_MATCH_3}")
endif()

# Eigen may have come by pip, too.
list(APPEND CMAKE_PREFIX_PATH "${robcogen_ros_PYTHON_DIR}/cmeel.prefix")

if(NOT TARGET robcogen_ros::robcogen_ros)
  add_library(robcogen_ros::robcogen_ros INTERFACE IMPORTED)
  target_include_directories(robcogen_ros::robcogen_ros INTERFACE "${robcogen_ros_INCLUDE_DIR}")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/robcogen_generate.cmake")
