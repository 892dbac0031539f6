// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/nuclide.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "recon/base/error.h"
#include "recon/physics/nuclide_code.h"

namespace tof {

namespace {

/// Runs of letters, in lower case, and runs of digits.
std::vector<std::string> wordsOf(const std::string& text) {
    const auto kind = [](char c) {
        return c >= '0' && c <= '9' ? 1 : (c | 32) >= 'a' && (c | 32) <= 'z' ? 2 : 0;
    };
    std::vector<std::string> words;
    int last = 0;
    for (const char c : text) {
        const int now = kind(c);
        if (now != 0 && now != last) {
            words.emplace_back();
        }
        if (now != 0) {
            words.back() += now == 2 ? static_cast<char>(c | 32) : c;
        }
        last = now;
    }
    return words;
}

}  // namespace

std::span<const Nuclide> petNuclides() {
    static constexpr std::array<Nuclide, 8> kAll{{{"F-18", 6586.2, 0.969},
                                                  {"Ga-68", 4070, 0.889},
                                                  {"C-11", 1222, 0.998},
                                                  {"N-13", 598, 0.998},
                                                  {"O-15", 122.2, 0.999},
                                                  {"Cu-64", 45722, 0.175},
                                                  {"Zr-89", 282300, 0.227},
                                                  {"Rb-82", 75.5, 0.954}}};
    return kAll;
}

const Nuclide& petNuclide(const std::string& name) {
    const auto all = petNuclides();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Nuclide& one) { return one.name == name; });
    if (found == all.end()) {
        throw InternalError("no nuclide '{}'", name);
    }
    return *found;
}

const Nuclide* nuclideOfHalfLife(double halfLife_s) {
    constexpr double kNear = 0.01;
    const auto all = petNuclides();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Nuclide& one) {
        return std::abs(one.halfLife_s - halfLife_s) <= kNear * one.halfLife_s;
    });
    return found != all.end() ? &*found : nullptr;
}

const Nuclide* nuclideIn(const std::string& text) {
    const std::vector<std::string> words = wordsOf(text);
    for (const NuclideCode& one : nuclideCodes()) {
        const std::vector<std::string> parts = wordsOf(one.name);  // symbol and mass
        const auto has = [&](const std::string& word) {
            return std::find(words.begin(), words.end(), word) != words.end();
        };
        if (text == one.code || (has(parts[1]) && (has(parts[0]) || has(one.element)))) {
            return &petNuclide(one.name);
        }
    }
    const bool glucose = std::find(words.begin(), words.end(), "fdg") != words.end();
    return glucose ? &petNuclide("F-18") : nullptr;
}

double positronsPerDecay(double halfLife_s) {
    const Nuclide* const nuclide = nuclideOfHalfLife(halfLife_s);
    return nuclide != nullptr ? nuclide->branching : 1.0;
}

double startOverMean(double duration_s, double halfLife_s) {
    const double x = std::numbers::ln2 * duration_s / halfLife_s;
    return x > 0 ? x / -std::expm1(-x) : 1.0;
}

}  // namespace tof
