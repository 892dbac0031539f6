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

double OtherCounts::sumOf(std::span<const float> values) const {
    return pool_.sumRange(values.size(), std::size_t{1} << 16U, [&](std::size_t a, std::size_t b) {
        return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(a),
                               values.begin() + static_cast<std::ptrdiff_t>(b), 0.0);
    });
}

void OtherCounts::use(std::span<const float> counts, float share, std::span<const float> of, float more) {
    const auto place = [&](std::span<const float> values, Array& placed) {
        if (space_.hostMemory()) {
            return ConstView{values.data(), values.size()};
        }
        if (placed.size() == 0) {
            placed = space_.allocate(values.size());
        }
        space_.upload(values, placed.view());
        return ConstView(placed.view());
    };
    counts_ = place(counts, placed_);
    total_ = sumOf(counts);
    share_ = share;
    more_ = more;
    if (sameAdd()) {
        return;
    }
    if (more != 0 && of_.size == 0) {  // it is one for all
        of_ = place(of, placedOf_);
        totalOf_ = sumOf(of);
    }
    if (add_.size() == 0) {
        add_ = space_.allocate(resident() ? counts.size() : partSize_);
    }
    for (std::size_t i = 0; resident() && i < parts(); ++i) {
        shareOut(i, source_->part(i), add_.view().part(i * partSize_, partSize_));
    }
}

void OtherCounts::shareOut(std::size_t index, const PartData& part, MutableView add) {
    space_.fill(add, 0.0F);
    space_.addScaled(part.add, share_, add);
    if (more_ != 0) {
        space_.addScaled(of_.part(index * partSize_, partSize_), more_, add);
    }
}

PartData OtherCounts::part(std::size_t index) {
    PartData part = source_->part(index);
    part.y = counts_.part(index * partSize_, partSize_);
    if (part.add.empty() || sameAdd()) {
        return part;
    }
    const MutableView add = add_.view().part(resident() ? index * partSize_ : 0, partSize_);
    if (!resident()) {
        shareOut(index, part, add);
    }
    part.add = add;
    return part;
}

}  // namespace tof
