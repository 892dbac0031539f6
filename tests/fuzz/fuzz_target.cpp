// SPDX-License-Identifier: Apache-2.0
// libFuzzer entry for the reader that TOFSCOPE_FUZZ_READER names. Whatever the bytes, the reader accepts them
// or throws BadInput; anything else ends the program and is a finding.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/readers.h"
#include "tests/support/sanitizers.h"

namespace {

const tof::fuzz::ReaderTarget& target() {
    static const tof::fuzz::ReaderTarget& found = [&]() -> const tof::fuzz::ReaderTarget& {
        const char* const name = std::getenv("TOFSCOPE_FUZZ_READER");
        for (const tof::fuzz::ReaderTarget& one : tof::fuzz::readerTargets()) {
            if (name != nullptr && std::string(one.name) == name) {
                return one;
            }
        }
        std::fputs("TOFSCOPE_FUZZ_READER names no reader; fuzz_seeds makes a folder for each\n", stderr);
        std::exit(2);
    }();
    return found;
}

/// A folder with the valid files, made once.
const std::string& folder() {
    static const std::string path = [] {
        std::string name = (std::filesystem::temp_directory_path() / "tof-fuzz-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            std::abort();
        }
        target().seed(name);
        return name;
    }();
    return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tof::fuzz::save(folder() + "/" + target().file, std::string(reinterpret_cast<const char*>(data), size));
    try {
        target().read(folder());
    } catch (const tof::BadInput&) {
        return 0;
    }
    return 0;
}
