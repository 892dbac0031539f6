// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/lattice_options.h"
#include "app/cli/output_check.h"
#include "recon/io/hdf5/line_data_io.h"
#include "recon/io/list_io.h"
#include "recon/io/volume_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/work/sinogram_simulation.h"

namespace tof {

namespace {

class SimulateCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("OUT", output_, "File to write (.h5): a list, or sinograms of a ring scanner");
        arguments.text(
            "scanner", scanner_,
            "Scanner: built-in name or JSON file; of a ring scanner (ge-ste) sinograms are made by "
            "forward projection with Poisson noise",
            Need::Required);
        arguments.text("phantom", phantom_,
                       "Phantom: built-in name, JSON file, or EMISSION,ATTENUATION volume files",
                       Need::Required);
        arguments.integer("events", settings_.events, 1, std::uint64_t{1} << 32U, "Coincidences to record",
                          Need::Required);
        arguments.integer("seed", settings_.seed, 0, UINT64_MAX,
                          "Seed; the same events whatever the threads");
        arguments.number("duration", settings_.duration_s, 1e-9, 1e9, "Duration of the scan in seconds");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
        lattice_.size = {128, 128, 47};
        lattice_.spacing_mm = {5.46875, 5.46875, 3.27};
        lattice_.describe(arguments);
        arguments.flag("attenuate", attenuate_, "Ring scanners: attenuate by the phantom");
    }

    void run(CommandContext& context) override {
        requireWritable(output_);
        if (MichelogramSpec::describes(scanner_)) {
            project(context);
            return;
        }
        const Scanner scanner = Scanner::find(scanner_);
        const Phantom phantom = Phantom::find(phantom_, readVolume);
        const auto start = std::chrono::steady_clock::now();
        SimulationReport report;
        const EventList events = [&] {
            ProgressBar bar(context.console, "simulate");
            return simulate(
                scanner, phantom, settings_, ThreadPool(threads_),
                [&](std::uint64_t made) {
                    throwIfInterrupted();
                    bar.update(static_cast<double>(made) / static_cast<double>(settings_.events));
                },
                &report);
        }();
        writeEvents(output_, events);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        tell(context.console, events, report, seconds);
    }

  private:
    void project(CommandContext& context) {
        const SinogramSimulation what{MichelogramSpec::find(scanner_), lattice_.lattice(),
                                      static_cast<double>(settings_.events), settings_.seed, attenuate_};
        EngineOptions options;
        options.threads = threads_;
        const SinogramData data = [&] {
            ProgressBar bar(context.console, "project");
            return simulateSinograms(what, Phantom::find(phantom_, readVolume),
                                     *context.engines.require("cpu"), options, [&](double share) {
                                         throwIfInterrupted();
                                         bar.update(share);
                                     });
        }();
        writeSinogramData(output_, data);
        if (context.console.json()) {
            const nlohmann::ordered_json form{{"output", output_},
                                              {"counts", data.kept},
                                              {"seed", settings_.seed},
                                              {"sinograms", data.michelogram->sinograms().size()}};
            context.console.resultAsJson(form);
        } else {
            context.console.note(fmt::format("{}: {} counts in {} sinograms", output_, data.kept,
                                             data.michelogram->sinograms().size()));
        }
    }

    void tell(Console& console, const EventList& events, const SimulationReport& report,
              double seconds) const {
        if (console.json()) {
            const nlohmann::ordered_json form{
                {"output", output_},         {"events", events.size()},         {"seed", settings_.seed},
                {"started", report.started}, {"attenuated", report.attenuated}, {"missed", report.missed},
                {"seconds", seconds}};
            console.resultAsJson(form);
        } else {
            console.note(fmt::format(
                "{}: {} events of {} pairs started ({} attenuated, {} missed) in {:.1f} s", output_,
                events.size(), report.started, report.attenuated, report.missed, seconds));
        }
    }

    std::string output_;
    std::string scanner_;
    std::string phantom_;
    SimulationSettings settings_;
    int threads_ = 0;
    LatticeOptions lattice_;
    bool attenuate_ = false;
};

}  // namespace

std::unique_ptr<Command> makeSimulateCommand() {
    return std::make_unique<SimulateCommand>();
}

}  // namespace tof
