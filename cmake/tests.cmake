# One test for `colcon test` per folder of test/; nothing is downloaded for it.

file(GLOB test_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*/test_*.py)
set(kinds "")
foreach(file IN LISTS test_files)
  cmake_path(GET file PARENT_PATH directory)
  cmake_path(GET directory FILENAME kind)
  list(APPEND kinds ${kind})
endforeach()
list(REMOVE_DUPLICATES kinds)

get_executable_path(python Python3::Interpreter BUILD)
foreach(kind IN LISTS kinds)
  set(result "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}/${kind}.xml")
  ament_add_test(${kind}
    COMMAND ${python} -m pytest test/${kind} --junit-xml=${result}
    RESULT_FILE ${result}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    TIMEOUT 900)
endforeach()
