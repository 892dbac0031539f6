// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tof {

/// A scale with round ends and marks between them.
struct RoundScale {
    double low = 0;
    double high = 1;
    double step = 1;
    int power = 0;  ///< marks are told in units of 10^power

    /// About `marks` steps of 1, 2 or 5 times a power of ten that cover the values from `least` to `most`,
    /// and zero where that is near.
    [[nodiscard]] static RoundScale covering(double least, double most, int marks);
    /// Marks of that kind within given ends, which stay as they are.
    [[nodiscard]] static RoundScale within(double low, double high, int marks);
    [[nodiscard]] std::vector<double> marks() const;
    /// "0.5" of a mark, with a true minus.
    [[nodiscard]] std::string text(double mark) const;
    /// A title with what the marks are to be multiplied by, if anything.
    [[nodiscard]] std::string titled(const std::string& title) const;
    /// Where a value lies, from 0 to 1.
    [[nodiscard]] double place(double value) const { return (value - low) / (high - low); }
};

}  // namespace tof
