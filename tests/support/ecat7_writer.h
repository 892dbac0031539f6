// SPDX-License-Identifier: Apache-2.0
// Small images of ECAT 7.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace tof::test {

/// A file of frames of 4 x 3 x 2 voxels whose values are raw: 100 frame + x + 10 y + 40 z.
struct EcatFile {
    int orientation = 3;
    int type = 6;  ///< data_type of the values
    float calibration = 2.5F;
    std::string units = "Bq/cc";
    int frames = 2;
    float scale = 0.5F;

    std::string bytes;

    template <class T>
    void put(std::size_t at, T value) {
        std::array<char, sizeof(T)> raw{};
        std::memcpy(raw.data(), &value, sizeof(T));
        if (bytes.size() < at + sizeof(T)) {
            bytes.resize(at + sizeof(T), '\0');
        }
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            bytes[at + i] = raw.at(sizeof(T) - 1 - i);
        }
    }
    void make() {
        bytes.assign(512, '\0');
        bytes.replace(0, 9, "MATRIX72v");
        put<std::uint16_t>(50, 7);
        put<float>(74, 1223);
        put<float>(144, calibration);
        put<std::uint16_t>(330, static_cast<std::uint16_t>(orientation));
        bytes.replace(466, units.size(), units);
        // Two directories: the second frame stands in the first one, the others follow.
        const int later = frames - 1;
        put<std::int32_t>(512, 30);
        put<std::int32_t>(516, later > 0 ? 3 : 2);
        put<std::int32_t>(524, 1);
        put<std::int32_t>(1024, 31 - later);
        put<std::int32_t>(1028, 2);
        put<std::int32_t>(1036, later);
        int block = 4;
        for (int place = 0; place < frames; ++place) {
            const int frame = place == 0 ? frames : place;
            const std::size_t row = place == 0 ? 528 : 1024 + 16 * static_cast<std::size_t>(place);
            put<std::uint32_t>(row, 0x01010000U | static_cast<std::uint32_t>(frame));
            put<std::int32_t>(row + 4, block);
            put<std::int32_t>(row + 8, block + 1);
            put<std::int32_t>(row + 12, 1);
            addImage(static_cast<std::size_t>(block - 1) * 512, frame);
            block += 2;
        }
        bytes.resize(static_cast<std::size_t>(block - 1) * 512, '\0');
    }
    void addImage(std::size_t at, int frame) {
        put<std::uint16_t>(at, static_cast<std::uint16_t>(type));
        for (const auto& [byte, size] : {std::pair<std::size_t, std::uint16_t>{4, 4}, {6, 3}, {8, 2}}) {
            put<std::uint16_t>(at + byte, size);
        }
        put<float>(at + 26, scale);
        put<float>(at + 34, 0.2F);
        put<float>(at + 38, 0.3F);
        put<float>(at + 42, 0.5F);
        put<std::int32_t>(at + 46, 60000);
        put<std::int32_t>(at + 50, 60000 * (frame - 1));
        put<float>(at + 80, 1.25F);
        for (std::size_t i = 0; i < 24; ++i) {
            const int value = 100 * frame + static_cast<int>(i % 4) + 10 * static_cast<int>(i / 4 % 3) +
                              40 * static_cast<int>(i / 12);
            if (type == 5) {
                put<float>(at + 512 + 4 * i, static_cast<float>(value));
            } else if (type == 7) {
                put<std::int32_t>(at + 512 + 4 * i, value);
            } else if (type == 2) {
                put<std::uint16_t>(at + 512 + 2 * i, static_cast<std::uint16_t>(value << 8 | value >> 8));
            } else {
                put<std::int16_t>(at + 512 + 2 * i, static_cast<std::int16_t>(value));
            }
        }
    }
};

}  // namespace tof::test
