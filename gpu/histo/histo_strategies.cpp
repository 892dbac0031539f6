// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/histo_strategies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpu/histo/column_float_kernels.h"
#include "gpu/histo/column_kernels.h"
#include "gpu/histo/cuda_histo_projector.h"
#include "gpu/histo/stream_kernels.h"
#include "recon/base/options.h"

namespace tof {

namespace {

using SpacePtr = std::shared_ptr<CudaSpace>;
using device::Gather;

// A block takes what its view needs, up to nearly all of a multiprocessor's shared memory; the most is shown.

std::vector<StrategyKernel> columnKernels(const CudaDevice& card) {
    if (card.capability() < 80) {
        return {};
    }
    const std::size_t most = device::columnSharedLimit(card.properties());
    device::prepareColumn(most);
    return bothWays(device::columnFunction, 32 * device::kColumnWarps, most);
}

std::vector<StrategyKernel> streamKernels(const CudaDevice& card) {
    if (card.capability() != 90 || !device::streamBuilt()) {
        return {};
    }
    const std::size_t most = device::streamSharedLimit(card.properties());
    device::prepareStream(most);
    return bothWays(device::streamFunction, device::streamThreads(), most);
}

std::vector<StrategyKernel> columnFloatKernels(const CudaDevice& /*card*/) {
    return bothWays(device::columnFloatFunction, device::kColumnThreads);
}

}  // namespace

std::vector<HistoStrategy> histoStrategies() {
    return {
        {{{"column", toTranslate("Word", "taps column by column; the fastest that is exact")}, columnKernels},
         [](const DirectModel& m, SpacePtr s) -> ProjectorOrWhyNot {
             return makeColumnProjector(m, std::move(s));
         }},
        {{{"stream", toTranslate("Word", "wide kernels on tensor cores without tables")}, streamKernels},
         makeStreamProjector},
        {{{"column-fp32", toTranslate("Word", "the same without tensor cores")}, columnFloatKernels},
         [](const DirectModel& m, SpacePtr s) -> ProjectorOrWhyNot {
             return makeColumnFloatProjector(m, std::move(s));
         }}};
}

std::vector<StrategyKernel> bothWays(const void* (*function)(Gather gather), int threads,
                                     std::size_t dynamicShared) {
    return {{"forward", function(Gather::BySource), threads, dynamicShared},
            {"back", function(Gather::ByTarget), threads, dynamicShared}};
}

ProjectorOrWhyNot makeHistoProjector(const std::vector<HistoStrategy>& rows, const DirectModel& model,
                                     std::shared_ptr<CudaSpace> space, const std::string& strategy) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const HistoStrategy& row) {
        return strategy.empty() || row.name == strategy;
    });  // the default is the first
    if (found == rows.end()) {
        return Unsupported{
            fmt::format("it has no strategy '{}'; strategies: {}", strategy, fmt::join(namesOf(rows), ", "))};
    }
    return found->make(model, std::move(space));
}

}  // namespace tof
