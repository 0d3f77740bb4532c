# Units: each src/MODULE/NAME_test.cpp is one CTest case MODULE.NAME; a module's test files share one binary test_MODULE.
# End to end: tests/ holds plain files and its own driver, registered by tests/CMakeLists.txt.

add_library(doctest_main OBJECT tests/doctest_main.cpp)
foreach(module IN LISTS NACRE_MODULES)
  file(GLOB test_sources CONFIGURE_DEPENDS src/${module}/*_test.cpp)
  if(NOT test_sources)
    continue()
  endif()
  add_executable(test_${module} ${test_sources} $<TARGET_OBJECTS:doctest_main>)
  target_precompile_headers(test_${module} REUSE_FROM precompiled)
  target_link_libraries(test_${module} PRIVATE module_${module} $<TARGET_NAME_IF_EXISTS:testing_${module}>
                                             rapidcheck Threads::Threads)
  foreach(test_source IN LISTS test_sources)
    link_included_modules(test_${module} ${test_source})
    # Only those that read files of the source tree know where it is: ccache shares the objects of all others between checkouts.
    file(STRINGS ${test_source} reads_sources REGEX NACRE_SOURCE_DIR)
    if(reads_sources)
      set_property(SOURCE ${test_source} PROPERTY COMPILE_DEFINITIONS NACRE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    endif()
    get_filename_component(test_name ${test_source} NAME_WE)
    string(REGEX REPLACE "_test$" "" test_name ${test_name})
    add_test(NAME ${module}.${test_name} COMMAND test_${module} --source-file=*/${test_name}_test.cpp)
    set_tests_properties(${module}.${test_name} PROPERTIES TIMEOUT 1200)
  endforeach()
endforeach()
set_tests_properties(commands.soundness PROPERTIES COST 1000) # the longest one, so it starts first
target_sources(test_cli PRIVATE src/cli/heap.cpp) # which belongs to the program, not to the module
add_subdirectory(tests)
