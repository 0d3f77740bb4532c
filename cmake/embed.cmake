# embed_files(MODULE NAME PATTERN...): the files become part of the module's library, as
#   std::span<const nacre::EmbeddedFile> nacre::embedded_NAME()
# (declare it where it is used; see src/base/embedded.h). Sorted by file name; rebuilt when a file changes or appears.
# Text only. Run as a script (cmake -P), this file writes that source.

if(CMAKE_SCRIPT_MODE_FILE)
  set(entries "")
  file(STRINGS ${LIST} paths)
  foreach(path IN LISTS paths)
    get_filename_component(name "${path}" NAME)
    file(READ "${path}" text)
    string(LENGTH "${text}" length)
    # Compilers limit one literal to 64 KiB; adjacent ones are joined.
    set(literals "")
    set(at 0)
    while(at LESS length OR at EQUAL 0)
      string(SUBSTRING "${text}" ${at} 16000 piece)
      string(APPEND literals "R\"_nacre_(${piece})_nacre_\"sv\n")
      math(EXPR at "${at} + 16000")
    endwhile()
    string(APPEND entries "    {\"${name}\"sv,\n${literals}    },\n")
  endforeach()
  file(WRITE ${OUTPUT}
"#include <array>

#include \"base/embedded.h\"

namespace nacre {

using namespace std::string_view_literals;

std::span<const EmbeddedFile> embedded_${NAME}();
std::span<const EmbeddedFile> embedded_${NAME}() {
  static constexpr auto kFiles = std::to_array<EmbeddedFile>({
${entries}  });
  return kFiles;
}

}  // namespace nacre
")
  return()
endif()

function(embed_files module name)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  list(SORT files)
  set(output ${CMAKE_BINARY_DIR}/generated/embedded_${name}.cpp)
  list(JOIN files "\n" lines)
  file(GENERATE OUTPUT ${output}.list CONTENT "${lines}\n")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DLIST=${output}.list -DNAME=${name} -DOUTPUT=${output}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${files} ${output}.list ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  set_property(SOURCE ${output} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(module_${module} PRIVATE ${output})
endfunction()
