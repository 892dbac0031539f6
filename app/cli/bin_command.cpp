// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/lattice_options.h"
#include "app/cli/output_check.h"
#include "recon/binning/binning.h"
#include "recon/binning/ring_binning.h"
#include "recon/core/error.h"
#include "recon/io/data_io.h"
#include "recon/io/list_io.h"
#include "recon/io/ring_io.h"
#include "recon/io/volume_io.h"
#include "recon/simulate/phantom.h"

namespace tof {

namespace {

constexpr float kPerMmOfPerCm = 0.1F;

/// An attenuation volume in 1/mm. Volumes without a unit of their own are in 1/cm, as mu maps usually are.
Volume readAttenuation(const std::string& path) {
    Volume volume = readVolume(path);
    if (volume.units != "1/mm") {
        for (float& value : volume.data) {
            value *= kPerMmOfPerCm;
        }
    }
    return volume;
}

class BinCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("LIST", input_, "List-mode: HDF5, or a CASToR header (.cdh)");
        arguments.positional("OUT", output_, "Data file to write (.h5)");
        arguments.choice("to", form_, {"histo", "sinogram", "lors"},
                         "Form of the data: histo-images of DIRECT, sinograms of a ring scanner, or its "
                         "list-mode as lines of response");
        arguments.custom(
            "views", "AxT", "40x3",
            [this](const std::string& text) {
                const std::vector<int> counts = sizesFromText("--views", text, 2, 1, 4096);
                settings_.azimuths = counts[0];
                settings_.tilts = counts[1];
            },
            "Views: azimuths x tilts");
        lattice_.describe(arguments);
        arguments.flag("trilinear", settings_.trilinear,
                       "Spread events over eight voxels instead of the nearest one");
        arguments.text("scanner", scanner_,
                       "Scanner when the list only names it: built-in name or geometry file; for sinograms "
                       "and lines the ring scanner they belong to");
        arguments.text("mu", mu_,
                       "Attenuation volume in 1/cm, or none; without it the phantom the list names, if any");
        arguments.flag("partial", partial_, "Read truncated list-mode as far as it goes");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        requireWritable(output_);
        settings_.lattice = lattice_.lattice();
        Console& console = context.console;

        console.drawLine("reading " + input_);
        ListReadResult list = readEvents(input_, {partial_, castor() ? scanner_ : std::string()});
        if (!list.note.empty()) {
            console.note(list.note);
        }
        const ThreadPool pool(threads_);
        if (form_ == "sinogram") {
            binSinograms(list.events, pool, console);
            return;
        }
        if (form_ == "lors") {
            keepLines(list.events, console);
            return;
        }
        const Scanner scanner = scannerOf(list.events);
        const std::optional<Volume> attenuation = attenuationFor(list.events, console);
        HistoData data = withBar<HistoData>(console, "deposit", [&](const auto& progress) {
            return depositEvents(list.events, scanner, settings_, pool, progress);
        });
        data.scannerJson = scanner.toJson();
        data.phantom = list.events.phantom;
        data.duration_s = list.events.duration_s;
        list.events = {};  // a large list and its corrections need not be in memory together
        withBar<void>(console, "corrections", [&](const auto& progress) {
            computeMult(data, scanner, attenuation ? &*attenuation : nullptr, pool, progress);
        });
        console.drawLine("writing " + output_);
        writeData(output_, data);
        tell(console, data);
    }

  private:
    void binSinograms(const EventList& events, const ThreadPool& pool, Console& console) const {
        const auto michelogram = std::make_shared<const Michelogram>(MichelogramSpec::find(scanner_));
        const std::optional<Volume> attenuation = attenuationFor(events, console);
        const std::optional<Scanner> scanner = scannerOfList(events);
        RingData data = binEvents(events, scanner ? &*scanner : nullptr, michelogram, settings_.lattice);
        if (attenuation) {
            withBar<void>(console, "attenuation", [&](const auto& progress) {
                applyAttenuation(data, *attenuation, pool, progress);
            });
        }
        console.drawLine("writing " + output_);
        writeRingData(output_, data);
        if (console.json()) {
            const nlohmann::ordered_json form{{"output", output_},
                                              {"sinograms", michelogram->sinograms().size()},
                                              {"angles", michelogram->angles()},
                                              {"radial_bins", michelogram->radialBins()},
                                              {"time_bins", michelogram->timeBins()},
                                              {"grid", data.lattice.size},
                                              {"spacing_mm", data.lattice.spacing_mm},
                                              {"kept", data.kept},
                                              {"rejected", data.rejected}};
            console.resultAsJson(form);
        } else {
            console.note(fmt::format("{}: {} sinograms of {} x {} bins; {} events kept, {} in no bin",
                                     output_, michelogram->sinograms().size(), michelogram->angles(),
                                     michelogram->radialBins(), data.kept, data.rejected));
        }
    }

    void keepLines(const EventList& events, Console& console) const {
        const auto michelogram = std::make_shared<const Michelogram>(MichelogramSpec::find(scanner_));
        const std::optional<Scanner> scanner = scannerOfList(events);
        RingListData data = listLines(events, scanner ? &*scanner : nullptr, michelogram, settings_.lattice);
        data.attenuation = attenuationFor(events, console);
        console.drawLine("writing " + output_);
        writeRingList(output_, data);
        if (console.json()) {
            const nlohmann::ordered_json form{{"output", output_},
                                              {"events", data.events->pairs.size()},
                                              {"time_bins", michelogram->timeBins()},
                                              {"grid", data.lattice.size},
                                              {"spacing_mm", data.lattice.spacing_mm},
                                              {"rejected", data.rejected}};
            console.resultAsJson(form);
        } else {
            console.note(fmt::format("{}: {} lines of response, {} events in no bin", output_,
                                     data.events->pairs.size(), data.rejected));
        }
    }

    /// The scanner that the list's crystals are numbered by; none: the ring scanner.
    [[nodiscard]] std::optional<Scanner> scannerOfList(const EventList& events) const {
        return events.scannerJson.empty() ? std::nullopt
                                          : std::make_optional(Scanner::fromJson(events.scannerJson, input_));
    }

    template <typename Result, typename Work>
    static Result withBar(Console& console, const char* label, const Work& work) {
        ProgressBar bar(console, label);
        return work(std::function<void(double)>([&](double fraction) {
            throwIfInterrupted();
            bar.update(fraction);
        }));
    }

    /// CASToR lists name their scanner; --scanner then is its geometry file, read with the list.
    [[nodiscard]] bool castor() const { return input_.ends_with(".cdh"); }

    [[nodiscard]] Scanner scannerOf(const EventList& events) const {
        if (!scanner_.empty() && !castor()) {
            return Scanner::find(scanner_);
        }
        if (events.scannerJson.empty()) {
            throw BadInput(fmt::format("{}: names no scanner; give --scanner", input_));
        }
        return Scanner::fromJson(events.scannerJson, input_);
    }

    /// What attenuates: --mu, else the phantom the list was simulated from.
    [[nodiscard]] std::optional<Volume> attenuationFor(const EventList& events, Console& console) const {
        if (mu_ == "none") {
            return std::nullopt;
        }
        if (!mu_.empty()) {
            return readAttenuation(mu_);
        }
        if (events.phantom.empty()) {
            console.note("no attenuation: the list names no phantom; give --mu FILE for a measured object");
            return std::nullopt;
        }
        const bool json = events.phantom.front() == '{';
        const Phantom phantom =
            json ? Phantom::fromJson(events.phantom, input_) : Phantom::find(events.phantom, readVolume);
        return phantom.wholeAttenuation(settings_.lattice);
    }

    void tell(Console& console, const HistoData& data) const {
        if (console.json()) {
            const nlohmann::ordered_json form{
                {"output", output_},         {"views", data.views.size()},
                {"grid", data.lattice.size}, {"spacing_mm", data.lattice.spacing_mm},
                {"kept", data.kept},         {"outside", data.outside},
                {"rejected", data.rejected}};
            console.resultAsJson(form);
        } else {
            console.note(fmt::format(
                "{}: {} views of {}; {} events kept, {} outside the lattice, {} outside the "
                "acceptance",
                output_, data.views.size(), data.lattice.text(), data.kept, data.outside, data.rejected));
        }
    }

    std::string input_;
    std::string output_;
    std::string form_ = "histo";
    std::string scanner_;
    std::string mu_;
    LatticeOptions lattice_;
    BinningSettings settings_;
    bool partial_ = false;
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeBinCommand() {
    return std::make_unique<BinCommand>();
}

}  // namespace tof
