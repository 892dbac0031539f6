# Puts description files into a library, so that built-in names work wherever a program is run from.
include_guard(GLOBAL)

# tofscope_embed(TARGET FOLDER FUNCTION HEADER): defines FUNCTION(), which HEADER declares: the (name, text) pairs of
# resources/FOLDER/*.json (schemas excepted).
function(tofscope_embed target folder function header)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/${folder}/*.json)
    list(FILTER files EXCLUDE REGEX "\\.schema\\.json$")
    set(entries "")
    foreach(file IN LISTS files)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        get_filename_component(name ${file} NAME_WE)
        file(READ ${file} text)
        string(APPEND entries "    {\"${name}\", R\"~~~(${text})~~~\"},\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/built_in_${folder}.cpp @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
#include \"@header@\"

namespace tof {

const std::vector<BuiltIn>& @function@() {
    static const std::vector<BuiltIn> kAll{
@entries@    };
    return kAll;
}

}  // namespace tof
")
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/built_in_${folder}.cpp)
endfunction()

# tofscope_embed_bytes(TARGET FILE FUNCTION HEADER): defines FUNCTION(), which HEADER declares: the bytes of
# FILE, a whole path, as a std::string_view.
function(tofscope_embed_bytes target file function header)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} digits HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${digits}")
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
#include \"@header@\"

namespace tof {

std::string_view @function@() {
    static constexpr char kBytes[] = {
@bytes@
    };
    return {kBytes, sizeof(kBytes)};
}

}  // namespace tof
")
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
endfunction()
