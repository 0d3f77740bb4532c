# The programs of the web page, for Debian's emscripten: what checks shell scripts (nacre-check) and every language
# (nacre-more), what runs scripts (nacre-step) and what explores them (nacre-explore). They are the modules below `cli`,
# without `system` and `terminal`, and a file of functions each (web/wasm). Only the two that run have exceptions and
# fibers: a simulated process stops by an exception, on a stack of its own.

set(WASM ${CMAKE_SOURCE_DIR}/web/wasm)
set(SHIMS ${CMAKE_BINARY_DIR}/include)
# Libraries of which only headers are needed. The directory /usr/include as a whole belongs to another libc.
foreach(header fmt nlohmann toml++ tl xxhash.h utf8proc.h)
  file(MAKE_DIRECTORY ${SHIMS})
  if(NOT EXISTS ${SHIMS}/${header})
    file(CREATE_LINK /usr/include/${header} ${SHIMS}/${header} SYMBOLIC)
  endif()
endforeach()

# utf8proc's library is native code: a native program writes its tables.
find_program(HOST_CXX NAMES g++ clang++ REQUIRED NO_CMAKE_FIND_ROOT_PATH)
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/unicode_tables.inc
  COMMAND ${HOST_CXX} -std=c++20 -O1 ${WASM}/write_unicode_tables.cpp -o write_unicode_tables
          -l:libutf8proc.a
  COMMAND ./write_unicode_tables unicode_tables.inc
  DEPENDS ${WASM}/write_unicode_tables.cpp
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)

include(cmake/embed.cmake)

# The precompiled header, once without exceptions and once with them.
foreach(flavour plain throwing)
  add_library(precompiled_${flavour} OBJECT src/base/precompiled.cpp)
  target_precompile_headers(precompiled_${flavour} PRIVATE src/base/precompiled.h)
  target_include_directories(precompiled_${flavour} SYSTEM PRIVATE ${SHIMS})
  target_compile_options(precompiled_${flavour} PRIVATE -Wno-conversion -Wno-shorten-64-to-32)
endforeach()
target_compile_options(precompiled_throwing PRIVATE -fexceptions)

# wasm_module(NAME FLAVOUR): the sources of one module of src/.
function(wasm_module module flavour)
  file(GLOB sources CONFIGURE_DEPENDS src/${module}/*.cpp src/${module}/rules/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(_test|/precompiled|/fiber|/expect_heap|/project/analyses|/project/types)\\.cpp$")
  add_library(module_${module} STATIC ${sources})
  target_include_directories(module_${module} PRIVATE src ${CMAKE_BINARY_DIR})
  target_include_directories(module_${module} SYSTEM PRIVATE ${SHIMS})
  target_compile_definitions(module_${module} PRIVATE NACRE_VERSION="${PROJECT_VERSION}" UTF8PROC_STATIC)
  target_compile_options(module_${module} PRIVATE -Wno-conversion -Wno-shorten-64-to-32)
  target_precompile_headers(module_${module} REUSE_FROM precompiled_${flavour})
  if(flavour STREQUAL throwing)
    target_compile_options(module_${module} PRIVATE -fexceptions)
  endif()
endfunction()

set(CHECKING base regular shell commands flow make purify python report docker project)
set(RUNNING world utilities machine simulate explore)
foreach(module IN LISTS CHECKING)
  wasm_module(${module} plain)
endforeach()
foreach(module IN LISTS RUNNING)
  wasm_module(${module} throwing)
endforeach()
# Batches, where no name in an anonymous namespace is used twice in a module.
foreach(module IN LISTS CHECKING RUNNING)
  set_target_properties(module_${module} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
endforeach()
target_sources(module_base PRIVATE ${WASM}/utf8proc.cpp ${WASM}/expect_heap.cpp
               ${CMAKE_BINARY_DIR}/unicode_tables.inc)
set_property(SOURCE ${WASM}/utf8proc.cpp ${WASM}/expect_heap.cpp PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)

embed_files(base code_pages docs/codes/*.md)
embed_files(commands cards commands/*.card)
embed_files(docker base_images src/docker/images.table)
embed_files(docker licenses src/docker/licenses.table)
embed_files(explore scenarios scenarios/*.scenario scenarios/*.list)

# wasm_program(NAME SOURCE MODULES... ): linked twice over, because libraries refer to each other.
function(wasm_program name sources)
  add_executable(${name} ${sources} web/wasm/exports.cpp)
  target_include_directories(${name} PRIVATE src ${WASM})
  target_include_directories(${name} SYSTEM PRIVATE ${SHIMS})
  target_compile_definitions(${name} PRIVATE NACRE_VERSION="${PROJECT_VERSION}")
  target_compile_options(${name} PRIVATE -Wno-conversion)
  foreach(module IN LISTS ARGN)
    target_link_libraries(${name} PRIVATE module_${module})
  endforeach()
  target_link_options(${name} PRIVATE -O2 -sMODULARIZE=1 -sEXPORT_ES6=0 -sEXPORT_NAME=load_module -sALLOW_MEMORY_GROWTH=1
    -sMAXIMUM_MEMORY=1GB -sENVIRONMENT=worker,web,node -sFILESYSTEM=0 --no-entry -sSTACK_OVERFLOW_CHECK=0
    -sTOTAL_STACK=4MB -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=ccall,HEAPU8)
endfunction()
# Which languages there are: two files of project, or what nacre-check has instead.
wasm_program(nacre-check "${WASM}/check.cpp;${WASM}/shell_only.cpp"
             project report docker python purify make flow commands shell regular base)
wasm_program(nacre-more "${WASM}/check.cpp;${WASM}/more.cpp;src/project/analyses.cpp;src/project/types.cpp"
             project report docker python purify make flow commands shell regular base)
wasm_program(nacre-step ${WASM}/step.cpp simulate machine utilities world commands shell regular base)
wasm_program(nacre-explore ${WASM}/explore.cpp explore simulate machine utilities world flow commands shell regular base)
# What every reader loads is as small as it can be; to link the others so would take several times as long.
target_link_options(nacre-check PRIVATE -Oz)
# What never has a fiber's switch below it needs no instructions for one. (The parser has: `sh` reads its script from a pipe.)
set(NEVER_SWITCHES "\"nacre::regular::*\",\"fmt::*\"")
foreach(name nacre-step nacre-explore)
  target_compile_options(${name} PRIVATE -fexceptions)
  target_link_options(${name} PRIVATE -fexceptions -sASYNCIFY=1)
endforeach()
target_link_options(nacre-step PRIVATE "-sASYNCIFY_REMOVE=[${NEVER_SWITCHES}]")
target_link_options(nacre-explore PRIVATE "-sASYNCIFY_REMOVE=[\"nacre::flow::*\",${NEVER_SWITCHES}]")
