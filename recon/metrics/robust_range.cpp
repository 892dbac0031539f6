// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/robust_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include "recon/base/percentile.h"

namespace tof {

namespace {

/// Values that lie in a row, and the highest of every block of them, so that few blocks are looked at where
/// high values are wanted.
class Blocks {
  public:
    explicit Blocks(std::span<const float> values) : values_(values) {
        for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
            add(values.subspan(begin, std::min(kBlock, values.size() - begin)));
        }
    }
    [[nodiscard]] std::span<const float> values() const { return values_; }
    [[nodiscard]] bool finite() const { return finite_; }
    [[nodiscard]] float lowest() const { return low_; }
    [[nodiscard]] float highest() const { return *std::max_element(highs_.begin(), highs_.end()); }
    [[nodiscard]] std::vector<float> atLeast(float bound) const {
        std::vector<float> found;
        for (std::size_t b = 0; b < highs_.size(); ++b) {
            if (highs_[b] >= bound) {
                const auto block = values_.subspan(b * kBlock, std::min(kBlock, values_.size() - b * kBlock));
                std::copy_if(block.begin(), block.end(), std::back_inserter(found),
                             [bound](float v) { return v >= bound; });
            }
        }
        return found;
    }

  private:
    static constexpr std::size_t kBlock = 256;
    static constexpr std::size_t kLanes = 16;  ///< side by side, which compilers make vectors of

    void add(std::span<const float> block) {
        std::array<float, kLanes> low{};
        std::array<float, kLanes> high{};
        std::array<float, kLanes> zero{};  // times 0 only what is finite stays 0
        low.fill(block.front());
        high.fill(block.front());
        const std::size_t lanes = std::min(kLanes, block.size());
        for (std::size_t begin = 0; begin < block.size(); begin += lanes) {
            const std::size_t at =
                std::min(begin, block.size() - lanes);  // some twice, which changes nothing
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const float v = block[at + lane];
                low[lane] = v < low[lane] ? v : low[lane];
                high[lane] = v > high[lane] ? v : high[lane];
                zero[lane] += v * 0.0F;
            }
        }
        finite_ = finite_ && std::all_of(zero.begin(), zero.end(), [](float z) { return z == 0.0F; });
        low_ = std::min(low_, *std::min_element(low.begin(), low.end()));
        highs_.push_back(*std::max_element(high.begin(), high.end()));
    }

    std::span<const float> values_;
    std::vector<float> highs_;
    float low_ = std::numeric_limits<float>::infinity();
    bool finite_ = true;
};

float percentileOf(std::span<const float> values, double share) {
    std::vector<float> copy(values.begin(), values.end());
    return percentile(copy, share);
}

/// percentile() of a share near 1, looked for among the values above one that every n-th value says hardly
/// any are: live tuning waits for it after every iterate, and putting a million values in order takes 10 ms.
float nearTop(const Blocks& blocks, double share) {
    constexpr std::size_t kEvery = 61;
    constexpr double kRoom = 16;  ///< times as many values as are wanted
    const std::span<const float> values = blocks.values();
    const auto n = static_cast<double>(values.size());
    const std::size_t fromTop = values.size() - static_cast<std::size_t>(share * (n - 1));
    const double expected = kRoom * static_cast<double>(fromTop) / n;
    if (expected > 0.25) {
        return percentileOf(values, share);
    }
    std::vector<float> some;
    for (std::size_t i = 0; i < values.size(); i += kEvery) {
        some.push_back(values[i]);
    }
    std::vector<float> high = blocks.atLeast(percentile(some, 1 - expected));
    if (high.size() < fromTop) {
        return percentileOf(values, share);
    }
    const auto at = high.begin() + static_cast<std::ptrdiff_t>(high.size() - fromTop);
    std::nth_element(high.begin(), at, high.end());
    return *at;
}

/// Every n-th value that is a finite number.
std::vector<float> finiteOf(std::span<const float> values, std::size_t step) {
    std::vector<float> finite;
    finite.reserve(values.size() / step + 1);
    for (std::size_t i = 0; i < values.size(); i += step) {
        if (std::isfinite(values[i])) {
            finite.push_back(values[i]);
        }
    }
    return finite;
}

}  // namespace

double roundUpTwoDigits(double value) {
    if (!(value > 0)) {
        return 0;
    }
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::ceil(value / unit * (1 - 1e-12)) * unit;
}

DisplayRange robustRange(const Volume& volume) {
    // Every n-th voxel is enough for a percentile and keeps the window quick for large volumes.
    const std::size_t step = std::max<std::size_t>(1, volume.data.size() / 500000);
    std::vector<float> some;
    Blocks blocks(step == 1 ? std::span<const float>(volume.data) : std::span<const float>());
    if (step > 1 || !blocks.finite()) {
        some = finiteOf(volume.data, step);
        blocks = Blocks(some);
    }
    if (blocks.values().empty()) {
        return {};
    }
    double high = roundUpTwoDigits(static_cast<double>(nearTop(blocks, 0.9999)));
    if (high <= 0) {
        high = roundUpTwoDigits(static_cast<double>(blocks.highest()));
    }
    const double lowest = blocks.lowest() < 0 ? static_cast<double>(percentileOf(blocks.values(), 0.001)) : 0;
    const double low = lowest < 0 ? -roundUpTwoDigits(-lowest) : 0;
    return high > low ? DisplayRange{low, high} : DisplayRange{low, low + 1};
}

Box objectBox(const Volume& volume) {
    const Lattice& lattice = volume.lattice;
    const auto threshold = static_cast<float>(0.1 * robustRange(volume).high);
    std::array<std::vector<std::size_t>, 3> above;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        above[axis].assign(static_cast<std::size_t>(lattice.size[axis]), 0);
    }
    // A large volume gives every n-th row, another one in each slice: as many in every layer along y and z.
    constexpr std::size_t kEnough = 2000000;
    const std::size_t step = std::max<std::size_t>(1, volume.data.size() / kEnough);
    const auto columns = static_cast<std::size_t>(lattice.size[0]);
    const auto rows = static_cast<std::size_t>(lattice.size[1]);
    std::size_t seen = 0;
    for (std::size_t z = 0; z < static_cast<std::size_t>(lattice.size[2]); ++z) {
        for (std::size_t y = (step - z % step) % step; y < rows; y += step) {
            const float* const row = volume.data.data() + (z * rows + y) * columns;
            std::size_t inRow = 0;
            for (std::size_t x = 0; x < columns; ++x) {
                const std::size_t one = row[x] > threshold ? 1 : 0;
                above[0][x] += one;
                inRow += one;
            }
            above[1][y] += inRow;
            above[2][z] += inRow;
            seen += columns;
        }
    }
    const Box whole = latticeBox(lattice);
    Box box = whole;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto& counts = above[axis];
        const double least = 0.002 * static_cast<double>(seen) / static_cast<double>(counts.size());
        const auto holdsObject = [&](std::size_t n) { return static_cast<double>(n) > least; };
        const auto first = std::find_if(counts.begin(), counts.end(), holdsObject);
        const auto last = std::find_if(counts.rbegin(), counts.rend(), holdsObject);
        const auto layers = counts.rend() - last - (first - counts.begin());
        if (first == counts.end() || 4 * layers < static_cast<std::ptrdiff_t>(counts.size())) {
            return whole;
        }
        const double spacing = lattice.spacing_mm[axis];
        const double room = std::max(2 * spacing, 0.03 * static_cast<double>(layers) * spacing);
        const double low = whole.low[axis] + spacing * static_cast<double>(first - counts.begin()) - room;
        const double high = whole.high[axis] - spacing * static_cast<double>(last - counts.rbegin()) + room;
        box.low[axis] = std::max(whole.low[axis], low);
        box.high[axis] = std::min(whole.high[axis], high);
    }
    return box;
}

}  // namespace tof
