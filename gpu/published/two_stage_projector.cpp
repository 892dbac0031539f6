// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/published/published_projectors.h"
#include "gpu/published/two_stage_kernels.h"
#include "recon/base/constants.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

namespace {

/// A normalised sampled Gaussian of variance `variance` (mm^2), cut at `cutoff` sigma of `sigma`; a single 1
/// when no variance is left once the blur of resampling is taken out.
std::vector<float> line(double variance, double spacing, int reach) {
    std::vector<double> value(2 * static_cast<std::size_t>(reach) + 1, 0.0);
    double sum = 0;
    for (int q = -reach; q <= reach; ++q) {
        const double d = q * spacing;
        const double v = variance > 1e-6 ? std::exp(-0.5 * d * d / variance) : q == 0 ? 1.0 : 0.0;
        value[static_cast<std::size_t>(q + reach)] = v;
        sum += v;
    }
    std::vector<float> result;
    std::transform(value.begin(), value.end(), std::back_inserter(result),
                   [&](double v) { return static_cast<float>(v / sum); });
    return result;
}

class TwoStageProjector : public PlainCudaProjector {
  public:
    TwoStageProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                      const std::vector<KernelFrame>& frames)
        : PlainCudaProjector(model, std::move(space), frames) {
        std::vector<float> kernels;
        std::vector<std::int32_t> rows;
        std::size_t most = 1;
        for (const KernelFrame& frame : frames) {
            views_.push_back(makeView(frame, kernels, rows));
            const auto& n = views_.back().shape.aligned;
            most = std::max(most, static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) *
                                      static_cast<std::size_t>(n[2]));
        }
        kernels_ = cuda().uploaded(kernels, "the kernels of two-stage");
        rows_ = cuda().uploaded(rows, "the rows of two-stage");
        for (auto& aligned : aligned_) {
            aligned = cuda().buffer<float>(most, "the resampled volume");
        }
        cuda().finish();
    }

  protected:
    void project(Direction direction, std::size_t view, ConstView from, MutableView to,
                 Write write) override {
        const View& v = views_[view];
        const cudaStream_t stream = cuda().stream();
        const DeviceSpan<float> a = aligned_[0].span();
        const DeviceSpan<float> b = aligned_[1].span();
        const auto kernels = [&](std::size_t begin) { return kernels_.span().from(begin); };
        const device::Gather gather =
            direction == Direction::Forward ? device::Gather::BySource : device::Gather::ByTarget;
        device::sampleAligned(stream, v.shape, onDevice(from), a);
        device::convolveAligned(stream, v.shape,
                                {1, v.reach[1], kernels(v.radial), rows_.span().from(v.rows), gather}, a, b);
        device::convolveAligned(stream, v.shape, {0, v.reach[0], kernels(v.tof), {}}, b, a);
        device::convolveAligned(stream, v.shape, {2, v.reach[2], kernels(v.axial), {}}, a, b);
        device::spreadAligned(stream, v.shape, b, onDevice(to), write);
    }
    [[nodiscard]] std::size_t ownBytes() const override {
        return kernels_.bytes() + rows_.bytes() + aligned_[0].bytes() + aligned_[1].bytes();
    }

  private:
    struct View {
        device::TwoStageShape shape;
        std::size_t tof = 0;
        std::size_t radial = 0;
        std::size_t axial = 0;
        std::size_t rows = 0;
        int reach[3] = {0, 0, 0};
    };

    View makeView(const KernelFrame& frame, std::vector<float>& kernels,
                  std::vector<std::int32_t>& rows) const {
        const Lattice& grid = model().lattice;
        const KernelSpec& spec = model().kernel;
        const std::array<Vec3, 3> axes{frame.axes.u, frame.axes.r, frame.axes.a};
        const double plane = std::min(grid.spacing_mm[0], grid.spacing_mm[1]);
        // Along an axis of the lattice its own planes serve; elsewhere half a voxel keeps the ripple of
        // spreading, the sum of triangles over the points that touch a voxel, near a per cent.
        std::array<double, 3> h{0.5 * plane, 0.5 * plane, grid.spacing_mm[2]};
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t d = 0; d < 3; ++d) {
                h[k] = std::abs(axes[k][d]) == 1 ? grid.spacing_mm[d] : h[k];
            }
        }
        const Vec3 centre =
            grid.centre(0.5 * (grid.size[0] - 1), 0.5 * (grid.size[1] - 1), 0.5 * (grid.size[2] - 1));
        View view;
        std::copy(grid.size.begin(), grid.size.end(), view.shape.size);
        double reachInAligned = 0;
        std::array<bool, 3> exact{};  // lattice axes whose planes are sampled where they are
        for (std::size_t k = 0; k < 3; ++k) {
            double extent = 0;
            double voxel = 0;
            for (std::size_t d = 0; d < 3; ++d) {
                extent += std::abs(axes[k][d]) * 0.5 * (grid.size[d] - 1) * grid.spacing_mm[d];
                voxel += std::abs(axes[k][d]) * grid.spacing_mm[d];
            }
            // Points a voxel beyond the lattice still touch it; along an axis of the lattice its own planes
            // serve.
            const double half = extent / h[k];
            view.shape.aligned[k] = 2 * static_cast<int>(std::ceil(half + voxel / h[k])) + 1;
            for (std::size_t d = 0; d < 3; ++d) {
                if (std::abs(axes[k][d]) == 1 && h[k] == grid.spacing_mm[d]) {
                    view.shape.aligned[k] = grid.size[d];
                    exact[d] = true;
                }
            }
            reachInAligned = std::max(reachInAligned, voxel / h[k]);
        }
        view.shape.neighbours = static_cast<int>(std::ceil(reachInAligned + 0.5));
        for (std::size_t d = 0; d < 3; ++d) {
            double start = 0.5 * (grid.size[d] - 1);
            for (std::size_t k = 0; k < 3; ++k) {
                const double step = axes[k][d] * h[k] / grid.spacing_mm[d];
                view.shape.step[k][d] = static_cast<float>(step);
                start -= step * 0.5 * (view.shape.aligned[k] - 1);
            }
            view.shape.start[d] = static_cast<float>(start);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            double back = 0.5 * (view.shape.aligned[k] - 1);
            for (std::size_t d = 0; d < 3; ++d) {
                const double step = axes[k][d] * grid.spacing_mm[d] / h[k];
                view.shape.toAligned[d][k] = static_cast<float>(step);
                back -= step * 0.5 * (grid.size[d] - 1);
            }
            view.shape.back[k] = static_cast<float>(back);
        }
        view.shape.weight = static_cast<float>(
            h[0] * h[1] * h[2] / (grid.spacing_mm[0] * grid.spacing_mm[1] * grid.spacing_mm[2]));

        const auto blur = [&](std::size_t k) {
            // Two triangles of a voxel's width, h^2/6 each along every lattice axis that is not sampled on
            // its planes.
            double variance = 0;
            for (std::size_t d = 0; d < 3; ++d) {
                variance +=
                    exact[d] ? 0 : axes[k][d] * axes[k][d] * grid.spacing_mm[d] * grid.spacing_mm[d] / 3;
            }
            return variance;
        };
        const auto square = [](double s) { return s * s; };
        const auto reachOf = [&](double halfAxis, std::size_t k) {
            return static_cast<int>(std::ceil(halfAxis / h[k]));
        };
        view.reach[0] = reachOf(frame.support.tof, 0);
        view.reach[1] = reachOf(frame.support.radial, 1);
        view.reach[2] = reachOf(frame.support.axial, 2);
        view.tof = append(kernels, line(square(spec.sigmaTof_mm()) - blur(0), h[0], view.reach[0]));
        view.axial = append(kernels, line(square(spec.sigmaAxial_mm()) - blur(2), h[2], view.reach[2]));
        view.radial = kernels.size();
        for (int id = 0; id < frame.radialIds; ++id) {
            append(kernels,
                   line(square(radialFwhm(spec, id) / kFwhmPerSigma) - blur(1), h[1], view.reach[1]));
        }
        view.rows = rows.size();
        const double middle = radialDistance(centre, frame.axes.r);
        for (int j = 0; j < view.shape.aligned[1]; ++j) {
            const double s = middle + (j - 0.5 * (view.shape.aligned[1] - 1)) * h[1];
            rows.push_back(std::min(radialId(s, spec.id_step_mm), frame.radialIds - 1));
        }
        return view;
    }

    std::vector<View> views_;
    DeviceBuffer<float> kernels_;
    DeviceBuffer<std::int32_t> rows_;
    std::array<DeviceBuffer<float>, 2> aligned_;
};

}  // namespace

std::unique_ptr<Projector> makeTwoStageProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space) {
    const std::vector<KernelFrame> frames = kernelFrames(model, *space);
    return std::make_unique<TwoStageProjector>(model, std::move(space), frames);
}

}  // namespace tof
