# Devices: kernels as text in the library, and OpenCL where its headers are
# found.  OpenCL itself is looked for when the program runs.
set(kernel_dir "${PROJECT_SOURCE_DIR}/src/device/kernels")
file(GLOB kernel_files CONFIGURE_DEPENDS "${kernel_dir}/*.cl")
list(PREPEND kernel_files "${kernel_dir}/kernel.h")
set(kernel_text "${PROJECT_BINARY_DIR}/kernel_text.c")
add_custom_command(OUTPUT "${kernel_text}"
    COMMAND "${CMAKE_COMMAND}" "-Dout=${kernel_text}" "-Dfiles=${kernel_files}"
            -P "${PROJECT_SOURCE_DIR}/cmake/HyphaEmbed.cmake"
    DEPENDS ${kernel_files} "${PROJECT_SOURCE_DIR}/cmake/HyphaEmbed.cmake"
    VERBATIM)
target_sources(hypha_objects PRIVATE "${kernel_text}")
set_source_files_properties("${kernel_text}" PROPERTIES
    COMPILE_OPTIONS -Wno-overlength-strings)
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/device/kernels.c"
    PROPERTIES OBJECT_DEPENDS "${kernel_files}")

if(HYPHA_OPENCL AND OPENCL_INCLUDE_DIR)
  target_include_directories(hypha_objects SYSTEM PRIVATE
      "${OPENCL_INCLUDE_DIR}")
  target_link_libraries(hypha_shared PRIVATE ${CMAKE_DL_LIBS})
  target_link_libraries(hypha_static PUBLIC ${CMAKE_DL_LIBS})
else()
  message(STATUS "OpenCL is not used: the host is the only device")
endif()
