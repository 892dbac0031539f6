// SPDX-License-Identifier: Apache-2.0
#include "app/python/errors.h"

#include <pybind11/pybind11.h>

#include "recon/base/error.h"

namespace tof::python {

namespace {

/// The class in tofscope.errors.
const char* className(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::WrongUse: return "WrongUse";
        case ErrorKind::BadInput: return "BadInput";
        case ErrorKind::Unavailable: return "Unavailable";
        case ErrorKind::CannotWrite: return "CannotWrite";
        case ErrorKind::Cancelled:
        case ErrorKind::Internal: break;
    }
    return "InternalError";
}

void translate(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Cancelled&) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const Error& fault) {
        if (fault.kind() == ErrorKind::Cancelled) {  // with a sentence about what is kept
            PyErr_SetString(PyExc_KeyboardInterrupt, fault.what());
            return;
        }
        const auto classes = pybind11::module_::import("tofscope.errors");
        PyErr_SetString(classes.attr(className(fault.kind())).ptr(), fault.what());
    }
}

}  // namespace

void registerErrors() {
    pybind11::register_exception_translator([](std::exception_ptr thrown) {  // NOLINT: pybind11 says how
        if (thrown != nullptr) {
            translate(thrown);
        }
    });
}

}  // namespace tof::python
