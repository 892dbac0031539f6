// SPDX-License-Identifier: Apache-2.0
#include "app/python/program.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/engines.h"
#include "recon/io/bytes/named_file.h"
#include "recon/settings/version.h"

namespace tof::python {

namespace py = pybind11;

namespace {

/// A console whose reader is a program: keeps what is said, hands progress on.
class KeepingConsole : public Console {
  public:
    /// Keeps a reference.
    explicit KeepingConsole(const py::object& progress) : Console({.json = true}), progress_(progress) {}

    [[nodiscard]] bool showsProgress() const override { return !progress_.is_none(); }
    void result(const std::string& given) override { text_ += given; }
    void note(const std::string& text) override { notes_.push_back(text); }
    void drawBar(const BarState& bar) override {
        const py::gil_scoped_acquire lock;
        progress_(std::string(bar.label), bar.share);
    }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  private:
    const py::object& progress_;
    std::string text_;
    std::vector<std::string> notes_;
};

}  // namespace

Program::Program() : engines_(makeEngineRegistry()) {}

py::dict Program::run(const std::vector<std::string>& words, const py::object& progress) const {
    KeepingConsole console(progress);
    bool failed = false;
    unlocked([&] {
        CommandLine line = parseCommandLine(words, commandTable());
        if (line.command == nullptr) {
            console.result(line.text);
            return;
        }
        std::optional<OutsideAllowed> outside;
        if (std::find(words.begin(), words.end(), "--allow-outside") != words.end()) {
            outside.emplace();
        }
        CommandContext context{console, engines_, std::make_shared<NoLog>(), commandTable()};
        line.command->run(context);
        failed = context.failed;
    });
    py::dict made;
    made["result"] = console.text();
    made["notes"] = console.notes();
    made["failed"] = failed;
    return made;
}

void bindProgram(py::module_& module) {
    module.attr("version") = kVersion;
    py::class_<Program>(module, "Program")
        .def(py::init<>())
        .def("run", &Program::run, py::arg("words"), py::arg("progress") = py::none())
        .def("engines", [](const Program& self) {
            py::dict all;
            for (const std::string& name : self.engines().names()) {
                const auto found = self.engines().find(name);
                const auto* const engine = std::get_if<std::shared_ptr<const Engine>>(&found);
                all[py::str(name)] = engine != nullptr ? py::object(py::str((*engine)->device().name))
                                                       : py::object(py::none());
            }
            return all;
        });
}

}  // namespace tof::python
