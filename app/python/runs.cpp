// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>

#include "app/python/arrays.h"
#include "app/python/program.h"
#include "app/python/values.h"
#include "recon/base/error.h"
#include "recon/work/anatomy.h"
#include "recon/work/reconstruct.h"

namespace tof::python {

namespace py = pybind11;

namespace {

/// Hands on what a run tells; called without the interpreter's lock.
class RunTeller : public JobListener {
  public:
    /// Keeps references. Either is None or called: `progress` with what is done and the share of it, at most
    /// ten times a second, `iterate` with the number of a whole iterate and its image.
    RunTeller(const py::object& progress, const py::object& iterate)
        : progress_(progress), iterate_(iterate) {}

    void checkpoint() override { throwIfInterrupted(); }
    void shareReady(const std::string& what, double share) override { tell(what, share); }
    void progress(const RunProgress& progress) override {
        const double done = progress.iteration - 1 +
                            static_cast<double>(progress.block) / static_cast<double>(progress.blocks);
        tell("reconstruct", done / progress.iterations);
    }
    void notice(const std::string& sentence) override { notes_.push_back(sentence); }
    [[nodiscard]] bool wantsIteratesAtOnce() override { return !iterate_.is_none(); }
    void iterateDone(Iterate iterate) override {
        seconds_ += iterate.seconds;
        if (iterate.objective) {
            objectives_.push_back(iterate.objective->total());
        }
        if (!iterate_.is_none() && iterate.image != nullptr) {
            const py::gil_scoped_acquire lock;
            iterate_(iterate.iteration, Image{iterate.image});
        }
    }

    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] const std::vector<double>& objectives() const { return objectives_; }
    [[nodiscard]] double seconds() const { return seconds_; }

  private:
    using Clock = std::chrono::steady_clock;

    void tell(const std::string& what, double share) {
        constexpr std::chrono::milliseconds kPause{100};
        if (progress_.is_none() || Clock::now() - told_ < kPause) {
            return;
        }
        told_ = Clock::now();
        const py::gil_scoped_acquire lock;
        progress_(what, share);
    }

    const py::object& progress_;
    const py::object& iterate_;
    Clock::time_point told_{};
    std::vector<std::string> notes_;
    std::vector<double> objectives_;
    double seconds_ = 0;
};

/// A run that has ended.
struct MadeRun {
    ReconstructResult result;
    std::vector<std::string> notes;
    std::vector<double> objectives;
    double seconds = 0;
    std::string settings;
};

MadeRun reconstructed(const Program& program, const Data& data, const SettingTexts& settings,
                      const std::string& out, const std::optional<Image>& start, const py::object& progress,
                      const py::object& iterate) {
    ReconstructRequest request;
    request.data = data.measured;
    take(request.settings, settings);
    request.files.runFile = out;
    request.dataNote = data.note;
    if (start) {
        request.startImage = start->volume;
    }
    RunTeller teller(progress, iterate);
    MadeRun made;
    made.result = unlocked([&] {
        request.settings.keepKernel(data.measured->system());
        keepAnatomy(request.settings, [&teller] { teller.checkpoint(); });
        request.data = onImageLattice(request.data, request.settings);
        return reconstruct(request, program.engines(), teller);
    });
    made.notes = teller.notes();
    made.objectives = teller.objectives();
    made.seconds = teller.seconds();
    made.settings = request.settings.toJson();
    return made;
}

}  // namespace

void bindRuns(py::module_& module) {
    py::class_<MadeRun>(module, "Run", "A reconstruction that has ended.")
        .def_property_readonly("image", [](const MadeRun& self) { return Image{self.result.image}; })
        .def_property_readonly(
            "iterations", [](const MadeRun& self) { return self.result.lastIteration; },
            "Number of the last iterate, which the image is.")
        .def_property_readonly(
            "engine", [](const MadeRun& self) { return self.result.engine; },
            "The engine that ran, with its device.")
        .def_readonly("seconds", &MadeRun::seconds, "Wall time of the iterations.")
        .def_readonly("objectives", &MadeRun::objectives,
                      "With objective=True the log-likelihood minus beta R after each iteration.")
        .def_readonly("settings", &MadeRun::settings, "Every setting, JSON.")
        .def_readonly("notes", &MadeRun::notes, "What a person should know of the run, a sentence each.");
    module.def("reconstruct", &reconstructed, py::arg("program"), py::arg("data"), py::arg("settings"),
               py::arg("out") = "", py::arg("start") = py::none(), py::arg("progress") = py::none(),
               py::arg("iterate") = py::none());
    module.def(
        "settings",
        [] {
            py::list all;
            for (const SettingInfo& row : settingsTable()) {
                py::dict info;
                info["key"] = row.key;
                info["default"] = row.fallback;
                info["help"] = row.help;
                info["unit"] = row.unit;
                info["choices"] = row.choices;
                info["system"] = row.system;
                all.append(info);
            }
            return all;
        },
        "The table of settings: key, default, help, unit, choices, system.");
}

}  // namespace tof::python
