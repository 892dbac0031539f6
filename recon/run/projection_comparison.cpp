// SPDX-License-Identifier: Apache-2.0
#include "recon/run/projection_comparison.h"

#include <algorithm>

namespace tof {

ProjectionComparison compareProjections(ViewProjections& projections, const std::array<Projecting, 2>& ways,
                                        const ProjectionInput& input, View view,
                                        const ViewProjections::Checkpoint& checkpoint) {
    ProjectionComparison result;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        checkpoint();
        ComparedProjection& side = result.sides[i];
        auto made = projections.project(ways[i], input, view, checkpoint);
        if (const auto* unsupported = std::get_if<Unsupported>(&made)) {
            side.whyNot = unsupported->why;
            continue;
        }
        auto& projection = std::get<Projection>(made);
        side.where = projection.where;
        side.prepare_ms = projection.prepare_ms;
        side.project_ms = projection.project_ms;
        side.volume = std::make_shared<const Volume>(std::move(projection.volume));
    }
    checkpoint();
    const auto& [a, b] = result.sides;
    if (a.volume != nullptr) {
        result.peak = static_cast<double>(*std::max_element(a.volume->data.begin(), a.volume->data.end()));
    }
    if (a.volume != nullptr && b.volume != nullptr) {
        result.figures = compareVolumes(*a.volume, *b.volume);
        result.difference = std::make_shared<const Volume>(differenceOf(*a.volume, *b.volume));
    }
    return result;
}

}  // namespace tof
