# Read by cpack once per generator: a .deb leaves the libraries to the system, the archive carries them. There are four .debs,
# of which TOFSCOPE_PACKAGE chooses one: `tofscope` has everything but Python, `tofscope-cli` has no window. Each stands alone,
# so that one file can be installed without an archive of packages, and one takes the place of the other. `python3-tofscope`
# needs one of them, `libtofscope-dev` neither.
set(CPACK_COMPONENTS_ALL Unspecified desktop)
if(CPACK_GENERATOR STREQUAL "DEB")
    set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
    if("$ENV{TOFSCOPE_PACKAGE}" STREQUAL "python3-tofscope")
        set(CPACK_COMPONENTS_ALL python)
        set(CPACK_DEBIAN_PACKAGE_NAME python3-tofscope)
        set(CPACK_DEBIAN_PACKAGE_SECTION python)
        set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}, Python 3")
        # The compiled half is for the interpreter of this release of Debian.
        set(CPACK_DEBIAN_PACKAGE_DEPENDS
            "tofscope-cli (= ${CPACK_PACKAGE_VERSION}), python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
        set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-scipy")
        # They compile the package's Python at the install, and leave nothing of that behind.
        set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CPACK_DEBIAN_SCRIPTS}/postinst" "${CPACK_DEBIAN_SCRIPTS}/prerm")
        set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
    elseif("$ENV{TOFSCOPE_PACKAGE}" STREQUAL "libtofscope-dev")
        set(CPACK_COMPONENTS_ALL library)
        set(CPACK_DEBIAN_PACKAGE_NAME libtofscope-dev)
        set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
        set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}, library for C++")
        # What the archive's objects call (cmake/TofscopeConfig.cmake.in), and what finds it.
        set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
        set(CPACK_DEBIAN_PACKAGE_DEPENDS "libtbb-dev, libfmt-dev, nlohmann-json3-dev (>= 3.11), libhdf5-dev, zlib1g-dev, \
libdeflate-dev, libxxhash-dev, liblz4-dev, liblzma-dev, libzstd-dev, librandom123-dev, \
libdcmtk-dev, pkg-config")
        set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, tofscope-cli")
    elseif("$ENV{TOFSCOPE_PACKAGE}" STREQUAL "tofscope-cli")
        set(CPACK_COMPONENTS_ALL Unspecified)
        set(CPACK_DEBIAN_PACKAGE_NAME tofscope-cli)
        set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}, command line")
        set(CPACK_DEBIAN_PACKAGE_CONFLICTS tofscope)
        set(CPACK_DEBIAN_PACKAGE_REPLACES tofscope)
    else()
        # Opened at run time, so nothing finds them in the program.
        set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
            "libegl1, libgl1-mesa-dri, fonts-dejavu-core, qt6-qpa-plugins, libqt6svg6, qt6-translations-l10n")
        set(CPACK_DEBIAN_PACKAGE_PROVIDES "tofscope-cli (= ${CPACK_PACKAGE_VERSION})")
        set(CPACK_DEBIAN_PACKAGE_CONFLICTS tofscope-cli)
        set(CPACK_DEBIAN_PACKAGE_REPLACES tofscope-cli)
    endif()
else()
    list(APPEND CPACK_COMPONENTS_ALL bundle)
    # Unpacked anywhere, it keeps to a folder of its own.
    set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
    set(CPACK_PACKAGE_FILE_NAME "${CPACK_PACKAGE_NAME}-${CPACK_PACKAGE_VERSION}-portable-x86_64")
endif()
