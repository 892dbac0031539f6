// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lattice_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/cli/arguments.h"
#include "recon/base/error.h"

namespace tof {

namespace {

/// Numbers joined by 'x'; empty when a piece is not a number within [low, high].
template <typename Number>
std::vector<Number> split(const std::string& text, Number low, Number high) {
    std::vector<Number> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        Number value{};
        const auto [stop, fault] = std::from_chars(at, end, value);
        if (fault != std::errc() || !(value >= low && value <= high)) {
            return {};
        }
        numbers.push_back(value);
        if (stop == end) {
            return numbers;
        }
        if (*stop != 'x') {
            return {};
        }
        at = stop + 1;
    }
}

std::array<double, 3> spacingFromText(const std::string& text) {
    constexpr double kSmallest_mm = 0.01;
    constexpr double kLargest_mm = 1000;
    const std::vector<double> numbers = split(text, kSmallest_mm, kLargest_mm);
    if (numbers.size() == 1) {
        return {numbers[0], numbers[0], numbers[0]};
    }
    if (numbers.size() == 3) {
        return {numbers[0], numbers[1], numbers[2]};
    }
    throw WrongUse(
        fmt::format("option --voxel is '{}'; it must be one edge in mm, as 4, or three, as 4x4x2, each "
                    "between {} and {}",
                    text, kSmallest_mm, kLargest_mm));
}

}  // namespace

std::vector<int> sizesFromText(const std::string& option, const std::string& text, std::size_t count, int low,
                               int high) {
    std::vector<int> sizes = split(text, low, high);
    if (sizes.size() != count) {
        throw WrongUse(
            fmt::format("option {} is '{}'; it must be {} whole numbers between {} and {} joined by 'x'",
                        option, text, count, low, high));
    }
    return sizes;
}

void LatticeOptions::describe(Arguments& arguments) {
    arguments.custom(
        "grid", "XxYxZ", size[0] == 0 ? "what fits" : fmt::format("{}x{}x{}", size[0], size[1], size[2]),
        [this](const std::string& text) {
            const std::vector<int> sizes = sizesFromText("--grid", text, 3, 1, 65535);
            std::copy(sizes.begin(), sizes.end(), size.begin());
            sizeGiven = true;
        },
        "Voxels along x, y and z");
    arguments.custom(
        "voxel", "MM",
        size[0] == 0 ? "what fits"
        : spacing_mm[0] == spacing_mm[2]
            ? fmt::format("{:g}", spacing_mm[0])
            : fmt::format("{:g}x{:g}x{:g}", spacing_mm[0], spacing_mm[1], spacing_mm[2]),
        [this](const std::string& text) {
            spacing_mm = spacingFromText(text);
            spacingGiven = true;
        },
        "Voxel edge, or edges as 4x4x2, in mm");
}

}  // namespace tof
