// SPDX-License-Identifier: Apache-2.0
#include "gpu/published/published.h"

#include <fmt/format.h>

#include <optional>

#include "gpu/cuda_strategies.h"
#include "gpu/published/list_kernels.h"
#include "gpu/published/published_projectors.h"
#include "gpu/published/racy_kernels.h"
#include "gpu/published/texture_kernels.h"
#include "gpu/published/two_stage_kernels.h"
#include "recon/base/options.h"

namespace tof {

namespace {

using SpacePtr = std::shared_ptr<CudaSpace>;
using device::Published;

/// Strategies that multiply a factor along TOF, one across and one axially: a kernel averaged over voxels is
/// no such product.
std::optional<Unsupported> whyNoFactors(const char* strategy, const DirectModel& model) {
    if (model.kernel.sampling != KernelSampling::Voxel) {
        return std::nullopt;
    }
    return Unsupported{fmt::format(
        "its strategy {} multiplies factors along TOF, across and axially, which kernel '{}' with sampling "
        "\"voxel\" is not made of; take strategy column, ilp or tlp",
        strategy, model.kernel.name)};
}

template <TextureKernel kernel>
ProjectorOrWhyNot texture(const DirectModel& model, SpacePtr space) {
    return makeTextureProjector(model, std::move(space), kernel);
}

template <ListKernel kernel>
ProjectorOrWhyNot list(const DirectModel& model, SpacePtr space) {
    const char* const name = kernel == ListKernel::SharedList ? "shared-list" : "texture-reduce";
    if (const auto why = whyNoFactors(name, model)) {
        return *why;
    }
    return makeListProjector(model, std::move(space), kernel);
}

ProjectorOrWhyNot twoStage(const DirectModel& model, SpacePtr space) {
    if (const auto why = whyNoFactors("two-stage", model)) {
        return *why;
    }
    if (model.kernel.sided()) {
        return Unsupported{
            fmt::format("its strategy two-stage serves symmetric kernels only and kernel '{}' "
                        "is not; take strategy column",
                        model.kernel.name)};
    }
    return makeTwoStageProjector(model, std::move(space));
}

std::vector<HistoStrategy> histoRows() {
    using Card = CudaDevice;
    return {{{{"ilp", toTranslate("Word", "a thread for sixteen voxels along z")},
              [](const Card&) { return bothWays(device::ilpFunction, device::kTextureThreads[1]); }},
             texture<TextureKernel::Ilp>},
            {{{"tlp", toTranslate("Word", "a thread for each voxel")},
              [](const Card&) { return bothWays(device::tlpFunction, device::kTextureThreads[0]); }},
             texture<TextureKernel::Tlp>},
            {{{"shared-list", toTranslate("Word", "sorted lists of pixels in shared memory")},
              [](const Card&) { return bothWays(device::sharedListFunction, device::kListThreads); }},
             list<ListKernel::SharedList>},
            {{{"texture-reduce", toTranslate("Word", "32 threads for each voxel, sums as a tree")},
              [](const Card&) { return bothWays(device::textureReduceFunction, device::kReduceThreads); }},
             list<ListKernel::TextureReduce>},
            {{{"two-stage", toTranslate("Word", "resampling along the line, then blur; approximate")},
              [](const Card&) {
                  return std::vector<StrategyKernel>{
                      {"convolution", device::convolveFunction(), device::kTwoStageThreads}};
              }},
             twoStage}};
}

template <Published how>
std::vector<StrategyKernel> publishedKernels(const CudaDevice& /*card*/) {
    return {{"forward", device::publishedForwardFunction(how), device::kPublishedThreads},
            {"back", device::publishedBackFunction(how), device::kPublishedThreads}};
}

template <Published how>
PanelStrategyRow panelRow(const char* name, const char* about, int threads) {
    return {{{name, about}, publishedKernels<how>}, [threads](const PanelModel& model, CudaSpace& space) {
                return makePublishedLines(model, space, how, threads);
            }};
}

}  // namespace

std::vector<PanelStrategyRow> publishedPanelStrategies(int threads) {
    return {panelRow<Published::Lor>("lor", toTranslate("Word", "a block of threads for each line"), threads),
            panelRow<Published::Symmetric>(
                "symmetric", toTranslate("Word", "a block of threads for four symmetric lines"), threads),
            panelRow<Published::SymmetricShared>(
                "symmetric-shared", toTranslate("Word", "four symmetric lines, their sums in shared memory"),
                threads)};
}

std::shared_ptr<const CudaStrategies> publishedStrategies() {
    const LineStrategyRow racy{
        {{"siddon-racy",
          toTranslate("Word", "wrong by design: threads that add to one voxel at a time lose counts")}},
        RayMethod::Siddon,
        [](const LineWork& work) { return makePlainLines(work, device::lineBackRacy); }};
    return std::make_shared<const CudaStrategies>(
        CudaStrategies{histoRows(), {racy}, publishedPanelStrategies()});
}

}  // namespace tof
