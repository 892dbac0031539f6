# The library of the package libtofscope-dev: all of the science in one archive, the headers that its doors lead to, and what
# find_package(Tofscope) reads. Comes after every target that it holds.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# What a program of somebody else's begins with (docs/library.md). Headers that these include are installed with them.
set(library_doors app/engines.h recon/io/convert.h recon/io/hdf5/data_io.h recon/metrics/figures_of_merit.h
    recon/operators/data_operator.h recon/settings/version.h recon/simulate/monte_carlo.h recon/work/bin.h
    recon/work/read_measurement.h recon/work/reconstruct.h recon/work/simulate.h)
set(library_targets tof_work tof_operators tof_engines)

# tofscope_reached_headers(RESULT HEADER...): these and all that they include of ours.
function(tofscope_reached_headers result)
    set(todo ${ARGN})
    set(reached "")
    while(todo)
        list(POP_FRONT todo header)
        if(NOT header IN_LIST reached)
            list(APPEND reached ${header})
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${header})
            file(STRINGS ${CMAKE_SOURCE_DIR}/${header} lines REGEX "^#include \"")
            foreach(line IN LISTS lines)
                string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
                list(APPEND todo ${included})
            endforeach()
        endif()
    endwhile()
    set(${result} ${reached} PARENT_SCOPE)
endfunction()

# tofscope_reached_archives(RESULT TARGET...): the static libraries of ours that these link, themselves included, and CUDA's.
function(tofscope_reached_archives result)
    set(todo ${ARGN})
    set(reached "")
    while(todo)
        list(POP_FRONT todo target)
        if(TARGET ${target} AND NOT target IN_LIST reached)
            get_target_property(type ${target} TYPE)
            get_target_property(imported ${target} IMPORTED)
            if(target STREQUAL CUDA::cudart_static OR (type STREQUAL STATIC_LIBRARY AND NOT imported))
                list(APPEND reached ${target})
                get_target_property(links ${target} LINK_LIBRARIES)
                if(links)
                    list(APPEND todo ${links})
                endif()
            endif()
        endif()
    endwhile()
    set(${result} ${reached} PARENT_SCOPE)
endfunction()

tofscope_reached_headers(library_headers ${library_doors})
foreach(header IN LISTS library_headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tofscope/${folder} COMPONENT library EXCLUDE_FROM_ALL)
endforeach()

tofscope_reached_archives(library_archives ${library_targets})
set(library ${CMAKE_BINARY_DIR}/lib/libtofscope.a)
# The scripts of ar take no blanks, commas or '@' in names, so these are relative.
set(script "CREATE lib/libtofscope.a\n")
set(files "")
foreach(target IN LISTS library_archives)
    string(APPEND script "ADDLIB $<PATH:RELATIVE_PATH,$<TARGET_FILE:${target}>,${CMAKE_BINARY_DIR}>\n")
    list(APPEND files $<TARGET_FILE:${target}>)
endforeach()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/library.ar CONTENT "${script}SAVE\nEND\n")
# nvcc gives local names that hold a number of its process, so these go.
add_custom_command(OUTPUT ${library} COMMAND ${CMAKE_AR} -M < ${CMAKE_BINARY_DIR}/library.ar
    COMMAND ${CMAKE_STRIP} --strip-unneeded --enable-deterministic-archives ${library}
    DEPENDS ${files} ${CMAKE_BINARY_DIR}/library.ar WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)
add_custom_target(tofscope_library ALL DEPENDS ${library})
install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library EXCLUDE_FROM_ALL)

set(library_dcmtk "")
if(TOFSCOPE_DICOM AND DCMTK_dcmjpeg AND DCMTK_dcmjpls AND DCMTK_dcmdata AND DCMTK_oflog AND DCMTK_ofstd AND DCMTK_INCLUDE)
    set(library_dcmtk "dcmjpeg;dcmjpls;dcmdata;oflog;ofstd;")
endif()
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/TofscopeConfig.cmake.in ${CMAKE_BINARY_DIR}/TofscopeConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tofscope PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Until 1.0 a minor version may change what the headers say (docs/releases.md).
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TofscopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TofscopeConfig.cmake ${CMAKE_BINARY_DIR}/TofscopeConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tofscope COMPONENT library EXCLUDE_FROM_ALL)
file(GLOB library_examples CONFIGURE_DEPENDS examples/*.cpp examples/*.h)
install(FILES ${library_examples} examples/CMakeLists.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtofscope-dev/examples COMPONENT library EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_SOURCE_DIR}/installer/debian/copyright DESTINATION share/doc/libtofscope-dev COMPONENT library
    EXCLUDE_FROM_ALL)
install(CODE "include(${CMAKE_BINARY_DIR}/write_changelog.cmake)\nwrite_changelog(libtofscope-dev)" COMPONENT library
    EXCLUDE_FROM_ALL)
