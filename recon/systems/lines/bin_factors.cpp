// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/bin_factors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/scanner/ring_crystals.h"
#include "recon/simulate/recorded_share.h"

namespace tof {

namespace {

/// The crystals of a scanner at every place of rings: none in gaps, or several.
class CrystalsAtPlaces {
  public:
    CrystalsAtPlaces(const Scanner& scanner, const RingScanner& ring)
        : begin_(static_cast<std::size_t>(ring.rings) * static_cast<std::size_t>(ring.crystalsPerRing) + 1),
          perRing_(static_cast<std::size_t>(ring.crystalsPerRing)) {
        const std::vector<std::uint32_t> places = ringCrystals(scanner, ring);
        for (const std::uint32_t place : places) {
            ++begin_[place + 1];
        }
        for (std::size_t i = 1; i < begin_.size(); ++i) {
            begin_[i] += begin_[i - 1];
        }
        crystals_.resize(places.size());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (std::uint32_t c = 0; c < places.size(); ++c) {
            crystals_[next[places[c]]++] = c;
        }
    }

    [[nodiscard]] std::span<const std::uint32_t> at(int ring, int place) const {
        const std::size_t i = static_cast<std::size_t>(ring) * perRing_ + static_cast<std::size_t>(place);
        return {crystals_.data() + begin_[i], begin_[i + 1] - begin_[i]};
    }

  private:
    std::vector<std::size_t> begin_;
    std::size_t perRing_;
    std::vector<std::uint32_t> crystals_;
};

using RingPairs = std::vector<std::array<int, 2>>;

/// Rings 1 and 2 of every sinogram's planes.
std::vector<RingPairs> ringPairs(const Michelogram& m) {
    std::vector<RingPairs> pairs(m.sinograms().size());
    for (int one = 0; one < m.scanner().rings; ++one) {
        for (int two = 0; two < m.scanner().rings; ++two) {
            if (const int sinogram = m.sinogramOf(one, two); sinogram >= 0) {
                pairs[static_cast<std::size_t>(sinogram)].push_back({one, two});
            }
        }
    }
    return pairs;
}

/// The radial bin of crystal pairs `t` places off the middle; nothing when none holds them.
std::optional<std::size_t> radialOf(const Michelogram& m, int t) {
    const MichelogramSpec& spec = m.spec();
    double bin = t;
    if (spec.binSize_mm > 0) {
        bin = std::floor(spec.scanner.radius_mm * std::sin(t * kPi / spec.scanner.crystalsPerRing) /
                             spec.binSize_mm +
                         0.5);
    }
    const int middle = spec.radialBins / 2;
    bin += middle;
    return bin >= 0 && bin < spec.radialBins ? std::optional(static_cast<std::size_t>(bin)) : std::nullopt;
}

}  // namespace

std::vector<float> addedUpOverBins(const Michelogram& m, const Scanner& scanner, const ThreadPool& pool,
                                   const PairValue& valueOf, double* counted) {
    const CrystalsAtPlaces crystals(scanner, m.scanner());
    const std::vector<RingPairs> rings = ringPairs(m);
    const auto slots = static_cast<std::size_t>(m.angles());
    const auto radialBins = static_cast<std::size_t>(m.radialBins());
    const int half = m.scanner().crystalsPerRing / 2;
    std::vector<float> result(slots * m.linesPerSlot(), 0.0F);
    const double all = pool.sumRange(slots, 1, [&](std::size_t slot, std::size_t) {
        double pairs = 0;
        std::vector<double> sums(m.linesPerSlot(), 0.0);
        const int first = m.angleOfSlot(static_cast<int>(slot)) * m.spec().mashing;
        for (int angle = first; angle < first + m.spec().mashing; ++angle) {
            for (int t = 1 - half; t < half; ++t) {
                const std::optional<std::size_t> radial = radialOf(m, t);
                if (!radial) {
                    continue;
                }
                const auto [one, two] = m.placesOf(angle, t + m.radialBins() / 2);
                for (std::size_t s = 0; s < rings.size(); ++s) {
                    for (const auto& [ring1, ring2] : rings[s]) {
                        for (const std::uint32_t c1 : crystals.at(ring1, one)) {
                            for (const std::uint32_t c2 : crystals.at(ring2, two)) {
                                const double factor = valueOf(c1, c2);
                                sums[s * radialBins + *radial] += factor;
                                pairs += factor > 0 ? 1 : 0;
                            }
                        }
                    }
                }
            }
        }
        std::copy(sums.begin(), sums.end(), result.begin() + static_cast<std::ptrdiff_t>(slot * sums.size()));
        return pairs;
    });
    if (counted != nullptr) {
        *counted = all;
    }
    return result;
}

PairFactors recordedFactors(const Scanner& scanner, const ThreadPool& pool,
                            const std::vector<float>& efficiencies) {
    std::vector<double> recorded = recordedShares(scanner, Detector(scanner), pool).ofCrystal;
    if (!efficiencies.empty()) {
        if (efficiencies.size() != scanner.crystals.size()) {
            throw WrongUse("{} efficiencies are not those of scanner '{}', which has {} crystals",
                           efficiencies.size(), scanner.name, scanner.crystals.size());
        }
        recorded.resize(efficiencies.size(), 1.0);
        std::transform(recorded.begin(), recorded.end(), efficiencies.begin(), recorded.begin(),
                       std::multiplies<>());
    }
    return PairFactors(scanner, pool, std::move(recorded));
}

BinFactors factorsOfBins(const Michelogram& m, const Scanner& scanner, const ThreadPool& pool,
                         const std::vector<float>& efficiencies) {
    const PairFactors factors = recordedFactors(scanner, pool, efficiencies);
    BinFactors result;
    result.factors = addedUpOverBins(
        m, scanner, pool, [&](std::uint32_t one, std::uint32_t two) { return factors.of(one, two); },
        &result.pairs);
    return result;
}

}  // namespace tof
