// SPDX-License-Identifier: Apache-2.0
// What the main function of every example does.
#pragma once

#include <iostream>
#include <string>
#include <vector>

#include "recon/base/error.h"

/// Calls work(words) with the words of the command line, of which there are so many, and prints what it
/// returns; an error in one sentence ends the program with 1.
template <typename Work>
int runProgram(int argc, char** argv, std::size_t count, const char* usage, const Work& work) try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() != count) {
        throw tof::WrongUse("usage: {}", usage);
    }
    std::cout << work(words) << '\n';
    return 0;
} catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
}
