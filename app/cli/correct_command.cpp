// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_format.h"
#include "recon/work/correct.h"

namespace tof {

namespace {

class CorrectCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("DATA", input_, "Data file of histo-images or of two panels, as 'bin' makes it");
        arguments.positional("OUT", output_,
                             "Data file to write (.h5): the same with expected randoms and "
                             "scatter, in place of what it had");
        arguments.text(
            "norm", request_.norm,
            "Efficiencies: list of a normalisation scan without scatter and randoms (those it tells "
            "are left out), of the phantom that it names");
        arguments.text("delayeds", request_.delayeds,
                       "Randoms: list of the delayed coincidences of the same scan ('simulate --delayeds')");
        arguments.choice("randoms", randoms_, {"add", "subtract"},
                         "Two panels: randoms' mean goes beside the counts, or delayeds are taken from them "
                         "line by line and what falls below zero becomes zero");
        arguments.flag("scatter", request_.scatter,
                       "Scatter: single scatter simulation with times of flight, of the data's own image");
        arguments.text("mu", request_.mu,
                       "Scatter: attenuation volume in 1/cm; without it the phantom the data name");
        arguments.choice("mu-units", muUnits_, {"auto", "1/cm", "1/mm", "hu"},
                         "What --mu holds, as of 'bin'");
        arguments.integer("rounds", request_.scatterSettings.rounds, 1, 10,
                          "Scatter: how often image and scatter are found in turn");
        arguments.flag("no-tail-fit", noFit_,
                       "Scatter: leave what was scattered once as it is, not scaled to the tails");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        requireWritable(output_);
        request_.muUnits = muUnitsNamed(muUnits_);
        request_.scatterSettings.fitTails = !noFit_;
        if (!request_.scatter && request_.delayeds.empty() && request_.norm.empty()) {
            throw WrongUse("nothing to correct by; give --norm LIST, --delayeds LIST, --scatter, or several");
        }
        ConsoleProgress progress(context.console);
        progress.stage("reading " + input_);
        const RecognisedFile file = recognise(input_);
        if (file.dataForm() == DataForm::Panel) {
            runPanel(context, std::get<PanelData>(file.readData().data), progress);
            return;
        }
        if (randoms_ != "add") {
            throw WrongUse("--randoms goes with two panels alone; leave it out");
        }
        HistoData data = readData(input_);
        const CorrectResult result = correct(data, input_, request_, ThreadPool(threads_), progress);
        progress.stage("writing " + output_);
        writeMeasured(output_, std::move(data));
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
    void runPanel(CommandContext& context, PanelData data, ConsoleProgress& progress) {
        request_.panelRandoms = randoms_ == "add" ? PanelRandoms::Add : PanelRandoms::Subtract;
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
    CorrectRequest request_;
    std::string randoms_ = "add";
    std::string muUnits_ = "auto";
    bool noFit_ = false;
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeCorrectCommand() {
    return std::make_unique<CorrectCommand>();
}

}  // namespace tof
