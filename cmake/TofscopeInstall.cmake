# What `cmake --install` and CPack carry. A .deb names the libraries it needs; a portable archive carries them
# (component `bundle`), all but the C and C++ run-time libraries and the drivers. What belongs to the window is the component
# `desktop`, which the package of the command line leaves out. GL's dispatchers are
# carried: machines without a screen have none, and they find the drivers where there are any.
include_guard(GLOBAL)
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR})
set(CPACK_PACKAGE_CONTACT "Tofscope maintainers <maintainers@tofscope.invalid>")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/ DESTINATION ${share}/tofscope
    PATTERN "README.md" EXCLUDE PATTERN "translations" EXCLUDE PATTERN "desktop" EXCLUDE)
# cpack says by TOFSCOPE_PACKAGE which package it makes (installer/package).
configure_file(${CMAKE_SOURCE_DIR}/cmake/write_changelog.cmake.in ${CMAKE_BINARY_DIR}/write_changelog.cmake @ONLY)
find_program(TOFSCOPE_MKDOCS mkdocs)
if(TOFSCOPE_MKDOCS)  # hooks came with 1.4
    execute_process(COMMAND ${TOFSCOPE_MKDOCS} --version OUTPUT_VARIABLE said ERROR_QUIET)
    if(NOT said MATCHES "version ([0-9.]+)" OR CMAKE_MATCH_1 VERSION_LESS 1.4)
        set(TOFSCOPE_MKDOCS TOFSCOPE_MKDOCS-NOTFOUND)
    endif()
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/install_documents.cmake.in ${CMAKE_BINARY_DIR}/install_documents.cmake @ONLY)
install(SCRIPT ${CMAKE_BINARY_DIR}/install_documents.cmake)

if(TOFSCOPE_DESKTOP)
    install(FILES resources/desktop/tofscope.desktop DESTINATION ${share}/applications COMPONENT desktop)
    install(FILES resources/desktop/org.tofscope.Tofscope.metainfo.xml DESTINATION ${share}/metainfo COMPONENT desktop)
    install(FILES resources/desktop/tofscope.xml DESTINATION ${share}/mime/packages COMPONENT desktop)
    install(FILES resources/icons/tofscope.svg DESTINATION ${share}/icons/hicolor/scalable/apps COMPONENT desktop)
    if(Python3_FOUND)
        configure_file(${CMAKE_SOURCE_DIR}/cmake/install_window_manual.cmake.in
            ${CMAKE_BINARY_DIR}/install_window_manual.cmake @ONLY)
        install(SCRIPT ${CMAKE_BINARY_DIR}/install_window_manual.cmake COMPONENT desktop)
    endif()
endif()

if(TOFSCOPE_DESKTOP)
    get_target_property(qmake Qt6::qmake IMPORTED_LOCATION)
    execute_process(COMMAND ${qmake} -query QT_INSTALL_PLUGINS OUTPUT_VARIABLE qt_plugins OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(plugins platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so
        imageformats/libqsvg.so iconengines/libqsvgicon.so xcbglintegrations/libqxcb-egl-integration.so)
    set(carried "")
    foreach(plugin IN LISTS plugins)
        if(EXISTS ${qt_plugins}/${plugin})
            get_filename_component(folder ${plugin} DIRECTORY)
            install(FILES ${qt_plugins}/${plugin} DESTINATION plugins/${folder} COMPONENT bundle EXCLUDE_FROM_ALL)
            list(APPEND carried ${qt_plugins}/${plugin})
        endif()
    endforeach()
    # A machine without fonts would show boxes (ui/application.cpp loads these).
    file(GLOB fonts /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf /usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf)
    install(FILES ${fonts} DESTINATION ${CMAKE_INSTALL_DATADIR}/tofscope/fonts COMPONENT bundle EXCLUDE_FROM_ALL)
    set(programs "$<TARGET_FILE:tofscope>" "$<TARGET_FILE:tofscope-cli>" "$<TARGET_FILE:tofscope-hdf5-probe>")
else()
    set(carried "")
    set(programs "$<TARGET_FILE:tofscope-cli>" "$<TARGET_FILE:tofscope-hdf5-probe>")
endif()
if(TARGET tofscope_fftw)
    list(APPEND carried "$<TARGET_FILE:tofscope_fftw>")
endif()

# libstdc++, libgcc_s: an older copy in the bundle would keep newer GL drivers of the target from loading.
install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} MODULES ${carried}
        RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
        POST_EXCLUDE_REGEXES \"/ld-linux\" \"/lib(c|m|dl|rt|pthread|util|resolv)\\\\.so\" \"/libstdc\\\\+\\\\+\"
            \"/libgcc_s\" \"/libcuda\" \"/libcufft\")
    if(missing)
        message(FATAL_ERROR \"not found: \${missing}\")
    endif()
    set(to \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib\")
    file(MAKE_DIRECTORY \"\${to}\")
    foreach(library IN LISTS libraries)
        get_filename_component(name \"\${library}\" NAME)
        file(REAL_PATH \"\${library}\" real)
        file(COPY_FILE \"\${real}\" \"\${to}/\${name}\")
        # Some of Debian's carry a search path of their own, which would turn the program's off.
        file(RPATH_REMOVE FILE \"\${to}/\${name}\")
    endforeach()
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
    file(WRITE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/qt.conf\" \"[Paths]\\nPrefix=..\\nPlugins=plugins\\n\")
" COMPONENT bundle EXCLUDE_FROM_ALL)

# DCMTK of Debian reads its dictionary from a file of its package; the archive carries a copy (recon/io/dicom).
file(GLOB dicom_dictionary /usr/share/libdcmtk*/dicom.dic)
if(TOFSCOPE_DICOM AND dicom_dictionary)
    install(FILES ${dicom_dictionary} DESTINATION ${CMAKE_INSTALL_DATADIR}/tofscope COMPONENT bundle EXCLUDE_FROM_ALL)
endif()

set(CPACK_PACKAGE_NAME tofscope)
set(CPACK_PACKAGE_VENDOR "Tofscope")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Tofscope simulates PET scanners, corrects and reconstructs their
data by DIRECT and by lines of response, and measures contrast and
noise while the image is made.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_THREADS 0)
set(CPACK_GENERATOR "DEB;TXZ")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# For several ranks (docs/ranks.md); one process needs none.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openmpi-bin")
set(CPACK_DEBIAN_SCRIPTS ${CMAKE_SOURCE_DIR}/installer/debian/python3-tofscope)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/TofscopeCpack.cmake)
include(CPack)
