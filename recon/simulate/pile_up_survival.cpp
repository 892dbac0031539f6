// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/pile_up_survival.h"

#include "recon/base/sum.h"

#include <algorithm>
#include <cmath>

namespace tof {

namespace {

/// Chances that one deposit adds 0, 1, 2, ... bins of energy, less than `bins`; what adds more is left out.
/// It comes at any time of the integration, and between two bins it counts for both so that its mean is kept.
std::vector<double> addedByOne(const BlockSpectra& spectra, const PileUp& pileUp, std::size_t bins) {
    constexpr int kMoments = 64;
    const double all = sumOf(spectra.deposits);
    std::vector<double> added(bins, 0.0);
    for (int k = 0; k < kMoments; ++k) {
        const double share = pileUp.shareOf((k + 0.5) / kMoments * pileUp.integration_ps);
        for (std::size_t i = 0; i < spectra.deposits.size(); ++i) {
            const double place = share * (static_cast<double>(i) + 0.5);
            const auto low = static_cast<std::size_t>(place);
            const double chance = spectra.deposits[i] / (all * kMoments);
            const double beyond = place - static_cast<double>(low);
            if (low < bins) {
                added[low] += chance * (1 - beyond);
            }
            if (low + 1 < bins) {
                added[low + 1] += chance * beyond;
            }
        }
    }
    return added;
}

/// Chances that a Poisson number of deposits, `mean` of them, add 0, 1, 2, ... bins (Panjer, ASTIN Bulletin
/// 12 (1981) 22).
std::vector<double> addedByAll(const std::vector<double>& one, double mean) {
    std::vector<double> all(one.size(), 0.0);
    all[0] = std::exp(-mean * (1 - one[0]));
    for (std::size_t k = 1; k < all.size(); ++k) {
        double sum = 0;
        for (std::size_t j = 1; j <= k; ++j) {
            sum += static_cast<double>(j) * one[j] * all[k - j];
        }
        all[k] = mean / static_cast<double>(k) * sum;
    }
    return all;
}

}  // namespace

double pileUpSurvival(const BlockSpectra& spectra, const std::array<double, 2>& window_keV,
                      const PileUp& pileUp, double perSecond) {
    const std::size_t bins = spectra.partners.size();
    const double deposits = sumOf(spectra.deposits);
    if (!spectra.known() || !(pileUp.integration_ps > 0) || !(deposits > 0)) {
        return 1;
    }
    /// The share of a bin that lies within the window.
    const auto within = [&](std::size_t bin) {
        const double low = static_cast<double>(bin) * spectra.bin_keV;
        const double inside = std::min(low + spectra.bin_keV, window_keV[1]) - std::max(low, window_keV[0]);
        return std::clamp(inside / spectra.bin_keV, 0.0, 1.0);
    };
    const std::vector<double> added =
        addedByAll(addedByOne(spectra, pileUp, bins), perSecond * 1e-12 * pileUp.integration_ps);
    double alone = 0;
    double kept = 0;
    for (std::size_t i = 0; i < bins; ++i) {
        alone += spectra.partners[i] * within(i);
        for (std::size_t k = 0; spectra.partners[i] > 0 && i + k < bins; ++k) {
            kept += spectra.partners[i] * added[k] * within(i + k);
        }
    }
    return alone > 0 ? kept / alone : 1;
}

}  // namespace tof
