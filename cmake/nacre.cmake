# The program: main.cpp and everything below it. Only libc and libm stay dynamic, so that it starts in a millisecond.

if(TARGET room_cli)
  add_executable(nacre src/cli/main.cpp)
  target_link_libraries(nacre PRIVATE room_cli Threads::Threads)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT NACRE_SANITIZE)
    target_link_options(nacre PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  if(NACRE_LTO)
    target_link_options(nacre PRIVATE -flto=auto)
  endif()
endif()
