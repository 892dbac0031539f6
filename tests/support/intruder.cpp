// SPDX-License-Identifier: Apache-2.0
// A library that somebody has put where a program might load it: it leaves a file behind when that happens.
#include <cstdio>
#include <cstdlib>

namespace {

[[gnu::constructor]] void leaveTrace() {
    const char* const trace = std::getenv("TOFSCOPE_TEST_TRACE");
    if (trace != nullptr) {
        if (std::FILE* const file = std::fopen(trace, "w")) {
            std::fclose(file);
        }
    }
}

}  // namespace
