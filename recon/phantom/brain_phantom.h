// SPDX-License-Identifier: Apache-2.0
// A head whose brain takes up glucose.
#pragma once

#include "recon/phantom/phantom.h"

namespace tof {

/// What tissues of brainPhantom() emit, relative: those of FDG, grey four times white matter (Hoffman et al.,
/// IEEE Trans. Nucl. Sci. 37 (1990) 616).
struct BrainUptake {
    static constexpr float kGrey = 4;
    static constexpr float kWhite = 1;
    static constexpr float kScalp = 0.5F;
};

/// Voxels of 2 mm; 168 mm across, 208 mm long (y) and high (z), about the origin: scalp, skull, a cortex in
/// folds some 5 mm thick, white matter, the ventricles and the fissure between the halves (which emit
/// nothing), caudate nuclei, putamina and thalami. Ellipsoids and a gyroid; no patient's. Water, but for the
/// skull.
[[nodiscard]] Phantom brainPhantom();

}  // namespace tof
