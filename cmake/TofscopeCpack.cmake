# Read by cpack once per generator: the .deb leaves the libraries to the system, the archive carries them.
if(CPACK_GENERATOR STREQUAL "DEB")
    set(CPACK_COMPONENTS_ALL Unspecified)
    set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
else()
    set(CPACK_COMPONENTS_ALL Unspecified bundle)
    set(CPACK_PACKAGE_FILE_NAME "${CPACK_PACKAGE_NAME}-${CPACK_PACKAGE_VERSION}-portable-x86_64")
endif()
