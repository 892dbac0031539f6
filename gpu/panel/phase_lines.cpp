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
static_assert(kPanelShares == device::kPanelMostShares);

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
          backBegins_(space.uploaded(rows.backBegins, kTables)),
          shares_(model.parts->shares),
          phaseSize_(static_cast<std::size_t>(std::max(layout_[0].size(), layout_[1].size()))),
          phases_(space.buffer<float>(shares_ * device::kPanelSides * phaseSize_, "images in phases")) {
        check(cudaMemsetAsync(phases_.get(), 0, phases_.bytes(), space.stream()), "clear images in phases");
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
        for (std::size_t share = 0; share < shares_; ++share) {
            for (DeviceBuffer<float>* const image : {&sums_[share], &lost_[share]}) {
                *image = space.buffer<float>(model.lattice.voxels(), "sums of an image");
                check(cudaMemsetAsync(image->get(), 0, image->bytes(), space.stream()), "clear sums");
            }
        }
    }

    void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<const float> /*measured*/,
                 DeviceSpan<float> p) override {
        for (std::size_t side = 0; side < layout_.size(); ++side) {
            device::panelSplit(space_.stream(), layout_[side], image, phasesOf(0, side));
        }
        device::panelForward(space_.stream(), partOf(part), bothPhases(), p);
    }

    void back(std::size_t part, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const cudaStream_t stream = space_.stream();
        const device::PanelPart of = partOf(part);
        device::panelPadLines(stream, of, p, padded_.span());
        device::panelBack(stream, of, padded_.span(), {phases_.get(), phaseSize_, static_cast<int>(shares_)});
        if (write == Write::Add) {
            device::panelTakeUp(stream, image, shareSums());
        }
        for (std::size_t share = 0; share < shares_; ++share) {
            for (std::size_t side = 0; side < layout_.size(); ++side) {
                device::panelJoin(stream, layout_[side], phasesOf(share, side),
                                  side == 0 ? write : Write::Add, sums_[share].span(), lost_[share].span());
            }
        }
        device::panelAddShares(stream, shareSums(), image);
    }

    [[nodiscard]] bool leavesOutUnmeasured() const override { return false; }
    [[nodiscard]] std::size_t bytes() const override {
        std::size_t bytes = places_.bytes() + weights_.bytes() + backPlaces_.bytes() + backWeights_.bytes() +
                            backBegins_.bytes() + phases_.bytes() + padded_.bytes();
        for (std::size_t share = 0; share < shares_; ++share) {
            bytes += sums_[share].bytes() + lost_[share].bytes();
        }
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
        const std::size_t lists =
            shares_ * device::kPanelSides * static_cast<std::size_t>(layout_[0].lists());
        return {layout_[0],
                parts_[part].orientations.span(),
                parts_[part].tasks.span(),
                places_.span(),
                weights_.span(),
                backPlaces_.span(),
                backWeights_.span(),
                backBegins_.span().part(part * lists, lists + 1)};
    }
    [[nodiscard]] DeviceSpan<float> phasesOf(std::size_t share, std::size_t side) const {
        return phases_.span().part((share * layout_.size() + side) * phaseSize_,
                                   static_cast<std::size_t>(layout_[side].size()));
    }
    /// The phases of the image that is projected forward.
    [[nodiscard]] device::PanelPhases bothPhases() const {
        return {{phasesOf(0, 0).get(), phasesOf(0, 1).get()}};
    }
    [[nodiscard]] device::PanelShareSums shareSums() const {
        device::PanelShareSums sums{};
        for (std::size_t share = 0; share < shares_; ++share) {
            sums.sum[share] = sums_[share].get();
            sums.lost[share] = lost_[share].get();
        }
        return sums;
    }

    CudaSpace& space_;
    std::array<device::PanelLayout, device::kPanelSides> layout_;
    DeviceBuffer<std::uint32_t> places_;
    DeviceBuffer<device::PanelWeights4> weights_;
    DeviceBuffer<std::uint32_t> backPlaces_;
    DeviceBuffer<device::PanelWeights4> backWeights_;
    DeviceBuffer<std::uint32_t> backBegins_;
    std::size_t shares_;
    std::size_t phaseSize_;
    DeviceBuffer<float> phases_;  ///< [share][side]; those of share 0 of images that are projected, too
    DeviceBuffer<float> padded_;
    std::array<DeviceBuffer<float>, kPanelShares> sums_;  ///< an image in its making, by share
    std::array<DeviceBuffer<float>, kPanelShares> lost_;  ///< what rounding took from it
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
