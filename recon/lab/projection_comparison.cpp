// SPDX-License-Identifier: Apache-2.0
#include "recon/lab/projection_comparison.h"

#include <algorithm>

namespace tof {

namespace {

constexpr double kMostQuickCost = 1e8;  ///< QuickPoints::cost: a tenth of a second or so

/// Peak, figures and difference of what the sides hold.
void compareSides(ProjectionComparison& result) {
    const auto& [a, b] = result.sides;
    if (a.volume != nullptr) {
        result.peak = static_cast<double>(*std::max_element(a.volume->data.begin(), a.volume->data.end()));
    }
    if (a.volume != nullptr && b.volume != nullptr && a.volume != b.volume) {
        result.figures = compareVolumes(*a.volume, *b.volume);
        result.difference = std::make_shared<const Volume>(differenceOf(*a.volume, *b.volume));
    }
}

}  // namespace

std::optional<ProjectionComparison> quickComparison(const std::array<QuickProjecting, 2>& ways,
                                                    const ProjectionInput& input,
                                                    const ViewProjections::Checkpoint& checkpoint) {
    if (input.image != nullptr) {
        return std::nullopt;
    }
    ProjectionComparison result;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const QuickProjecting& way = ways[i];
        if (way.kernel == nullptr) {
            continue;
        }
        if (i == 1 && way.kernel == ways[0].kernel && way.kind == ways[0].kind) {
            result.sides[1].volume = result.sides[0].volume;
            continue;
        }
        checkpoint();
        QuickPoints points(way.kernel, input.lattice);
        if (points.cost(input.points.size()) > kMostQuickCost) {
            return std::nullopt;
        }
        result.sides[i].volume = std::make_shared<const Volume>(
            way.kind == ProjectionKind::Forward ? points.forward(input.points) : points.back(input.points));
    }
    checkpoint();
    compareSides(result);
    return result;
}

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
        side.note = projection.note;
        side.prepare_ms = projection.prepare_ms;
        side.project_ms = projection.project_ms;
        side.volume = std::make_shared<const Volume>(std::move(projection.volume));
    }
    checkpoint();
    compareSides(result);
    return result;
}

}  // namespace tof
