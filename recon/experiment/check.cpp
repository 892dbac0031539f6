// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tof {

namespace {

bool holds(const Check& check) {
    switch (check.relation) {
        case Relation::Below: return check.value < check.bound;
        case Relation::AtMost: return check.value <= check.bound;
        case Relation::Above: return check.value > check.bound;
        case Relation::AtLeast: return check.value >= check.bound;
        case Relation::Within: return std::abs(check.value - check.bound) <= check.tolerance;
    }
    return false;
}

const char* words(Relation relation) {
    switch (relation) {
        case Relation::Below: return "below";
        case Relation::AtMost: return "at most";
        case Relation::Above: return "above";
        case Relation::AtLeast: return "at least";
        case Relation::Within: return "";
    }
    return "";
}

}  // namespace

Verdict Check::verdict() const {
    if (!missing.empty()) {
        return Verdict::Skipped;
    }
    // What is no number holds for no relation.
    return holds(*this) ? Verdict::Passed : Verdict::Failed;
}

std::string Limit::condition() const {
    const std::string tail = unit.empty() ? std::string() : " " + unit;
    return relation == Relation::Within ? fmt::format("{:g} within {:g}{}", bound, tolerance, tail)
                                        : fmt::format("{} {:g}{}", words(relation), bound, tail);
}

const char* verdictName(Verdict verdict) {
    switch (verdict) {
        case Verdict::Passed: return "passed";
        case Verdict::Failed: return "failed";
        case Verdict::Skipped: return "skipped";
    }
    return "";
}

Verdict verdictOf(const std::vector<Check>& checks) {
    const auto any = [&](Verdict verdict) {
        return std::any_of(checks.begin(), checks.end(),
                           [verdict](const Check& check) { return check.verdict() == verdict; });
    };
    return any(Verdict::Failed) ? Verdict::Failed : any(Verdict::Passed) ? Verdict::Passed : Verdict::Skipped;
}

}  // namespace tof
