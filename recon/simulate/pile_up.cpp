// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/pile_up.h"

namespace tof {

namespace {

/// Decay time of a scintillator's light, ns (van Eijk, Phys. Med. Biol. 47 (2002) R85; LaBr3 and LYSO by
/// their makers' data sheets); 0 for what does not scintillate.
double decay_ns(Material material) {
    switch (material) {
        case Material::LaBr3: return 16;
        case Material::Bgo: return 300;
        case Material::Lso: return 40;
        case Material::Lyso: return 41;
        default: return 0;
    }
}

}  // namespace

PileUp pileUpOf(const Detection& detection) {
    constexpr double kPsPerNs = 1000;
    return {kPsPerNs * detection.integration_ns, kPsPerNs * decay_ns(detection.material), nullptr};
}

}  // namespace tof
