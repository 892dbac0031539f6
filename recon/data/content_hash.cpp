// SPDX-License-Identifier: Apache-2.0
#include "recon/data/content_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace tof {

std::uint64_t hashOf(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::vector<std::uint64_t> hashesOfViews(std::span<const float> values, std::size_t size) {
    std::vector<std::uint64_t> hashes;
    for (std::size_t begin = 0; begin < values.size(); begin += size) {
        hashes.push_back(XXH3_64bits(values.data() + begin, size * sizeof(float)));
    }
    return hashes;
}

HashedPart hashedPart(std::span<const std::byte> bytes) {
    return {bytes.size(), hashOf(bytes)};
}

void ContentHash::add(const void* bytes, std::size_t count) {
    add(hashedPart({static_cast<const std::byte*>(bytes), count}));
}

void ContentHash::add(const HashedPart& part) {
    parts_.push_back(part.bytes);
    parts_.push_back(part.hash);
}

void ContentHash::add(const std::vector<std::uint64_t>& hashes) {
    parts_.push_back(hashes.size());
    parts_.insert(parts_.end(), hashes.begin(), hashes.end());
}

std::string ContentHash::text() const {
    return fmt::format("{:016x}", XXH3_64bits(parts_.data(), parts_.size() * sizeof(std::uint64_t)));
}

}  // namespace tof
