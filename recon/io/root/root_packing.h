// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tof {

/// `stored`, pieces of at most 16 MiB behind 9 bytes each that tell how they are compressed (zlib, LZ4, LZMA,
/// Zstandard) and how long they become, as `size` bytes. Throws BadInput naming `path`.
[[nodiscard]] std::vector<std::byte> rootUnpacked(const std::string& path, std::span<const std::byte> stored,
                                                  std::uint64_t size);

}  // namespace tof
