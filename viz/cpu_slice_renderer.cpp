// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "viz/slice_renderer.h"

namespace tof::viz {

namespace {

/// For every pixel along one side of the picture: the two voxels it lies between and the share of the second.
struct Samples {
    std::vector<int> first;
    std::vector<int> second;
    std::vector<float> share;
    std::vector<char> inside;
};

/// Positions are pixel centres. Nearest: first == second.
Samples sampleSide(const Lattice& lattice, int axis, double firstPixel_mm, double step_mm, int pixels,
                   Interpolation interpolation) {
    const auto count = static_cast<std::size_t>(pixels);
    Samples samples{std::vector<int>(count), std::vector<int>(count), std::vector<float>(count),
                    std::vector<char>(count)};
    const int size = lattice.size[static_cast<std::size_t>(axis)];
    for (std::size_t i = 0; i < count; ++i) {
        const double mm = firstPixel_mm + step_mm * static_cast<double>(i);
        const int nearest = nearestIndex(lattice, axis, mm);
        samples.inside[i] = nearest >= 0 && nearest < size ? 1 : 0;
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

class CpuSliceRenderer : public SliceRenderer {
  public:
    [[nodiscard]] const Picture& render(const SliceRequest& request) override;
    [[nodiscard]] std::string description() const override { return "CPU"; }

  private:
    Picture picture_;
    SlabResolver slabs_;
};

const Picture& CpuSliceRenderer::render(const SliceRequest& asked) {
    const SliceRequest request = slabs_.resolve(asked);
    const SliceView& view = request.view;
    const Lattice& lattice = request.volume->lattice;
    const PlaneAxes axes = planeAxes(view.plane, view.orientation);
    picture_.width = std::max(1, view.width);
    picture_.height = std::max(1, view.height);
    picture_.pixels.assign(
        static_cast<std::size_t>(picture_.width) * static_cast<std::size_t>(picture_.height),
        request.map.zero().packed());

    const int slice = nearestIndex(lattice, axes.normal, coordinate(view.centre, axes.normal));
    if (slice < 0 || slice >= lattice.size[static_cast<std::size_t>(axes.normal)]) {
        return picture_;
    }
    const Vec3 corner = view.toWorld(0.5, 0.5);
    const Samples across =
        sampleSide(lattice, axes.across, coordinate(corner, axes.across), axes.acrossSign * view.mmPerPixel,
                   picture_.width, request.interpolation);
    const Samples down = sampleSide(lattice, axes.down, coordinate(corner, axes.down),
                                    axes.downSign * view.mmPerPixel, picture_.height, request.interpolation);

    const std::size_t stride[] = {
        1, static_cast<std::size_t>(lattice.size[0]),
        static_cast<std::size_t>(lattice.size[0]) * static_cast<std::size_t>(lattice.size[1])};
    const float* data = request.volume->data.data() + static_cast<std::size_t>(slice) * stride[axes.normal];
    const std::size_t strideAcross = stride[axes.across];
    const std::size_t strideDown = stride[axes.down];
    std::uint32_t colours[256];
    for (std::size_t i = 0; i < 256; ++i) {
        colours[i] = request.map.table[i].packed();
    }
    const auto low = static_cast<float>(request.low);
    const auto scale = static_cast<float>(256.0 / (request.high - request.low));
    const auto colour = [&](float value) {
        const float position = (value - low) * scale;
        // The comparison also sends values that are not numbers to the first colour.
        return colours[position > 0 ? static_cast<std::size_t>(std::min(position, 255.0F)) : 0];
    };

    for (std::size_t y = 0; y < down.first.size(); ++y) {
        if (down.inside[y] == 0) {
            continue;
        }
        std::uint32_t* out = picture_.pixels.data() + y * across.first.size();
        const float* row0 = data + static_cast<std::size_t>(down.first[y]) * strideDown;
        const float* row1 = data + static_cast<std::size_t>(down.second[y]) * strideDown;
        const float v = down.share[y];
        for (std::size_t x = 0; x < across.first.size(); ++x) {
            if (across.inside[x] == 0) {
                continue;
            }
            const std::size_t x0 = static_cast<std::size_t>(across.first[x]) * strideAcross;
            if (request.interpolation == Interpolation::Nearest) {
                out[x] = colour(row0[x0]);
                continue;
            }
            const std::size_t x1 = static_cast<std::size_t>(across.second[x]) * strideAcross;
            const float u = across.share[x];
            const float upper = row0[x0] + u * (row0[x1] - row0[x0]);
            const float lower = row1[x0] + u * (row1[x1] - row1[x0]);
            out[x] = colour(upper + v * (lower - upper));
        }
    }
    return picture_;
}

}  // namespace

std::unique_ptr<SliceRenderer> makeCpuSliceRenderer() {
    return std::make_unique<CpuSliceRenderer>();
}

std::unique_ptr<SliceRenderer> makeSliceRenderer(RendererChoice choice) {
    if (choice == RendererChoice::Cpu) {
        return makeCpuSliceRenderer();
    }
    try {
        return makeVtkSliceRenderer();
    } catch (const Unavailable&) {
        if (choice == RendererChoice::OpenGl) {
            throw;
        }
        return makeCpuSliceRenderer();
    }
}

}  // namespace tof::viz
