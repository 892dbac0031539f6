// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <any>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_format.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/work/correct.h"

namespace tof {

namespace {

const std::vector<std::string> kOnOff{"as-found", "on", "off"};

std::optional<bool> switched(const std::string& choice) {
    return choice == "as-found" ? std::nullopt : std::optional(choice == "on");
}

class CorrectCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("DATA", input_, "Data file, as 'bin' makes it");
        arguments.positional("OUT", output_,
                             "Data file to write (.h5): the same with expected randoms and "
                             "scatter, in place of what it had");
        arguments.text(
            "norm", request_.norm,
            "Efficiencies: list of a normalisation scan without scatter and randoms (those it tells "
            "are left out), of the phantom that it names");
        arguments.text("delayeds", request_.delayeds,
                       "Randoms: list of the delayed coincidences of the same scan ('simulate --delayeds')");
        arguments.text(
            "singles", request_.singles,
            "Randoms and dead time: the crystals' singles of the same scan ('simulate --singles')");
        arguments.choice(
            "randoms", randoms_, {"as-found", "off", "delayeds", "singles", "add", "subtract"},
            "Which randoms are expected, of those that were found. Two panels: randoms' mean goes "
            "beside the counts (add), or delayeds are taken from them "
            "line by line and what falls below zero becomes zero");
        arguments.choice("scatter", scatter_, kOnOff,
                         "Scatter: single scatter simulation with times of flight, of the data's own image");
        arguments.choice("attenuation", attenuation_, kOnOff,
                         "Attenuation as the data have it, or none; of list-mode also what --mu says");
        arguments.choice("efficiencies", efficiencies_, kOnOff, "Efficiencies, once --norm has found them");
        arguments.choice("dead-time", deadTime_, kOnOff,
                         "Losses by dead time, once --singles has found them");
        arguments.text("mu", request_.mu,
                       "What attenuates, for scatter and of list-mode: volume in 1/cm; without it the "
                       "phantom the data name");
        arguments.choice("mu-units", muUnits_, {"auto", "1/cm", "1/mm", "hu"},
                         "What --mu holds, as of 'bin'");
        arguments.text(
            "scanner", scanner_,
            "Sinograms: the scanner whose events they hold, name or file, that says how it detects");
        arguments.integer("rounds", request_.scatterSettings.rounds, 1, 10,
                          "Scatter: how often image and scatter are found in turn");
        arguments.flag("no-tail-fit", noFit_,
                       "Scatter: leave what was scattered once as it is, not scaled to the tails");
        arguments.text("engine", engine_,
                       "Scatter: who adds up over scatter points and lines, 'auto', 'cpu' or 'cuda'");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        requireWritable(output_);
        request_.muUnits = muUnitsNamed(muUnits_);
        request_.scatterSettings.fitTails = !noFit_;
        takeSwitches();
        EngineOptions options;
        options.threads = threads_;
        const std::any sum = context.engines.choose(engine_)->maker(kScatterMaker, options);
        if (const auto* const theirs = std::any_cast<ScatterSummer>(&sum)) {
            request_.scatterSettings.simulation.sum = *theirs;
        }
        ConsoleProgress progress(context.console);
        progress.stage("reading " + input_);
        const RecognisedFile file = recognise(input_);
        if (file.dataForm() == DataForm::Panel) {
            runPanel(context, std::get<PanelData>(file.readData().data), progress);
            return;
        }
        if (randoms_ == "add" || randoms_ == "subtract") {
            throw WrongUse("--randoms {} goes with two panels alone; give delayeds, singles or off",
                           randoms_);
        }
        CorrectionParts parts = partsOfFile(input_);
        const CorrectionParts found = partsOfFile(output_);
        MeasuredData data = file.readData().data;
        const ThreadPool pool(threads_);
        CorrectResult result;
        if (auto* const sinograms = std::get_if<SinogramData>(&data)) {
            if (scanner_.empty()) {
                throw WrongUse(
                    "{}: sinograms do not say how their crystals detect; give --scanner, as ge-ste-blocks of "
                    "ge-ste",
                    input_);
            }
            result = correct(*sinograms, Scanner::find(scanner_), input_, request_, pool, progress, &parts,
                             &found);
        } else if (auto* const lines = std::get_if<LineData>(&data)) {
            result = correct(*lines, input_, request_, pool, progress, &parts, &found);
        } else {
            result = correct(std::get<HistoData>(data), input_, request_, pool, progress, &parts, &found);
        }
        progress.stage("writing " + output_);
        writeMeasured(output_, data, parts);
        progress.done();
        if (context.console.json()) {
            context.console.resultAsJson({{"output", output_},
                                          {"efficiency_sd", result.efficiencySd},
                                          {"randoms", result.randoms},
                                          {"scatter", result.scatter},
                                          {"single_scatter", result.single},
                                          {"scatter_scale", result.scale}});
        } else {
            context.console.note(
                fmt::format("{}: {:.4g} randoms, {:.4g} scattered ({:.4g} once, times {:.3f})", output_,
                            result.randoms, result.scatter, result.single, result.scale));
        }
    }

  private:
    void takeSwitches() {
        PartSwitches& switches = request_.switches;
        switches.attenuation = switched(attenuation_);
        switches.efficiencies = switched(efficiencies_);
        switches.deadTime = switched(deadTime_);
        switches.scatter = switched(scatter_);
        request_.scatter = switches.scatter.value_or(false);
        if (randoms_ == "off" || randoms_ == "delayeds" || randoms_ == "singles") {
            switches.randoms = randoms_ == "off"        ? RandomsBy::Off
                               : randoms_ == "delayeds" ? RandomsBy::Delayeds
                                                        : RandomsBy::Singles;
        }
        const bool any = switches.attenuation || switches.efficiencies || switches.deadTime ||
                         switches.scatter || switches.randoms;
        if (!any && request_.delayeds.empty() && request_.singles.empty() && request_.norm.empty()) {
            throw WrongUse(
                "nothing to correct by; give --norm LIST, --delayeds LIST, --singles FILE, --scatter on, or "
                "several; or switch a part on or off");
        }
    }

    void runPanel(CommandContext& context, PanelData data, ConsoleProgress& progress) {
        if (request_.delayeds.empty() ||
            (randoms_ != "as-found" && randoms_ != "add" && randoms_ != "subtract")) {
            throw WrongUse(
                "{}: of two panels randoms are corrected by --delayeds LIST, --randoms add or subtract",
                input_);
        }
        request_.panelRandoms = randoms_ == "subtract" ? PanelRandoms::Subtract : PanelRandoms::Add;
        const PanelRandomsTally tally = correct(data, input_, request_, progress);
        progress.stage("writing " + output_);
        writeMeasured(output_, std::move(data));
        progress.done();
        if (context.console.json()) {
            context.console.resultAsJson({{"output", output_},
                                          {"randoms", tally.delayeds},
                                          {"clipped_lines", tally.clippedLines},
                                          {"clipped_counts", tally.clippedCounts}});
        } else {
            context.console.note(
                fmt::format("{}: {:.0f} randoms; {:.0f} lines fell {:.0f} counts below zero, and became zero",
                            output_, tally.delayeds, tally.clippedLines, tally.clippedCounts));
        }
    }

    std::string input_;
    std::string output_;
    std::string scanner_;
    std::string engine_ = "auto";
    CorrectRequest request_;
    std::string randoms_ = "as-found";
    std::string scatter_ = "as-found";
    std::string attenuation_ = "as-found";
    std::string efficiencies_ = "as-found";
    std::string deadTime_ = "as-found";
    std::string muUnits_ = "auto";
    bool noFit_ = false;
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeCorrectCommand() {
    return std::make_unique<CorrectCommand>();
}

}  // namespace tof
