// SPDX-License-Identifier: Apache-2.0
// What every table of options says of one: settings of runs, preferences, options of commands, the kernel
// lab.
#pragma once

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tof {

enum class OptionKind { Choice, Integer, Number, Text, Switch };

/// One option. Values travel as text in the C locale, "on" and "off" for a switch.
struct OptionInfo {
    std::string key;  ///< as in files; on command lines the option is --key
    OptionKind kind = OptionKind::Text;
    std::string fallback{};  ///< default
    std::string label{};     ///< "Iterations"
    std::string unit{};      ///< "" when none
    double low = 0;          ///< the least value of a number
    double high = 0;
    std::vector<std::string> choices{};          ///< choices of a Choice
    std::map<std::string, std::string> about{};  ///< what a choice does, where that needs a line
    std::string help{};                          ///< one sentence
};

/// Why a text is no value of an option.
enum class Refusal { NoNumber, NotWhole, OutOfRange, NoChoice };

/// Empty for an allowed value. Doors word the sentence.
[[nodiscard]] std::optional<Refusal> refusalOf(const OptionInfo& info, const std::string& value);

/// The whole text as a finite number; empty when it is none, or does not fit.
template <typename Number>
[[nodiscard]] std::optional<Number> numberFrom(std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    bool good = fault == std::errc() && stop == end;
    if constexpr (std::is_floating_point_v<Number>) {
        good = good && std::isfinite(value);
    }
    return good ? std::optional(value) : std::nullopt;
}

/// Marks a text that the window shows in the user's language, for the tool that collects them (the target
/// `collect_texts`); `context` is "Word", as ui/kit/text.h has it.
[[nodiscard]] constexpr const char* toTranslate([[maybe_unused]] const char* context, const char* text) {
    return text;
}

}  // namespace tof
