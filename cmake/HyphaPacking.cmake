# gzip and zstd, where their libraries are found: for src/io alone.
#
# hypha_packing(NAME HEADER LIBRARY): an installed library is linked by name,
# so that what is installed can be moved to a machine that has it elsewhere.
set(pc_private "")

function(hypha_packing name header library)
  find_path(${name}_INCLUDE_DIR ${header})
  find_library(${name}_LIBRARY ${library})
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
  option(HYPHA_${name} "Read and write files packed by ${library}" ON)
  if(NOT HYPHA_${name} OR NOT ${name}_INCLUDE_DIR OR NOT ${name}_LIBRARY)
    message(STATUS "${library} is not used: no files packed by it")
    return()
  endif()
  target_include_directories(hypha_objects SYSTEM PRIVATE
      "${${name}_INCLUDE_DIR}")
  target_compile_definitions(hypha_objects PRIVATE HYPHA_HAVE_${name}=1)
  target_link_libraries(hypha_shared PRIVATE "${${name}_LIBRARY}")
  target_link_libraries(hypha_static INTERFACE
      "$<BUILD_INTERFACE:${${name}_LIBRARY}>"
      "$<INSTALL_INTERFACE:${library}>")
  # Tests pack with it.
  set(HYPHA_PACKING ${HYPHA_PACKING} HYPHA_HAVE_${name}=1 PARENT_SCOPE)
  set(pc_private "${pc_private} -l${library}" PARENT_SCOPE)
endfunction()

hypha_packing(ZLIB zlib.h z)
hypha_packing(ZSTD zstd.h zstd)
