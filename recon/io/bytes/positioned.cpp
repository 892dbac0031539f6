// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/positioned.h"

#include <unistd.h>

#include <cerrno>

namespace tof {

namespace {

/// Calls move(bytes done) until all are; returns the fault, 0: none.
template <class Move>
int moveAll(std::size_t bytes, const Move& move) {
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t moved = move(done);
        if (moved < 0 && errno == EINTR) {
            continue;
        }
        if (moved <= 0) {
            return moved < 0 ? errno : EIO;
        }
        done += static_cast<std::size_t>(moved);
    }
    return 0;
}

}  // namespace

int readWhole(int file, std::uint64_t at, std::span<std::byte> out) {
    return moveAll(out.size(), [&](std::size_t done) {
        return ::pread(file, out.data() + done, out.size() - done, static_cast<off_t>(at + done));
    });
}

int writeWhole(int file, std::uint64_t at, std::span<const std::byte> bytes) {
    return moveAll(bytes.size(), [&](std::size_t done) {
        return ::pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    });
}

}  // namespace tof
