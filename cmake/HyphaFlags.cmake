# How everything is compiled: hypha_flags is linked, privately, by all targets.
include(CheckLinkerFlag)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

# Symbols cost no time, and a user's backtrace is worth the bytes.
set(CMAKE_C_FLAGS_RELEASE "-O3 -g -DNDEBUG")
if(HYPHA_COVERAGE)
  set(CMAKE_C_FLAGS_DEBUG "-O0 -g")
else()
  set(CMAKE_C_FLAGS_DEBUG "-O2 -g")
endif()

add_library(hypha_flags INTERFACE)
target_compile_definitions(hypha_flags INTERFACE _GNU_SOURCE)
target_compile_options(hypha_flags INTERFACE
    -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${HYPHA_WERROR}>:-Werror>)

# Says at link time what the shared library lacks.  Sanitizers leave their
# own symbols to the executable.
set(HYPHA_LINK_STRICT "")

if(HYPHA_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HYPHA_FUZZ needs clang")
  endif()
  set(instrument -fsanitize=fuzzer-no-link,address,undefined
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(HYPHA_SANITIZE)
  set(instrument -fsanitize=${HYPHA_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
elseif(HYPHA_COVERAGE)
  set(instrument --coverage -fprofile-update=atomic)
else()
  set(instrument "")
  check_linker_flag(C "-Wl,--no-undefined" HYPHA_HAS_NO_UNDEFINED)
  if(HYPHA_HAS_NO_UNDEFINED)
    set(HYPHA_LINK_STRICT "-Wl,--no-undefined")
  endif()
endif()
target_compile_options(hypha_flags INTERFACE ${instrument})
target_link_options(hypha_flags INTERFACE ${instrument})
