// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/text_table.h"
#include "app/experiment/report.h"
#include "recon/base/error.h"
#include "recon/experiment/experiment.h"
#include "recon/settings/eta.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

class ExperimentCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("ACTION", action_, "list, or run");
        arguments.positional("NAME", name_, "Experiment to run, as listed; all of them: all", Need::Optional);
        arguments.choice("size", size_, {"quick", "full"},
                         "quick: less than half a minute on two cores; full: what the paper did");
        arguments.text("out", folder_, "Folder for NAME.json, NAME.csv, NAME.md and pictures");
        arguments.choice("engine", engine_, {"auto", "cpu", "cuda"},
                         "Engine that reconstructs and is timed; the Fourier side is always fftw");
        arguments.integer("threads", threads_, 0, 1024, "Threads of host engines; 0 takes every core");
    }

    void run(CommandContext& context) override {
        if (action_ == "list") {
            if (!name_.empty() || !folder_.empty()) {
                throw WrongUse("list takes neither NAME nor --out");
            }
            list(context.console);
        } else if (action_ == "run") {
            runNamed(context);
        } else {
            throw WrongUse(fmt::format("no action '{}'; there are list and run", action_));
        }
    }

  private:
    static void list(Console& console) {
        Json form = Json::array();
        std::string text;
        for (const Experiment& experiment : experiments()) {
            form.push_back({{"name", experiment.name},
                            {"source", experiment.source},
                            {"about", experiment.about},
                            {"quick", experiment.quick},
                            {"full", experiment.full}});
            text += fmt::format("{}{:<14} {} ({})\n{:14} quick: {}\n{:14} full: {}", text.empty() ? "" : "\n",
                                experiment.name, experiment.about, experiment.source, "", experiment.quick,
                                "", experiment.full);
        }
        if (console.json()) {
            console.resultAsJson(Json{{"experiments", form}});
        } else {
            console.result(text);
        }
    }

    void runNamed(CommandContext& context) {
        if (name_.empty()) {
            throw WrongUse("NAME is missing; see 'tofscope-cli experiment list'");
        }
        if (folder_.empty()) {
            throw WrongUse("--out is missing: the folder for the results");
        }
        std::vector<const Experiment*> chosen;
        for (const Experiment& experiment : experiments()) {
            if (name_ == "all") {
                chosen.push_back(&experiment);
            }
        }
        if (chosen.empty()) {
            chosen.push_back(&findExperiment(name_));
        }
        if (engine_ != "auto") {
            static_cast<void>(context.engines.require(engine_));  // a missing device is said at once
        }
        Json form = Json::array();
        for (const Experiment* experiment : chosen) {
            form.push_back(runOne(context, *experiment));
        }
        if (context.console.json()) {
            context.console.resultAsJson(chosen.size() == 1 ? form.front() : Json{{"experiments", form}});
        }
    }

    Json runOne(CommandContext& context, const Experiment& experiment) const {
        const auto start = std::chrono::steady_clock::now();
        const ExperimentReport report = [&] {
            ProgressBar bar(context.console, experiment.name);
            ExperimentContext how{context.engines, ExperimentSize::Quick, engine_, threads_, {}};
            how.size = size_ == "full" ? ExperimentSize::Full : ExperimentSize::Quick;
            how.progress = [&](const std::string& what, double done) {
                throwIfInterrupted();
                bar.update(done, what);
            };
            return experiment.run(how);
        }();
        writeReport(folder_, experiment, report);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!context.console.json()) {
            std::vector<std::vector<std::string>> rows{{experiment.name, "paper", "here"}};
            for (const Comparison& c : report.comparisons) {
                rows.push_back(
                    {c.quantity, c.paper.empty() ? "-" : c.paper,
                     std::isfinite(c.ours) ? fmt::format("{:.4g} {}", c.ours, c.unit) : std::string("-")});
            }
            context.console.result(textTable(rows));
            context.console.note(fmt::format(
                "wrote {} after {}", (std::filesystem::path(folder_) / (experiment.name + ".md")).string(),
                durationText(seconds)));
        }
        Json form = Json::parse(reportAsJson(experiment, report));
        form["seconds"] = seconds;
        return form;
    }

    std::string action_;
    std::string name_;
    std::string size_ = "quick";
    std::string folder_;
    std::string engine_ = "cpu";
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeExperimentCommand() {
    return std::make_unique<ExperimentCommand>();
}

}  // namespace tof
