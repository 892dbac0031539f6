// SPDX-License-Identifier: Apache-2.0
// Gates: parts of a scan that recur with breathing or the heart.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tof {

/// What divides time into gates.
enum class GateBy {
    Phase,     ///< equal parts of the time between a trigger and the next
    Amplitude  ///< how large a signal is, in bands that it is in for equally long
};

struct GateRequest {
    /// Table of times in s, or of times and values, or kRespiratory or kCardiac: triggers of the list; empty:
    /// no gates.
    std::string file;
    int count = 8;  ///< gates, 2 to 100
    GateBy by = GateBy::Phase;
    std::optional<std::vector<double>> triggers_s{};  ///< those of the list, ascending; none: it keeps none

    static constexpr const char* kRespiratory = "respiratory";
    static constexpr const char* kCardiac = "cardiac";
    [[nodiscard]] bool ofList() const { return file == kRespiratory || file == kCardiac; }
};

/// A time when a gate is on.
struct GateTime {
    double begin_s = 0;
    double end_s = 0;
    int gate = 0;  ///< from 1

    [[nodiscard]] bool operator==(const GateTime&) const = default;
};

/// When which gate is on, ascending and apart. `list` names the list in messages. Triggers: times in s since
/// the start of the list, one a line; before the first and after the last there is no gate. A signal: time in
/// s and value, one sample a line, between which it goes straight; bands are those of its samples' quantiles,
/// the first the lowest. A first line may name the columns (`trigger` or `onset`; `time` or `onset`, and
/// `value` or `amplitude`). Throws WrongUse for a number of gates that cannot be, BadInput, naming the line,
/// for files that are none or whose times go back.
[[nodiscard]] std::vector<GateTime> gatesFrom(const GateRequest& request, const std::string& list);

}  // namespace tof
