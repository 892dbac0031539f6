// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/cuda_line_projector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "gpu/lines/event_kernels.h"
#include "gpu/lines/line_kernels.h"
#include "gpu/lines/line_probe.h"
#include "gpu/lines/stack_tables.h"
#include "gpu/lines/tile_tables.h"
#include "recon/base/error.h"
#include "recon/seam/projector.h"
#include "recon/systems/lines/event_order.h"
#include "recon/systems/lines/image_blur.h"
#include "recon/systems/lines/line_table.h"

namespace tof {

namespace {

enum class BackStrategy { Racy, Atomic, Fixed };

/// Events as they come, or neighbours beside each other, which is faster.
enum class Order { AsTheyCome, Nearby };

/// Lines of a model in device memory.
class DeviceLines {
  public:
    DeviceLines(const LineModel& model, CudaSpace& space, Order order)
        : nearby_(order == Order::Nearby),
          lines_(model),
          op_{rayGrid(model.lattice, model.fovRadius_mm), rayTof(lines_.tof()),
              model.method == RayMethod::Joseph} {
        table_ = TimeTable::of(op_.tof);
        pieces_ = placed<TimePiece>(space, table_.pieces);
        if (lines_.events() != nullptr) {
            placeEvents(space);
        } else {
            std::vector<device::PlaneEnds> planes;
            for (const Sinogram& plane : lines_.michelogram()->sinograms()) {
                planes.push_back({plane.z1_mm, plane.z2_mm});
            }
            transverse_ = placed<TransverseLine>(space, lines_.transverse());
            planes_ = placed<device::PlaneEnds>(space, planes);
            shifts_ = placed<double>(space, lines_.axialShifts());
        }
        space.finish();  // the host copies made here go
    }

    [[nodiscard]] const LineTable& host() const { return lines_; }
    [[nodiscard]] std::size_t bytes() const {
        return transverse_.bytes() + planes_.bytes() + shifts_.bytes() + points_.bytes() + pairs_.bytes() +
               timeBins_.bytes() + records_.bytes();
    }

    /// True when events are followed by event_kernels.h, in an order of its own.
    [[nodiscard]] bool shortEvents() const { return records_.size() > 0; }
    /// True when lines can be followed in single precision.
    [[nodiscard]] bool shortPaths() const {
        return !op_.joseph && (op_.tof.count == 0 || pieces_.size() > 0);
    }
    [[nodiscard]] device::EventTable eventTable() const {
        return {pieces_.get(), table_.count, table_.perMm};
    }

    [[nodiscard]] device::LinePart part(std::size_t index) const {
        device::LinePart part;
        part.op = op_;
        part.data = lines_.partSize(index);
        if (const LineEvents* events = lines_.events()) {
            const std::size_t first = index * events->eventsPerPart;
            part.points = points_.get();
            part.pairs = pairs_.size() == 0 ? nullptr : pairs_.get() + first;
            part.eventTimeBins = timeBins_.size() == 0 ? nullptr : timeBins_.get() + first;
            part.events = records_.size() == 0 ? nullptr : records_.get() + first;
            return part;
        }
        const Michelogram& m = *lines_.michelogram();
        part.sinograms = static_cast<int>(m.sinograms().size());
        part.radialBins = m.radialBins();
        part.timeBins = m.timeBins();
        part.radialRays = lines_.radialRays();
        part.axialRays = lines_.rays() / lines_.radialRays();
        const auto slots = static_cast<std::size_t>(m.spec().anglesPerPart);
        part.transverse = transverse_.get() + index * slots * static_cast<std::size_t>(m.radialBins()) *
                                                  static_cast<std::size_t>(part.radialRays);
        part.planes = planes_.get();
        part.axialShifts = shifts_.get();
        return part;
    }

  private:
    void placeEvents(CudaSpace& space) {
        const LineEvents& events = *lines_.events();
        points_ = placed<Vec3>(space, events.points);
        if (nearby_ && shortPaths()) {
            records_ = placed<device::EventRecord>(space, nearbyRecords(space));
            return;
        }
        std::vector<uint2> pairs(events.pairs.size());
        std::transform(events.pairs.begin(), events.pairs.end(), pairs.begin(), [](const auto& pair) {
            return uint2{pair[0], pair[1]};
        });
        pairs_ = placed<uint2>(space, pairs);
        timeBins_ = placed<int>(space, lines_.eventTimeBins());
    }

    [[nodiscard]] std::vector<device::EventRecord> nearbyRecords(CudaSpace& space) const {
        const LineEvents& events = *lines_.events();
        const std::vector<int>& timeBins = lines_.eventTimeBins();
        std::vector<device::EventRecord> records(events.pairs.size());
        space.pool().forRange(lines_.parts(), 1, [&](std::size_t part, std::size_t) {
            const std::size_t first = part * events.eventsPerPart;
            const std::vector<std::uint32_t> order = nearbyOrder(events, first, lines_.partSize(part));
            for (std::size_t i = 0; i < order.size(); ++i) {
                const std::size_t event = first + order[i];
                records[first + i] = {events.pairs[event][0], events.pairs[event][1],
                                      timeBins.empty() ? 0 : timeBins[event], order[i]};
            }
        });
        return records;
    }

    template <typename T>
    static DeviceBuffer<T> placed(CudaSpace& space, const std::vector<T>& values) {
        if (values.empty()) {
            return {};
        }
        DeviceBuffer<T> buffer = space.buffer<T>(values.size(), "lines of response");
        buffer.uploadFrom(values, space.stream());
        space.finish();
        return buffer;
    }

    bool nearby_;
    LineTable lines_;
    LineOperator op_;
    DeviceBuffer<TransverseLine> transverse_;
    DeviceBuffer<device::PlaneEnds> planes_;
    DeviceBuffer<double> shifts_;
    DeviceBuffer<Vec3> points_;
    DeviceBuffer<uint2> pairs_;
    DeviceBuffer<int> timeBins_;
    DeviceBuffer<device::EventRecord> records_;
    TimeTable table_;
    DeviceBuffer<TimePiece> pieces_;
};

/// Sides of the image up to which events are added in squares (device::BrickImage).
constexpr int kMostSide = 1024;

/// Only kernels that know of the order may be given one.
Order orderOf(BackStrategy strategy, const Lattice& lattice) {
    const bool squares = *std::max_element(lattice.size.begin(), lattice.size.end()) <= kMostSide;
    return strategy == BackStrategy::Fixed || (strategy == BackStrategy::Atomic && squares)
               ? Order::Nearby
               : Order::AsTheyCome;
}

class CudaLineProjector : public Projector {
  public:
    CudaLineProjector(const LineModel& model, std::shared_ptr<CudaSpace> space, BackStrategy strategy)
        : model_(model),
          space_(std::move(space)),
          strategy_(strategy),
          lines_(model, *space_, orderOf(strategy, model.lattice)) {
        const std::size_t voxels = model.lattice.voxels();
        std::copy(model.lattice.size.begin(), model.lattice.size.end(), size_.begin());
        if (strategy == BackStrategy::Fixed) {
            stack_ = StackTables::of(model, lines_.host(), *space_);
            if (lines_.shortEvents()) {
                tiles_ = std::make_unique<TileTables>(*space_, allParts(), lines_.eventTable(),
                                                      meanDirection(*lines_.host().events()));
            }
        }
        if (strategy == BackStrategy::Fixed && !stack_ && !tiles_) {
            sums_ = space_->buffer<unsigned long long>(voxels, "fixed-point sums");
            scale_ = space_->buffer<device::FixedScale>(1, "unit of a fixed point");
            check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space_->stream()), "clear sums");
        }
        if (strategy == BackStrategy::Atomic && lines_.shortEvents()) {
            bricks_ = space_->buffer<float4>(device::brickCount(size_.data()), "squares of the image");
            check(cudaMemsetAsync(bricks_.get(), 0, bricks_.bytes(), space_->stream()), "clear sums");
        }
        if (model.psfFwhm_mm > 0) {
            const ImageBlur blur(model.lattice, model.psfFwhm_mm);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::vector<float>& w = blur.weights(axis);
                weights_[axis] = space_->buffer<float>(w.size(), "blur");
                weights_[axis].uploadFrom(w, space_->stream());
                space_->finish();
            }
            blurred_ = space_->allocate(voxels);
            scratch_ = space_->allocate(voxels);
        }
    }

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t imageSize() const override { return model_.lattice.voxels(); }
    [[nodiscard]] std::size_t parts() const override { return lines_.host().parts(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const override {
        return lines_.host().partSize(part);
    }
    [[nodiscard]] std::size_t memoryBytes() const override {
        return lines_.bytes() + sums_.bytes() + bricks_.bytes() + (stack_ ? stack_->bytes() : 0) +
               (tiles_ ? tiles_->bytes() : 0) + (blurred_.size() + scratch_.size()) * sizeof(float);
    }

    void forward(std::size_t part, ConstView x, MutableView p) override {
        const float* image = x.data;
        if (model_.psfFwhm_mm > 0) {
            blur(x.data, scratch_.view().data, blurred_.view().data);
            image = blurred_.view().data;
        }
        if (stack_) {
            stack_->forward(space_->stream(), part, image, p.data);
        } else if (lines_.shortEvents()) {
            device::eventForward(space_->stream(), lines_.part(part), lines_.eventTable(), image, p.data);
        } else if (shortBins()) {
            device::binForward(space_->stream(), lines_.part(part), lines_.eventTable(), image, p.data);
        } else {
            device::ringForward(space_->stream(), lines_.part(part), image, p.data);
        }
    }

    void back(std::size_t part, ConstView p, MutableView x, Write write) override {
        if (!(model_.psfFwhm_mm > 0)) {
            backSharp(part, p, x, write);
            return;
        }
        backSharp(part, p, blurred_.view(), Write::Overwrite);
        // Three passes through two buffers end in the other one.
        pass(0, blurred_.view().data, scratch_.view().data);
        pass(1, scratch_.view().data, blurred_.view().data);
        pass(2, blurred_.view().data, scratch_.view().data);
        if (write == Write::Add) {
            space_->accumulate(scratch_.view(), x);
        } else {
            space_->copy(scratch_.view(), x);
        }
    }

  private:
    [[nodiscard]] std::vector<device::LinePart> allParts() const {
        std::vector<device::LinePart> parts;
        for (std::size_t i = 0; i < lines_.host().parts(); ++i) {
            parts.push_back(lines_.part(i));
        }
        return parts;
    }

    /// True for sinograms that are followed as events are.
    [[nodiscard]] bool shortBins() const {
        return strategy_ == BackStrategy::Fixed && lines_.host().events() == nullptr && lines_.shortPaths();
    }

    void pass(int axis, const float* in, float* out) {
        const auto& w = weights_[static_cast<std::size_t>(axis)];
        device::blurAxis(space_->stream(), size_.data(), axis, w.get(), static_cast<int>(w.size()), in, out);
    }

    void blur(const float* in, float* between, float* out) {
        pass(0, in, out);
        pass(1, out, between);
        pass(2, between, out);
    }

    void backSharp(std::size_t index, ConstView p, MutableView x, Write write) {
        if (stack_) {
            stack_->back(space_->stream(), index, p.data, write == Write::Add, x.data);
            return;
        }
        device::LinePart part = lines_.part(index);
        if (tiles_) {
            tiles_->back(space_->stream(), index, part, p.data, write == Write::Add, x.data);
            return;
        }
        if (strategy_ != BackStrategy::Fixed) {
            if (write == Write::Overwrite) {
                space_->fill(x, 0.0F);
            }
            if (bricks_.size() > 0) {
                device::BrickImage bricks{bricks_.get(), {size_[0], size_[1], size_[2]}};
                device::eventBackAtomic(space_->stream(), part, lines_.eventTable(), p.data, bricks);
                device::eventFinishAtomic(space_->stream(), bricks, x.data);
            } else {
                (strategy_ == BackStrategy::Racy ? device::ringBackRacy : device::ringBackAtomic)(
                    space_->stream(), part, p.data, x.data);
            }
            return;
        }
        // z fastest in the sums: lanes of a warp are sinograms on one transverse path.
        part.op.grid.stride[0] = size_[2];
        part.op.grid.stride[1] = size_[2] * size_[0];
        part.op.grid.stride[2] = 1;
        device::ringScale(space_->stream(), part, p.data, scale_.get());
        if (shortBins()) {
            device::binBackFixed(space_->stream(), part, lines_.eventTable(), p.data, scale_.get(),
                                 sums_.get());
        } else {
            device::ringBackFixed(space_->stream(), part, p.data, scale_.get(), sums_.get());
        }
        device::ringFinishFixed(space_->stream(), part, size_.data(), scale_.get(), sums_.get(),
                                write == Write::Add, x.data);
    }

    LineModel model_;
    std::shared_ptr<CudaSpace> space_;
    BackStrategy strategy_;
    DeviceLines lines_;
    std::optional<StackTables> stack_;   ///< the default where planes share their paths
    std::unique_ptr<TileTables> tiles_;  ///< the default for lists
    std::array<int, 3> size_{};
    DeviceBuffer<unsigned long long> sums_;
    DeviceBuffer<float4> bricks_;  ///< for atomic additions of events
    DeviceBuffer<device::FixedScale> scale_;
    std::array<DeviceBuffer<float>, 3> weights_;
    Array blurred_;
    Array scratch_;
};

}  // namespace

std::vector<std::string> ringStrategies() {
    return {"siddon", "siddon-atomics", "siddon-racy", "joseph"};
}

ProjectorOrWhyNot makeLineProjector(const LineModel& model, std::shared_ptr<CudaSpace> space,
                                    const std::string& strategy) {
    const std::string method = model.method == RayMethod::Joseph ? "joseph" : "siddon";
    const std::string chosen = strategy.empty() ? method : strategy;
    const std::vector<std::string> known = ringStrategies();
    if (std::find(known.begin(), known.end(), chosen) == known.end()) {
        return Unsupported{fmt::format("it has no strategy '{}' for lines of response; strategies: {}",
                                       chosen, fmt::join(known, ", "))};
    }
    if (!chosen.starts_with(method)) {
        return Unsupported{fmt::format("strategy '{}' does not follow lines by '{}'", chosen, method)};
    }
    const BackStrategy back = chosen == "siddon-racy"      ? BackStrategy::Racy
                              : chosen == "siddon-atomics" ? BackStrategy::Atomic
                                                           : BackStrategy::Fixed;
    return std::unique_ptr<Projector>(std::make_unique<CudaLineProjector>(model, std::move(space), back));
}

LostUpdates countLostUpdates(const LineModel& model, const std::shared_ptr<Space>& anySpace) {
    const auto space = std::dynamic_pointer_cast<CudaSpace>(anySpace);
    if (space == nullptr) {
        throw InternalError("lost updates are counted in a space of the cuda engine");
    }
    const DeviceLines lines(model, *space, Order::AsTheyCome);
    const std::size_t voxels = model.lattice.voxels();
    const DeviceBuffer<unsigned> counts = space->buffer<unsigned>(voxels, "counts");
    const DeviceBuffer<unsigned long long> updates = space->buffer<unsigned long long>(1, "updates");
    check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), space->stream()), "clear counts");
    check(cudaMemsetAsync(updates.get(), 0, updates.bytes(), space->stream()), "clear a count");
    for (std::size_t part = 0; part < lines.host().parts(); ++part) {
        device::ringCountRacy(space->stream(), lines.part(part), counts.get(), updates.get());
    }
    std::vector<unsigned> kept(voxels);
    unsigned long long all = 0;
    check(cudaMemcpyAsync(kept.data(), counts.get(), counts.bytes(), cudaMemcpyDeviceToHost, space->stream()),
          "fetch counts");
    check(cudaMemcpyAsync(&all, updates.get(), sizeof(all), cudaMemcpyDeviceToHost, space->stream()),
          "fetch a count");
    space->finish();
    const std::uint64_t sum = std::accumulate(kept.begin(), kept.end(), std::uint64_t{0});
    return {all, all - sum};
}

}  // namespace tof
