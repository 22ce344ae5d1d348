# What every target of the project is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Programs in bin/, shared libraries in lib/ beside it, found by a path relative to the program: the tree can be moved.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Hardening of everything that is built; tests/hardening reads it back from the files. Sanitizers bring checks of their own
# instead of _FORTIFY_SOURCE.
include(CheckPIESupported)
check_pie_supported()
add_compile_options(-fstack-protector-strong)
if(NOT GAUZE_SANITIZE)
  add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)

find_program(GAUZE_CCACHE ccache)
if(GAUZE_CCACHE)
  # Paths below the project count by their place in it, so that a second clone finds what the first one compiled; the
  # rest is what ccache asks for beside precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${GAUZE_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

# Kept apart from the dependencies' headers: they are SYSTEM and do not warn.
# Floating point is never reordered (-ffast-math is not used anywhere): bounds are rounded on purpose.
# -Wno-restrict and the two after it: g++ 12 warns wrongly about std::string::insert (its bugs 105651 and 105329).
# -fmacro-prefix-map: messages name a source file by its place in the project, not on the builder's machine.
add_library(gauze_compile_options INTERFACE)
target_compile_options(gauze_compile_options INTERFACE -Wall -Wextra -Wshadow -Wconversion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                                                      -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
                                                      -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(GAUZE_WARNINGS_AS_ERRORS)
  target_compile_options(gauze_compile_options INTERFACE -Werror)
endif()
if(GAUZE_SANITIZE)
  target_compile_options(gauze_compile_options INTERFACE -fsanitize=${GAUZE_SANITIZE} -fno-sanitize-recover=all
                                                        -fno-omit-frame-pointer)
  target_link_options(gauze_compile_options INTERFACE -fsanitize=${GAUZE_SANITIZE})
endif()
if(GAUZE_FUZZ)
  target_compile_options(gauze_compile_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)
if(GAUZE_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()
if(GAUZE_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
