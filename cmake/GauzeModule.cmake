# gauze_module(NAME
#   COLD                   nothing in it is hot: compiled with less effort
#   C                      its sources are freestanding C
#   SOURCES a.cpp ...      compiled into the module's library (none: a header-only module)
#   TESTS a_test.cpp ...   one test program a module, run by ctest
#   BENCHES a_bench.cpp    one benchmark program a module
#   DEPENDS base ...       the modules whose headers it may include
#   USES lib::lib ...      third-party libraries seen in its public headers or sources
#   TEST_USES lib::lib ... third-party libraries only its tests need)
#
# A module is the target gauze_<NAME>, alias gauze::<NAME>. The lists are the documentation of the house, and
# tests/structure compares them with the #include lines.
# Sources start from a precompiled header: what nearly every source includes. There are three, because a compiler only takes
# one that was made with its own flags: for modules, for those where nothing is hot, and for tests. Sources still include what they use; the consumer test compiles public headers
# without it. No header of the project: their paths would keep a second clone from using the compile cache of the first.
function(gauze_precompile target)
  target_link_libraries(${target} PRIVATE fmt::fmt tl::expected GMP::GMP Threads::Threads gauze_compile_options)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <bit> <cmath> <cstddef> <cstdint> <cstdlib> <cstring> <fstream> <filesystem>
    <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <string> <string_view>
    <thread> <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/core.h> <gmpxx.h>
    <tl/expected.hpp> ${ARGN})
endfunction()

# What is not hot: -O1 is compiled in half the time of -O3.
add_library(gauze_cold_options INTERFACE)
target_compile_options(gauze_cold_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # At -O1 g++ 12 takes members of optional and variant that are not there for uninitialised ones.
  target_compile_options(gauze_cold_options INTERFACE -Wno-maybe-uninitialized)
endif()

function(gauze_precompiled_headers)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "int main() { return 0; }\n")
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/nothing.cpp" CONTENT "")
  foreach(name gauze_precompiled gauze_precompiled_cold)
    add_library(${name} STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cpp")
    gauze_precompile(${name})
  endforeach()
  target_link_libraries(gauze_precompiled_cold PRIVATE gauze_cold_options)
  if(GAUZE_TESTS)
    add_executable(gauze_precompiled_tests EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(gauze_precompiled_tests PRIVATE GTest::gmock GTest::gtest gauze_cold_options)
    gauze_precompile(gauze_precompiled_tests <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endfunction()

# Compiles about a dozen sources at a time: most of the time of a build goes into headers. Sources that Highway includes again
# for every processor stay alone. A test has a namespace of the name of its file, so that two may have a helper of one name.
set(gauze_sources_at_a_time 12)
function(gauze_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GAUZE_UNITY} UNITY_BUILD_BATCH_SIZE ${gauze_sources_at_a_time})
  if(GAUZE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A source counts as a header there, and the unnamed namespace of one is no place for members' types.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" own_target REGEX "foreach_target\\.h" LIMIT_COUNT 1)
    if(own_target)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# Where the sources are, for tests and benchmarks that want data beside them: linked, not defined on the command line,
# which would make every compilation that of one clone.
function(gauze_source_folder)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/source_folder.cpp"
       CONTENT "extern const char gauze_source_folder[];\nconst char gauze_source_folder[] = \"@PROJECT_SOURCE_DIR@\";\n" @ONLY)
  add_library(gauze_source_folder STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/source_folder.cpp")
endfunction()

# The tests that lie beside the code: what also runs under the sanitizers.
add_custom_target(unit_tests)

# Loops are not turned into calls of a C library that is not there.
set(gauze_freestanding_options -ffreestanding -fno-stack-protector $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)

function(gauze_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;C" "" "SOURCES;TESTS;BENCHES;DEPENDS;USES;TEST_USES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gauze_module(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND gauze_ OUTPUT_VARIABLE depends)

  set(target gauze_${name})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:gauze_compile_options>)
    if(arg_C)
      target_compile_features(${target} PRIVATE c_std_11)
      target_compile_options(${target} PRIVATE ${gauze_freestanding_options})
    elseif(arg_COLD)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:gauze_cold_options>)
      target_precompile_headers(${target} REUSE_FROM gauze_precompiled_cold)
    else()
      target_precompile_headers(${target} REUSE_FROM gauze_precompiled)
    endif()
    if(NOT arg_C)
      gauze_unite(${target} ${arg_SOURCES})
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(gauze::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} ${scope} ${depends} ${arg_USES} Threads::Threads)
  set_property(GLOBAL APPEND PROPERTY GAUZE_MODULES ${name})
  set_property(GLOBAL PROPERTY GAUZE_FOLDER_${name} "${CMAKE_CURRENT_SOURCE_DIR}")
  set_property(GLOBAL PROPERTY GAUZE_DEPENDS_${name} ${arg_DEPENDS})
  set_property(GLOBAL PROPERTY GAUZE_TEST_USES_${name} ${arg_TEST_USES})
  gauze_install_module(${name})

  if(GAUZE_TESTS AND arg_TESTS)
    gauze_test(${target}_tests SOURCES ${arg_TESTS} LINKS ${target} ${arg_TEST_USES} LABELS unit:${name})
    add_dependencies(unit_tests ${target}_tests)
  endif()
  if(GAUZE_BENCHMARKS AND arg_BENCHES)
    add_executable(${target}_bench ${arg_BENCHES})
    target_link_libraries(${target}_bench PRIVATE ${target} benchmark::benchmark_main gauze_source_folder
                                                  gauze_compile_options)
    set_property(GLOBAL APPEND PROPERTY GAUZE_BENCH_TARGETS ${target}_bench)
  endif()
endfunction()

# gauze_test(TARGET SOURCES ... LINKS ROOM ... LABELS ...): a GoogleTest program whose tests ctest knows one by one, by the names
# that they have in the program: those of a parameterised test come from its name generator, not from the bytes of a value.
function(gauze_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;LABELS")
  set(arg_LIBRARIES GTest::gmock GTest::gtest_main gauze_source_folder gauze_compile_options gauze_cold_options)
  if(GAUZE_TEST_OBJECTS AND arg_LABELS MATCHES "^unit:")
    gauze_watched_test(${target})
    return()
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LINKS} ${arg_LIBRARIES})
  target_precompile_headers(${target} REUSE_FROM gauze_precompiled_tests)
  gauze_unite(${target} ${arg_SOURCES})
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600)
endfunction()

# gauze_watched_test(TARGET): the same with a room that sanitizers watch. The tests themselves are not compiled again: their
# objects are those of the build that GAUZE_TEST_OBJECTS names. The room comes first on the linker's line, as a whole, so that
# of functions that both have (templates, inline ones) the watched one is taken. A few programs run many tests each: with
# sanitizers it is the start of a program that takes long. Properties are tried 20 times instead of 100. For gauze_test() alone, whose arguments it sees.
function(gauze_watched_test target)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_BINARY_DIR BASE_DIRECTORY "${PROJECT_BINARY_DIR}" OUTPUT_VARIABLE folder)
  list(LENGTH arg_SOURCES sources)
  math(EXPR last "(${sources} - 1) / ${gauze_sources_at_a_time}")
  set(objects "")
  foreach(batch RANGE ${last})
    list(APPEND objects "${GAUZE_TEST_OBJECTS}/${folder}/CMakeFiles/${target}.dir/Unity/unity_${batch}_cxx.cxx.o")
  endforeach()
  list(POP_FRONT arg_LINKS room)
  add_executable(${target} "${PROJECT_BINARY_DIR}/nothing.cpp")
  target_link_libraries(${target} PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${room}>" ${objects} ${arg_LINKS} ${arg_LIBRARIES})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${objects})
  set(parts 4)
  foreach(part RANGE 1 ${parts})
    math(EXPR index "${part} - 1")
    add_test(NAME ${target}.part${part}of${parts} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${target}.part${part}of${parts} PROPERTIES
      LABELS "${arg_LABELS}" TIMEOUT 1800 
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index};RC_PARAMS=max_success=20 max_discard_ratio=100")
  endforeach()
endfunction()
