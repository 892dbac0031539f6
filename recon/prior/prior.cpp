// SPDX-License-Identifier: Apache-2.0
#include "recon/prior/prior.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/options.h"

namespace tof {

namespace {

// With u the unit and t = x / u, R is u psi(t_j, t_k): of the degree of x, as the log-likelihood is.

const std::array<Prior, 6>& rows() {
    static const std::array<Prior, 6> all{
        {{.name = "relative-difference",
          .shortName = "RDP",
          .about = toTranslate("Word", "differences in relation to the values; what clinics use"),
          .settings = {"prior-gamma", "prior-epsilon"},
          .potential = [](const PriorParameters& set, double unit) -> Potential {
              return RelativeDifference{static_cast<float>(set.priorGamma),
                                        static_cast<float>(set.priorEpsilon * unit)};
          }},
         {.name = "quadratic",
          .about = toTranslate("Word", "squares of differences; smooths edges as well"),
          .settings = {},
          .potential = [](const PriorParameters& /*set*/, double unit) -> Potential {
              return Quadratic{static_cast<float>(1 / unit)};
          }},
         {.name = "huber",
          .about = toTranslate("Word", "squares of small differences, large ones as they are"),
          .settings = {"prior-delta"},
          .potential = [](const PriorParameters& set, double unit) -> Potential {
              return Huber{static_cast<float>(1 / unit), static_cast<float>(set.priorDelta * unit)};
          }},
         {.name = "log-cosh",
          .about = toTranslate("Word", "as huber, without a corner in its curvature"),
          .settings = {"prior-delta"},
          .potential = [](const PriorParameters& set, double unit) -> Potential {
              return LogCosh{static_cast<float>(1 / unit), static_cast<float>(set.priorDelta * unit)};
          }},
         {.name = "total-variation",
          .shortName = "TV",
          .about = toTranslate("Word", "differences as they are, smooth below delta; flat areas with edges"),
          .settings = {"prior-delta"},
          .potential = [](const PriorParameters& set, double unit) -> Potential {
              return TotalVariation{static_cast<float>(set.priorDelta * unit)};
          }},
         {.name = "median-root",
          .about = toTranslate("Word", "draws to the median of neighbours; no objective, for osl alone"),
          .settings = {"prior-epsilon"},
          .kind = PriorKind::OneStepLate,
          .potential = [](const PriorParameters& set, double unit) -> Potential {
              return MedianRoot{static_cast<float>(set.priorEpsilon * unit)};
          }}}};
    return all;
}

void require(bool good, const char* key, double value, const char* allowed) {
    if (!good || !std::isfinite(value)) {
        throw WrongUse("{} is {}; it must be {}", key, value, allowed);
    }
}

}  // namespace

const std::vector<const Prior*>& priors() {
    static const std::vector<const Prior*> table = [] {
        std::vector<const Prior*> all;
        for (const Prior& row : rows()) {
            all.push_back(&row);
        }
        return all;
    }();
    return table;
}

std::vector<std::string> priorNames() {
    return namesOf(priors(), &Prior::name);
}

const Prior& priorNamed(const std::string& name) {
    for (const Prior* prior : priors()) {
        if (prior->name == name) {
            return *prior;
        }
    }
    throw WrongUse("no prior '{}'; priors: {}", name, fmt::join(priorNames(), ", "));
}

Neighbourhood neighbourhoodOf(const Lattice& lattice) {
    Neighbourhood all;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        all.size[axis] = lattice.size[axis];
    }
    for (unsigned kind = 1; kind < 8; ++kind) {
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double step = (kind >> axis & 1U) != 0 ? lattice.spacing_mm[axis] : 0;
            square += step * step;
        }
        all.weights[kind] = static_cast<float>(lattice.spacing_mm[0] / std::sqrt(square));
    }
    return all;
}

void requireUsable(const PriorParameters& set) {
    require(set.beta >= 0, "beta", set.beta, "0 or more");
    require(set.priorGamma >= 0, "prior-gamma", set.priorGamma, "0 or more");
    require(set.priorEpsilon > 0, "prior-epsilon", set.priorEpsilon, "more than 0");
    require(set.priorDelta > 0, "prior-delta", set.priorDelta, "more than 0");
    require(set.bowsher >= 1 && set.bowsher <= 26, "bowsher", set.bowsher, "1 to 26");
}

}  // namespace tof
