// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/positron.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/suggestion.h"
#include "recon/physics/nuclide.h"

namespace tof {

namespace {

/// From the projection C exp(-k1 |x|) + (1 - C) exp(-k2 |x|), k in 1/mm.
PositronRange fromProjection(double c, double k1, double k2) {
    const double near = c / k1;
    const double far = (1 - c) / k2;
    return {near / (near + far), k1, k2};
}

PositronRange stretched(const PositronRange& range, double mean_mm) {
    const double factor = range.mean_mm() / mean_mm;
    return {range.nearShare, range.near_perMm * factor, range.far_perMm * factor};
}

}  // namespace

const std::vector<Isotope>& isotopes() {
    static const std::vector<Isotope> kAll = [] {
        const PositronRange oxygen = fromProjection(0.379, 18.1, 0.904);
        const auto isotope = [](const char* name, const PositronRange& range) {
            return Isotope{name, range, petNuclide(name).branching};
        };
        return std::vector<Isotope>{isotope("F-18", fromProjection(0.516, 37.9, 3.10)),
                                    isotope("C-11", fromProjection(0.488, 23.8, 1.80)),
                                    isotope("N-13", fromProjection(0.426, 20.2, 1.42)),
                                    isotope("O-15", oxygen),
                                    isotope("Ga-68", stretched(oxygen, 2.9)),
                                    isotope("Rb-82", stretched(oxygen, 5.9))};
    }();
    return kAll;
}

const Isotope& isotopeNamed(const std::string& name) {
    const auto& all = isotopes();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Isotope& one) { return one.name == name; });
    if (found == all.end()) {
        const std::vector<std::string> names = namesOf(all, &Isotope::name);
        throw WrongUse("no isotope '{}'{}; known: {}", name, suggestion(name, names), fmt::join(names, ", "));
    }
    return *found;
}

}  // namespace tof
