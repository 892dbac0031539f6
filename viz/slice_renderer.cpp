// SPDX-License-Identifier: Apache-2.0
#include "viz/slice_renderer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tof::viz {

namespace {

/// For every pixel along one side of the picture: the two voxels it lies between and the share of the second.
struct Samples {
    std::vector<int> first;
    std::vector<int> second;
    std::vector<float> share;
    std::size_t begin = 0;  ///< pixels begin..end-1 lie inside the lattice
    std::size_t end = 0;
};

/// Positions are pixel centres. Nearest: first == second.
Samples sampleSide(const Lattice& lattice, int axis, double firstPixel_mm, double step_mm, std::size_t pixels,
                   Interpolation interpolation) {
    Samples samples{std::vector<int>(pixels), std::vector<int>(pixels), std::vector<float>(pixels)};
    const int size = lattice.size[static_cast<std::size_t>(axis)];
    for (std::size_t i = 0; i < pixels; ++i) {
        const double mm = firstPixel_mm + step_mm * static_cast<double>(i);
        const int nearest = nearestIndex(lattice, axis, mm);
        if (nearest >= 0 && nearest < size) {
            samples.begin = samples.end == 0 ? i : samples.begin;
            samples.end = i + 1;
        }
        if (interpolation == Interpolation::Nearest) {
            samples.first[i] = samples.second[i] = std::clamp(nearest, 0, size - 1);
            continue;
        }
        const double index =
            (mm - coordinate(lattice.origin_mm, axis)) / lattice.spacing_mm[static_cast<std::size_t>(axis)];
        const double below = std::floor(std::clamp(index, -1.0, static_cast<double>(size)));
        samples.first[i] = std::clamp(static_cast<int>(below), 0, size - 1);
        samples.second[i] = std::clamp(static_cast<int>(below) + 1, 0, size - 1);
        samples.share[i] = static_cast<float>(std::clamp(index - below, 0.0, 1.0));
    }
    return samples;
}

/// The colours of values between low and high.
class Colours {
  public:
    explicit Colours(const SliceRequest& request)
        : low_(static_cast<float>(request.low)),
          scale_(static_cast<float>(256.0 / (request.high - request.low))) {
        std::transform(request.map.table.begin(), request.map.table.end(), table_.begin(),
                       [](Rgb colour) { return colour.packed(); });
        if (request.clearFirst) {
            table_[0] = 0;
        }
    }

    [[nodiscard]] std::uint32_t at(float value) const {
        const float position = (value - low_) * scale_;
        // The comparison also sends values that are not numbers to the first colour.
        return table_[static_cast<std::size_t>(position > 0 ? std::min(position, 255.0F) : 0.0F)];
    }

  private:
    float low_;
    float scale_;
    std::array<std::uint32_t, 256> table_{};
};

/// Between two values; exactly the one that both are, infinite ones too.
float between(float a, float b, float share) {
    return a == b ? a : a + share * (b - a);
}

/// The rows of voxels of one slice, each at the pixels across the picture. Two neighbours are kept: a row of
/// voxels is read once for all the rows of pixels that it makes.
class Rows {
  public:
    /// `next` and `share`: of the slice above, where the picture lies between two.
    Rows(const float* data, std::size_t strideAcross, std::size_t strideDown, const Samples& across,
         const float* next, float share)
        : data_(data),
          next_(next),
          share_(share),
          strideAcross_(strideAcross),
          strideDown_(strideDown),
          across_(across) {}

    /// The row's values at the pixels inside the lattice; valid until a row other than its neighbours is
    /// asked for.
    [[nodiscard]] const float* at(int row) {
        Kept& kept = kept_[static_cast<std::size_t>(row % 2)];
        if (kept.row != row) {
            read(row, kept);
        }
        return kept.values.data();
    }

  private:
    struct Kept {
        int row = -1;
        std::vector<float> values;
    };

    void read(int row, Kept& kept) {
        kept.row = row;
        kept.values.resize(across_.first.size());
        readSlice(data_ + static_cast<std::size_t>(row) * strideDown_, kept.values);
        if (share_ > 0) {
            above_.resize(kept.values.size());
            readSlice(next_ + static_cast<std::size_t>(row) * strideDown_, above_);
            for (std::size_t x = across_.begin; x < across_.end; ++x) {
                kept.values[x] = between(kept.values[x], above_[x], share_);
            }
        }
    }

    void readSlice(const float* voxels, std::vector<float>& values) const {
        for (std::size_t x = across_.begin; x < across_.end; ++x) {
            values[x] = between(voxels[static_cast<std::size_t>(across_.first[x]) * strideAcross_],
                                voxels[static_cast<std::size_t>(across_.second[x]) * strideAcross_],
                                across_.share[x]);
        }
    }

    const float* data_;
    const float* next_;
    float share_;
    std::vector<float> above_;
    std::size_t strideAcross_;
    std::size_t strideDown_;
    const Samples& across_;
    std::array<Kept, 2> kept_;
};

}  // namespace

const Volume& SliceRenderer::flatten(const SliceRequest& request, int axis, int& slice) {
    const Lattice& lattice = request.volume->lattice;
    if (!(request.slab_mm > 0)) {
        return *request.volume;
    }
    const LayerRange layers = layersOf(lattice, axis, coordinate(request.view.centre, axis), request.slab_mm);
    if (slab_ == nullptr || source_ != request.volume || axis_ != axis || !(layers_ == layers) ||
        mode_ != request.slabMode) {
        slab_ = slabOf(*request.volume, axis, layers, request.slabMode);
        source_ = request.volume;
        axis_ = axis;
        layers_ = layers;
        mode_ = request.slabMode;
    }
    slice = 0;
    return *slab_;
}

const Picture& SliceRenderer::render(const SliceRequest& request) {
    const SliceView& view = request.view;
    const PlaneAxes axes = planeAxes(view.plane, view.orientation);
    picture_.width = std::max(1, view.width);
    picture_.height = std::max(1, view.height);
    const auto columns = static_cast<std::size_t>(picture_.width);
    const auto rows = static_cast<std::size_t>(picture_.height);
    picture_.pixels.assign(columns * rows, request.clearOutside ? 0U : request.map.zero().packed());
    const Lattice& whole = request.volume->lattice;
    int slice = nearestIndex(whole, axes.normal, coordinate(view.centre, axes.normal));
    if (slice < 0 || slice >= whole.size[static_cast<std::size_t>(axes.normal)]) {
        return picture_;
    }
    const Volume& volume = flatten(request, axes.normal, slice);
    const Lattice& lattice = volume.lattice;
    const Vec3 corner = view.toWorld(0.5, 0.5);
    const Samples across = sampleSide(lattice, axes.across, coordinate(corner, axes.across),
                                      axes.acrossSign * view.mmPerPixel, columns, request.interpolation);
    const Samples down = sampleSide(lattice, axes.down, coordinate(corner, axes.down),
                                    axes.downSign * view.mmPerPixel, rows, request.interpolation);
    const std::array<std::size_t, 3> stride = {1, lattice.index(0, 1, 0), lattice.index(0, 0, 1)};
    const auto strideOf = [&stride](int axis) { return stride[static_cast<std::size_t>(axis)]; };
    float share = 0;
    if (request.acrossSlices && request.interpolation == Interpolation::Linear &&
        &volume == &*request.volume) {
        const auto n = static_cast<std::size_t>(axes.normal);
        const double index =
            (coordinate(view.centre, axes.normal) - coordinate(whole.origin_mm, axes.normal)) /
            whole.spacing_mm[n];
        slice = std::clamp(static_cast<int>(std::floor(index)), 0, whole.size[n] - 1);
        share = slice + 1 < whole.size[n] ? static_cast<float>(std::clamp(index - slice, 0.0, 1.0)) : 0.0F;
    }
    const float* voxelsOfSlice = volume.data.data() + static_cast<std::size_t>(slice) * strideOf(axes.normal);
    Rows voxels(voxelsOfSlice, strideOf(axes.across), strideOf(axes.down), across,
                share > 0 ? voxelsOfSlice + strideOf(axes.normal) : voxelsOfSlice, share);
    const Colours colours(request);
    for (std::size_t y = down.begin; y < down.end; ++y) {
        std::uint32_t* out = picture_.pixels.data() + y * columns;
        const int first = down.first[y];
        const int second = down.second[y];
        if (y > down.begin && first == second && first == down.first[y - 1] && second == down.second[y - 1]) {
            std::copy(out - columns, out, out);
            continue;
        }
        const float* upper = voxels.at(first);
        const float* lower = voxels.at(second);
        for (std::size_t x = across.begin; x < across.end; ++x) {
            out[x] = colours.at(between(upper[x], lower[x], down.share[y]));
        }
    }
    return picture_;
}

}  // namespace tof::viz
