// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace tof {

/// A rectangle of ints around the origin, for sets and maps of small offsets.
class OffsetGrid {
  public:
    OffsetGrid(int lowA, int highA, int lowB, int highB, int value)
        : lowA_(lowA),
          lowB_(lowB),
          width_(highA - lowA + 1),
          height_(highB - lowB + 1),
          cells_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), value) {}

    [[nodiscard]] bool contains(int a, int b) const {
        return a >= lowA_ && b >= lowB_ && a < lowA_ + width_ && b < lowB_ + height_;
    }
    int& at(int a, int b) {
        return cells_[static_cast<std::size_t>(b - lowB_) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(a - lowA_)];
    }
    [[nodiscard]] int valueOr(int a, int b, int otherwise) { return contains(a, b) ? at(a, b) : otherwise; }
    /// Calls visit(a, b, value) in order of b, a.
    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (int b = 0; b < height_; ++b) {
            for (int a = 0; a < width_; ++a) {
                visit(a + lowA_, b + lowB_,
                      cells_[static_cast<std::size_t>(b) * static_cast<std::size_t>(width_) +
                             static_cast<std::size_t>(a)]);
            }
        }
    }

  private:
    int lowA_;
    int lowB_;
    int width_;
    int height_;
    std::vector<int> cells_;
};

}  // namespace tof
