// SPDX-License-Identifier: Apache-2.0
#include "recon/work/other_counts.h"

#include <numeric>
#include <utility>

namespace tof {

OtherCounts::OtherCounts(std::shared_ptr<DataSource> source, Space& space, std::size_t size, int threads)
    : source_(std::move(source)),
      space_(space),
      pool_(threads),
      partSize_(size / source_->parts()),
      placed_(space.allocate(space.hostMemory() ? 0 : size)) {}

void OtherCounts::use(std::span<const float> counts, float share) {
    counts_ = {counts.data(), counts.size()};
    if (!space_.hostMemory()) {
        space_.upload(counts, placed_.view());
        counts_ = placed_.view();
    }
    total_ = pool_.sumRange(counts.size(), std::size_t{1} << 16U, [&](std::size_t a, std::size_t b) {
        return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(a),
                               counts.begin() + static_cast<std::ptrdiff_t>(b), 0.0);
    });
    share_ = share;
    if (share == 1 || source_->totalAdd() == 0) {
        return;
    }
    if (add_.size() == 0) {
        add_ = space_.allocate(resident() ? counts.size() : partSize_);
    }
    for (std::size_t i = 0; resident() && i < parts(); ++i) {
        shareOut(source_->part(i), add_.view().part(i * partSize_, partSize_));
    }
}

void OtherCounts::shareOut(const PartData& part, MutableView add) {
    space_.fill(add, 0.0F);
    space_.addScaled(part.add, share_, add);
}

PartData OtherCounts::part(std::size_t index) {
    PartData part = source_->part(index);
    part.y = counts_.part(index * partSize_, partSize_);
    if (share_ == 1 || part.add.empty() || source_->totalAdd() == 0) {
        return part;
    }
    const MutableView add = add_.view().part(resident() ? index * partSize_ : 0, partSize_);
    if (!resident()) {
        shareOut(part, add);
    }
    part.add = add;
    return part;
}

}  // namespace tof
