# What `cmake --install` puts where.
include(CMakePackageConfigHelpers)

install(TARGETS sinew RUNTIME)
if(TARGET sinew_mpi)
  install(TARGETS sinew_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sinew)
endif()
install(TARGETS sinew_shared sinew_static EXPORT SinewTargets)
install(DIRECTORY include/sinew ${PROJECT_BINARY_DIR}/include/sinew
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# pkg-config
file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sinew.pc.in sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# find_package(Sinew)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Sinew)
configure_package_config_file(cmake/SinewConfig.cmake.in SinewConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(SinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SinewConfig.cmake ${PROJECT_BINARY_DIR}/SinewConfigVersion.cmake
              cmake/FindKLU.cmake cmake/FindSUNDIALS.cmake DESTINATION ${package_dir})
install(EXPORT SinewTargets NAMESPACE Sinew:: DESTINATION ${package_dir})

# manual, completions, models, documents
install(FILES docs/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY ${PROJECT_BINARY_DIR}/completions/bash/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${PROJECT_BINARY_DIR}/completions/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY ${PROJECT_BINARY_DIR}/completions/fish/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/models FILES_MATCHING PATTERN "*.yaml")
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.1" EXCLUDE PATTERN "site" EXCLUDE)
# The manual as a site, where scripts/site.sh has built it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/site/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html OPTIONAL)
