// SPDX-License-Identifier: Apache-2.0
// What the module keeps for as long as the interpreter lives: the engines, and how commands run in it.
#pragma once

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interrupt.h"
#include "recon/seam/engine.h"

namespace tof::python {

/// Calls `work` without the interpreter's lock. Ctrl-C in the main thread, which Python gives signals to,
/// makes throwIfInterrupted() throw meanwhile.
template <typename Work>
auto unlocked(const Work& work) {
    const pybind11::gil_scoped_release released;
    std::optional<InterruptsNoted> noted;
    if (::getpid() == ::gettid()) {
        noted.emplace();
    }
    return work();
}

/// The engines of this process. Thread-safe.
class Program {
  public:
    Program();
    [[nodiscard]] const EngineRegistry& engines() const { return engines_; }

    /// Runs a command line without the program's name, with results as JSON: {"result": text, "notes": [...],
    /// "failed": bool}. `progress` is None or called with what is being done and the share of it, ten times a
    /// second. Throws as the command does.
    [[nodiscard]] pybind11::dict run(const std::vector<std::string>& words,
                                     const pybind11::object& progress) const;

  private:
    EngineRegistry engines_;
};

void bindProgram(pybind11::module_& module);
void bindFiles(pybind11::module_& module);
void bindRuns(pybind11::module_& module);
void bindOperators(pybind11::module_& module);

}  // namespace tof::python
