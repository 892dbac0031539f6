// SPDX-License-Identifier: Apache-2.0
// `panel`: tables on the device, and the order of its kernels.
#include <algorithm>
#include <array>

#include "gpu/panel/panel_kernels.h"
#include "gpu/panel/panel_plan.h"
#include "gpu/panel/panel_strategies.h"

namespace tof {

namespace {

constexpr const char* kTables = "panel tables";

static_assert(sizeof(PanelWeights) == sizeof(device::PanelWeights4));

/// What differs between parts.
struct PartTables {
    DeviceBuffer<device::PanelOrientation> orientations;
    DeviceBuffer<std::uint32_t> tasks;
    double multiplyAdds = 0;
};

class PhaseLines : public PanelStrategy {
  public:
    PhaseLines(const PanelModel& model, CudaSpace& space, const PanelRows& rows)
        : space_(space),
          layout_{panelLayout(model.matrix->geometry, 0), panelLayout(model.matrix->geometry, 1)},
          places_(space.uploaded(rows.places, kTables)),
          weights_(uploadedWeights(rows.weights)),
          backPlaces_(space.uploaded(rows.backPlaces, kTables)),
          backWeights_(uploadedWeights(rows.backWeights)),
          backBegins_(space.uploaded(rows.backBegins, kTables)) {
        for (std::size_t side = 0; side < phases_.size(); ++side) {
            phases_[side] =
                space.buffer<float>(static_cast<std::size_t>(layout_[side].size()), "image in phases");
            check(cudaMemsetAsync(phases_[side].get(), 0, phases_[side].bytes(), space.stream()),
                  "clear an image in phases");
        }
        std::size_t padded = 0;
        for (std::size_t p = 0; p < model.parts->parts(); ++p) {
            const std::vector<device::PanelOrientation> all =
                panelOrientations(model, p, rows.firstRowOfClass);
            PartTables tables;
            std::size_t size = 0;
            for (const device::PanelOrientation& o : all) {
                if (o.shiftsU > 0) {
                    size += static_cast<std::size_t>(device::panelPaddedSize(o.shiftsV, layout_[0].pitch));
                    tables.multiplyAdds += static_cast<double>(o.lastRow - o.firstRow) * device::kPanelTaps *
                                           o.shiftsU * o.shiftsV;
                }
            }
            padded = std::max(padded, size);
            tables.orientations = space.uploaded(all, kTables);
            tables.tasks = space.uploaded(panelTasks(all), kTables);
            parts_.push_back(std::move(tables));
        }
        padded_ = space.buffer<float>(std::max<std::size_t>(padded, 1), "lines with room around them");
        lost_ = space.buffer<float>(model.lattice.voxels(), "what rounding takes from an image");
        check(cudaMemsetAsync(lost_.get(), 0, lost_.bytes(), space.stream()), "clear what rounding takes");
    }

    void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<const float> /*measured*/,
                 DeviceSpan<float> p) override {
        for (std::size_t side = 0; side < phases_.size(); ++side) {
            device::panelSplit(space_.stream(), layout_[side], image, phases_[side].span());
        }
        device::panelForward(space_.stream(), partOf(part), bothPhases(), p);
    }

    void back(std::size_t part, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const device::PanelPart of = partOf(part);
        device::panelPadLines(space_.stream(), of, p, padded_.span());
        device::panelBack(space_.stream(), of, padded_.span(), bothPhases());
        device::panelJoin(space_.stream(), layout_[0], phases_[0].span(), write, image, lost_.span());
        device::panelJoin(space_.stream(), layout_[1], phases_[1].span(), Write::Add, image, lost_.span());
    }

    [[nodiscard]] bool leavesOutUnmeasured() const override { return false; }
    [[nodiscard]] std::size_t bytes() const override {
        std::size_t bytes = places_.bytes() + weights_.bytes() + backPlaces_.bytes() + backWeights_.bytes() +
                            backBegins_.bytes() + phases_[0].bytes() + phases_[1].bytes() + padded_.bytes() +
                            lost_.bytes();
        for (const PartTables& part : parts_) {
            bytes += part.orientations.bytes() + part.tasks.bytes();
        }
        return bytes;
    }
    [[nodiscard]] double multiplyAdds(std::size_t part) const override { return parts_[part].multiplyAdds; }

  private:
    [[nodiscard]] DeviceBuffer<device::PanelWeights4> uploadedWeights(const std::vector<PanelWeights>& from) {
        auto to = space_.buffer<device::PanelWeights4>(from.size(), kTables);
        check(cudaMemcpyAsync(to.get(), from.data(), to.bytes(), cudaMemcpyHostToDevice, space_.stream()),
              "copy weights to the device", {to.bytes()});
        return to;
    }
    [[nodiscard]] device::PanelPart partOf(std::size_t part) const {
        const auto lists = device::kPanelSides * static_cast<std::size_t>(layout_[0].lists());
        return {layout_[0],
                parts_[part].orientations.span(),
                parts_[part].tasks.span(),
                places_.span(),
                weights_.span(),
                backPlaces_.span(),
                backWeights_.span(),
                backBegins_.span().part(part * lists, lists + 1)};
    }
    [[nodiscard]] device::PanelPhases bothPhases() const { return {{phases_[0].get(), phases_[1].get()}}; }

    CudaSpace& space_;
    std::array<device::PanelLayout, device::kPanelSides> layout_;
    DeviceBuffer<std::uint32_t> places_;
    DeviceBuffer<device::PanelWeights4> weights_;
    DeviceBuffer<std::uint32_t> backPlaces_;
    DeviceBuffer<device::PanelWeights4> backWeights_;
    DeviceBuffer<std::uint32_t> backBegins_;
    std::array<DeviceBuffer<float>, device::kPanelSides> phases_;
    DeviceBuffer<float> padded_;
    DeviceBuffer<float> lost_;  ///< what rounding took from the image that parts are added to
    std::vector<PartTables> parts_;
};

}  // namespace

std::unique_ptr<PanelStrategy> makePhaseLines(const PanelModel& model, CudaSpace& space) {
    const PanelRows rows = panelRows(model, space.pool());
    auto lines = std::make_unique<PhaseLines>(model, space, rows);
    space.finish();  // the rows go when this returns
    return lines;
}

}  // namespace tof
