# Each fuzz/NAME.cpp is one libFuzzer target fuzz_NAME (`./dev fuzz NAME`).

file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*.cpp)
foreach(fuzz_source IN LISTS fuzz_sources)
  get_filename_component(fuzz_name ${fuzz_source} NAME_WE)
  add_executable(fuzz_${fuzz_name} ${fuzz_source})
  target_compile_options(fuzz_${fuzz_name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${fuzz_name} PRIVATE -fsanitize=fuzzer)
  link_included_modules(fuzz_${fuzz_name} ${fuzz_source})
endforeach()
