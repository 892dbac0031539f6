// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/physics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/base/words.h"

namespace tof {

const std::array<Physics::Switch, Physics::kSwitches>& Physics::switches() {
    static constexpr std::array<Switch, kSwitches> kAll{{{"range", &Physics::range},
                                                         {"acollinearity", &Physics::acollinearity},
                                                         {"scatter", &Physics::scatter},
                                                         {"covers", &Physics::covers},
                                                         {"shields", &Physics::shields},
                                                         {"bed", &Physics::bed},
                                                         {"crystals", &Physics::crystals},
                                                         {"energy", &Physics::energy},
                                                         {"position", &Physics::position},
                                                         {"randoms", &Physics::randoms},
                                                         {"dead-time", &Physics::deadTime},
                                                         {"pile-up", &Physics::pileUp},
                                                         {"multiples", &Physics::multiples},
                                                         {"bandwidth", &Physics::bandwidth},
                                                         {"lutetium", &Physics::lutetium}}};
    return kAll;
}

Physics Physics::none() {
    Physics physics;
    for (const Switch& one : switches()) {
        physics.*one.second = false;
    }
    return physics;
}

Physics Physics::fromText(const std::string& text) {
    if (text == "all" || text == "none") {
        return text == "all" ? Physics() : none();
    }
    std::vector<std::string> words = parts(text, ',');
    const auto leavesOut = [](const std::string& word) { return word.starts_with("no-"); };
    const bool without = !words.empty() && leavesOut(words.front());
    const bool more = words.size() > 1 && words.front() == "all";
    Physics physics = without || more ? Physics() : none();
    if (more) {
        words.erase(words.begin());
    }
    if (words.empty()) {
        throw WrongUse("no physics named; give all, none, or a list");
    }
    for (const std::string& word : words) {
        const std::string name = leavesOut(word) ? word.substr(3) : word;
        const auto found = std::find_if(switches().begin(), switches().end(),
                                        [&](const Switch& one) { return name == one.first; });
        if (found == switches().end() || leavesOut(word) != without) {
            const std::vector<std::string> names = namesOf(switches(), &Switch::first);
            throw WrongUse(
                "physics '{}'{}; give all, none, a list of {}, all,lutetium, or a list of what to leave out: "
                "no-range, ...",
                text, suggestion(name, names), fmt::join(names, ", "));
        }
        physics.*found->second = !without;
    }
    return physics;
}

std::string Physics::toText() const {
    std::vector<std::string> names;
    for (const Switch& one : switches()) {
        if (this->*one.second) {
            names.emplace_back(one.first);
        }
    }
    Physics all;
    all.isotope = isotope;
    if (*this == all) {
        return "all";
    }
    if (names.size() == switches().size()) {
        return "all,lutetium";
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
}

Physics Physics::of(const Scanner& scanner) {
    if (!scanner.detection) {
        return none();
    }
    Physics physics;
    if (!(scanner.detection->coincidence_ns > 0)) {
        physics.leaveOutRates();
    }
    return physics;
}

}  // namespace tof
