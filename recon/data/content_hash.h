// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tof {

/// A hash of bytes that can be taken in pieces, and by one process after the other: a plain value.
///
/// Mixes 8-byte words in four independent lanes: as fast as memory, and any changed bit changes the result.
/// Own code rather than libxxhash because run files and checkpoints keep its values: another hash would
/// refuse them.
class ContentHash {
  public:
    /// An array of `count` bytes.
    void add(const void* bytes, std::size_t count) {
        begin(count);
        more(bytes, count);
        end();
    }
    /// Takes an array in pieces: begin() with the size of the array, its bytes in order, end().
    void begin(std::size_t count) { mix(lanes_[0], count); }
    void more(const void* bytes, std::size_t count) {
        const auto* at = static_cast<const unsigned char*>(bytes);
        while (waiting_ > 0 && count > 0) {
            rest_[waiting_++] = *at++;
            --count;
            if (waiting_ == kGroup) {
                mixGroup(lanes_, rest_.data());
                waiting_ = 0;
            }
        }
        // In registers: bytes may be anywhere, so members would be stored and loaded for every word.
        std::array<std::uint64_t, 4> lanes = lanes_;
        for (; count >= kGroup; count -= kGroup, at += kGroup) {
            mixGroup(lanes, at);
        }
        lanes_ = lanes;
        for (; count > 0; --count) {
            rest_[waiting_++] = *at++;
        }
    }
    void end() {
        for (std::size_t i = 0; i < waiting_; ++i) {
            mix(lanes_[0], rest_[i]);
        }
        waiting_ = 0;
    }
    [[nodiscard]] std::uint64_t result() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t lane : lanes_) {
            sum = (sum ^ lane) * 0x9E3779B97F4A7C15ULL;
            sum ^= sum >> 29U;
        }
        return sum;
    }

  private:
    static constexpr std::size_t kGroup = 32;

    static void mixGroup(std::array<std::uint64_t, 4>& lanes, const unsigned char* bytes) {
        std::array<std::uint64_t, 4> words{};
        std::memcpy(words.data(), bytes, kGroup);
        for (std::size_t lane = 0; lane < words.size(); ++lane) {
            mix(lanes[lane], words[lane]);
        }
    }
    static void mix(std::uint64_t& state, std::uint64_t word) {
        state = (state ^ word) * 0xD6E8FEB86659FD93ULL;
        state ^= state >> 32U;
    }

    std::array<std::uint64_t, 4> lanes_{0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL, 0xA4093822299F31D0ULL,
                                        0x082EFA98EC4E6C89ULL};
    std::array<unsigned char, kGroup> rest_{};
    std::size_t waiting_ = 0;
};

}  // namespace tof
