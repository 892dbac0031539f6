// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/run_packing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace tof {

namespace {

using Bytes = std::span<const std::uint8_t>;

/// A shorter run costs about as much as it saves: what is stored before and after it has a head of 5 bytes.
constexpr std::size_t kLeastRun = 32;
constexpr std::size_t kLongestMatch = 258;
constexpr std::size_t kMostStored = 65535;
constexpr int kStored = 0;
constexpr int kFixedCodes = 1;
constexpr int kEndOfBlock = 256;

/// Lengths that the codes from 257 on begin with, and how many bits follow each (RFC 1951, 3.2.5).
constexpr std::array<std::uint16_t, 29> kLengths = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                    15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                    67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> kLengthBits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

/// Writes whole bytes and bits of a deflate stream, the lowest bits first.
class Bits {
  public:
    explicit Bits(std::uint8_t* out) : out_(out) {}

    void number(unsigned value, unsigned count) {
        held_ |= value << filled_;
        filled_ += count;
        for (; filled_ >= 8; filled_ -= 8, held_ >>= 8U) {
            *out_++ = static_cast<std::uint8_t>(held_);
        }
    }
    /// A code, whose highest bit comes first.
    void code(unsigned value, unsigned count) {
        for (unsigned bit = count; bit-- > 0;) {
            number((value >> bit) & 1U, 1);
        }
    }
    /// The head of a block that is not the last one.
    void block(int kind) { number(static_cast<unsigned>(kind) << 1U, 3); }
    [[nodiscard]] bool whole() const { return filled_ == 0; }
    void fill() { number(0, whole() ? 0 : 8 - filled_); }
    /// Whole bytes behind whole bytes.
    void bytes(Bytes some) { out_ = std::copy(some.begin(), some.end(), out_); }
    [[nodiscard]] std::uint8_t* end() const { return out_; }

  private:
    std::uint8_t* out_;
    unsigned held_ = 0;
    unsigned filled_ = 0;
};

void store(Bytes bytes, Bits& bits) {
    do {
        const Bytes part = bytes.first(std::min(bytes.size(), kMostStored));
        const auto size = static_cast<unsigned>(part.size());
        bits.block(kStored);
        bits.fill();
        bits.number(size, 16);
        bits.number(~size & 0xFFFFU, 16);
        bits.bytes(part);
        bytes = bytes.subspan(part.size());
    } while (!bytes.empty());
}

/// One of the codes from 256 on that every stream knows (RFC 1951, 3.2.6).
void fixedCode(int symbol, Bits& bits) {
    constexpr int kFirstOfEight = 280;
    if (symbol < kFirstOfEight) {
        bits.code(static_cast<unsigned>(symbol - kEndOfBlock), 7);
    } else {
        bits.code(0xC0U + static_cast<unsigned>(symbol - kFirstOfEight), 8);
    }
}

/// The byte before, `count` times more; fewer than 3 cannot be said.
void repeat(std::size_t count, Bits& bits) {
    bits.block(kFixedCodes);
    while (count >= kLengths.front()) {
        // What is left must not be too short for a match of its own.
        std::size_t length = std::min(count, kLongestMatch);
        if (count > length && count - length < kLengths.front()) {
            length -= kLengths.front();
        }
        const auto at = static_cast<std::size_t>(std::upper_bound(kLengths.begin(), kLengths.end(), length) -
                                                 kLengths.begin() - 1);
        fixedCode(kEndOfBlock + 1 + static_cast<int>(at), bits);
        bits.number(static_cast<unsigned>(length - kLengths[at]), kLengthBits[at]);
        bits.code(0, 5);  // at a distance of 1
        count -= length;
    }
    fixedCode(kEndOfBlock, bits);
}

struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The next run from `from` on; empty at the end where there is none.
Run nextRun(Bytes bytes, std::size_t from) {
    constexpr std::size_t kStep = kLeastRun / 2;  // a run holds a whole step, wherever it begins
    for (std::size_t at = (from + kStep - 1) / kStep * kStep; at + kStep <= bytes.size(); at += kStep) {
        std::array<std::uint64_t, 2> two{};
        std::memcpy(two.data(), bytes.data() + at, sizeof two);
        if (two[0] != two[1] || two[0] != std::rotl(two[0], 8)) {
            continue;
        }
        Run run{at, at + kStep};
        while (run.begin > from && bytes[run.begin - 1] == bytes[at]) {
            --run.begin;
        }
        while (run.end < bytes.size() && bytes[run.end] == bytes[at]) {
            ++run.end;
        }
        if (run.end - run.begin >= kLeastRun) {
            return run;
        }
    }
    return {bytes.size(), bytes.size()};
}

}  // namespace

std::uint8_t* packRuns(Bytes bytes, std::uint8_t* out) {
    Bits bits(out);
    for (std::size_t done = 0; done < bytes.size();) {
        const Run run = nextRun(bytes, done);
        const bool any = run.end > run.begin;
        store(bytes.subspan(done, run.begin + (any ? 1 : 0) - done), bits);
        if (any) {
            repeat(run.end - run.begin - 1, bits);
        }
        done = run.end;
    }
    if (!bits.whole()) {
        store({}, bits);
    }
    return bits.end();
}

}  // namespace tof
