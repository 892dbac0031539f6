// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/work/correct_data.h"

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
            "scanner", request_.scanner,
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
        sumScatterBy(*context.engines.choose(engine_), threads_, request_);
        ConsoleProgress progress(context.console);
        progress.stage("reading " + input_);
        requireRandomsOf(recognise(input_).form());
        PartedCorrections data = readPartedCorrections(input_);
        const Corrected made =
            correctData(data, input_, request_, ThreadPool(threads_), progress, partsOfFile(output_));
        progress.stage("writing " + output_);
        writeMeasured(output_, data.data, data.parts);
        progress.done();
        if (made.panels) {
            tell(context.console, *made.panels);
        } else {
            tell(context.console, made.result);
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

    /// Ways to take randoms are those of the form.
    void requireRandomsOf(const std::string& form) {
        const bool ofPanels = randoms_ == "add" || randoms_ == "subtract";
        if (ofPanels && form != "panel") {
            throw WrongUse("--randoms {} goes with two panels alone; give delayeds, singles or off",
                           randoms_);
        }
        request_.panelRandoms = randoms_ == "subtract" ? PanelRandoms::Subtract : PanelRandoms::Add;
    }

    void tell(Console& console, const CorrectResult& result) const {
        if (console.json()) {
            console.resultAsJson({{"output", output_},
                                  {"efficiency_sd", result.efficiencySd},
                                  {"randoms", result.randoms},
                                  {"scatter", result.scatter},
                                  {"single_scatter", result.single},
                                  {"scatter_scale", result.scale}});
        } else {
            console.note(fmt::format("{}: {:.4g} randoms, {:.4g} scattered ({:.4g} once, times {:.3f})",
                                     output_, result.randoms, result.scatter, result.single, result.scale));
        }
    }

    void tell(Console& console, const PanelRandomsTally& tally) const {
        if (console.json()) {
            console.resultAsJson({{"output", output_},
                                  {"randoms", tally.delayeds},
                                  {"clipped_lines", tally.clippedLines},
                                  {"clipped_counts", tally.clippedCounts}});
        } else {
            console.note(
                fmt::format("{}: {:.0f} randoms; {:.0f} lines fell {:.0f} counts below zero, and became zero",
                            output_, tally.delayeds, tally.clippedLines, tally.clippedCounts));
        }
    }

    std::string input_;
    std::string output_;
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
