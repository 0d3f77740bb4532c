# Units: each src/ROOM/NAME_test.cpp is one CTest case ROOM.NAME; a room's test files share one binary test_ROOM.
# End to end: tests/ holds plain files and its own driver, registered by tests/CMakeLists.txt.

add_library(doctest_main OBJECT tests/doctest_main.cpp)
foreach(room IN LISTS NACRE_ROOMS)
  file(GLOB test_sources CONFIGURE_DEPENDS src/${room}/*_test.cpp)
  if(NOT test_sources)
    continue()
  endif()
  add_executable(test_${room} ${test_sources} $<TARGET_OBJECTS:doctest_main>)
  target_precompile_headers(test_${room} REUSE_FROM precompiled)
  target_link_libraries(test_${room} PRIVATE room_${room} $<TARGET_NAME_IF_EXISTS:testing_${room}>
                                             rapidcheck Threads::Threads)
  target_compile_definitions(test_${room} PRIVATE NACRE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  foreach(test_source IN LISTS test_sources)
    get_filename_component(test_name ${test_source} NAME_WE)
    string(REGEX REPLACE "_test$" "" test_name ${test_name})
    add_test(NAME ${room}.${test_name} COMMAND test_${room} --source-file=*/${test_name}_test.cpp)
    set_tests_properties(${room}.${test_name} PROPERTIES TIMEOUT 1200)
  endforeach()
endforeach()
add_subdirectory(tests)
