// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dicom_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMarkAt = 128;
constexpr std::string_view kMark = "DICM";

}  // namespace

bool hasDicomMark(std::string_view start) {
    return start.size() >= kMarkAt + kMark.size() && start.substr(kMarkAt, kMark.size()) == kMark;
}

namespace {

bool isDicomFile(const fs::path& path) {
    std::array<char, kMarkAt + kMark.size()> start{};
    std::ifstream file(path, std::ios::binary);
    return file.read(start.data(), start.size()) && hasDicomMark({start.data(), start.size()});
}

}  // namespace

std::vector<std::string> dicomFilesIn(const std::string& folder, std::size_t most) {
    constexpr std::size_t kLookedAt = 100000;
    std::vector<std::string> found;
    std::size_t looked = 0;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (++looked > kLookedAt || found.size() == most) {
            break;
        }
        if (entry.is_regular_file(ignored) && entry.path().filename() != "DICOMDIR" &&
            isDicomFile(entry.path())) {
            found.push_back(entry.path().string());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace tof
