// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "gpu/published/list_kernels.h"
#include "gpu/published/published_projectors.h"
#include "gpu/published/textures.h"
#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

namespace {

/// Multiply-adds per clock and multiprocessor that these kernels reach at least, for cutting launches short.
constexpr double kListMacsPerClock = 0.4;

/// One view's mask, cloud order and look-up tables on the host.
struct HostList {
    std::vector<std::uint32_t> mask;
    std::vector<std::uint32_t> position;
    std::vector<int2> ranges;
    std::vector<int> layers;
    std::vector<float> lutTof;
    std::vector<float> lutAxial;
    std::vector<float> lutRadial;
    std::vector<std::int32_t> inPlane;
    int inPlanePoints = 0;
};

/// Lists of pixels at most a pixel wide, in order of TOF distance.
void makeMask(const Lattice& grid, const KernelFrame& frame, HostList& list) {
    const auto across = static_cast<std::size_t>(grid.size[0]);
    const std::size_t pixels = across * static_cast<std::size_t>(grid.size[1]);
    const double width = std::min(grid.spacing_mm[0], grid.spacing_mm[1]);
    std::vector<double> radial(pixels);
    std::vector<double> along(pixels);
    for (std::size_t p = 0; p < pixels; ++p) {
        const std::size_t y = p / across;
        const Vec3 c = grid.centre(static_cast<double>(p % across), static_cast<double>(y), 0);
        radial[p] = radialDistance(c, frame.axes.r);
        along[p] = c.x * frame.axes.u.x + c.y * frame.axes.u.y;
    }
    const double lowest = *std::min_element(radial.begin(), radial.end());
    const auto listOf = [&](std::size_t p) {
        return static_cast<int>(std::floor((radial[p] - lowest) / width + 1e-9));
    };
    std::vector<int> lists(pixels);
    for (std::size_t p = 0; p < pixels; ++p) {
        lists[p] = listOf(p);
    }
    list.mask.resize(pixels);
    std::iota(list.mask.begin(), list.mask.end(), 0U);
    std::sort(list.mask.begin(), list.mask.end(), [&](std::uint32_t a, std::uint32_t b) {
        return lists[a] != lists[b]   ? lists[a] < lists[b]
               : along[a] != along[b] ? along[a] < along[b]
                                      : a < b;
    });
    list.position.resize(pixels);
    for (std::size_t k = 0; k < pixels; ++k) {
        list.position[list.mask[k]] = static_cast<std::uint32_t>(k);
    }
    const int count = lists[list.mask.back()] + 1;
    std::vector<int> first(static_cast<std::size_t>(count) + 1, static_cast<int>(pixels));
    for (std::size_t k = pixels; k-- > 0;) {
        first[static_cast<std::size_t>(lists[list.mask[k]])] = static_cast<int>(k);
    }
    for (std::size_t l = static_cast<std::size_t>(count); l-- > 0;) {
        first[l] = std::min(first[l], first[l + 1]);
    }
    const int reach = static_cast<int>(std::ceil(frame.support.radial * (1 + 1e-9) / width)) + 1;
    for (std::size_t begin = 0; begin < pixels; begin += device::kListThreads) {
        const std::size_t last = std::min(begin + device::kListThreads, pixels) - 1;
        const int low = std::max(0, lists[list.mask[begin]] - reach);
        const int high = std::min(count, lists[list.mask[last]] + reach + 1);
        list.ranges.push_back({first[static_cast<std::size_t>(low)], first[static_cast<std::size_t>(high)]});
    }
}

/// Layers of the cloud and the three look-up tables. Throws BadInput when a row sums to nothing.
void makeTables(const DirectModel& model, const KernelFrame& frame, HostList& list) {
    const KernelSpec& spec = model.kernel;
    const RadialArrays arrays(spec, frame.radialIds);
    const RadialModel radial = arrays.model();
    std::map<std::pair<int, int>, int> points;
    std::vector<double> q;
    std::vector<double> along;
    for (std::size_t t = 0; t < frame.taps.size(); ++t) {
        const KernelTap& tap = frame.taps[t];
        const Vec3 offset = offsetAlong(frame.axes, model.lattice, tap.x, tap.y, tap.z);
        if (t == 0 || tap.z != frame.taps[t - 1].z) {
            list.layers.push_back(static_cast<int>(t));
        }
        const auto [entry, created] = points.try_emplace({tap.y, tap.x}, static_cast<int>(points.size()));
        if (created) {
            q.push_back(offset.y);
        }
        list.inPlane.push_back(entry->second);
        const double tofValue = gaussianAt(offset.x, spec.sigmaTof_mm());
        const double axialValue = gaussianAt(offset.z, spec.sigmaAxial_mm());
        list.lutTof.push_back(static_cast<float>(tofValue));
        list.lutAxial.push_back(static_cast<float>(axialValue));
        along.push_back(tofValue * axialValue);
    }
    list.layers.push_back(static_cast<int>(frame.taps.size()));
    list.inPlanePoints = static_cast<int>(q.size());
    std::vector<double> factor(q.size());
    for (int row = 0; row < frame.rows; ++row) {
        std::transform(q.begin(), q.end(), factor.begin(),
                       [&](double d) { return radialFactor(radial, row, d); });
        double sum = 0;
        for (std::size_t t = 0; t < along.size(); ++t) {
            sum += along[t] * factor[static_cast<std::size_t>(list.inPlane[t])];
        }
        if (!(sum > 0)) {
            throw BadInput("kernel '" + spec.name + "' is zero at every voxel for some |s|; widen it");
        }
        for (const double f : factor) {
            list.lutRadial.push_back(static_cast<float>(f / sum));
        }
    }
}

class ListProjector : public PlainCudaProjector {
  public:
    ListProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                  const std::vector<KernelFrame>& frames, ListKernel kernel)
        : PlainCudaProjector(model, std::move(space), frames), kernel_(kernel) {
        std::vector<HostList> lists(parts());
        cuda().pool().forRange(parts(), 1, [&](std::size_t v, std::size_t) {
            makeMask(model.lattice, frames[v], lists[v]);
            makeTables(model, frames[v], lists[v]);
        });
        struct Begin {
            std::size_t mask, position, inPlane, layers, tof, axial, radial, ranges;
        };
        std::vector<Begin> begins;
        begins.reserve(lists.size());
        std::vector<std::uint32_t> unsigneds;
        std::vector<std::int32_t> ints;
        std::vector<float> floats;
        std::vector<int2> ranges;
        for (const HostList& l : lists) {
            begins.push_back({append(unsigneds, l.mask), append(unsigneds, l.position),
                              append(ints, l.inPlane), append(ints, l.layers), append(floats, l.lutTof),
                              append(floats, l.lutAxial), append(floats, l.lutRadial),
                              append(ranges, l.ranges)});
        }
        constexpr const char* kWhat = "the lists of the projection masks";
        unsigneds_ = cuda().uploaded(unsigneds, kWhat);
        ints_ = cuda().uploaded(ints, kWhat);
        floats_ = cuda().uploaded(floats, kWhat);
        ranges_ = cuda().uploaded(ranges, kWhat);
        for (std::size_t v = 0; v < parts(); ++v) {
            const Begin& b = begins[v];
            const auto unsignedsAt = [&](std::size_t begin) { return unsigneds_.span().from(begin); };
            const auto intsAt = [&](std::size_t begin) { return ints_.span().from(begin); };
            const auto floatsAt = [&](std::size_t begin) { return floats_.span().from(begin); };
            views_.push_back({unsignedsAt(b.mask), unsignedsAt(b.position), tables().ids(v),
                              tables().idPitch(), tables().taps(v), tables().tapCount(v), intsAt(b.layers),
                              static_cast<int>(lists[v].layers.size()) - 1, floatsAt(b.tof),
                              floatsAt(b.axial), floatsAt(b.radial), intsAt(b.inPlane),
                              lists[v].inPlanePoints, ranges_.span().from(b.ranges)});
        }
        if (kernel_ == ListKernel::TextureReduce) {
            const auto& size = model.lattice.size;
            volume_ = std::make_unique<VolumeTexture>(size[0], size[1], size[2]);
            for (std::size_t v = 0; v < parts(); ++v) {
                idTextures_.push_back(makeIdTexture(tables().ids(v), size[0], size[1], tables().idPitch()));
            }
        }
    }

  protected:
    void project(Direction direction, std::size_t view, ConstView from, MutableView to,
                 Write write) override {
        const Lattice& grid = model().lattice;
        device::ListWork work;
        work.view = views_[view];
        std::copy(grid.size.begin(), grid.size.end(), work.size);
        work.from = onDevice(from);
        work.out = onDevice(to);
        work.write = write;
        if (volume_ != nullptr) {
            volume_->fill(onDevice(from), cuda().stream());
            work.image = volume_->get();
            work.idTexture = idTextures_[view].get();
        }
        const device::Gather gather =
            direction == Direction::Back ? device::Gather::ByTarget : device::Gather::BySource;
        const int step = slicesPerLaunch(view, kListMacsPerClock, 1);
        for (work.zBegin = 0; work.zBegin < grid.size[2]; work.zBegin = work.zEnd) {
            work.zEnd = std::min(grid.size[2], work.zBegin + step);
            if (kernel_ == ListKernel::SharedList) {
                device::projectSharedList(cuda().stream(), work, gather);
            } else {
                device::projectTextureReduce(cuda().stream(), work, gather);
            }
        }
    }
    [[nodiscard]] std::size_t ownBytes() const override {
        return unsigneds_.bytes() + ints_.bytes() + floats_.bytes() + ranges_.bytes() +
               (volume_ != nullptr ? volume_->bytes() : 0);
    }

  private:
    ListKernel kernel_;
    DeviceBuffer<std::uint32_t> unsigneds_;
    DeviceBuffer<std::int32_t> ints_;
    DeviceBuffer<float> floats_;
    DeviceBuffer<int2> ranges_;
    std::vector<device::ListView> views_;
    std::unique_ptr<VolumeTexture> volume_;
    std::vector<OwnedTexture> idTextures_;
};

}  // namespace

std::unique_ptr<Projector> makeListProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                             ListKernel kernel) {
    const std::vector<KernelFrame> frames = kernelFrames(model, *space);
    return std::make_unique<ListProjector>(model, std::move(space), frames, kernel);
}

}  // namespace tof
