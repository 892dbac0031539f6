// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <any>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/wings/report_tables.h"
#include "app/cli/wings/wing_commands.h"
#include "app/experiment/report.h"
#include "recon/base/error.h"
#include "recon/base/words.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/registry.h"
#include "recon/io/bytes/atomic_file.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

class ExperimentCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("ACTION", action_, "list, run, or join: report.html of what the folder holds");
        arguments.positional("NAME", name_,
                             "Experiment to run, as listed, or several as A,B,C; all of them: all",
                             Need::Optional);
        arguments.choice("size", size_, {"quick", "full"},
                         "quick: a minute or less on two cores; full: what the paper did");
        arguments.text("out", folder_,
                       "Folder for NAME.html, NAME.json, NAME.csv, NAME.md and pictures; of several also "
                       "report.html, after each");
        arguments.text("data", dataFile_, "Your own data instead of the paper's, where the list says so");
        arguments.integer("events", events_, 0, std::uint64_t{1} << 32U,
                          "Events of simulated scans of the full size, to try it; 0: the paper's");
        arguments.choice("engine", engine_, {"auto", "cpu", "cuda"},
                         "Engine that reconstructs and is timed; the Fourier side is always fftw");
        arguments.integer("threads", threads_, 0, 1024, "Threads of host engines; 0 takes every core");
    }

    void run(CommandContext& context) override {
        if (action_ == "list") {
            if (!name_.empty() || !folder_.empty() || !dataFile_.empty()) {
                throw WrongUse("list takes neither NAME nor --out nor --data");
            }
            list(context.console);
        } else if (action_ == "run") {
            runNamed(context);
        } else if (action_ == "join") {
            if (!name_.empty() || folder_.empty()) {
                throw WrongUse("join takes --out, the folder with results, and no NAME");
            }
            if (writeJoinedReport(folder_) == 0) {
                throw BadInput("{}: holds no results of experiments", folder_);
            }
        } else {
            throw WrongUse("no action '{}'; there are list, run and join", action_);
        }
    }

  private:
    static void list(Console& console) {
        Json form = Json::array();
        std::string text;
        for (const Experiment& experiment : experiments()) {
            const auto names =
                experiment.namedData == nullptr ? std::vector<std::string>() : experiment.namedData();
            form.push_back({{"name", experiment.name},
                            {"source", experiment.source},
                            {"about", experiment.about},
                            {"quick", experiment.quick},
                            {"full", experiment.full},
                            {"needs", experiment.needs},
                            {"own_data", experiment.ownData},
                            {"named_data", names}});
            text += fmt::format("{}{:<16} {} ({})\n{:16} quick: {}\n{:16} full: {}", text.empty() ? "" : "\n",
                                experiment.name, experiment.about, experiment.source, "", experiment.quick,
                                "", experiment.full);
            text += experiment.needs.empty() ? "" : fmt::format("\n{:16} needs: {}", "", experiment.needs);
            text +=
                experiment.ownData.empty() ? "" : fmt::format("\n{:16} --data: {}", "", experiment.ownData);
            text += names.empty() ? "" : fmt::format(" or one of {}", fmt::join(names, ", "));
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
        const std::vector<const Experiment*> chosen = chosenOnes();
        if (engine_ != "auto") {
            static_cast<void>(context.engines.require(engine_));  // a missing device is said at once
        }
        Json form = Json::array();
        for (const Experiment* experiment : chosen) {
            const ExperimentReport report = runOne(context, *experiment, chosen.size() > 1);
            form.push_back(Json::parse(reportAsJson(*experiment, report)));
            form.back()["seconds"] = report.made.seconds;
            context.failed = context.failed || report.verdict() == Verdict::Failed;
            if (chosen.size() > 1) {
                writeJoinedReport(folder_);  // what is done stays when what follows is ended
            }
        }
        if (context.console.json()) {
            context.console.resultAsJson(chosen.size() == 1 ? form.front() : Json{{"experiments", form}});
        }
    }

    [[nodiscard]] std::vector<const Experiment*> chosenOnes() const {
        std::vector<const Experiment*> chosen;
        if (name_ == "all") {
            for (const Experiment& experiment : experiments()) {
                if (dataFile_.empty() || !experiment.ownData.empty()) {
                    chosen.push_back(&experiment);
                }
            }
            return chosen;
        }
        for (const std::string& name : parts(name_, ',')) {
            chosen.push_back(&findExperiment(name));
        }
        return chosen;
    }

    /// One of several that cannot go on is red and says why; the others are run nevertheless.
    ExperimentReport runOne(CommandContext& context, const Experiment& experiment, bool ofSeveral) const {
        const auto run = [&](const ExperimentContext& how) {
            try {
                return runExperiment(experiment, how);
            } catch (const Cancelled&) {
                throw;
            } catch (const std::exception& fault) {
                if (!ofSeveral) {
                    throw;
                }
                ExperimentReport broken;
                broken.made = provenanceHere(context.engines);
                broken.made.size = size_;
                if (!dataFile_.empty() && dynamic_cast<const WrongUse*>(&fault) != nullptr) {
                    broken.skipped = fault.what();  // data of another kind than this one takes
                    return broken;
                }
                broken.checks.push_back({"it comes to its end", atLeast(1), 0, "the command", fault.what()});
                return broken;
            }
        };
        ExperimentReport report = [&] {
            ProgressBar bar(context.console, experiment.name);
            ExperimentContext how{context.engines, ExperimentSize::Quick, engine_, threads_, {}};
            how.size = size_ == "full" ? ExperimentSize::Full : ExperimentSize::Quick;
            how.dataFile = dataFile_;
            how.events = events_;
            how.kept = kept_;
            how.progress = [&](const std::string& what, double done) {
                throwIfInterrupted();
                bar.update(done, what);
            };
            return run(how);
        }();
        writeReport(folder_, experiment, report);
        if (!context.console.json()) {
            tellReport(context.console, experiment, report, folder_);
        }
        return report;
    }

    std::string action_;
    std::string name_;
    std::string size_ = "quick";
    std::string folder_;
    std::string dataFile_;
    std::string engine_ = "cpu";
    int threads_ = 0;
    std::uint64_t events_ = 0;
    /// What two experiments of `all` need is made once.
    std::shared_ptr<std::map<std::string, std::any>> kept_ =
        std::make_shared<std::map<std::string, std::any>>();
};

}  // namespace

CommandInfo experimentCommand() {
    return {"experiment", "Reproduce a table or figure of the papers",
            []() -> std::unique_ptr<Command> { return std::make_unique<ExperimentCommand>(); }};
}

}  // namespace tof
