// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/points.h"

#include <algorithm>

#include "recon/base/constants.h"
#include "recon/kernel/point_response.h"

namespace tof {

Lattice paperLattice(const ExperimentContext& context) {
    return context.size == ExperimentSize::Tiny ? Lattice::centred({36, 36, 6}, {16, 16, 16})
                                                : Lattice::centred({144, 144, 48}, {4, 4, 4});
}

std::vector<VoxelIndex> pointsAlongY(const Lattice& lattice, double reach_mm) {
    std::vector<VoxelIndex> points;
    for (const double y : {2 - reach_mm, 2.0, 2 + reach_mm}) {
        points.push_back(nearestVoxel(lattice, {2, y, 2}));
    }
    return points;
}

Tone upTo(double peak) {
    return {0, peak, Palette::InverseGrey};
}

double peakOf(const Volume& volume) {
    return static_cast<double>(*std::max_element(volume.data.begin(), volume.data.end()));
}

double projectionTime_ms(ViewProjections& projections, const std::string& engine, const KernelSpec& kernel,
                         const ProjectionInput& input, int runs,
                         const ViewProjections::Checkpoint& checkpoint, const std::string& strategy,
                         std::string* whyNot) {
    double sum = 0;
    for (const ProjectionKind kind : {ProjectionKind::Forward, ProjectionKind::Back}) {
        const auto result = projections.time({kind, engine, strategy, kernel}, input,
                                             View{30 * kRadPerDeg, 0}, runs, checkpoint);
        const auto* const timing = std::get_if<StrategyTiming>(&result);
        if (timing == nullptr && whyNot != nullptr) {
            *whyNot = std::get<Unsupported>(result).why;
        }
        sum += timing != nullptr ? timing->median_ms / 2 : kMissing;
    }
    return sum;
}

}  // namespace tof
