# One test for `colcon test` per folder of test/ that holds tests; nothing is downloaded for it.

get_executable_path(python Python3::Interpreter BUILD)
file(GLOB folders CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/[a-z]*)
foreach(folder IN LISTS folders)
  file(GLOB files ${folder}/test_*.py)
  if(files)
    cmake_path(GET folder FILENAME kind)
    set(result "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}/${kind}.xml")
    ament_add_test(${kind}
      COMMAND ${python} -m pytest test/${kind} --junit-xml=${result}
      RESULT_FILE ${result}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      TIMEOUT 900)
  endif()
endforeach()

# The linters of ament that package.xml names, where they are installed.
find_package(ament_lint_auto QUIET)
if(ament_lint_auto_FOUND)
  set(ament_cmake_flake8_CONFIG_FILE "${CMAKE_CURRENT_SOURCE_DIR}/.flake8")
  ament_lint_auto_find_test_dependencies()
endif()
