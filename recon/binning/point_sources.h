// SPDX-License-Identifier: Apache-2.0
// List-mode of point sources, as offsets of its events from them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/binning/face_spread.h"
#include "recon/data/events.h"
#include "recon/kernel/measured_kernel.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Places of the points of a phantom that emit, in its order. Throws BadInput when it has none; `source`
/// names it there.
[[nodiscard]] std::vector<Vec3> pointSources(const Phantom& phantom, const std::string& source);

/// Throws BadInput naming the first source outside the transverse field of view of the scanner (where it is
/// known) or beyond its crystals along z.
void requireInside(const std::vector<Vec3>& sources, const Scanner& scanner);

/// Where events end in their crystals, and the seed of the places.
struct EndPointRule {
    EndPoints rule = EndPoints::Face;
    std::uint64_t seed = 1;
};

/// Offsets of every event whose line the scanner accepts: most likely points as binning finds them, by its
/// rule of end points, before they are put into voxels. The result does not depend on the number of threads.
/// `progress` gets the share done and may throw Cancelled. Throws BadInput for a list without times of flight
/// or of another scanner.
[[nodiscard]] PointOffsets collectOffsets(const EventList& events, const Scanner& scanner,
                                          const std::vector<Vec3>& sources,
                                          const PointMeasureSettings& settings, const ThreadPool& pool,
                                          const std::function<void(double)>& progress,
                                          const EndPointRule& endPoints = {});

}  // namespace tof
