// SPDX-License-Identifier: Apache-2.0
// The compiled half of the package tofscope (python/tofscope): engines, files, runs and operators. What users
// see, with its documentation, is the other half.
#include <pybind11/pybind11.h>

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/program.h"

PYBIND11_MODULE(_tofscope, module) {
    module.doc() = "The compiled half of tofscope; import that.";
    tof::python::registerErrors();
    tof::python::bindProgram(module);
    tof::python::bindArrays(module);
    tof::python::bindFiles(module);
    tof::python::bindRuns(module);
    tof::python::bindOperators(module);
}
