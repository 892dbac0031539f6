# What `cmake --install` and CPack carry.
include_guard(GLOBAL)
include(GNUInstallDirs)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tofscope
    PATTERN "README.md" EXCLUDE)
install(FILES LICENSE CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
