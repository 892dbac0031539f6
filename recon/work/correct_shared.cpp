// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct_shared.h"

#include <utility>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/io/format_table.h"
#include "recon/phantom/phantom.h"

namespace tof {

Volume attenuationOf(const std::string& mu, MuUnits units, const std::string& phantom, const Lattice& lattice,
                     const std::string& source, WorkProgress& progress) {
    if (!mu.empty()) {
        AttenuationMap map = readAttenuationMap(mu, units);
        if (!map.note.empty()) {
            progress.note(Remark::Data, map.note);
        }
        return std::move(map.volume);
    }
    if (phantom.empty()) {
        throw WrongUse("{}: names no phantom, and scatter needs to know what attenuates; give --mu FILE",
                       source);
    }
    return Phantom::fromNameOrText(phantom, source, readVolume)
        .wholeAttenuation(lattice, 2 * kAttenuationSpacing_mm);
}

}  // namespace tof
