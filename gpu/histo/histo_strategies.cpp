// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/histo_strategies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "gpu/histo/cuda_histo_projector.h"

namespace tof {

namespace {

using SpacePtr = std::shared_ptr<CudaSpace>;

struct Strategy {
    const char* name;
    ProjectorOrWhyNot (*make)(const DirectModel& model, SpacePtr space);
};

ProjectorOrWhyNot twoStage(const DirectModel& model, SpacePtr space) {
    if (model.kernel.sided()) {
        return Unsupported{
            fmt::format("its strategy two-stage serves symmetric kernels only and kernel '{}' "
                        "is not; take strategy column",
                        model.kernel.name)};
    }
    return makeTwoStageProjector(model, std::move(space));
}

/// Strategies that multiply a factor along TOF, one across and one axially: a kernel averaged over voxels is
/// no such product.
bool multipliesFactors(const std::string& name) {
    return name == "shared-list" || name == "texture-reduce" || name == "two-stage";
}

const Strategy kStrategies[] = {
    {"column",
     [](const auto& m, SpacePtr s) -> ProjectorOrWhyNot { return makeColumnProjector(m, std::move(s)); }},
    {"stream", makeStreamProjector},
    {"column-fp32",
     [](const auto& m, SpacePtr s) -> ProjectorOrWhyNot {
         return makeColumnFloatProjector(m, std::move(s));
     }},
    {"ilp",
     [](const auto& m, SpacePtr s) -> ProjectorOrWhyNot {
         return makeTextureProjector(m, std::move(s), TextureKernel::Ilp);
     }},
    {"tlp",
     [](const auto& m, SpacePtr s) -> ProjectorOrWhyNot {
         return makeTextureProjector(m, std::move(s), TextureKernel::Tlp);
     }},
    {"shared-list",
     [](const auto& m, SpacePtr s) -> ProjectorOrWhyNot {
         return makeListProjector(m, std::move(s), ListKernel::SharedList);
     }},
    {"texture-reduce",
     [](const auto& m, SpacePtr s) -> ProjectorOrWhyNot {
         return makeListProjector(m, std::move(s), ListKernel::TextureReduce);
     }},
    {"two-stage", twoStage},
};

}  // namespace

std::vector<std::string> histoStrategies() {
    std::vector<std::string> names;
    std::transform(std::begin(kStrategies), std::end(kStrategies), std::back_inserter(names),
                   [](const Strategy& s) { return s.name; });
    return names;
}

ProjectorOrWhyNot makeHistoProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                     const std::string& strategy) {
    const auto* const found =
        std::find_if(std::begin(kStrategies), std::end(kStrategies), [&](const Strategy& s) {
            return strategy.empty() || s.name == strategy;
        });  // the default is the first
    if (found == std::end(kStrategies)) {
        return Unsupported{fmt::format("it has no strategy '{}'; strategies: {}", strategy,
                                       fmt::join(histoStrategies(), ", "))};
    }
    if (model.kernel.sampling == KernelSampling::Voxel && multipliesFactors(found->name)) {
        return Unsupported{fmt::format(
            "its strategy {} multiplies factors along TOF, across and axially, which kernel '{}' with "
            "sampling \"voxel\" is not made of; take strategy column, ilp or tlp",
            found->name, model.kernel.name)};
    }
    return found->make(model, std::move(space));
}

}  // namespace tof
