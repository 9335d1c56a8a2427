# The targets that robcogen_generate() makes. Variables are those of _robcogen_generate().

# The target <target>__generate: files written by the generator, listed in `headers` and `sources`.
function(_robcogen_add_generation)
  set(stamp "${directory}/generated.stamp")
  cmake_path(ABSOLUTE_PATH arg_MODEL NORMALIZE OUTPUT_VARIABLE model)
  if(NOT EXISTS "${model}" AND NOT arg_DEPENDS)
    _robcogen_error("there is no file ${model}")
  endif()
  set(functions inverse_dynamics forward_dynamics inertia_matrix inertia_inverse kinematics)
  list(TRANSFORM functions PREPEND "${directory}/src/" OUTPUT_VARIABLE sources)
  list(TRANSFORM sources APPEND ".cpp")
  list(APPEND sources "${directory}/src/model.cpp")
  set(include "${directory}/include/${PROJECT_NAME}")
  list(TRANSFORM functions PREPEND "${include}/${target}/" OUTPUT_VARIABLE headers)
  list(TRANSFORM headers APPEND ".hpp")
  list(APPEND headers "${include}/${target}.hpp")

  _robcogen_command(command)
  file(MAKE_DIRECTORY "${directory}/include")
  add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${headers} ${sources}
    COMMAND ${command}
    DEPENDS "${model}" ${arg_DEPENDS}
    DEPFILE "${directory}/generated.d"
    WORKING_DIRECTORY "${directory}"
    COMMENT "Generating ${PROJECT_NAME}::${target} from ${arg_MODEL}"
    VERBATIM)
  add_custom_target(${target}__generate DEPENDS "${stamp}")
  set(sources "${sources}" PARENT_SCOPE)
endfunction()

# The library <target> to link to, and the library <target>__model to load: compiled once.
function(_robcogen_add_libraries)
  find_package(Eigen3 REQUIRED)
  add_library(${target}__objects OBJECT ${sources})
  add_dependencies(${target}__objects ${target}__generate)
  target_include_directories(${target}__objects PRIVATE "${directory}/include")
  target_link_libraries(${target}__objects PRIVATE robcogen_ros::robcogen_ros Eigen3::Eigen)
  target_compile_features(${target}__objects PRIVATE cxx_std_17)
  target_compile_options(${target}__objects PRIVATE $<$<STREQUAL:$<CONFIG>,>:-O2>)
  set_target_properties(${target}__objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(kind STREQUAL "STATIC")
    set_target_properties(${target}__objects PROPERTIES
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()

  add_library(${target} ${kind} $<TARGET_OBJECTS:${target}__objects>)
  add_library(${PROJECT_NAME}::${target} ALIAS ${target})
  add_dependencies(${target} ${target}__generate)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${directory}/include>
    $<INSTALL_INTERFACE:include/${PROJECT_NAME}>)
  target_link_libraries(${target} PUBLIC robcogen_ros::robcogen_ros Eigen3::Eigen)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${PROJECT_NAME}_${target} LINKER_LANGUAGE CXX)

  set(symbol robcogen_model_${PROJECT_NAME}__${target})
  add_library(${target}__model MODULE $<TARGET_OBJECTS:${target}__objects>)
  set_target_properties(${target}__model PROPERTIES
    OUTPUT_NAME ${PROJECT_NAME}__${target} PREFIX lib SUFFIX .so LINKER_LANGUAGE CXX)
  if(APPLE)
    target_link_options(${target}__model PRIVATE "-Wl,-exported_symbol,_${symbol}")
  else()
    set(exports "${directory}/exports.map")
    file(CONFIGURE OUTPUT "${exports}" CONTENT "{ global: ${symbol}; local: *; };\n")
    set_target_properties(${target}__model PROPERTIES LINK_DEPENDS "${exports}")
    target_link_options(${target}__model PRIVATE
      "-Wl,--version-script=${exports}" -Wl,--as-needed -Wl,--no-undefined -Wl,-z,now)
  endif()
endfunction()

function(_robcogen_install)
  install(TARGETS ${target} EXPORT export_${PROJECT_NAME}_${target}
    ARCHIVE DESTINATION lib LIBRARY DESTINATION lib RUNTIME DESTINATION bin)
  install(TARGETS ${target}__model LIBRARY DESTINATION lib)
  install(DIRECTORY "${directory}/include/${PROJECT_NAME}" DESTINATION include/${PROJECT_NAME}
    FILES_MATCHING PATTERN "*.hpp")

  set(entry "${directory}/${PROJECT_NAME}__${target}")
  set(library lib${PROJECT_NAME}__${target}.so)
  file(CONFIGURE OUTPUT "${entry}" CONTENT "lib/${library}\nrobcogen_model_${PROJECT_NAME}__${target}\n")
  install(FILES "${entry}" DESTINATION share/ament_index/resource_index/robcogen_models)
endfunction()
