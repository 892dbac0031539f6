// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/device_blur.h"

#include "gpu/lines/line_kernels.h"

namespace tof {

DeviceBlur::DeviceBlur(const ImageBlur& blur, const Lattice& lattice, CudaSpace& space)
    : space_(space), size_(lattice.size) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        weights_[axis] = space.uploaded(blur.weights(axis), "blur");
    }
    one_ = space.allocate(lattice.voxels());
    two_ = space.allocate(lattice.voxels());
}

void DeviceBlur::pass(std::size_t axis, ConstView in, MutableView out) {
    device::blurAxis(space_.stream(), size_, static_cast<int>(axis), weights_[axis].span(), onDevice(in),
                     onDevice(out));
}

ConstView DeviceBlur::of(ConstView image) {
    pass(0, image, one_.view());
    pass(1, one_.view(), two_.view());
    pass(2, two_.view(), one_.view());
    return one_.view();
}

ConstView DeviceBlur::ofInput() {
    pass(0, one_.view(), two_.view());
    pass(1, two_.view(), one_.view());
    pass(2, one_.view(), two_.view());
    return two_.view();
}

}  // namespace tof
