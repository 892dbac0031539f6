// SPDX-License-Identifier: Apache-2.0
// libFuzzer entry for one reader, chosen by TOF_FUZZ_TARGET at compile time. Whatever the bytes, the reader
// accepts them or throws BadInput; anything else ends the program and is a finding.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "tests/fuzz/readers.h"
#include "tests/support/sanitizers.h"

namespace {

const tof::fuzz::ReaderTarget& target() {
    static const auto& all = tof::fuzz::readerTargets();
    static const auto found = std::find_if(
        all.begin(), all.end(), [](const auto& one) { return std::string(one.name) == TOF_FUZZ_TARGET; });
    return *found;
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
