# Warnings, sanitizers and the compiler cache, as one interface target that every target of ours links.
include_guard(GLOBAL)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(tofscope_options INTERFACE)
target_include_directories(tofscope_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(tofscope_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TOFSCOPE_WERROR}>>:-Werror>)
# GCC 12 sees overlapping copies in "text" + std::string that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(tofscope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
# GCC 13 takes what a function finds in a table for a reference into the name that it looks for (GCC bug 107532).
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(tofscope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
endif()
# In a unity build the sources of a unit are headers to GCC, whose types it wants to be known to everybody.
if(CMAKE_UNITY_BUILD)
    target_compile_options(tofscope_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
# Results must not depend on whether the compiler found a multiply-add to fuse: kernel ids and taps are
# exact contracts, and host code is compiled for several instruction sets.
target_compile_options(tofscope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
# No path of a machine stands in a program, so that what a compiler cache keeps fits whatever folder a checkout is in.
target_compile_options(tofscope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>)
if(TOFSCOPE_SANITIZE)
    target_compile_options(tofscope_options INTERFACE
        $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${TOFSCOPE_SANITIZE} -fno-omit-frame-pointer>)
    # Undefined behaviour ends a test instead of leaving a line nobody reads; the standard library checks itself.
    if(TOFSCOPE_SANITIZE MATCHES "undefined")
        target_compile_options(tofscope_options INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=undefined>)
    endif()
    target_compile_definitions(tofscope_options INTERFACE _GLIBCXX_ASSERTIONS)
    target_link_options(tofscope_options INTERFACE -fsanitize=${TOFSCOPE_SANITIZE})
endif()

# tofscope_calls_and_waits(TARGET...): rooms whose own loops take no time beside what they call. A unit of theirs takes three
# quarters of the usual time to compile so. Numbers are the same at any level of optimisation (-ffp-contract=off).
function(tofscope_calls_and_waits)
    foreach(target IN LISTS ARGN)
        target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
    endforeach()
endfunction()
