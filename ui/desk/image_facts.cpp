// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/image_facts.h"

#include <algorithm>

#include "recon/metrics/figures_of_merit.h"

namespace tof::ui {

namespace {

constexpr std::size_t kActivities = 2;  ///< kept: as large as an image each
constexpr int kLayers = 8;              ///< sampled between two looks whether it is still wanted

bool sameVolume(const std::weak_ptr<const Volume>& known, const std::shared_ptr<const Volume>& volume) {
    return !known.owner_before(volume) && !volume.owner_before(known);
}

}  // namespace

DisplayRange ImageFacts::range(const std::shared_ptr<const Volume>& volume) {
    if (const auto known = knownRange(volume)) {
        return *known;
    }
    const DisplayRange found = robustRange(*volume);
    const std::lock_guard lock(mutex_);
    std::erase_if(ranges_, [](const auto& entry) { return entry.first.expired(); });
    ranges_.emplace_back(volume, found);
    return found;
}

std::optional<DisplayRange> ImageFacts::knownRange(const std::shared_ptr<const Volume>& volume) const {
    const std::lock_guard lock(mutex_);
    const auto it = std::find_if(ranges_.begin(), ranges_.end(),
                                 [&](const auto& entry) { return sameVolume(entry.first, volume); });
    return it != ranges_.end() ? std::optional(it->second) : std::nullopt;
}

std::shared_ptr<const Volume> ImageFacts::knownActivity(const std::shared_ptr<const Phantom>& phantom,
                                                        const Lattice& lattice) const {
    const std::lock_guard lock(mutex_);
    const auto it = std::find_if(activities_.begin(), activities_.end(), [&](const Activity& entry) {
        return entry.first == phantom && entry.second->lattice == lattice;
    });
    return it != activities_.end() ? it->second : nullptr;
}

std::shared_ptr<const Volume> ImageFacts::activity(const std::shared_ptr<const Phantom>& phantom,
                                                   const Lattice& lattice, const Wish& wish) {
    if (auto known = knownActivity(phantom, lattice)) {
        return known;
    }
    auto whole = std::make_shared<Volume>(lattice);
    for (int z = 0; z < lattice.size[2]; z += kLayers) {
        wish();
        Lattice slab = lattice;
        slab.size[2] = std::min(kLayers, lattice.size[2] - z);
        slab.origin_mm = lattice.centre(0, 0, z);
        const Volume part = trueActivity(*phantom, slab);
        std::copy(part.data.begin(), part.data.end(),
                  whole->data.begin() + static_cast<std::ptrdiff_t>(lattice.index(0, 0, z)));
        whole->units = part.units;
    }
    const std::lock_guard lock(mutex_);
    if (activities_.size() >= kActivities) {
        activities_.erase(activities_.begin());
    }
    activities_.emplace_back(phantom, whole);
    return whole;
}

void ImageFacts::clear() {
    const std::lock_guard lock(mutex_);
    ranges_.clear();
    activities_.clear();
}

}  // namespace tof::ui
