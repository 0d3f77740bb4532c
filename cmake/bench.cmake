# Each bench/NAME.cpp is a program bench_NAME; bench/NAME.sh, when there, drives it beside its peers (`./dev bench NAME`).

file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cpp)
foreach(bench_source IN LISTS bench_sources)
  get_filename_component(bench_name ${bench_source} NAME_WE)
  add_executable(bench_${bench_name} ${bench_source})
  link_included_modules(bench_${bench_name} ${bench_source})
  target_link_libraries(bench_${bench_name} PRIVATE Threads::Threads)
  if(NACRE_LTO)
    target_link_options(bench_${bench_name} PRIVATE -flto=auto)
  endif()
endforeach()
