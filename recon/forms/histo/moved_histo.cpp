// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/histo/moved_histo.h"

#include <mutex>
#include <optional>
#include <vector>

#include "recon/base/error.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/data/framed_counts.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

/// The scanner and what is computed of its crystals for the frames of one data set.
struct FrameFactors {
    FrameFactors(const HistoData& data, const ThreadPool& pool)
        : scanner(data.scannerJson.scanner("the data")) {
        const std::vector<float>& crystals = data.frames->crystals;
        if (crystals.size() != scanner->crystals.size()) {
            throw BadInput(
                "'/frames/crystals' has {} factors, but scanner '{}' has {} crystals; correct the data again",
                crystals.size(), scanner->name, scanner->crystals.size());
        }
        efficiencies.emplace(data, *scanner, std::vector<double>(crystals.begin(), crystals.end()), pool);
    }

    std::shared_ptr<const Scanner> scanner;
    std::optional<ViewEfficiencies> efficiencies{};
};

/// The poses of a frame that lasted.
std::vector<WeighedPose> posesOf(const HistoData& data, const std::vector<double>& shares) {
    if (shares.size() != data.poses.size()) {
        throw BadInput("'/frames/poses' has {} poses, but the data have {}; bin the list again",
                       shares.size(), data.poses.size());
    }
    std::vector<WeighedPose> own;
    for (std::size_t pose = 0; pose < shares.size(); ++pose) {
        if (shares[pose] > 0) {
            own.push_back({data.poses[pose].pose, shares[pose]});
        }
    }
    return own;
}

class MovedHisto : public HistoMeasurement {
  public:
    explicit MovedHisto(const HistoMeasurement& of) : HistoMeasurement(of) {}

  private:
    [[nodiscard]] HistoData dataOfFrame(std::size_t frame, const ThreadPool& pool) const override {
        HistoData own = HistoMeasurement::dataOfFrame(frame, pool);
        const FramePoses& moved = data_->frames->frames[frame].moved;
        if (moved.eff != nullptr) {  // else they are in the data's mult
            factors(pool).multiply(own.mult, posesOf(*data_, moved.shares), pool);
        }
        return own;
    }

    const ViewEfficiencies& factors(const ThreadPool& pool) const {
        const std::scoped_lock lock(mutex_);
        if (factors_ == nullptr) {
            factors_ = std::make_unique<const FrameFactors>(*data_, pool);
        }
        return *factors_->efficiencies;
    }

    mutable std::mutex mutex_;
    mutable std::unique_ptr<const FrameFactors> factors_;
};

}  // namespace

std::shared_ptr<const Measurement> withFactorsOfFrames(std::shared_ptr<const Measurement> measurement) {
    const auto* const histo = dynamic_cast<const HistoMeasurement*>(measurement.get());
    if (histo == nullptr || histo->data()->frames == nullptr || histo->data()->frames->crystals.empty()) {
        return measurement;
    }
    return std::make_shared<const MovedHisto>(*histo);
}

}  // namespace tof
