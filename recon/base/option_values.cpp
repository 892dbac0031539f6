// SPDX-License-Identifier: Apache-2.0
#include "recon/base/option_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Numbers joined by 'x'; empty when a piece is not a number within [low, high].
template <typename Number>
std::vector<Number> numbersBetween(const std::string& text, Number low, Number high) {
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

}  // namespace

std::string shortestText(double value) {
    return fmt::format("{}", value);
}

std::string joinedText(const std::vector<std::string>& parts) {
    return fmt::format("{}", fmt::join(parts, ","));
}

std::vector<int> sizesFromText(const std::string& option, const std::string& text, std::size_t count, int low,
                               int high) {
    std::vector<int> sizes = numbersBetween(text, low, high);
    if (sizes.size() != count) {
        throw WrongUse(
            fmt::format("option {} is '{}'; it must be {} whole numbers between {} and {} joined by 'x'",
                        option, text, count, low, high));
    }
    return sizes;
}

std::array<double, 3> spacingFromText(const std::string& option, const std::string& text) {
    constexpr double kSmallest_mm = 0.01;
    constexpr double kLargest_mm = 1000;
    const std::vector<double> numbers = numbersBetween(text, kSmallest_mm, kLargest_mm);
    if (numbers.size() == 1) {
        return {numbers[0], numbers[0], numbers[0]};
    }
    if (numbers.size() == 3) {
        return {numbers[0], numbers[1], numbers[2]};
    }
    throw WrongUse(
        fmt::format("option {} is '{}'; it must be one edge in mm, as 4, or three, as 4x4x2, each "
                    "between {} and {}",
                    option, text, kSmallest_mm, kLargest_mm));
}

std::string spacingText(const std::array<double, 3>& spacing_mm) {
    const auto& [x, y, z] = spacing_mm;
    return x == y && y == z ? shortestText(x)
                            : fmt::format("{}x{}x{}", shortestText(x), shortestText(y), shortestText(z));
}

}  // namespace tof
