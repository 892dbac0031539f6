# This is what Qt's moc makes of headers. Other than by AUTOMOC, moc follows no include here: nothing of what it writes depends
# on one, and it takes a seventh of the time.
include_guard(GLOBAL)

# tofscope_moc(TARGET HEADER...): adds to the target what moc makes of each header, compiled as one unit. A header without
# Q_OBJECT gives nothing.
function(tofscope_moc target)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_moc)
    set(units "")
    set(made "")
    foreach(header IN LISTS ARGN)
        # The path by which the header is included is the tree's, in whatever folder a checkout is.
        file(RELATIVE_PATH included ${CMAKE_SOURCE_DIR} ${header})
        string(REPLACE "/" "_" name ${included})
        string(REGEX REPLACE "\\.h$" ".cpp" name moc_${name})
        add_custom_command(OUTPUT ${folder}/${name}
            COMMAND Qt6::moc --no-notes -f ${included} -o ${folder}/${name} ${header} DEPENDS ${header} VERBATIM)
        list(APPEND made ${folder}/${name})
        string(APPEND units "#include \"${name}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/all.cpp CONTENT "${units}" @ONLY)
    set_source_files_properties(${folder}/all.cpp PROPERTIES OBJECT_DEPENDS "${made}" SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${folder}/all.cpp)
    target_include_directories(${target} PRIVATE ${folder})
endfunction()
