// SPDX-License-Identifier: Apache-2.0
#include "recon/work/frame_places.h"

#include <algorithm>
#include <span>
#include <utility>

#include "recon/data/framed_counts.h"
#include "recon/work/other_counts.h"

namespace tof {

/// The data of one frame after the other, which keep what their sensitivities are.
class FramePlaces::Data : public OtherCounts {
  public:
    Data(std::shared_ptr<DataSource> source, Space& space, std::size_t size, int threads)
        : OtherCounts(std::move(source), space, size, threads), space_(space) {}

    [[nodiscard]] ConstView knownSensitivity(std::span<const std::size_t> parts) override {
        const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
            return std::equal(kept.parts.begin(), kept.parts.end(), parts.begin(), parts.end());
        });
        return known != kept_.end() ? ConstView(known->image.view()) : OtherCounts::knownSensitivity(parts);
    }
    /// Where memory is short they are found again.
    void sensitivityFound(std::span<const std::size_t> parts, ConstView sensitivity) override {
        OtherCounts::sensitivityFound(parts, sensitivity);
        constexpr std::size_t kHeadRoom = 8;
        if (space_.bytesFree() > kHeadRoom * sensitivity.size * sizeof(float)) {
            kept_.push_back({{parts.begin(), parts.end()}, space_.allocate(sensitivity.size)});
            space_.copy(sensitivity, kept_.back().image.view());
        }
    }

  private:
    struct Kept {
        std::vector<std::size_t> parts;
        Array image;
    };

    Space& space_;
    std::vector<Kept> kept_;
};

FramePlaces::FramePlaces(const FrameRunRequest& request, const Measurement& data, Projector& projector,
                         std::shared_ptr<DataSource> source, FramesStay stay)
    : request_(request),
      data_(data),
      projector_(projector),
      source_(std::move(source)),
      stay_(stay),
      pool_(request.threads) {}

FramePlaces::~FramePlaces() = default;

FramePlace FramePlaces::at(std::size_t frame) {
    if (data_.framesStandAlone()) {
        auto there = alone_.find(frame);
        if (there == alone_.end()) {
            if (stay_ == FramesStay::Last) {
                alone_.clear();
            }
            there = alone_.emplace(frame, request_.placed(*data_.frameAlone(frame))).first;
        }
        const FrameAlone& own = there->second;
        FramePlace place{*own.projector, *own.source, own.order, request_.algorithm};
        place.algorithm.subsets = std::min(place.algorithm.subsets, static_cast<int>(own.order.size()));
        return place;
    }
    const FramedCounts& frames = *data_.frames();
    data_.countsOfFrame(frame, pool_, counts_);
    if (frameData_ == nullptr) {
        frameData_ = std::make_unique<Data>(source_, projector_.space(), counts_.size(), request_.threads);
    }
    const std::span<const float> randoms =
        frames.randoms != nullptr ? *frames.randoms : std::span<const float>();
    frameData_->use(counts_, static_cast<float>(frames.addShareOf(frame)), randoms,
                    static_cast<float>(frames.moreRandomsOf(frame)));
    return {projector_, *frameData_, request_.order, request_.algorithm};
}

}  // namespace tof
