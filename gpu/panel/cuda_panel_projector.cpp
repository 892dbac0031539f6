// SPDX-License-Identifier: Apache-2.0
#include "gpu/panel/cuda_panel_projector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpu/panel/panel_kernels.h"
#include "gpu/panel/panel_plan.h"
#include "recon/base/options.h"
#include "recon/seam/projector.h"

namespace tof {

namespace {

std::vector<StrategyKernel> panelKernels(const CudaDevice& /*card*/) {
    return {{"forward", device::panelForwardFunction(), device::kPanelForwardThreads},
            {"back", device::panelBackFunction(), device::kPanelBackThreads}};
}

class CudaPanelProjector : public Projector {
  public:
    CudaPanelProjector(const PanelModel& model, std::shared_ptr<CudaSpace> space, const PanelStrategyRow& row)
        : parts_(model.parts),
          voxels_(model.lattice.voxels()),
          space_(std::move(space)),
          strategy_(row.make(model, *space_)) {
        for (const std::vector<int>& classes : parts_->classes) {
            std::size_t lors = 0;
            for (const int c : classes) {
                lors += static_cast<std::size_t>(
                    PanelClass::at(model.matrix->geometry, c).lors(model.matrix->geometry));
            }
            lors_.push_back(lors);
        }
    }

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t imageSize() const override { return voxels_; }
    [[nodiscard]] std::size_t parts() const override { return parts_->parts(); }
    [[nodiscard]] std::size_t dataSize(std::size_t /*part*/) const override { return parts_->partSize; }
    [[nodiscard]] std::size_t memoryBytes() const override { return strategy_->bytes(); }
    [[nodiscard]] bool addsInShares() const override { return false; }
    [[nodiscard]] double multiplyAdds(std::size_t part) const override {
        return strategy_->multiplyAdds(part);
    }

    void forward(std::size_t part, ConstView x, MutableView p) override {
        forwardWhere(part, x, {}, onDevice(p));
    }
    void back(std::size_t part, ConstView p, MutableView x, Write write) override {
        strategy_->back(part, onDevice(p), onDevice(x), write);
    }

    void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView seen,
                         MutableView scratch, MutableView out, Write write) override {
        // Lines without counts have the ratio 0, whatever is expected of them.
        if (kind != Discrepancy::Ratio || !strategy_->leavesOutUnmeasured()) {
            Projector::backDiscrepancy(part, data, kind, seen, scratch, out, write);
            return;
        }
        const MutableView p = scratch.part(0, dataSize(part));
        space_->stage(Stage::Forward);
        forwardWhere(part, seen, onDevice(data.y), onDevice(p));
        space_->stage(Stage::Discrepancy);
        space_->discrepancy(data, kind, p);
        space_->stage(Stage::Back);
        back(part, p, out, write);
        space_->stageEnd();
    }

  private:
    void forwardWhere(std::size_t part, ConstView x, DeviceSpan<const float> measured, DeviceSpan<float> p) {
        strategy_->forward(part, onDevice(x), measured, p);
        if (const std::size_t rest = parts_->partSize - lors_[part]; rest > 0) {
            device::fill(space_->launch(), p.part(lors_[part], rest), 0.0F);
        }
    }

    std::shared_ptr<const PanelParts> parts_;
    std::size_t voxels_;
    std::shared_ptr<CudaSpace> space_;
    std::unique_ptr<PanelStrategy> strategy_;
    std::vector<std::size_t> lors_;  ///< lines of each part
};

}  // namespace

std::vector<PanelStrategyRow> cudaPanelStrategies() {
    return {{{{"panel", toTranslate("Word", "a stored system matrix, kernel by kernel")}, panelKernels},
             makePhaseLines}};
}

ProjectorOrWhyNot makePanelProjector(const std::vector<PanelStrategyRow>& rows, const PanelModel& model,
                                     std::shared_ptr<CudaSpace> space, const std::string& strategy) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const PanelStrategyRow& candidate) {
        return strategy.empty() || candidate.name == strategy;
    });
    if (row == rows.end()) {
        return Unsupported{fmt::format("it has no strategy '{}' for panels; strategies: {}", strategy,
                                       fmt::join(namesOf(rows), ", "))};
    }
    if (auto why = whyNoPanelKernel(model)) {
        return Unsupported{*std::move(why)};
    }
    return std::unique_ptr<Projector>(std::make_unique<CudaPanelProjector>(model, std::move(space), *row));
}

}  // namespace tof
