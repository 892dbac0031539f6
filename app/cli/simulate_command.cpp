// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/data/event_part.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/scanner/michelogram.h"
#include "recon/work/ranked_run.h"
#include "recon/work/simulate_rows.h"

namespace tof {

namespace {

class SimulateCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("OUT", output_, "File to write (.h5): a list, or sinograms of a ring scanner");
        arguments.rows(boundRows(simulationRows(), request_));
    }

    void run(CommandContext& context) override {
        const bool first = context.ranks->first();
        request_.ranks = context.ranks;
        request_.delayeds = !request_.delayedsFile.empty();
        request_.singles = !request_.singlesFile.empty();
        if (first) {
            requireOutputs();
        }
        if (request_.background && !request_.analytic) {
            throw WrongUse("--background belongs to --analytic: lists have scatter and randoms by --physics");
        }
        if (!request_.motion.empty() && (request_.analytic || request_.bin)) {
            throw WrongUse(
                "--motion moves the phantom of a list; leave {} out, and bin the list with --motion",
                request_.bin ? "--bin" : "--analytic");
        }
        if (request_.analytic) {
            if (first) {  // one process makes views in little time
                runAnalytic(context);
            }
            return;
        }
        request_.lattice = request_.image.value_or(usualRingLattice());
        const auto start = std::chrono::steady_clock::now();
        ConsoleProgress progress(context.console);
        const ThreadPool pool = progress.pool(threadsOfProcess(request_.threads, *context.ranks));
        request_.slices = slicesBy(context.engines, request_.engine, context.ranks->localRank());
        if (MichelogramSpec::describes(request_.scanner)) {
            makeSinograms(context, pool, progress);
        } else if (request_.bin) {
            makeViews(context, pool, progress, start);
        } else {
            makeList(context, pool, progress, start);
        }
    }

  private:
    using Start = std::chrono::steady_clock::time_point;

    [[nodiscard]] static double secondsSince(Start start) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    void makeViews(CommandContext& context, const ThreadPool& pool, ConsoleProgress& progress, Start start) {
        std::optional<PartwiseHistoImages> images;
        const BinRequest bin = binning();
        request_.take = [&](EventList& events, const Scanner& scanner, std::uint64_t /*all*/) {
            if (!images) {
                images.emplace(scanner_.emplace(scanner), bin, pool, progress);
            }
            images->add(events);
            clearEvents(events);
        };
        const SimulatedScan scan = simulateScan(request_, pool, progress);
        if (images && context.ranks->first()) {
            MeasuredData data = images->finish(std::get<EventList>(scan.data));
            progress.done();
            writeMeasured({output_, throwIfInterrupted}, data);
            tell(context.console, std::get<EventList>(scan.data), scan.report, secondsSince(start));
        }
    }

    void makeSinograms(CommandContext& context, const ThreadPool& pool, ConsoleProgress& progress) {
        const SimulatedScan scan = simulateScan(request_, pool, progress);
        if (context.ranks->first()) {
            progress.done();
            const auto& sinograms = std::get<SinogramData>(scan.data);
            writeSinogramData({output_, throwIfInterrupted}, sinograms);
            tell(context.console, sinograms);
        }
    }

    void makeList(CommandContext& context, const ThreadPool& pool, ConsoleProgress& progress, Start start) {
        if (!context.ranks->first()) {
            static_cast<void>(simulateScan(request_, pool, progress));
            return;
        }
        SimulatedScan scan;
        writeEventsAsTheyCome({output_, throwIfInterrupted}, [&](const TakeEvents& take) {
            request_.take = [&take](EventList& events, const Scanner& /*scanner*/, std::uint64_t all) {
                take(events, all);
            };
            scan = simulateScan(request_, pool, progress);
            return std::get<EventList>(scan.data);
        });
        progress.done();
        if (scan.delayeds) {
            writeEvents({request_.delayedsFile, throwIfInterrupted}, *scan.delayeds);
        }
        if (scan.singles) {
            if (scan.singles->recorded.empty()) {
                throw WrongUse("singles are counted in scans in time; leave no-randoms out of --physics");
            }
            writeSingles(request_.singlesFile, *scan.singles);
        }
        tell(context.console, std::get<EventList>(scan.data), scan.report, secondsSince(start));
    }

    /// Before long work starts.
    void requireOutputs() const {
        for (const std::string& file : {output_, request_.delayedsFile, request_.singlesFile}) {
            if (!file.empty()) {
                requireWritable(file);
            }
        }
    }

    void runAnalytic(CommandContext& context) {
        const AnalyticSettings chords = request_.analyticSettings(usualLattice());
        ConsoleProgress progress(context.console);
        HistoData data = simulateAnalytic(
            request_.scanner, request_.phantom, chords, progress.pool(request_.threads), progress,
            request_.background ? std::optional(request_.settings.activity_MBq) : std::nullopt);
        progress.done();
        data.duration_s = request_.settings.duration_s > 0
                              ? request_.settings.duration_s
                              : data.decays / (1e6 * request_.settings.activity_MBq);
        const nlohmann::ordered_json form{{"output", output_},          {"counts", data.kept},
                                          {"views", data.views.size()}, {"seed", chords.seed},
                                          {"decays", data.decays},      {"noise_free", chords.noiseFree}};
        const std::string sentence =
            fmt::format("{}: {} counts in {} views of {}; {:.4g} decays", output_, data.kept,
                        data.views.size(), data.lattice.text(), data.decays);
        writeMeasured({output_, throwIfInterrupted}, std::move(data));
        if (context.console.json()) {
            context.console.resultAsJson(form);
        } else {
            context.console.note(sentence);
        }
    }

    [[nodiscard]] BinRequest binning() const {
        BinRequest request;
        if (request_.bin) {
            request.azimuths = request_.bin->at(0);
            request.tilts = request_.bin->at(1);
        }
        request.lattice = request_.image;
        request.atPoints = true;
        return request;
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
                                              {"piled_up", report.piledUp},
                                              {"multiple", report.multiple},
                                              {"throttled", report.throttled},
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
        std::string text = fmt::format(
            ", {} outside the energy window, {} dead, {} too far apart in time, {} beyond the acceptance",
            report.outsideWindow, report.dead, report.late, report.beyond);
        if (report.piledUp + report.multiple + report.throttled > 0) {
            text += fmt::format(", {} piled up, {} in multiples, {} beyond the bandwidth", report.piledUp,
                                report.multiple, report.throttled);
        }
        return text;
    }

    [[nodiscard]] static std::string kinds(const SimulationReport& report) {
        if (report.scattered + report.randoms == 0) {
            return {};
        }
        return fmt::format("; {} true, {} scattered, {} random", report.trues, report.scattered,
                           report.randoms);
    }

    [[nodiscard]] static double activity(const EventList& events) {
        return 1e-6 * events.decays / events.duration_s;
    }

    std::string output_;
    SimulationOrder request_;
    std::optional<Scanner> scanner_;  ///< whose events are binned
};

}  // namespace

std::unique_ptr<Command> makeSimulateCommand() {
    return std::make_unique<SimulateCommand>();
}

}  // namespace tof
