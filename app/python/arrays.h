// SPDX-License-Identifier: Apache-2.0
// Arrays that come from Python and go there: NumPy's memory without a copy, a device's by DLPack.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/seam/space.h"

namespace tof::python {

using Shape = std::vector<pybind11::ssize_t>;

/// Floats that somebody else owns, for as long as this lives; made and destroyed with the interpreter's lock.
struct GivenFloats {
    float* data = nullptr;
    std::size_t size = 0;
    Shape shape;
    std::optional<int> device;  ///< number of the CUDA device that it is on; none: memory of this machine
    pybind11::object owner;     ///< keeps the memory
    bool complete = true;       ///< false: work on it may still be before the device's default stream
};

/// Memory of a space that Python holds: a device's, handed on by DLPack. Immutable in size.
class DeviceArray {
  public:
    /// `space` keeps whatever the memory needs to live; `mutex` is held by whoever works in the space, and by
    /// this while the memory is freed. Nobody who holds it asks for the interpreter's lock.
    DeviceArray(std::shared_ptr<void> space, std::shared_ptr<std::mutex> mutex, Array array, Shape shape,
                int device);
    ~DeviceArray();
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    [[nodiscard]] const Shape& shape() const { return shape_; }
    [[nodiscard]] int device() const { return device_; }
    [[nodiscard]] MutableView view() { return array_.view(); }
    /// Whether others have had it, who may have work on it under way.
    [[nodiscard]] bool shared() const { return shared_; }
    void share() { shared_ = true; }

  private:
    std::shared_ptr<void> space_;  ///< outlives the memory
    std::shared_ptr<std::mutex> mutex_;
    Array array_;
    Shape shape_;
    int device_;
    bool shared_ = false;
};

/// An array to read: whatever NumPy makes contiguous floats of, copied only where it is not such already, or
/// contiguous floats on a CUDA device that know DLPack. What its owner has given the device to do comes
/// before the device's default stream. Throws WrongUse for other numbers on a device.
[[nodiscard]] GivenFloats floatsToRead(pybind11::handle object);
/// An array to write: contiguous floats as they are. Throws WrongUse for anything else.
[[nodiscard]] GivenFloats floatsToWrite(pybind11::handle object);

/// The values of a volume as an array [z][y][x] that cannot be written, without a copy.
[[nodiscard]] pybind11::array arrayOf(const std::shared_ptr<const Volume>& volume);
/// Values that `owner` keeps, likewise, of any type of NumPy's.
template <typename T>
[[nodiscard]] pybind11::array readOnly(const T* data, const Shape& shape,
                                       const std::shared_ptr<const void>& owner) {
    auto* const kept = new std::shared_ptr<const void>(owner);
    const pybind11::capsule base(kept,
                                 [](void* held) { delete static_cast<std::shared_ptr<const void>*>(held); });
    pybind11::array_t<T> values(shape, data, base);
    values.attr("setflags")(pybind11::arg("write") = false);
    return values;
}

/// The class DeviceArray of the module.
void bindArrays(pybind11::module_& module);

}  // namespace tof::python
