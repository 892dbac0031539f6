// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/cuda_line_projector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "gpu/lines/device_blur.h"
#include "recon/base/options.h"
#include "recon/seam/projector.h"
#include "recon/systems/lines/line_blur.h"
#include "recon/systems/lines/line_table.h"

namespace tof {

namespace {

class CudaLineProjector : public Projector {
  public:
    CudaLineProjector(const LineModel& model, std::shared_ptr<CudaSpace> space, const LineStrategyRow& row)
        : model_(model),
          space_(std::move(space)),
          lines_(model_, space_->pool()),
          strategy_(row.make({model_, lines_, *space_})) {
        if (const std::optional<LineBlur> blur = lineBlur(model, space_->pool())) {
            blur_ = deviceBlur(*blur, model.lattice, *space_);
        }
    }

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t imageSize() const override { return model_.lattice.voxels(); }
    [[nodiscard]] std::size_t parts() const override { return lines_.parts(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const override { return lines_.partSize(part); }
    [[nodiscard]] std::size_t memoryBytes() const override {
        return strategy_->bytes() + (blur_ ? blur_->bytes() : 0);
    }

    [[nodiscard]] bool recordable() const override { return strategy_->recordable(); }

    void forward(std::size_t part, ConstView x, MutableView p) override {
        strategy_->forward(part, onDevice(blur_ ? blur_->forward(x) : x), onDevice(p));
    }

    void back(std::size_t part, ConstView p, MutableView x, Write write) override {
        if (!blur_) {
            strategy_->back(part, onDevice(p), onDevice(x), write);
            return;
        }
        strategy_->back(part, onDevice(p), onDevice(blur_->input()), Write::Overwrite);
        if (write == Write::Add) {
            space_->accumulate(blur_->backOfInput(), x);
        } else {
            space_->copy(blur_->backOfInput(), x);
        }
    }

  private:
    LineModel model_;
    std::shared_ptr<CudaSpace> space_;
    LineTable lines_;
    std::unique_ptr<LineStrategy> strategy_;
    std::unique_ptr<DeviceBlur> blur_;
};

}  // namespace

std::vector<LineStrategyRow> cudaLineStrategies() {
    return {{{{"siddon", toTranslate("Word", "each line by itself")}}, RayMethod::Siddon, makeFixedLines},
            {{{"siddon-atomics",
               toTranslate("Word", "sums in floating point: the last digits differ from run to run")}},
             RayMethod::Siddon,
             makeAtomicLines},
            {{{"joseph", toTranslate("Word", "interpolation between voxels, plane by plane; smoother")}},
             RayMethod::Joseph,
             makeFixedLines}};
}

ProjectorOrWhyNot makeLineProjector(const std::vector<LineStrategyRow>& rows, const LineModel& model,
                                    std::shared_ptr<CudaSpace> space, const std::string& strategy) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const LineStrategyRow& candidate) {
        return strategy.empty() ? candidate.method == model.method : candidate.name == strategy;
    });
    if (row == rows.end()) {
        return Unsupported{fmt::format("it has no strategy '{}' for lines of response; strategies: {}",
                                       strategy, fmt::join(namesOf(rows), ", "))};
    }
    if (row->method != model.method) {
        return Unsupported{fmt::format("strategy '{}' does not follow lines by '{}'", strategy,
                                       model.method == RayMethod::Joseph ? "joseph" : "siddon")};
    }
    return std::unique_ptr<Projector>(std::make_unique<CudaLineProjector>(model, std::move(space), *row));
}

}  // namespace tof
