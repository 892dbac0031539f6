// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/lattice_options.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_format.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/physics/positron.h"
#include "recon/work/ranked_run.h"
#include "recon/work/simulate.h"

namespace tof {

namespace {

double blurFromText(const std::string& text) {
    const std::optional<double> blur = numberFrom<double>(text);
    if (!blur || !(*blur >= 0 && *blur <= 100)) {
        throw WrongUse("--blur is '{}'; give a FWHM of 0 to 100 mm", text);
    }
    return *blur;
}

class SimulateCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("OUT", output_, "File to write (.h5): a list, or sinograms of a ring scanner");
        arguments.text("scanner", request_.scanner,
                       "Scanner: built-in name or JSON file; of a ring scanner (ge-ste) sinograms are made "
                       "from chords through the phantom with Poisson noise",
                       Need::Required);
        arguments.text("phantom", request_.phantom,
                       "Phantom: built-in name, JSON file, or EMISSION,ATTENUATION volume files",
                       Need::Required);
        arguments.integer("events", request_.settings.events, 1, std::uint64_t{1} << 32U,
                          "Coincidences to record", Need::Required);
        arguments.integer("seed", request_.settings.seed, 0, UINT64_MAX,
                          "Seed; the same events whatever the threads");
        arguments.number("activity", request_.settings.activity_MBq, 1e-6, 1e9,
                         "Activity of the phantom in MBq: the list lasts as long as its decays take");
        arguments.number("duration", request_.settings.duration_s, 0, 1e9,
                         "Duration of the scan in seconds instead; 0 takes the activity's");
        arguments.custom(
            "physics", "LIST", "all",
            [this](const std::string& text) {
                const std::string isotope = physics().isotope;
                request_.settings.physics = Physics::fromText(text);
                request_.settings.physics->isotope = isotope;
            },
            "Scanners that say how they detect: all, none, some of range, acollinearity, scatter, crystals, "
            "energy, "
            "position, randoms, dead-time, or what to leave out: no-randoms,no-range");
        arguments.custom(
            "isotope", "NAME", "F-18",
            [this](const std::string& text) {
                Physics with = physics();
                with.isotope = isotopeNamed(text).name;
                request_.settings.physics = with;
            },
            "Whose positrons fly: F-18, C-11, N-13, O-15, Ga-68, Rb-82");
        arguments.text("delayeds", delayeds_,
                       "File to write the coincidences of the delayed window to (.h5)");
        arguments.text("singles", singles_,
                       "File to write the crystals' singles to (.h5), for 'correct --singles'");
        arguments.choice("engine", engine_, {"cpu", "cuda"},
                         "Where photons of scans in time are followed: this machine's cores, or a device");
        arguments.custom(
            "bin", "AxT", "a list",
            [this](const std::string& text) {
                const std::vector<int> counts = sizesFromText("--bin", text, 2, 1, 4096);
                bin_.emplace();
                bin_->azimuths = counts[0];
                bin_->tilts = counts[1];
            },
            "Write histo-images of so many azimuths x tilts instead of a list, as bin would make of it");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
        const Lattice usual = usualRingLattice();
        lattice_.size = usual.size;
        lattice_.spacing_mm = usual.spacing_mm;
        lattice_.describe(arguments);
        arguments.flag("attenuate", request_.attenuate, "Ring scanners: attenuate by the phantom");
        arguments.custom(
            "blur", "MM", "the scanner's",
            [this](const std::string& text) { request_.blur_mm = blurFromText(text); },
            "Ring scanners: FWHM of the detectors' blur across lines of response in mm; 0 switches it off");
        arguments.flag("noise-free", request_.noiseFree,
                       "Ring scanners and --analytic: counts are those expected, without Poisson noise");
        arguments.flag("analytic", analytic_,
                       "Histo-images from chords through the phantom instead of a list: a data file, without "
                       "scatter and randoms but for --background");
        arguments.flag("background", background_,
                       "With --analytic: scatter, and randoms at --activity, among the counts, and as what "
                       "the data are expected to hold of them");
        arguments.custom(
            "views", "AxT", "40x3",
            [this](const std::string& text) {
                const std::vector<int> counts = sizesFromText("--views", text, 2, 1, 4096);
                chords_.azimuths = counts[0];
                chords_.tilts = counts[1];
            },
            "With --analytic: azimuths x tilts");
        arguments.custom(
            "kernel", "K", "the scanner's crystals",
            [this](const std::string& text) { chords_.response = KernelSpec::parse(text); },
            "With --analytic: what blurs lines and times, a preset or a JSON file, symmetric");
    }

    void run(CommandContext& context) override {
        const bool first = context.ranks == nullptr || context.ranks->first();
        request_.ranks = context.ranks;
        request_.delayeds = !delayeds_.empty();
        request_.singles = !singles_.empty();
        if (first) {
            requireOutputs();
        }
        if (background_ && !analytic_) {
            throw WrongUse("--background belongs to --analytic: lists have scatter and randoms by --physics");
        }
        if (analytic_) {
            if (first) {  // one process makes views in little time
                runAnalytic(context);
            }
            return;
        }
        request_.lattice = lattice_.lattice();
        const auto start = std::chrono::steady_clock::now();
        ConsoleProgress progress(context.console);
        const ThreadPool pool(threadsOfProcess(threads_, context.ranks.get()));
        request_.slices = context.slices ? context.slices(engine_) : SliceMaker();
        std::optional<PartwiseHistoImages> images;
        const BinRequest bin = binning();
        if (bin_) {
            request_.take = [&](EventList& events, const Scanner& scanner) {
                if (!images) {
                    images.emplace(scanner_.emplace(scanner), bin, pool, progress);
                }
                images->add(events);
                clear(events);
            };
        }
        const SimulatedScan scan = simulateScan(request_, pool, progress);
        if (!first) {
            return;
        }
        if (images) {
            MeasuredData data = images->finish(std::get<EventList>(scan.data));
            progress.done();
            writeMeasured(output_, data);
            const double seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            tell(context.console, std::get<EventList>(scan.data), scan.report, seconds);
            return;
        }
        progress.done();
        if (const auto* const sinograms = std::get_if<SinogramData>(&scan.data)) {
            writeSinogramData(output_, *sinograms);
            tell(context.console, *sinograms);
            return;
        }
        const auto& events = std::get<EventList>(scan.data);
        writeEvents(output_, events);
        if (scan.delayeds) {
            writeEvents(delayeds_, *scan.delayeds);
        }
        if (scan.singles) {
            if (scan.singles->recorded.empty()) {
                throw WrongUse("singles are counted in scans in time; leave no-randoms out of --physics");
            }
            writeSingles(singles_, *scan.singles);
        }
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        tell(context.console, events, scan.report, seconds);
    }

  private:
    /// Before long work starts.
    void requireOutputs() const {
        for (const std::string& file : {output_, delayeds_, singles_}) {
            if (!file.empty()) {
                requireWritable(file);
            }
        }
    }

    void runAnalytic(CommandContext& context) {
        chords_.lattice = lattice_.given() ? lattice_.lattice() : usualLattice();
        chords_.counts = static_cast<double>(request_.settings.events);
        chords_.seed = request_.settings.seed;
        chords_.noiseFree = request_.noiseFree;
        ConsoleProgress progress(context.console);
        HistoData data =
            simulateAnalytic(request_.scanner, request_.phantom, chords_, ThreadPool(threads_), progress,
                             background_ ? std::optional(request_.settings.activity_MBq) : std::nullopt);
        progress.done();
        data.duration_s = request_.settings.duration_s > 0
                              ? request_.settings.duration_s
                              : data.decays / (1e6 * request_.settings.activity_MBq);
        const nlohmann::ordered_json form{{"output", output_},          {"counts", data.kept},
                                          {"views", data.views.size()}, {"seed", chords_.seed},
                                          {"decays", data.decays},      {"noise_free", chords_.noiseFree}};
        const std::string sentence =
            fmt::format("{}: {} counts in {} views of {}; {:.4g} decays", output_, data.kept,
                        data.views.size(), data.lattice.text(), data.decays);
        writeMeasured(output_, std::move(data));
        if (context.console.json()) {
            context.console.resultAsJson(form);
        } else {
            context.console.note(sentence);
        }
    }

    [[nodiscard]] BinRequest binning() const {
        BinRequest request = bin_.value_or(BinRequest());
        if (lattice_.given()) {
            request.lattice = lattice_.lattice();
        }
        return request;
    }

    /// Keeps the memory: the next part is as long.
    static void clear(EventList& events) {
        events.crystals.clear();
        events.dt_ps.clear();
        events.kind.clear();
        events.scatters.clear();
        events.energy_keV.clear();
    }

    void tell(Console& console, const SinogramData& data) const {
        if (console.json()) {
            const nlohmann::ordered_json form{{"output", output_},
                                              {"counts", data.kept},
                                              {"seed", request_.settings.seed},
                                              {"sinograms", data.michelogram->sinograms().size()}};
            console.resultAsJson(form);
        } else {
            console.note(fmt::format("{}: {} counts in {} sinograms", output_, data.kept,
                                     data.michelogram->sinograms().size()));
        }
    }

    void tell(Console& console, const EventList& events, const SimulationReport& report,
              double seconds) const {
        if (console.json()) {
            const nlohmann::ordered_json form{{"output", output_},
                                              {"events", report.trues + report.scattered + report.randoms},
                                              {"seed", request_.settings.seed},
                                              {"started", report.started},
                                              {"attenuated", report.attenuated},
                                              {"missed", report.missed},
                                              {"outside_window", report.outsideWindow},
                                              {"dead", report.dead},
                                              {"late", report.late},
                                              {"beyond", report.beyond},
                                              {"surplus", report.surplus},
                                              {"trues", report.trues},
                                              {"scattered", report.scattered},
                                              {"randoms", report.randoms},
                                              {"delayeds", report.delayeds},
                                              {"singles_recorded", report.singles},
                                              {"decays", events.decays},
                                              {"singles", events.singles},
                                              {"duration_s", events.duration_s},
                                              {"activity_MBq", activity(events)},
                                              {"seconds", seconds}};
            console.resultAsJson(form);
        } else {
            console.note(fmt::format(
                "{}: {} events of {} pairs started ({} attenuated, {} missed{}) in {:.1f} s; {:.4g} decays, "
                "{:.4g} singles, {:.4g} s of {:.4g} MBq{}",
                output_, report.trues + report.scattered + report.randoms, report.started, report.attenuated,
                report.missed, losses(report), seconds, events.decays, events.singles, events.duration_s,
                activity(events), kinds(report)));
        }
    }

    /// Losses of scanners that say how they detect; nothing of others.
    [[nodiscard]] static std::string losses(const SimulationReport& report) {
        if (report.outsideWindow + report.beyond + report.late + report.dead == 0) {
            return {};
        }
        return fmt::format(
            ", {} outside the energy window, {} dead, {} too far apart in time, {} beyond the acceptance",
            report.outsideWindow, report.dead, report.late, report.beyond);
    }

    [[nodiscard]] static std::string kinds(const SimulationReport& report) {
        if (report.scattered + report.randoms == 0) {
            return {};
        }
        return fmt::format("; {} true, {} scattered, {} random", report.trues, report.scattered,
                           report.randoms);
    }

    /// What the options ask for so far.
    [[nodiscard]] Physics physics() const { return request_.settings.physics.value_or(Physics()); }

    [[nodiscard]] static double activity(const EventList& events) {
        return 1e-6 * events.decays / events.duration_s;
    }

    std::string output_;
    std::string delayeds_;
    std::string singles_;
    SimulateRequest request_;
    std::string engine_ = "cpu";
    std::optional<BinRequest> bin_;
    std::optional<Scanner> scanner_;  ///< whose events are binned
    int threads_ = 0;
    LatticeOptions lattice_;
    bool background_ = false;
    bool analytic_ = false;
    AnalyticSettings chords_;
};

}  // namespace

std::unique_ptr<Command> makeSimulateCommand() {
    return std::make_unique<SimulateCommand>();
}

}  // namespace tof
