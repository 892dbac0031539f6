// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "recon/seam/host_space.h"

namespace tof {

/// Spectra of views 0, 1, ... are kept while they fit; those of the other views are made anew each time.
class KeptSpectra {
  public:
    using Make = std::function<void(std::size_t view, MutableView spectra)>;
    KeptSpectra() = default;
    /// `floats` of each view; those kept take `mostBytes` or half of what is free.
    KeptSpectra(HostSpace& space, std::size_t views, std::size_t floats, std::size_t mostBytes, Make make)
        : make_(std::move(make)) {
        const std::size_t share = std::min(mostBytes, space.bytesFree() / 2);
        const std::size_t kept = std::min(views, share / (floats * sizeof(float)));
        for (std::size_t view = 0; view < kept; ++view) {
            kept_.push_back(space.allocate(floats));
            make_(view, kept_.back().view());
        }
        if (kept < views) {
            last_ = space.allocate(floats);
        }
    }

    [[nodiscard]] ConstView of(std::size_t view) {
        if (view < kept_.size()) {
            return kept_[view].view();
        }
        make_(view, last_.view());
        return last_.view();
    }
    [[nodiscard]] std::size_t floats() const {
        return last_.size() + (kept_.empty() ? 0 : kept_.size() * kept_.front().size());
    }

  private:
    Make make_;
    std::vector<Array> kept_;
    Array last_;  // empty when all are kept
};

}  // namespace tof
