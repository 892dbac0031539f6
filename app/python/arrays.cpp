// SPDX-License-Identifier: Apache-2.0
#include "app/python/arrays.h"

#include <dlpack/dlpack.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "recon/base/error.h"

namespace tof::python {

namespace py = pybind11;

namespace {

constexpr const char* kFresh = "dltensor";
constexpr const char* kUsed = "used_dltensor";
/// DLPack's number of the default stream, which other programs' streams are ordered with.
constexpr int kDefaultStream = 1;

std::size_t sizeOf(const Shape& shape) {
    return std::accumulate(
        shape.begin(), shape.end(), std::size_t{1},
        [](std::size_t size, py::ssize_t side) { return size * static_cast<std::size_t>(side); });
}

/// Whether values lie one after the other, the last index fastest.
bool contiguous(const DLTensor& tensor) {
    if (tensor.strides == nullptr) {
        return true;
    }
    std::int64_t step = 1;
    for (int axis = tensor.ndim - 1; axis >= 0; --axis) {
        if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) {
            return false;
        }
        step *= tensor.shape[axis];
    }
    return true;
}

/// The device of an array that knows DLPack; none where it is memory of this machine or knows nothing.
std::optional<int> cudaDeviceOf(py::handle object) {
    if (!py::hasattr(object, "__dlpack_device__")) {
        return std::nullopt;
    }
    const auto [kind, number] = object.attr("__dlpack_device__")().cast<std::pair<int, int>>();
    return kind == kDLCUDA || kind == kDLCUDAManaged ? std::optional(number) : std::nullopt;
}

GivenFloats onDevice(py::handle object, int device) {
    const py::object given = object.attr("__dlpack__")(py::arg("stream") = kDefaultStream);
    auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(given.ptr(), kFresh));
    if (managed == nullptr) {
        throw py::error_already_set();
    }
    PyCapsule_SetName(given.ptr(), kUsed);
    GivenFloats floats;
    floats.owner = py::capsule(managed, [](void* held) {
        auto* const tensor = static_cast<DLManagedTensor*>(held);
        if (tensor->deleter != nullptr) {
            tensor->deleter(tensor);
        }
    });
    const DLTensor& tensor = managed->dl_tensor;
    if (tensor.dtype.code != kDLFloat || tensor.dtype.bits != 32 || tensor.dtype.lanes != 1 ||
        !contiguous(tensor)) {
        throw WrongUse("an array on a device must hold contiguous float32; convert it before");
    }
    floats.data = reinterpret_cast<float*>(static_cast<char*>(tensor.data) + tensor.byte_offset);
    floats.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
    floats.size = sizeOf(floats.shape);
    floats.device = device;
    floats.complete = false;
    return floats;
}

/// Ours, on whose values all work is done unless others have had it; nothing where it is another's.
std::optional<GivenFloats> ownOnDevice(py::handle object) {
    if (!py::isinstance<DeviceArray>(object)) {
        return std::nullopt;
    }
    auto& array = object.cast<DeviceArray&>();
    return GivenFloats{array.view().data,
                       array.view().size,
                       array.shape(),
                       array.device(),
                       py::reinterpret_borrow<py::object>(object),
                       !array.shared()};
}

/// DLPack's view of a DeviceArray, which it keeps.
struct Exported {
    DLManagedTensor managed{};
    std::vector<std::int64_t> shape;
    py::object owner;
};

void release(DLManagedTensor* managed) {
    const py::gil_scoped_acquire lock;
    delete static_cast<Exported*>(managed->manager_ctx);
}

py::capsule exported(const py::object& self) {
    auto& array = self.cast<DeviceArray&>();
    array.share();
    auto held = std::make_unique<Exported>();
    held->shape.assign(array.shape().begin(), array.shape().end());
    held->owner = self;
    DLTensor& tensor = held->managed.dl_tensor;
    tensor.data = array.view().data;
    tensor.device = {kDLCUDA, array.device()};
    tensor.ndim = static_cast<int>(held->shape.size());
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = held->shape.data();
    held->managed.manager_ctx = held.get();
    held->managed.deleter = release;
    return py::capsule(&held.release()->managed, kFresh, [](PyObject* capsule) {
        if (PyCapsule_IsValid(capsule, kFresh) != 0) {  // nobody took it
            release(static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kFresh)));
        }
    });
}

}  // namespace

DeviceArray::DeviceArray(std::shared_ptr<void> space, std::shared_ptr<std::mutex> mutex, Array array,
                         Shape shape, int device)
    : space_(std::move(space)),
      mutex_(std::move(mutex)),
      array_(std::move(array)),
      shape_(std::move(shape)),
      device_(device) {}

DeviceArray::~DeviceArray() {
    const std::lock_guard lock(*mutex_);
    array_ = Array();
}

GivenFloats floatsToRead(py::handle object) {
    if (std::optional<GivenFloats> own = ownOnDevice(object)) {
        return *std::move(own);
    }
    if (const std::optional<int> device = cudaDeviceOf(object)) {
        return onDevice(object, *device);
    }
    const auto values = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(
        py::reinterpret_borrow<py::object>(object));
    if (!values) {
        throw py::error_already_set();
    }
    return {const_cast<float*>(values.data()), static_cast<std::size_t>(values.size()),
            Shape(values.shape(), values.shape() + values.ndim()), std::nullopt, values};
}

GivenFloats floatsToWrite(py::handle object) {
    if (std::optional<GivenFloats> own = ownOnDevice(object)) {
        return *std::move(own);
    }
    if (const std::optional<int> device = cudaDeviceOf(object)) {
        return onDevice(object, *device);
    }
    if (!py::isinstance<py::array_t<float, py::array::c_style>>(object)) {
        throw WrongUse(
            "'out' must be an array of contiguous float32, as numpy.empty(shape, 'float32') makes it");
    }
    auto values = py::reinterpret_borrow<py::array_t<float, py::array::c_style>>(object);
    if (!values.writeable()) {
        throw WrongUse("'out' cannot be written; give an array of your own");
    }
    return {values.mutable_data(), static_cast<std::size_t>(values.size()),
            Shape(values.shape(), values.shape() + values.ndim()), std::nullopt, values};
}

py::array arrayOf(const std::shared_ptr<const Volume>& volume) {
    const auto& size = volume->lattice.size;
    return readOnly(volume->data.data(), {size[2], size[1], size[0]}, volume);
}

void bindArrays(py::module_& module) {
    py::class_<DeviceArray, std::shared_ptr<DeviceArray>>(
        module, "DeviceArray",
        "float32 on a CUDA device, as operators return it for arrays of a device. "
        "torch.from_dlpack() and cupy.from_dlpack() take it without a copy.")
        .def_property_readonly("shape",
                               [](const DeviceArray& self) { return py::tuple(py::cast(self.shape())); })
        .def_property_readonly("device", &DeviceArray::device, "Number of the CUDA device.")
        .def(
            "__dlpack__", [](const py::object& self, const py::object& /*stream*/) { return exported(self); },
            py::arg("stream") = py::none(),
            "A capsule of DLPack. All work on the values is done, so any stream may read them.")
        .def("__dlpack_device__",
             [](const DeviceArray& self) { return std::pair(static_cast<int>(kDLCUDA), self.device()); });
}

}  // namespace tof::python
