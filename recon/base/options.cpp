// SPDX-License-Identifier: Apache-2.0
#include "recon/base/options.h"

#include <algorithm>

namespace tof {

std::optional<Refusal> refusalOf(const OptionInfo& info, const std::string& value) {
    switch (info.kind) {
        case OptionKind::Text: return std::nullopt;
        case OptionKind::Switch:
            return value == "on" || value == "off" ? std::nullopt : std::optional(Refusal::NoChoice);
        case OptionKind::Choice:
            return std::find(info.choices.begin(), info.choices.end(), value) != info.choices.end()
                       ? std::nullopt
                       : std::optional(Refusal::NoChoice);
        case OptionKind::Integer:
        case OptionKind::Number: break;
    }
    const std::optional<double> number = numberFrom<double>(value);
    if (!number) {
        return Refusal::NoNumber;
    }
    if (info.kind == OptionKind::Integer && *number != std::floor(*number)) {
        return Refusal::NotWhole;
    }
    return *number < info.low || *number > info.high ? std::optional(Refusal::OutOfRange) : std::nullopt;
}

}  // namespace tof
