// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "app/cli/waking_engine.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/work/correct.h"
#include "recon/work/correct_rows.h"

namespace tof {

namespace {

class CorrectCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("DATA", input_, "Data file, as 'bin' makes it");
        arguments.positional("OUT", output_,
                             "Data file to write (.h5): the same with expected randoms and "
                             "scatter, in place of what it had");
        std::vector<BoundRow> rows = boundRows(correctRows(), request_);
        for (BoundRow& row : rows) {
            if (row.key == "randoms") {  // which of its words go with the data is seen when they are read
                row.write = [this, write = row.write](const std::string& text) { write(randoms_ = text); };
            }
        }
        arguments.rows(rows);
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        requireWritable(output_);
        requireSomething();
        const WakingEngine engine(context.engines, request_.engine, {});
        engine.sayIfMissing();
        ConsoleProgress progress(context.console);
        progress.stage("reading " + input_);
        requireRandomsOf(recognise(input_).form());
        PartedCorrections data = readPartedCorrections(input_, throwIfInterrupted);
        sumScatterBy(engine.get(), request_);
        const Corrected made =
            correctData(data, input_, request_, progress.pool(threads_), progress, partsOfFile(output_));
        progress.stage("writing " + output_);
        writeMeasured({output_, throwIfInterrupted}, data.data, data.parts);
        progress.done();
        if (made.panels) {
            tell(context.console, *made.panels);
        } else {
            tell(context.console, made.result);
        }
    }

  private:
    void requireSomething() const {
        const PartSwitches& switches = request_.switches;
        const bool any = switches.attenuation || switches.efficiencies || switches.deadTime ||
                         switches.scatter || switches.randoms;
        if (!any && request_.delayeds.empty() && request_.singles.empty() && request_.norm.empty()) {
            throw WrongUse(
                "nothing to correct by; give --norm LIST, --delayeds LIST, --singles FILE, --scatter on, or "
                "several; or switch a part on or off");
        }
    }

    /// Ways to take randoms are those of the form.
    void requireRandomsOf(const std::string& form) const {
        const bool ofPanels = randoms_ == "add" || randoms_ == "subtract";
        if (ofPanels && form != "panel") {
            throw WrongUse("--randoms {} goes with two panels alone; give delayeds, singles or off",
                           randoms_);
        }
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
    CorrectRequest request_;
    std::string randoms_ = "as-found";  ///< as it was typed
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeCorrectCommand() {
    return std::make_unique<CorrectCommand>();
}

}  // namespace tof
