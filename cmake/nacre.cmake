# The program: main.cpp, its own operator new (heap.cpp) and everything below. What is shipped is static, so that there is nothing to load: the shell is
# started as often as dash is. (Names of users beyond /etc/passwd are asked of libc's own modules, which it still loads when
# they are there; that is what the linker would warn of.)

add_executable(nacre src/cli/main.cpp src/cli/heap.cpp)
target_link_libraries(nacre PRIVATE module_cli Threads::Threads)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT NACRE_SANITIZE)
  target_link_options(nacre PRIVATE -static -Wl,--no-warnings)
  # The linker writes its output piecemeal, and the kernel keeps it as it was written: a file that is written in one go is
  # mapped with half the page faults, a fifth of the time that the program needs to start.
  add_custom_command(TARGET nacre POST_BUILD
    COMMAND ${CMAKE_STRIP} -o $<TARGET_FILE:nacre>.whole $<TARGET_FILE:nacre>
    COMMAND ${CMAKE_COMMAND} -E rename $<TARGET_FILE:nacre>.whole $<TARGET_FILE:nacre>)
endif()
if(NACRE_LTO)
  target_link_options(nacre PRIVATE -flto=auto)
endif()

include(GNUInstallDirs)
install(TARGETS nacre)

# install_output(DESTINATION NAME ARGUMENT...): what `nacre ARGUMENT...` prints is installed under that name.
function(install_output destination name)
  set(made ${CMAKE_BINARY_DIR}/generated/${name})
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:nacre>\" ${ARGN} OUTPUT_FILE \"${made}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${made} DESTINATION ${destination})
endfunction()
install_output(${CMAKE_INSTALL_MANDIR}/man1 nacre.1 man)
install_output(${CMAKE_INSTALL_DATADIR}/bash-completion/completions nacre completion bash)
install_output(${CMAKE_INSTALL_DATADIR}/zsh/site-functions _nacre completion zsh)
install_output(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d nacre.fish completion fish)

# What others wrote and the static binary holds: their licenses and a list (SPDX), where dpkg knows them.
find_program(DPKG_QUERY dpkg-query)
if(DPKG_QUERY)
  install(CODE "
    execute_process(COMMAND \"${CMAKE_SOURCE_DIR}/tools/third-party\" licenses
                    OUTPUT_FILE \"${CMAKE_BINARY_DIR}/generated/third-party-licenses.txt\" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \"${CMAKE_SOURCE_DIR}/tools/third-party\" sbom ${PROJECT_VERSION}
                    OUTPUT_FILE \"${CMAKE_BINARY_DIR}/generated/nacre.spdx\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${CMAKE_BINARY_DIR}/generated/third-party-licenses.txt ${CMAKE_BINARY_DIR}/generated/nacre.spdx
          DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
