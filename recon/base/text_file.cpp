// SPDX-License-Identifier: Apache-2.0
#include "recon/base/text_file.h"

#include <fstream>

#include "recon/base/error.h"
#include "recon/base/plain_file.h"

namespace tof {

std::string readTextFile(const std::string& path, std::size_t limit) {
    requirePlainFile(path);
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw BadInput("{}: cannot be opened; check the name and the permission to read it", path);
    }
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    std::string text;
    while (file && text.size() <= limit) {
        const std::size_t held = text.size();
        text.resize(held + kPiece);
        file.read(text.data() + held, kPiece);
        text.resize(held + static_cast<std::size_t>(file.gcount()));
    }
    if (text.size() > limit) {
        throw BadInput("{}: longer than {} bytes, too long for a description", path, limit);
    }
    return text;
}

}  // namespace tof
