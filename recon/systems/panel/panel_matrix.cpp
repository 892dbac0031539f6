// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/panel_matrix.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>

#include "recon/base/error.h"
#include "recon/base/target_clones.h"
#include "recon/systems/panel/panel_response.h"

namespace tof {

namespace {

/// The box of voxels of a kernel: [x][z][y].
struct KernelBox {
    int planes = 1;
    int y = 1;
    int z = 1;

    KernelBox(const PanelGeometry& g, const PanelClass& c)
        : planes(g.planes), y(g.voxelsPerPitch * (c.dy + 1)), z(g.voxelsPerPitch * (c.dz + 1)) {}
    [[nodiscard]] std::size_t voxels() const {
        return static_cast<std::size_t>(planes) * static_cast<std::size_t>(y) * static_cast<std::size_t>(z);
    }
    [[nodiscard]] std::size_t index(int px, int py, int pz) const {
        return (static_cast<std::size_t>(px) * static_cast<std::size_t>(z) + static_cast<std::size_t>(pz)) *
                   static_cast<std::size_t>(y) +
               static_cast<std::size_t>(py);
    }
};

class KernelIntegral {
  public:
    static constexpr int kFar = 1 << 10;
    KernelIntegral(const PanelGeometry& g, const PanelQuadrature& quadrature, const PanelClass& which)
        : geometry_(g), quadrature_(quadrature), which_(which), pair_(panelPair(g, which)), box_(g, which) {}

    [[nodiscard]] const KernelBox& box() const { return box_; }

    TOF_CLONES TOF_FLATTENED void plane(int px, float* out, const std::function<void()>& checkpoint) const {
        const std::array<int, 2> ys = voxelsCrossed(pair_, 0, planePlace(px), spacing(0), box_.y);
        const std::array<int, 2> zs = voxelsCrossed(pair_, 1, planePlace(px), spacing(1), box_.z);
        const PanelPoints alongX = panelPoints(quadrature_.points[0], kFar);
        const PanelPoints alongY = panelPoints(quadrature_.points[1], which_.dy);
        const PanelPoints alongZ = panelPoints(quadrature_.points[2], which_.dz);
        PanelRays rays;
        for (int i = 0; i < alongX.count; ++i) {
            const double x = planePlace(px) + alongX.place[i] * geometry_.planeSpacing_mm;
            for (int py = ys[0]; py <= ys[1]; ++py) {
                checkpoint();
                for (int j = 0; j < alongY.count; ++j) {
                    panelRaysOfY(pair_, x, (py + 0.5 + alongY.place[j]) * spacing(0), quadrature_.rays, rays);
                    const PanelStrip strip = panelStrip(pair_, rays, x, spacing(1), zs[0], zs[1]);
                    for (int pz = strip.first; pz <= strip.last; ++pz) {
                        double mean = 0;
                        for (int k = 0; k < alongZ.count; ++k) {
                            mean +=
                                alongZ.weight[k] * panelResponse(pair_, rays, quadrature_.rays, x,
                                                                 (pz + 0.5 + alongZ.place[k]) * spacing(1));
                        }
                        out[box_.index(px, py, pz)] +=
                            static_cast<float>(alongX.weight[i] * alongY.weight[j] * mean);
                    }
                }
            }
        }
    }

  private:
    [[nodiscard]] double spacing(std::size_t axis) const {
        return geometry_.pitch_mm[axis] / geometry_.voxelsPerPitch;
    }
    [[nodiscard]] double planePlace(int px) const {
        return (px - 0.5 * (geometry_.planes - 1)) * geometry_.planeSpacing_mm;
    }

    const PanelGeometry& geometry_;
    const PanelQuadrature& quadrature_;
    PanelClass which_;
    PanelPair pair_;
    KernelBox box_;
};

}  // namespace

std::array<int, 2> voxelsCrossed(const PanelPair& pair, int axis, double x, double spacing_mm, int count) {
    // The hull of both crystals: straight edges between the nearest and the farthest corners.
    const double edge = 0.5 * (pair.pitch[axis] - pair.width[axis]);
    double low = 1e300;
    double high = -1e300;
    for (const double a : pair.depth0) {
        for (const double b : pair.depth1) {
            const double share = (pair.face + a - x) / (2 * pair.face + a + b);
            low = std::min(low, edge + share * pair.offset[axis]);
            high = std::max(high, edge + pair.width[axis] + share * pair.offset[axis]);
        }
    }
    return {std::max(0, static_cast<int>(low / spacing_mm) - 1),
            std::min(count - 1, static_cast<int>(high / spacing_mm) + 1)};
}

PanelMatrix panelMatrixPlan(const PanelGeometry& geometry, const PanelQuadrature& quadrature) {
    PanelMatrix plan;
    plan.geometry = geometry;
    plan.quadrature = quadrature;
    const auto stored = [&](PanelClass c) {
        return !geometry.exchanges() || c.dy >= c.dz || c.dz >= geometry.crystals[0];
    };
    std::vector<int> kernelOf(static_cast<std::size_t>(geometry.classes()), -1);
    for (int i = 0; i < geometry.classes(); ++i) {
        const PanelClass c = PanelClass::at(geometry, i);
        if (stored(c)) {
            kernelOf[static_cast<std::size_t>(i)] = static_cast<int>(plan.kernels.size());
            plan.kernels.push_back(c);
        }
    }
    for (int i = 0; i < geometry.classes(); ++i) {
        PanelClass c = PanelClass::at(geometry, i);
        const bool exchanged = !stored(c);
        if (exchanged) {
            std::swap(c.dy, c.dz);
        }
        plan.ofClass.push_back({kernelOf[static_cast<std::size_t>(c.index(geometry))], exchanged});
    }
    plan.offsets = {0};
    return plan;
}

std::vector<float> panelKernel(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                               const PanelClass& which, const std::function<void()>& checkpoint) {
    const KernelIntegral integral(geometry, quadrature, which);
    const KernelBox& box = integral.box();
    std::vector<float> dense(box.voxels(), 0.0F);
    // Heads exchanged and the line turned back by both reflections: the same about its middle.
    const bool turns = which.layer0 == which.layer1;
    const int planes = turns ? (box.planes + 1) / 2 : box.planes;
    for (int px = 0; px < planes; ++px) {
        integral.plane(px, dense.data(), checkpoint);
    }
    for (std::size_t i = box.index(planes, 0, 0); i < dense.size(); ++i) {
        dense[i] = dense[dense.size() - 1 - i];
    }
    return dense;
}

PanelEntries keptEntries(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                         const PanelClass& which, std::span<const float> dense) {
    const KernelBox box(geometry, which);
    std::vector<float> sorted;
    PanelEntries kept;
    for (const float value : dense) {
        if (value > 0) {
            sorted.push_back(value);
            kept.sum += static_cast<double>(value);
        }
    }
    std::sort(sorted.begin(), sorted.end());
    // The least value that stays: of equal ones all or none, so that symmetric entries go together.
    double left = 0;
    float least = 0;
    for (const float value : sorted) {
        left += static_cast<double>(value);
        least = value;
        if (left > quadrature.leftOut * kept.sum) {
            break;
        }
    }
    for (int x = 0; x < box.planes; ++x) {
        for (int z = 0; z < box.z; ++z) {
            for (int y = 0; y < box.y; ++y) {
                const float value = dense[box.index(x, y, z)];
                if (value > 0 && value >= least) {
                    kept.places.push_back(PanelPlace::pack(x, y, z));
                    kept.values.push_back(value);
                    kept.kept += static_cast<double>(value);
                }
            }
        }
    }
    const double scale = kept.kept > 0 ? kept.sum / kept.kept : 1;
    for (float& value : kept.values) {
        value = static_cast<float>(scale * static_cast<double>(value));
    }
    return kept;
}

PanelMatrix assembled(PanelMatrix plan, std::vector<PanelEntries> kernels) {
    std::size_t entries = 0;
    for (const PanelEntries& kernel : kernels) {
        entries += kernel.values.size();
    }
    plan.places.reserve(entries);
    plan.values.reserve(entries);
    for (PanelEntries& kernel : kernels) {
        plan.places.insert(plan.places.end(), kernel.places.begin(), kernel.places.end());
        plan.values.insert(plan.values.end(), kernel.values.begin(), kernel.values.end());
        plan.offsets.push_back(plan.values.size());
        plan.sums.push_back(kernel.sum);
        kernel = {};
    }
    return plan;
}

double panelKernelWork(const PanelClass& which) {
    // What a kernel takes goes with the length of its box, measured: a line of 100 crystals 4 s, none 0.2 s.
    return 5 + std::hypot(which.dy, which.dz);
}

namespace {

/// What the threads of a pool share while they make kernels.
class HostMaking {
  public:
    static constexpr std::chrono::milliseconds kBetweenCheckpoints{50};

    HostMaking(const PanelMatrix& plan, PanelKernelSink& sink) : plan_(plan), sink_(sink) {}

    void make(int kernel) {
        const PanelClass& which = plan_.kernels[static_cast<std::size_t>(kernel)];
        PanelEntries entries =
            keptEntries(plan_.geometry, plan_.quadrature, which,
                        panelKernel(plan_.geometry, plan_.quadrature, which, [this] { checkpoint(); }));
        tell([&] { sink_.done(kernel, std::move(entries)); });
    }
    /// What has stopped it, whichever thread told the pool first.
    void throwFirst() const {
        if (first_ != nullptr) {
            std::rethrow_exception(first_);
        }
    }

  private:
    template <typename Call>
    void tell(const Call& call) {
        const std::lock_guard lock(mutex_);
        throwIfStopped();
        try {
            call();
        } catch (...) {
            first_ = std::current_exception();
            stopped_ = true;
            throw;
        }
        next_ = (Clock::now() + kBetweenCheckpoints).time_since_epoch().count();
    }
    void checkpoint() {
        throwIfStopped();
        if (Clock::now().time_since_epoch().count() >= next_) {
            tell([&] { sink_.checkpoint(); });
        }
    }
    void throwIfStopped() const {
        if (stopped_) {
            throw Cancelled();
        }
    }

    using Clock = std::chrono::steady_clock;
    const PanelMatrix& plan_;
    PanelKernelSink& sink_;
    std::mutex mutex_;
    std::exception_ptr first_;
    std::atomic<bool> stopped_ = false;
    std::atomic<Clock::rep> next_ = 0;
};

}  // namespace

CollectedKernels::CollectedKernels(const PanelMatrix& plan, const std::function<void(double)>& progress)
    : plan_(plan), progress_(progress), kernels_(plan.kernels.size()), there_(plan.kernels.size(), false) {
    for (const PanelClass& which : plan.kernels) {
        all_ += panelKernelWork(which);
    }
}

std::vector<int> CollectedKernels::missing() const {
    std::vector<int> wanted;
    for (std::size_t k = 0; k < there_.size(); ++k) {
        if (!there_[k]) {
            wanted.push_back(static_cast<int>(k));
        }
    }
    return wanted;
}

void CollectedKernels::done(int kernel, PanelEntries entries) {
    put(kernel, std::move(entries));
    checkpoint();
}

void CollectedKernels::checkpoint() {
    progress_(count_ == kernels_.size() ? 1.0 : std::min(work_ / all_, 1.0));
}

void CollectedKernels::put(int kernel, PanelEntries entries) {
    const auto k = static_cast<std::size_t>(kernel);
    work_ += there_[k] ? 0 : panelKernelWork(plan_.kernels[k]);
    count_ += there_[k] ? 0 : 1;
    there_[k] = true;
    kernels_[k] = std::move(entries);
}

PanelKernelMaker hostPanelKernels(int threads, Priority priority) {
    return [=](const PanelMatrix& plan, std::span<const int> wanted, PanelKernelSink& sink) {
        HostMaking making(plan, sink);
        const ThreadPool pool(threads, priority);
        try {
            pool.forRange(wanted.size(), 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    making.make(wanted[i]);
                }
            });
        } catch (...) {
            making.throwFirst();
            throw;
        }
    };
}

PanelMatrix buildPanelMatrix(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                             const PanelKernelMaker& make, const std::function<void(double)>& progress) {
    PanelMatrix plan = panelMatrixPlan(geometry, quadrature);
    CollectedKernels collected(plan, progress);
    make(plan, collected.missing(), collected);
    return assembled(std::move(plan), collected.take());
}

PanelMatrix buildPanelMatrix(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                             const std::function<void(double)>& progress) {
    return buildPanelMatrix(geometry, quadrature, hostPanelKernels(), progress);
}

bool isKernel(const PanelGeometry& g, const PanelClass& c, std::span<const std::uint32_t> places,
              std::span<const float> values) {
    const auto inside = [&](std::uint32_t place) {
        return PanelPlace::x(place) < g.planes && PanelPlace::y(place) < g.voxelsPerPitch * (c.dy + 1) &&
               PanelPlace::z(place) < g.voxelsPerPitch * (c.dz + 1);
    };
    return places.size() == values.size() && std::all_of(places.begin(), places.end(), inside) &&
           std::is_sorted(places.begin(), places.end()) &&
           std::all_of(values.begin(), values.end(),
                       [](float value) { return value >= 0.0F && std::isfinite(value); });
}

}  // namespace tof
