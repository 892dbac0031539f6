// SPDX-License-Identifier: Apache-2.0
// What takes long to know of an image: found once, away from the window, and kept.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "recon/metrics/robust_range.h"
#include "ui/kit/wish.h"

namespace tof {
struct Phantom;
}  // namespace tof

namespace tof::ui {

/// The automatic ranges of images and the activity of phantoms on lattices. Thread-safe; finding something
/// twice at once is wasted work and no more.
class ImageFacts {
  public:
    /// robustRange() of an image, found now unless it is known.
    DisplayRange range(const std::shared_ptr<const Volume>& volume);
    /// Where it is known.
    [[nodiscard]] std::optional<DisplayRange> knownRange(const std::shared_ptr<const Volume>& volume) const;

    /// trueActivity() of a phantom on a lattice, sampled now unless it is known; at 440 x 440 x 350 voxels
    /// that takes seconds. Throws Cancelled once the wish has ended.
    std::shared_ptr<const Volume> activity(const std::shared_ptr<const Phantom>& phantom,
                                           const Lattice& lattice, const Wish& wish);
    /// Where it is known, else null.
    [[nodiscard]] std::shared_ptr<const Volume> knownActivity(const std::shared_ptr<const Phantom>& phantom,
                                                              const Lattice& lattice) const;
    void clear();

  private:
    using Activity = std::pair<std::shared_ptr<const Phantom>, std::shared_ptr<const Volume>>;
    mutable std::mutex mutex_;
    std::vector<std::pair<std::weak_ptr<const Volume>, DisplayRange>> ranges_;
    std::vector<Activity> activities_;  ///< the newest last
};

}  // namespace tof::ui
