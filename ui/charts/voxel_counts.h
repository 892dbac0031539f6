// SPDX-License-Identifier: Apache-2.0
// How often values occur in an image, counted away from the window.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/metrics/robust_range.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// Counts voxels in equal intervals of a range, for one image at a time.
///
/// What was counted last stays until what was asked for has been counted: an image has up to 68 million
/// voxels, and a chart is painted many times a second.
class VoxelCounts {
  public:
    static constexpr std::size_t kBins = 128;
    struct Histogram {
        DisplayRange range;             ///< stored values, in kBins intervals
        std::vector<std::size_t> bins;  ///< empty: nothing has been counted yet
    };

    /// `came` is called when work under way has come to its end, or was ended.
    VoxelCounts(Threading threading, std::function<void()> came);
    /// Ends what is being counted.
    ~VoxelCounts();
    VoxelCounts(const VoxelCounts&) = delete;
    VoxelCounts& operator=(const VoxelCounts&) = delete;

    /// The newest counts that there are. Where they are those of another image or range, counting the wanted
    /// ones begins, or others that are under way are ended: whoever asks again after `came` gets them begun.
    [[nodiscard]] const Histogram& newest(const std::shared_ptr<const Volume>& volume, DisplayRange range);
    /// The counts of this image and range, counted here and now unless they are known.
    [[nodiscard]] Histogram exactly(const std::shared_ptr<const Volume>& volume, DisplayRange range) const;
    [[nodiscard]] bool busy() const { return worker_.busy(); }

  private:
    /// What is counted. It keeps no image in memory.
    struct Subject {
        std::weak_ptr<const Volume> volume;
        DisplayRange range;
        [[nodiscard]] bool is(const std::shared_ptr<const Volume>& other, DisplayRange otherRange) const {
            return volume.lock() == other && range == otherRange;
        }
    };
    void start(const std::shared_ptr<const Volume>& volume, DisplayRange range);

    std::function<void()> came_;
    Subject subject_;  ///< what histogram_ was counted in
    Histogram histogram_;
    Subject underWay_;        ///< what is being counted
    bool overtaken_ = false;  ///< what was under way last was ended for something newer
    Wish wish_;               ///< for the work under way
    Worker worker_;
};

}  // namespace tof::ui
