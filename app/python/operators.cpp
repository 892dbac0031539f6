// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <mutex>
#include <span>

#include "app/python/arrays.h"
#include "app/python/program.h"
#include "app/python/values.h"
#include "recon/base/error.h"
#include "recon/operators/data_operator.h"
#include "recon/seam/shared_device.h"

namespace tof::python {

namespace py = pybind11;

namespace {

using Parts = std::vector<std::size_t>;

/// An operator with what keeps its calls one after the other.
class Operator : public std::enable_shared_from_this<Operator> {
  public:
    Operator(const Program& program, const Data& data, const SettingTexts& settings) {
        RunSettings run;
        take(run, settings);
        device_ = run.device;
        operator_ = unlocked([&] {
            return std::make_unique<DataOperator>(data.measured, run, program.engines(), throwIfInterrupted);
        });
    }

    [[nodiscard]] DataOperator& inner() { return *operator_; }
    [[nodiscard]] bool onDevice() { return !operator_->space().hostMemory(); }

    /// Makes an array of `shape` from `given` by `make`: of NumPy, or on the device where `given` is there;
    /// `out` is filled in its place unless it is None. Copies nothing between host and device where arrays
    /// are on the side where they are needed.
    template <typename Make>
    py::object apply(const py::object& given, const Shape& shape, const py::object& out, const Make& make) {
        const GivenFloats in = floatsToRead(given);
        requireUsable(in);
        std::size_t size = 1;
        for (const py::ssize_t side : shape) {
            size *= static_cast<std::size_t>(side);
        }
        if (in.device && out.is_none()) {
            Array made;
            unlocked([&] {
                const std::lock_guard lock(*mutex_);
                made = space().allocate(size);
                work(in, made.view(), make);
            });
            return py::cast(
                std::make_shared<DeviceArray>(shared_from_this(), mutex_, std::move(made), shape, device_));
        }
        py::object target = out.is_none() ? py::object(py::array_t<float>(shape)) : out;
        const GivenFloats to = floatsToWrite(target);
        requireUsable(to);
        if (to.size != size) {
            throw WrongUse("'out' has {} values where {} are made", to.size, size);
        }
        unlocked([&] {
            const std::lock_guard lock(*mutex_);
            if (to.device || !onDevice()) {
                waitFor(to);
                work(in, {to.data, to.size}, make);
                return;
            }
            Array made = space().allocate(size);
            work(in, made.view(), make);
            space().download(made.view(), {to.data, to.size});
        });
        return target;
    }

    /// A copy of an array on the device; throws WrongUse where the operator is not on one.
    py::object toDevice(const py::object& given) {
        const GivenFloats in = floatsToRead(given);
        if (!onDevice() || in.device) {
            throw WrongUse(
                "only an array of this machine can be copied to a device, by an operator on one, not {}",
                operator_->engine());
        }
        Array made;
        unlocked([&] {
            const std::lock_guard lock(*mutex_);
            made = space().allocate(in.size);
            space().upload({in.data, in.size}, made.view());
            space().finish();
        });
        return py::cast(
            std::make_shared<DeviceArray>(shared_from_this(), mutex_, std::move(made), in.shape, device_));
    }

    /// The values of an array of the device as NumPy's.
    py::object toHost(const py::object& given) {
        const GivenFloats in = floatsToRead(given);
        requireUsable(in);
        py::array_t<float> target(in.shape);
        const std::span<float> to(target.mutable_data(), static_cast<std::size_t>(target.size()));
        unlocked([&] {
            const std::lock_guard lock(*mutex_);
            const Placed placed(*this, in);
            space().download(placed.view(), to);
        });
        return target;
    }

    /// A number of an image.
    template <typename Make>
    double value(const py::object& given, const Make& make) {
        const GivenFloats in = floatsToRead(given);
        requireUsable(in);
        return unlocked([&] {
            const std::lock_guard lock(*mutex_);
            const Placed placed(*this, in);
            return make(placed.view());
        });
    }

    /// Value of a uniform image with the counts of the data.
    double unit() {
        return unlocked([&] {
            const std::lock_guard lock(*mutex_);
            return operator_->scale().unit;
        });
    }

    /// What is made of nothing but the data.
    template <typename Make>
    py::object made(const Shape& shape, const Make& make) {
        py::array_t<float> target(shape);
        const MutableView to{target.mutable_data(), static_cast<std::size_t>(target.size())};
        unlocked([&] {
            const std::lock_guard lock(*mutex_);
            if (!onDevice()) {
                make(to);
                space().finish();
                return;
            }
            Array array = space().allocate(to.size);
            make(array.view());
            space().download(array.view(), {to.data, to.size});
        });
        return target;
    }

    [[nodiscard]] Shape imageShape() const {
        const auto& size = operator_->data().lattice().size;
        return {size[2], size[1], size[0]};
    }
    /// [part][z][y][x] where parts are images, else one axis.
    [[nodiscard]] Shape dataShape(const Parts& parts) const {
        const std::size_t values = operator_->dataSize(parts);
        const std::size_t image = operator_->imageSize();
        const bool images = operator_->data().system() == "histo" && values == parts.size() * image;
        if (!images) {
            return {static_cast<py::ssize_t>(values)};
        }
        const Shape one = imageShape();
        return {static_cast<py::ssize_t>(parts.size()), one[0], one[1], one[2]};
    }

  private:
    friend class Prior;

    /// What was given, in the operator's space.
    class Placed {
      public:
        Placed(Operator& self, const GivenFloats& in) : view_{in.data, in.size} {
            if (in.device) {
                self.waitFor(in);
            } else if (self.onDevice()) {
                copy_ = self.space().allocate(in.size);
                self.space().upload({in.data, in.size}, copy_.view());
                view_ = copy_.view();
            }
        }
        [[nodiscard]] ConstView view() const { return view_; }

      private:
        Array copy_;
        ConstView view_;
    };

    [[nodiscard]] Space& space() { return operator_->space(); }

    void requireUsable(const GivenFloats& array) {
        if (array.device && (!onDevice() || *array.device != device_)) {
            throw WrongUse("the array is on CUDA device {} and the operator is {}; move it there",
                           *array.device, operator_->engine());
        }
    }

    /// Until what others have under way on an array of the device is done.
    void waitFor(const GivenFloats& array) {
        if (array.complete) {
            return;
        }
        if (const auto* shared = dynamic_cast<SharesDevice*>(&space())) {
            shared->waitForDefaultStream();
        }
    }

    template <typename Make>
    void work(const GivenFloats& in, MutableView to, const Make& make) {
        const Placed placed(*this, in);
        make(placed.view(), to);
        space().finish();
    }

    std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();  ///< that of the space
    std::unique_ptr<DataOperator> operator_;
    int device_ = 0;
};

/// The prior of an operator's data.
class Prior {
  public:
    Prior(std::shared_ptr<Operator> data, const SettingTexts& settings) : operator_(std::move(data)) {
        RunSettings run;
        run.algorithmName = osl().name;  // takes every prior
        take(run, settings);
        prior_ = unlocked([&] {
            const std::lock_guard lock(*operator_->mutex_);
            return std::make_unique<DataPrior>(operator_->inner(), run.algorithm());
        });
    }

    double value(const py::object& x) {
        return operator_->value(x, [&](ConstView image) { return prior_->value(image); });
    }
    py::object gradient(const py::object& x, const py::object& out) {
        return operator_->apply(x, operator_->imageShape(), out,
                                [&](ConstView image, MutableView to) { prior_->gradient(image, to); });
    }
    py::object curvature(const py::object& x, const py::object& out) {
        return operator_->apply(x, operator_->imageShape(), out,
                                [&](ConstView image, MutableView to) { prior_->curvature(image, to); });
    }

    py::object product(const py::object& x, const py::object& vector) {
        const GivenFloats v = floatsToRead(vector);
        if (v.device || operator_->onDevice()) {
            throw WrongUse("the product is made on this machine; take an operator of its engines");
        }
        return operator_->apply(x, operator_->imageShape(), py::none(), [&](ConstView image, MutableView to) {
            prior_->product(image, {v.data, v.size}, to);
        });
    }

  private:
    std::shared_ptr<Operator> operator_;
    std::unique_ptr<DataPrior> prior_;
};

Factors factorsOf(bool corrected) {
    return corrected ? Factors::Applied : Factors::LeftOut;
}

void bindOperator(py::module_& module) {
    py::class_<Operator, std::shared_ptr<Operator>>(module, "Operator")
        .def(py::init<const Program&, const Data&, const SettingTexts&>(), py::arg("program"),
             py::arg("data"), py::arg("settings"))
        .def_property_readonly("engine", [](Operator& self) { return self.inner().engine(); })
        .def_property_readonly("on_device", &Operator::onDevice)
        .def_property_readonly("parts", [](Operator& self) { return self.inner().parts(); })
        .def_property_readonly("order", [](Operator& self) { return self.inner().order(); })
        .def_property_readonly("list_mode", [](Operator& self) { return self.inner().listMode(); })
        .def_property_readonly("image_shape",
                               [](const Operator& self) { return py::tuple(py::cast(self.imageShape())); })
        .def(
            "data_shape",
            [](const Operator& self, const Parts& parts) {
                return py::tuple(py::cast(self.dataShape(parts)));
            },
            py::arg("parts"))
        .def(
            "forward",
            [](Operator& self, const py::object& x, const Parts& parts, bool corrected,
               const py::object& out) {
                return self.apply(x, self.dataShape(parts), out, [&](ConstView image, MutableView to) {
                    self.inner().forward(parts, image, to, factorsOf(corrected));
                });
            },
            py::arg("x"), py::arg("parts"), py::arg("corrected") = true, py::arg("out") = py::none())
        .def(
            "back",
            [](Operator& self, const py::object& y, const Parts& parts, bool corrected,
               const py::object& out) {
                return self.apply(y, self.imageShape(), out, [&](ConstView values, MutableView to) {
                    self.inner().back(parts, values, to, factorsOf(corrected));
                });
            },
            py::arg("y"), py::arg("parts"), py::arg("corrected") = true, py::arg("out") = py::none())
        .def(
            "gradient",
            [](Operator& self, const py::object& x, const Parts& parts, const py::object& out) {
                return self.apply(x, self.imageShape(), out, [&](ConstView image, MutableView to) {
                    self.inner().gradient(parts, image, to);
                });
            },
            py::arg("x"), py::arg("parts"), py::arg("out") = py::none())
        .def("to_device", &Operator::toDevice, py::arg("array"))
        .def("to_host", &Operator::toHost, py::arg("array"))
        .def(
            "log_likelihood",
            [](Operator& self, const py::object& x, const Parts& parts) {
                return self.value(x,
                                  [&](ConstView image) { return self.inner().logLikelihood(parts, image); });
            },
            py::arg("x"), py::arg("parts"))
        .def(
            "sensitivity",
            [](Operator& self, const Parts& parts) {
                return self.made(self.imageShape(),
                                 [&](MutableView to) { self.inner().sensitivity(parts, to); });
            },
            py::arg("parts"))
        .def(
            "counts",
            [](Operator& self, const Parts& parts) {
                return self.made(self.dataShape(parts),
                                 [&](MutableView to) { self.inner().counts(parts, to); });
            },
            py::arg("parts"))
        .def(
            "background",
            [](Operator& self, const Parts& parts) {
                return self.made(self.dataShape(parts),
                                 [&](MutableView to) { self.inner().background(parts, to); });
            },
            py::arg("parts"))
        .def("start",
             [](Operator& self) {
                 return self.made(self.imageShape(), [&](MutableView to) { self.inner().start(to); });
             })
        .def("unit", &Operator::unit);
}

}  // namespace

void bindOperators(py::module_& module) {
    bindOperator(module);
    py::class_<Prior>(module, "Prior",
                      "A prior as runs of some data have it: beta R by the units and the kappa of the data.")
        .def(py::init<std::shared_ptr<Operator>, const SettingTexts&>(), py::arg("operator"),
             py::arg("settings"))
        .def("value", &Prior::value, py::arg("x"), "beta R(x).")
        .def("gradient", &Prior::gradient, py::arg("x"), py::arg("out") = py::none(),
             "beta times the gradient of R.")
        .def("curvature", &Prior::curvature, py::arg("x"), py::arg("out") = py::none(),
             "beta times the diagonal of the Hessian of R.")
        .def("product", &Prior::product, py::arg("x"), py::arg("vector"),
             "beta times the Hessian of R at x times a vector, both images.");
}

}  // namespace tof::python
