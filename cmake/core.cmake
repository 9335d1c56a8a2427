# Libraries of the objects that serve all robots, for any processor of the kind that this build is for.

set(flags $<$<STREQUAL:$<CONFIG>,>:-O2> $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
  -fno-associative-math -fno-reciprocal-math -fsigned-zeros -fno-finite-math-only)

# The solver of quadratic programs, which robots under whole-body control are linked to as well.
if(TARGET proxsuite::proxsuite)
  set(proxqp ${PROJECT_NAME}_proxqp)
  add_library(${proxqp} STATIC include/${PROJECT_NAME}/whole_body/proxqp.cpp)
  set_target_properties(${proxqp} PROPERTIES EXPORT_NAME proxqp POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${proxqp} PRIVATE cxx_std_17)
  target_compile_definitions(${proxqp} PRIVATE NDEBUG)
  target_compile_options(${proxqp} PRIVATE ${flags})
  target_link_libraries(${proxqp} PRIVATE $<BUILD_INTERFACE:${PROJECT_NAME}> $<BUILD_INTERFACE:proxsuite::proxsuite>)
  install(TARGETS ${proxqp} EXPORT export_${PROJECT_NAME} ARCHIVE DESTINATION lib)
endif()

file(GLOB sources CONFIGURE_DEPENDS include/${PROJECT_NAME}/core/*.cpp)
list(FILTER sources EXCLUDE REGEX "/size.cpp$")
foreach(source IN LISTS sources)
  cmake_path(GET source STEM object)
  set(library ${PROJECT_NAME}_core_${object})
  add_library(${library} MODULE ${source} include/${PROJECT_NAME}/core/size.cpp)
  set_target_properties(${library} PROPERTIES PREFIX lib SUFFIX .so OUTPUT_NAME ${PROJECT_NAME}_${object}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${library} PRIVATE cxx_std_17)
  target_compile_definitions(${library} PRIVATE NDEBUG EIGEN_STACK_ALLOCATION_LIMIT=4194304)
  target_compile_options(${library} PRIVATE ${flags})
  target_link_options(${library} PRIVATE -fno-fast-math -fno-unsafe-math-optimizations -O2)
  target_link_libraries(${library} PRIVATE ${PROJECT_NAME} Eigen3::Eigen)
  if(object STREQUAL whole_body)
    if(TARGET ${proxqp})
      target_compile_definitions(${library} PRIVATE ROBCOGEN_ROS_WITH_PROXQP)
      target_link_libraries(${library} PRIVATE ${proxqp})
    else() # good enough where none is found later
      set_target_properties(${library} PROPERTIES OUTPUT_NAME ${PROJECT_NAME}_${object}_without_proxsuite)
    endif()
  endif()
  install(TARGETS ${library} LIBRARY DESTINATION ${PYTHON_INSTALL_DIR}/${PROJECT_NAME})
endforeach()
