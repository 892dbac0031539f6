// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/work/bin.h"
#include "recon/work/bin_rows.h"
#include "recon/work/ranked_run.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// What the list's words were, too, where it had some.
Json wordsJson(const BinResult& result) {
    if (!result.words) {
        return Json::object();
    }
    const Ecat8Words& words = *result.words;
    const double seconds = 1e-3 * (words.lastTime_ms - words.firstTime_ms);
    return {{"words", words.words},          {"prompts", words.prompts},
            {"delayeds", words.delayeds},    {"time_tags", words.timeTags},
            {"other_tags", words.otherTags}, {"announced_words", words.announced},
            {"randoms", result.randoms},     {"duration_s", seconds}};
}

class BinCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("LIST", request_.input,
                             "List-mode: HDF5, CASToR (.cdh), PETSIRD, Siemens (.l.hdr, .ptd), GE (.BLF), "
                             "Inveon (.lst), SAFIR, YRT-PET (.lmDat) or GATE's coincidences (.root); a "
                             "histogram of CASToR, or sinograms of STIR (.hs)");
        arguments.positional("OUT", output_, "Data file to write (.h5)");
        arguments.rows(boundRows(binRows(), request_));
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        const bool first = context.ranks->first();
        if (first) {
            refuseSameFile(request_.input, output_);
            requireWritable(output_);
        }
        request_.ranks = context.ranks;
        request_.atPoints = true;
        request_.spillBeside = output_;

        Console& console = context.console;
        ConsoleProgress progress(console);
        const ThreadPool pool = progress.pool(threadsOfProcess(threads_, *context.ranks));
        const FormTable forms = builtInForms();
        const BinResult result = binEvents(request_, pool, progress, forms);
        if (!first) {
            return;
        }
        progress.stage("writing " + output_);
        writeMeasured({output_, throwIfInterrupted}, result.data);
        const Form& form = forms.named(request_.form);
        if (console.json()) {
            Json said{{"output", output_}};
            said.update(form.json(result.data));
            said.update(wordsJson(result));
            console.resultAsJson(said);
        } else {
            console.note(output_ + ": " + form.sentence(result.data));
        }
    }

  private:
    BinRequest request_;
    std::string output_;
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeBinCommand() {
    return std::make_unique<BinCommand>();
}

}  // namespace tof
