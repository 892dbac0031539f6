// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/crystal_efficiencies.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/sum.h"
#include "recon/corrections/crystal_groups.h"
#include "recon/corrections/view_density.h"
#include "recon/phantom/attenuation.h"
#include "recon/scanner/crystal_response.h"
#include "recon/simulate/recorded_share.h"

namespace tof {

namespace {

constexpr int kRounds = 30;

/// Activity in place of attenuation.
Phantom emitting(Phantom source) {
    for (PhantomShape& shape : source.shapes) {
        shape.mu_per_mm = shape.activity;
    }
    source.attenuation = source.emission;
    return source;
}

/// Activity along the line between two points times what survives of it.
class SourceLines {
  public:
    explicit SourceLines(const Phantom& source)
        : emitting_(emitting(source)), activity_(emitting_), survival_(source) {}
    SourceLines(const SourceLines&) = delete;
    SourceLines& operator=(const SourceLines&) = delete;

    [[nodiscard]] double along(Vec3 one, Vec3 two) const {
        const Vec3 d = normalized(two - one);
        const double activity = activity_.along(one, d, 1e30);
        return activity > 0 ? activity * std::exp(-survival_.along(one, d, 50)) : 0.0;
    }

  private:
    Phantom emitting_;
    PairAttenuation activity_;
    PairAttenuation survival_;
};

}  // namespace

std::vector<double> crystalEfficiencies(const EventList& events, const Scanner& scanner,
                                        const Phantom& source, const ThreadPool& pool) {
    const CrystalGroups groups = groupsOf(scanner);
    const std::size_t n = groups.crystals.size();
    std::vector<double> seen(scanner.crystals.size(), 0.0);
    for (const auto& pair : events.crystals) {
        for (const std::uint32_t crystal : pair) {
            if (crystal >= seen.size()) {
                throw BadInput("a normalisation event names crystal {}, but the scanner has {}", crystal,
                               seen.size());
            }
            seen[crystal] += 1;
        }
    }
    const double all = sumOf(seen);
    if (!(all > 0)) {
        throw WrongUse("a normalisation needs events");
    }
    const Detector detector(scanner);
    const CrystalResponse response(scanner, detector, pool);
    // Effective areas towards the axis, over the mean of their group: what crystals of a group differ by.
    std::vector<double> area(scanner.crystals.size());
    std::vector<double> groupArea(n, 0.0);
    const std::vector<double> recorded = recordedShares(scanner, detector, pool).ofCrystal;
    std::vector<double> groupShare(n, 0.0);
    std::vector<std::uint32_t> member(n, 0);
    for (std::uint32_t c = 0; c < area.size(); ++c) {
        const double share = recorded.empty() ? 1.0 : recorded[c];
        area[c] = share * response.area(c, scanner.crystals[c].outward);
        groupShare[groups.of[c]] += share / groups.crystals[groups.of[c]];
        groupArea[groups.of[c]] += area[c];
        member[groups.of[c]] = c;
    }
    const SourceLines lines(source);
    struct Partner {
        std::uint32_t group;
        float expected;
    };
    const PairAcceptance acceptance(scanner);
    std::vector<std::vector<Partner>> partners(n);
    pool.forRange(n, 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) {
            for (std::uint32_t h = 0; h < n; ++h) {
                if (h == g || !acceptance.takes(groups.places[g], groups.places[h])) {
                    continue;
                }
                const Vec3 line = groups.places[h] - groups.places[g];
                const double distance2 = dot(line, line);
                const Vec3 d = (1 / std::sqrt(distance2)) * line;
                const double expected = lines.along(groups.places[g], groups.places[h]) *
                                        response.area(member[g], -d) * response.area(member[h], d) /
                                        groupShare[g] * groupShare[h] / distance2;
                if (expected > 0) {
                    partners[g].push_back({h, static_cast<float>(expected * groups.crystals[h])});
                }
            }
        }
    });
    std::vector<double> efficiencies(seen.size(), 1.0);
    std::vector<double> ofGroup(n, 1.0);
    for (int round = 0; round < kRounds; ++round) {
        std::vector<double> fan(n, 0.0);
        for (std::size_t g = 0; g < n; ++g) {
            for (const Partner& partner : partners[g]) {
                fan[g] += static_cast<double>(partner.expected) * ofGroup[partner.group];
            }
        }
        double sum = 0;
        double counted = 0;
        for (std::uint32_t c = 0; c < seen.size(); ++c) {
            const std::size_t g = groups.of[c];
            const double share = groupArea[g] > 0 ? area[c] * groups.crystals[g] / groupArea[g] : 0.0;
            const double expected = fan[g] * share;
            if (expected > 0) {
                // Halfway, in logarithms: a plain step would swing.
                const double wanted = seen[c] / expected;
                efficiencies[c] = round == 0 ? wanted : std::sqrt(efficiencies[c] * wanted);
                sum += efficiencies[c];
                counted += 1;
            }
        }
        if (!(sum > 0)) {
            throw WrongUse("phantom '{}' lies on none of the lines of scanner '{}'", source.name,
                           scanner.name);
        }
        std::fill(ofGroup.begin(), ofGroup.end(), 0.0);
        for (std::uint32_t c = 0; c < seen.size(); ++c) {
            efficiencies[c] = partners[groups.of[c]].empty() ? 1.0 : efficiencies[c] * counted / sum;
            ofGroup[groups.of[c]] += efficiencies[c] / groups.crystals[groups.of[c]];
        }
    }
    return efficiencies;
}

struct ViewEfficiencies::Impl {
    Impl(const HistoData& of, const Scanner& scanner, std::vector<double> efficiencies,
         const ThreadPool& pool)
        : data(of),
          uneven(std::move(efficiencies)),
          ones(uneven.size(), 1.0),
          own(uneven, scanner),
          even(ones, scanner),
          with(own, data, scanner.acceptance_rad, pool),
          without(even, data, scanner.acceptance_rad, pool) {}

    /// Gives each view's factors, over the data's poses for null, to take(view, factors).
    template <class Take>
    void forViews(const PoseShares* poses, const ThreadPool& pool, const Take& take) const {
        pool.forRange(data.views.size(), 1, [&](std::size_t view, std::size_t) {
            std::vector<float> factors(data.voxels());
            std::vector<float> evenly(data.voxels());
            with.fill(data.views[view], poses, factors.data());
            without.fill(data.views[view], poses, evenly.data());
            for (std::size_t i = 0; i < factors.size(); ++i) {
                factors[i] = evenly[i] > 0 ? factors[i] / evenly[i] : 1.0F;
            }
            take(view, factors);
        });
    }

    const HistoData& data;
    const std::vector<double> uneven;
    const std::vector<double> ones;
    const LineRates own;
    const LineRates even;
    const ViewDensity with;
    const ViewDensity without;
};

ViewEfficiencies::ViewEfficiencies(const HistoData& data, const Scanner& scanner,
                                   std::vector<double> efficiencies, const ThreadPool& pool) {
    if (efficiencies.size() != scanner.crystals.size() || data.mult.empty()) {
        throw WrongUse("efficiencies belong to another scanner, or the data have no mult");
    }
    impl_ = std::make_unique<const Impl>(data, scanner, std::move(efficiencies), pool);
}

ViewEfficiencies::~ViewEfficiencies() = default;

std::vector<float> ViewEfficiencies::ofData(const ThreadPool& pool) const {
    const HistoData& data = impl_->data;
    std::vector<float> all(data.views.size() * data.voxels());
    const std::optional<PoseShares> poses =
        data.poses.empty() ? std::nullopt : std::optional<PoseShares>(data.poses);
    impl_->forViews(poses ? &*poses : nullptr, pool, [&](std::size_t view, const std::vector<float>& own) {
        std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(view * own.size()));
    });
    return all;
}

void ViewEfficiencies::multiply(std::vector<float>& mult, const std::vector<WeighedPose>& poses,
                                const ThreadPool& pool) const {
    const HistoData& data = impl_->data;
    if (data.poses.empty() || mult.size() != data.views.size() * data.voxels()) {
        throw WrongUse("efficiencies of a frame need data whose poses are known, and their mult");
    }
    const PoseShares shares(poses);
    impl_->forViews(&shares, pool, [&](std::size_t view, const std::vector<float>& own) {
        float* const out = mult.data() + view * own.size();
        std::transform(own.begin(), own.end(), out, out, std::multiplies<>());
    });
}

std::vector<float> efficienciesOfViews(const HistoData& data, const Scanner& scanner,
                                       const std::vector<double>& efficiencies, const ThreadPool& pool) {
    return ViewEfficiencies(data, scanner, efficiencies, pool).ofData(pool);
}

void applyEfficiencies(HistoData& data, const Scanner& scanner, const std::vector<double>& efficiencies,
                       const ThreadPool& pool) {
    const std::vector<float> factors = efficienciesOfViews(data, scanner, efficiencies, pool);
    std::transform(data.mult.begin(), data.mult.end(), factors.begin(), data.mult.begin(),
                   std::multiplies<>());
}

}  // namespace tof
