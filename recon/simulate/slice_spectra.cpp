// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/slice_spectra.h"

#include <algorithm>

namespace tof {

namespace {

constexpr double kBin_keV = 8;
constexpr std::size_t kBins = 128;

}  // namespace

BlockSpectra spectraOf(const std::vector<TimedPhoton>& photons, const PairModel& model) {
    BlockSpectra spectra{kBin_keV, std::vector<double>(kBins, 0.0), std::vector<double>(kBins, 0.0)};
    const auto binOf = [](const TimedPhoton& photon) {
        const double bin = std::max(0.0, static_cast<double>(photon.energy_keV)) / kBin_keV;
        return std::min(static_cast<std::size_t>(bin), kBins - 1);
    };
    const TimedPhoton* last = nullptr;  // the first photon of a decay, where it left most
    for (const TimedPhoton& photon : photons) {
        spectra.deposits[binOf(photon)] += 1;
        if (photon.part) {
            continue;
        }
        const bool pair = last != nullptr && ofOneDecay(*last, photon) &&
                          photon.scatters + last->scatters == 0 &&
                          model.accepts(last->crystal, photon.crystal);
        if (pair) {
            spectra.partners[binOf(*last)] += photon.inWindow && !last->unrecorded ? 1 : 0;
            spectra.partners[binOf(photon)] += last->inWindow && !photon.unrecorded ? 1 : 0;
        }
        last = &photon;
    }
    return spectra;
}

}  // namespace tof
