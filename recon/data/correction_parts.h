// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"

namespace tof {

/// A part of corrections, kept beside the sum that a reconstruction takes, so that it can be left out and
/// taken back without being found again.
struct CorrectionPart {
    /// "attenuation", "efficiencies", "randoms-delayeds", "randoms-singles", "scatter"; "geometry" is mult
    /// without efficiencies and "given" an add that the data came with.
    std::string name;
    std::string key;                   ///< hash of all that it was made from; equal keys, equal parts
    bool on = true;                    ///< is in what a reconstruction takes
    std::string figures;               ///< JSON: what was found with it
    std::vector<float> values;         ///< in the order of the counts: survival, factors of mult, or counts
    std::optional<Lattice> lattice{};  ///< that of a volume: what attenuates the lines of a list
};

struct CorrectionParts {
    std::vector<CorrectionPart> list;

    [[nodiscard]] const CorrectionPart* find(const std::string& name) const {
        const auto found = std::find_if(list.begin(), list.end(),
                                        [&](const CorrectionPart& part) { return part.name == name; });
        return found == list.end() ? nullptr : &*found;
    }
    [[nodiscard]] CorrectionPart* find(const std::string& name) {
        return const_cast<CorrectionPart*>(static_cast<const CorrectionParts&>(*this).find(name));
    }
};

}  // namespace tof
