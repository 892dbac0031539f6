// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/device_blur.h"

#include <array>
#include <optional>
#include <vector>

#include "gpu/lines/blur_kernels.h"

namespace tof {

namespace {

/// Three passes, one axis each.
class AxisPasses {
  public:
    AxisPasses(const ImageBlur& blur, const Lattice& lattice, CudaSpace& space)
        : space_(space), size_(lattice.size) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            weights_[axis] = space.uploaded(blur.weights(axis), "blur");
        }
    }

    /// From `in` to `out`; `scratch` may be `in`, which is then lost.
    void blur(ConstView in, MutableView scratch, MutableView out) {
        pass(0, in, out);
        pass(1, out, scratch);
        pass(2, scratch, out);
    }

  private:
    void pass(std::size_t axis, ConstView in, MutableView out) {
        device::blurAxis(space_.stream(), size_, static_cast<int>(axis), weights_[axis].span(), onDevice(in),
                         onDevice(out));
    }

    CudaSpace& space_;
    std::array<int, 3> size_;
    std::array<DeviceBuffer<float>, 3> weights_;
};

class EvenBlur : public DeviceBlur {
  public:
    EvenBlur(const ImageBlur& blur, const Lattice& lattice, CudaSpace& space)
        : passes_(blur, lattice, space),
          input_(space.allocate(lattice.voxels())),
          blurred_(space.allocate(lattice.voxels())) {}

    [[nodiscard]] ConstView forward(ConstView image) override {
        passes_.blur(image, input_.view(), blurred_.view());
        return blurred_.view();
    }
    [[nodiscard]] MutableView input() override { return input_.view(); }
    [[nodiscard]] ConstView backOfInput() override { return forward(input_.view()); }
    [[nodiscard]] std::size_t bytes() const override { return 2 * input_.size() * sizeof(float); }

  private:
    AxisPasses passes_;
    Array input_;
    Array blurred_;
};

std::vector<int2> tapsOf(const VariantBlur& blur) {
    std::vector<int2> taps;
    for (const auto& [x, y] : blur.taps()) {
        taps.push_back({x, y});
    }
    return taps;
}

class BlurByPlace : public DeviceBlur {
  public:
    BlurByPlace(const VariantBlur& blur, const Lattice& lattice, CudaSpace& space)
        : space_(space),
          size_(lattice.size),
          taps_(space.uploaded(tapsOf(blur), "blur")),
          across_(space.uploaded(blur.across(), "blur")),
          axial_(space.uploaded(blur.axial(), "blur")),
          tailShare_(blur.tailShare()),
          input_(space.allocate(lattice.voxels())),
          spare_(space.allocate(lattice.voxels())),
          blurred_(space.allocate(lattice.voxels())) {
        if (blur.tails()) {
            tails_.emplace(*blur.tails(), lattice, space);
        }
    }

    [[nodiscard]] ConstView forward(ConstView image) override {
        alongZ(image, spare_.view());
        device::sendAcross(space_.stream(), size_, across(), onDevice(spare_.view()),
                           onDevice(blurred_.view()));
        addTails(image);
        return blurred_.view();
    }
    [[nodiscard]] MutableView input() override { return input_.view(); }
    [[nodiscard]] ConstView backOfInput() override {
        device::fetchAcross(space_.stream(), size_, across(), onDevice(input_.view()),
                            onDevice(spare_.view()));
        alongZ(spare_.view(), blurred_.view());
        addTails(input_.view());
        return blurred_.view();
    }
    [[nodiscard]] std::size_t bytes() const override {
        return (3 * input_.size() + across_.size() + axial_.size()) * sizeof(float);
    }

  private:
    [[nodiscard]] device::AcrossTaps across() const { return {taps_.span(), across_.span()}; }
    void alongZ(ConstView in, MutableView out) {
        device::blurColumns(space_.stream(), size_, axial_.span(), onDevice(in), onDevice(out));
    }
    void addTails(ConstView in) {
        if (tails_) {
            tails_->blur(in, input_.view(), spare_.view());
            space_.addScaled(spare_.view(), tailShare_, blurred_.view());
        }
    }

    CudaSpace& space_;
    std::array<int, 3> size_;
    DeviceBuffer<int2> taps_;
    DeviceBuffer<float> across_;
    DeviceBuffer<float> axial_;
    float tailShare_;
    std::optional<AxisPasses> tails_;
    Array input_;
    Array spare_;
    Array blurred_;
};

}  // namespace

std::unique_ptr<DeviceBlur> deviceBlur(const LineBlur& blur, const Lattice& lattice, CudaSpace& space) {
    if (const auto* const byPlace = std::get_if<VariantBlur>(&blur)) {
        return std::make_unique<BlurByPlace>(*byPlace, lattice, space);
    }
    return std::make_unique<EvenBlur>(std::get<ImageBlur>(blur), lattice, space);
}

}  // namespace tof
