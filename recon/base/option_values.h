// SPDX-License-Identifier: Apache-2.0
// Values of options as text and back: what tables of options share.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "recon/base/options.h"

namespace tof {

template <typename T>
constexpr OptionKind kKindOf = std::is_same_v<T, bool>       ? OptionKind::Switch
                               : std::is_enum_v<T>           ? OptionKind::Choice
                               : std::is_integral_v<T>       ? OptionKind::Integer
                               : std::is_floating_point_v<T> ? OptionKind::Number
                                                             : OptionKind::Text;

/// The shortest text that gives the number back.
[[nodiscard]] std::string shortestText(double value);
[[nodiscard]] std::string joinedText(const std::vector<std::string>& parts);

/// An enumeration's values are the option's choices, in their order.
template <typename T>
[[nodiscard]] std::string textOf(const T& value, [[maybe_unused]] const std::vector<std::string>& choices) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "on" : "off";
    } else if constexpr (std::is_enum_v<T>) {
        return choices.at(static_cast<std::size_t>(value));
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        return joinedText(value);
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return shortestText(value);
    } else {
        return value;
    }
}

template <typename T>
[[nodiscard]] T valueOf(const std::string& text, [[maybe_unused]] const std::vector<std::string>& choices) {
    if constexpr (std::is_same_v<T, bool>) {
        return text == "on";
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<T>(std::find(choices.begin(), choices.end(), text) - choices.begin());
    } else if constexpr (std::is_integral_v<T>) {
        const std::optional<T> exact = numberFrom<T>(text);  // a double has too few digits for a seed
        return exact ? *exact : static_cast<T>(numberFrom<double>(text).value());
    } else if constexpr (std::is_floating_point_v<T>) {
        return numberFrom<T>(text).value();
    } else {
        return text;
    }
}

/// Whole numbers joined by 'x', each within [low, high]: "144x144x48". Throws WrongUse naming the option
/// unless there are exactly `count`.
[[nodiscard]] std::vector<int> sizesFromText(const std::string& option, const std::string& text,
                                             std::size_t count, int low, int high);
/// Edges of a voxel in mm: "4" or "4x4x2". Throws WrongUse naming the option.
[[nodiscard]] std::array<double, 3> spacingFromText(const std::string& option, const std::string& text);
/// One number where all edges are alike, else three joined by 'x'.
[[nodiscard]] std::string spacingText(const std::array<double, 3>& spacing_mm);

}  // namespace tof
