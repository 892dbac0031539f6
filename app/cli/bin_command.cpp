// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/lattice_options.h"
#include "app/cli/output_check.h"
#include "app/cli/sinogram_options.h"
#include "recon/base/error.h"
#include "recon/io/hdf5/hdf5_format.h"
#include "recon/work/bin.h"
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
        arguments.positional(
            "LIST", request_.input,
            "List-mode: HDF5, the header of CASToR (.cdh) or Siemens ECAT8 (.l.hdr), or SAFIR; a "
            "histogram of CASToR, or sinograms of STIR (.hs)");
        arguments.positional("OUT", output_, "Data file to write (.h5)");
        arguments.choice("to", request_.form, {"histo", "sinogram", "lors", "panel"},
                         "Form of the data: histo-images of DIRECT, sinograms of a ring scanner, its "
                         "list-mode as lines of response, or the lines of two panels");
        arguments.custom(
            "views", "AxT", "40x3",
            [this](const std::string& text) {
                const std::vector<int> counts = sizesFromText("--views", text, 2, 1, 4096);
                request_.azimuths = counts[0];
                request_.tilts = counts[1];
            },
            "Views: azimuths x tilts");
        lattice_.describe(arguments);
        arguments.flag("trilinear", request_.trilinear,
                       "Spread events over eight voxels instead of the nearest one");
        arguments.choice(
            "deposit", deposit_, {"face", "centre"},
            "Where events of histo-images end in their crystals: spread evenly over the faces, or "
            "at the centres");
        arguments.integer("seed", request_.seed, 0, UINT64_MAX,
                          "Seed of the places on the crystals' faces; the same whatever the threads");
        arguments.text(
            "scanner", request_.scanner,
            "Scanner when the list only names it: built-in name, geometry file or crystal map; or the "
            "rings whose sinograms or lines these are");
        arguments.text("mu", request_.mu,
                       "Attenuation volume in 1/cm, or none; without it the phantom the list names, if any");
        arguments.choice(
            "mu-units", muUnits_, {"auto", "1/cm", "1/mm", "hu"},
            "What --mu holds; hu: CT at 120 kVp, converted to 511 keV. auto: 1/mm where the file says "
            "so, else 1/cm");
        arguments.text("corrections", request_.corrections,
                       "Lines take mult and add from these sinograms (.h5), or their probability of being "
                       "recorded from this CASToR normalisation (.cdh)");
        sinograms_.describe(arguments);
        arguments.integer("frame", frame_, 0, 100000,
                          "Which of several frames of sinograms, from 1; 0 takes the only one");
        arguments.choice("randoms", randoms_, {"estimate", "none"},
                         "Randoms of ECAT8 list-mode, from its delayed coincidences");
        arguments.integer("segments", request_.segments, 0, 4096,
                          "Keep only the first segments of ECAT8 list-mode; 0 keeps all");
        arguments.flag("reverse-tof", reverse_,
                       "Take times of flight as t2 - t1; 'info --check-tof' says which they are");
        arguments.flag("no-tof", leaveTimes_, "Bin lines or sinograms without the times of flight");
        arguments.flag("partial", request_.partial, "Read truncated list-mode as far as it goes");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        const bool first = context.ranks == nullptr || context.ranks->first();
        if (first) {
            refuseSameFile(request_.input, output_);
            requireWritable(output_);
        }
        request_.ranks = context.ranks;
        if (lattice_.given()) {
            request_.lattice = lattice_.lattice();
        }
        request_.sinograms = sinograms_.import(lattice_);
        request_.sinograms.read.frame = frame_;
        request_.sinograms.corrections = request_.corrections;
        request_.randoms = randoms_ == "estimate" ? Randoms::Estimate : Randoms::None;
        request_.endPoints = deposit_ == "face" ? EndPoints::Face : EndPoints::Centre;
        if (reverse_ && leaveTimes_) {
            throw WrongUse("--reverse-tof and --no-tof exclude each other; give one of them");
        }
        request_.times = reverse_ ? Times::Reversed : leaveTimes_ ? Times::Left : Times::AsStated;
        request_.muUnits = muUnitsNamed(muUnits_);
        request_.atPoints = true;

        Console& console = context.console;
        ConsoleProgress progress(console);
        const ThreadPool pool(threadsOfProcess(threads_, context.ranks.get()));
        const FormTable forms = builtInForms();
        const BinResult result = binEvents(request_, pool, progress, forms);
        if (!first) {
            return;
        }
        progress.stage("writing " + output_);
        writeMeasured(output_, result.data);
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
    std::string randoms_ = "estimate";
    std::string deposit_ = nameOf(EndPoints::Face);
    LatticeOptions lattice_;
    SinogramOptions sinograms_;
    int frame_ = 0;
    std::string muUnits_ = "auto";
    bool leaveTimes_ = false;
    bool reverse_ = false;
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeBinCommand() {
    return std::make_unique<BinCommand>();
}

}  // namespace tof
