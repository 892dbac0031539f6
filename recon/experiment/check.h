// SPDX-License-Identifier: Apache-2.0
// What a paper claims, as a condition on a number found here: it holds, it does not, or nobody could look.
#pragma once

#include <limits>
#include <string>
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

/// One claim. The bound is what the paper or the arithmetic says; it does not move with what is found.
struct Check {
    std::string name;  ///< what is measured: "CRC of variant1 less that of invariant"
    Relation relation = Relation::AtMost;
    double bound = 0;
    double tolerance = 0;                                     ///< that of Relation::Within, else unused
    double value = std::numeric_limits<double>::quiet_NaN();  ///< what was found; no number: failed
    std::string unit{};
    std::string source{};   ///< where the bound is from: "paper 000, section 6.2"
    std::string remark{};   ///< why it came out so, or why there is no value; one sentence or empty
    std::string missing{};  ///< what this machine lacks to look; then the check is skipped, with this reason

    [[nodiscard]] Verdict verdict() const;
    /// "at most 0.02", "8.5 within 0.1 mm".
    [[nodiscard]] std::string condition() const;
};

/// "passed", "failed", "skipped".
[[nodiscard]] const char* verdictName(Verdict verdict);
/// The verdict of several: failed where one failed, skipped where none was looked at, else passed.
[[nodiscard]] Verdict verdictOf(const std::vector<Check>& checks);

}  // namespace tof
