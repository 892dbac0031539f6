// SPDX-License-Identifier: Apache-2.0
// Writes a starting corpus: FOLDER/TARGET/seed for every reader.
#include <cstdio>

#include "tests/fuzz/readers.h"

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    if (argc != 2) {
        std::fputs("usage: make_seeds FOLDER\n", stderr);
        return 2;
    }
    for (const tof::fuzz::ReaderTarget& target : tof::fuzz::readerTargets()) {
        const fs::path corpus = fs::path(argv[1]) / target.name;
        const fs::path made = fs::path(argv[1]) / "files";
        fs::create_directories(corpus);
        fs::create_directories(made);
        target.seed(made.string());
        fs::copy_file(made / target.file, corpus / "seed", fs::copy_options::overwrite_existing);
        fs::remove_all(made);
    }
    return 0;
}
