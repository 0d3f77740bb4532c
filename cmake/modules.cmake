# One static library `module_NAME` per line of src/MODULES, from every .cpp of src/NAME/ and src/NAME/rules/ that is not a test.
# A module that has no source yet is left out; the others link to what is there.

add_library(precompiled OBJECT src/base/precompiled.cpp)
target_precompile_headers(precompiled PRIVATE src/base/precompiled.h)
target_include_directories(precompiled PRIVATE src)
file(SHA256 ${CMAKE_SOURCE_DIR}/src/base/precompiled.h precompiled_sum)
foreach(suffix gch pch) # of g++, of clang
  file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/precompiled.dir/cmake_pch.hxx.${suffix}.sum "${precompiled_sum}\n")
endforeach()

# Static: a shared one would be searched, mapped and bound at each start.
find_library(UTF8PROC NAMES libutf8proc.a REQUIRED)
find_library(EDIT NAMES libedit.a REQUIRED)
find_library(TERMINFO NAMES libtinfo.a REQUIRED)
find_library(BSD NAMES libbsd.a REQUIRED)

# Modules whose files can be compiled together: no name in an anonymous namespace is used twice. It takes less time.
# Leave out the module that you work on (`cmake --preset test -DNACRE_UNITY_MODULES="..."`): then one file is compiled, not twelve.
set(NACRE_UNITY_MODULES regular shell commands flow make purify world system utilities machine simulate colis explore prove remake python report docker layers project terminal base CACHE STRING "Modules compiled in batches")

# It uses a namespace whose names other files of the module have, too.
set_property(SOURCE src/colis/original_cases.cpp PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)

set(NACRE_MODULES "")
file(STRINGS src/MODULES module_lines REGEX "^[a-z]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/MODULES)
foreach(line IN LISTS module_lines)
  string(REGEX MATCH "^[a-z]+" module "${line}")
  string(REGEX REPLACE "^[a-z]+: *" "" allowed "${line}")
  string(REGEX REPLACE " +" ";" allowed "${allowed}")
  file(GLOB sources CONFIGURE_DEPENDS src/${module}/*.cpp src/${module}/rules/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(_test|/precompiled|/main|/cli/heap|_wasm)\\.cpp$")
  if(NOT sources)
    continue()
  endif()
  list(APPEND NACRE_MODULES ${module})
  add_library(module_${module} STATIC ${sources})
  target_include_directories(module_${module} PUBLIC src)
  target_link_libraries(module_${module} PUBLIC ${UTF8PROC})
  target_precompile_headers(module_${module} REUSE_FROM precompiled)
  if(NACRE_UNITY AND module IN_LIST NACRE_UNITY_MODULES)
    set_target_properties(module_${module} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
  foreach(below IN LISTS allowed)
    if(TARGET module_${below})
      target_link_libraries(module_${module} PUBLIC module_${below})
    endif()
  endforeach()
  # What the tests, benchmarks and fuzzers of a module share lies in src/NAME/testing/.
  file(GLOB testing_sources CONFIGURE_DEPENDS src/${module}/testing/*.cpp)
  if(testing_sources)
    add_library(testing_${module} STATIC EXCLUDE_FROM_ALL ${testing_sources})
    target_link_libraries(testing_${module} PUBLIC module_${module})
    target_precompile_headers(testing_${module} REUSE_FROM precompiled)
  endif()
endforeach()
# The source that includes a heavy library runs once in a while: compiled fast rather than to be fast.
if(NACRE_LTO)
  set_property(SOURCE src/project/configuration.cpp PROPERTY COMPILE_OPTIONS -O1 -fno-lto)
  # The modules in which time is spent are optimised across files. g++ 12 fails (in add_symbol_to_partition_1) when the large
  # modules above them join.
  foreach(module flow commands utilities python)
    target_compile_options(module_${module} PRIVATE -fno-lto)
  endforeach()
endif()

# link_included_modules(TARGET SOURCE): the modules whose headers SOURCE includes, with what their tests share.
function(link_included_modules target source)
  file(STRINGS ${source} includes REGEX "^#include \"[a-z]+/")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"([a-z]+)/.*" "\\1" module "${line}")
    target_link_libraries(${target} PRIVATE module_${module} $<TARGET_NAME_IF_EXISTS:testing_${module}>)
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

target_link_libraries(module_terminal PUBLIC ${EDIT} ${TERMINFO} ${BSD})
target_compile_definitions(module_cli PRIVATE NACRE_VERSION="${PROJECT_VERSION}")

include(cmake/embed.cmake)
embed_files(base code_pages docs/codes/*.md)
embed_files(commands cards commands/*.card)
embed_files(docker base_images src/docker/images.table)
embed_files(docker licenses src/docker/licenses.table)
embed_files(explore scenarios scenarios/*.scenario scenarios/*.list)
