// SPDX-License-Identifier: Apache-2.0
// What a paper claims, as a condition on a number found here: it holds, it does not, or nobody could look.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tof {

/// How a value has to lie to its bound.
enum class Relation {
    Below,    ///< value < bound
    AtMost,   ///< value <= bound
    Above,    ///< value > bound
    AtLeast,  ///< value >= bound
    Within    ///< |value - bound| <= tolerance
};

enum class Verdict { Passed, Failed, Skipped };

/// Where a value has to lie: what the paper or the arithmetic says; it does not move with what is found.
struct Limit {
    Relation relation = Relation::AtMost;
    double bound = 0;
    double tolerance = 0;  ///< that of Relation::Within, else unused
    std::string unit{};
    /// "at most 0.02", "8.5 within 0.1 mm".
    [[nodiscard]] std::string condition() const;
};

[[nodiscard]] inline Limit below(double bound, std::string unit = {}) {
    return {Relation::Below, bound, 0, std::move(unit)};
}
[[nodiscard]] inline Limit atMost(double bound, std::string unit = {}) {
    return {Relation::AtMost, bound, 0, std::move(unit)};
}
[[nodiscard]] inline Limit above(double bound, std::string unit = {}) {
    return {Relation::Above, bound, 0, std::move(unit)};
}
[[nodiscard]] inline Limit atLeast(double bound, std::string unit = {}) {
    return {Relation::AtLeast, bound, 0, std::move(unit)};
}
[[nodiscard]] inline Limit within(double bound, double tolerance, std::string unit = {}) {
    return {Relation::Within, bound, tolerance, std::move(unit)};
}

/// One claim.
struct Check : Limit {
    std::string name;     ///< what is measured: "CRC of variant1 less that of invariant"
    double value;         ///< what was found; no number: failed
    std::string source;   ///< where the bound is from: "paper 000, section 6.2"
    std::string remark;   ///< why it came out so, or why there is no value; one sentence or empty
    std::string missing;  ///< what this machine lacks to look; then the check is skipped, with this reason

    Check(std::string what, Limit limit, double found, std::string from, std::string why = {},
          std::string lacks = {})
        : Limit(std::move(limit)),
          name(std::move(what)),
          value(found),
          source(std::move(from)),
          remark(std::move(why)),
          missing(std::move(lacks)) {}
    [[nodiscard]] Verdict verdict() const;
};

/// "passed", "failed", "skipped".
[[nodiscard]] const char* verdictName(Verdict verdict);
/// The verdict of several: failed where one failed, skipped where none was looked at, else passed.
[[nodiscard]] Verdict verdictOf(const std::vector<Check>& checks);

}  // namespace tof
