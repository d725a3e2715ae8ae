# What `cmake --install` writes: headers, both libraries, the command with its
# pages and completion, and what pkg-config and find_package(hypha) read.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/hypha")

install(DIRECTORY include/hypha DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
install(TARGETS hypha_shared hypha_static EXPORT hypha_targets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET hypha_cli)
  install(TARGETS hypha_cli DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY docs/man/ DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
          FILES_MATCHING PATTERN "*.1")
  install(FILES share/completions/hypha
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
endif()
install(FILES LICENSE README.md CHANGELOG.md
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT hypha_targets NAMESPACE hypha:: FILE hyphaTargets.cmake
        DESTINATION "${package_dir}")
configure_package_config_file(cmake/hyphaConfig.cmake.in
    "${PROJECT_BINARY_DIR}/hyphaConfig.cmake"
    INSTALL_DESTINATION "${package_dir}"
    NO_SET_AND_CHECK_MACRO)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatible SameMinorVersion)
else()
  set(compatible SameMajorVersion)
endif()
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/hyphaConfigVersion.cmake"
    COMPATIBILITY ${compatible})
install(FILES "${PROJECT_BINARY_DIR}/hyphaConfig.cmake"
              "${PROJECT_BINARY_DIR}/hyphaConfigVersion.cmake"
        DESTINATION "${package_dir}")

# The prefix is found from where the .pc file lies, so that an installation
# can be moved; directories outside the prefix stay as they were given.
set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
foreach(dir IN ITEMS INCLUDEDIR LIBDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(pc_${dir} "${CMAKE_INSTALL_${dir}}")
  else()
    set(pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up
       "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
configure_file(cmake/hypha.pc.in "${PROJECT_BINARY_DIR}/hypha.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/hypha.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
