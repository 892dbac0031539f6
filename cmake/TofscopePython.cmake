# The interpreter of scripts and tests, and what the Python package is built with. TOFSCOPE_HAVE_PYTHON tells whether it is.
include_guard(GLOBAL)

# Debian's own has the packages that tests use (NumPy, pytest); another may stand before it on the path.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module)

set(TOFSCOPE_HAVE_PYTHON OFF)
if(TOFSCOPE_PYTHON)
    set(PYBIND11_NOPYTHON ON)  # it would look for an interpreter of its own
    find_package(pybind11 2.10 CONFIG QUIET)
    find_path(DLPACK_INCLUDE dlpack/dlpack.h)
    if(pybind11_FOUND AND DLPACK_INCLUDE AND Python3_Development.Module_FOUND)
        set(TOFSCOPE_HAVE_PYTHON ON)
        set(TOFSCOPE_PYTHON_FOLDER lib/python3/dist-packages)
    else()
        message(STATUS "Python package: OFF (install pybind11-dev, libdlpack-dev and python3-dev)")
    endif()
endif()
