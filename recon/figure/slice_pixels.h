// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/figure/drawing.h"
#include "recon/figure/shown_panel.h"

namespace tof {

/// The colours of a slice, `zoom` x `zoom` pixels a voxel, as the window's pictures have them: colour n of
/// 256 from low + n (high - low) / 256 on, the ends beyond; what is no number has the colour of zero.
[[nodiscard]] Pixels slicePixels(const SliceCut& cut, DisplayRange range, const ColourMap& map, int zoom,
                                 FigureTemplate::Between between);

}  // namespace tof
