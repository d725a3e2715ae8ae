# The version is written once, in the public header.
set(version_header "${CMAKE_CURRENT_LIST_DIR}/../include/hypha/base.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${version_header}")

foreach(part IN ITEMS MAJOR MINOR PATCH)
  file(STRINGS "${version_header}" line
       REGEX "^#define HY_VERSION_${part} [0-9]+$")
  string(REGEX MATCH "[0-9]+$" version_${part} "${line}")
  if(version_${part} STREQUAL "")
    message(FATAL_ERROR "no HY_VERSION_${part} in ${version_header}")
  endif()
endforeach()

set(hypha_version "${version_MAJOR}.${version_MINOR}.${version_PATCH}")

# Before 1.0 every minor version may change the binary interface.
if(version_MAJOR EQUAL 0)
  set(hypha_soversion "${version_MAJOR}.${version_MINOR}")
else()
  set(hypha_soversion "${version_MAJOR}")
endif()
