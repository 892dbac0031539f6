// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/bin_ring.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/lattice_options.h"
#include "app/cli/list_scanner.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/binning/tof_check.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"

namespace tof {

namespace {

class BinCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional(
            "LIST", input_,
            "List-mode: HDF5, the header of CASToR (.cdh) or Siemens ECAT8 (.l.hdr), or SAFIR; or a "
            "histogram of CASToR");
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
        arguments.text(
            "scanner", scanner_,
            "Scanner when the list only names it: built-in name, geometry file or crystal map; or the "
            "rings whose sinograms or lines these are");
        arguments.text("mu", mu_,
                       "Attenuation volume in 1/cm, or none; without it the phantom the list names, if any");
        arguments.text("corrections", corrections_,
                       "Lines take mult and add from these sinograms (.h5), or their probability of being "
                       "recorded from this CASToR normalisation (.cdh)");
        arguments.choice("randoms", randoms_, {"estimate", "none"},
                         "Randoms of ECAT8 list-mode, from its delayed coincidences");
        arguments.integer("segments", segments_, 0, 4096,
                          "Keep only the first segments of ECAT8 list-mode; 0 keeps all");
        arguments.flag("reverse-tof", reverse_,
                       "Take times of flight as t2 - t1; 'info --check-tof' says which they are");
        arguments.flag("partial", partial_, "Read truncated list-mode as far as it goes");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        requireWritable(output_);
        settings_.lattice = lattice_.lattice();
        Console& console = context.console;

        console.drawLine("reading " + input_);
        const ThreadPool pool(threads_);
        const Attenuation mu{mu_, input_, settings_.lattice};
        const RecognisedFile file = recognise(input_);
        const bool ecat8 = file.dataForm() == DataForm::Addresses;
        if (ecat8 || (file.formatName() == "CASToR" && file.kind() == FileKind::Data)) {
            if (form_ == "histo") {
                throw WrongUse(fmt::format(
                    "{}: its bins have no places in histo-images; bin them --to sinogram or --to lors",
                    input_));
            }
            (ecat8 ? binEcat8 : binHistogram)(ringForm(), mu, pool, console);
            return;
        }
        ListReadResult list = file.readEvents({partial_, rings() ? std::string() : scanner_});
        if (!list.note.empty()) {
            console.note(list.note);
        }
        if (reverse_) {
            for (float& dt : list.events.dt_ps) {
                dt = -dt;
            }
        }
        warnOfSign(list.events, console);
        if (form_ != "histo") {
            binForLines(ringForm(), list.events, mu, pool, console);
            return;
        }
        if (!list.events.mult.empty() || !list.events.add.empty()) {
            console.note(input_ + ": the correction factors stored with the events are not used");
        }
        const Scanner scanner = scannerOfList(list.events, input_, scanner_);
        const std::optional<Volume> attenuation = mu.find(list.events.phantom, console);
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
    /// Times of the wrong sign blur or mirror what was measured: worth a remark.
    void warnOfSign(const EventList& events, Console& console) const {
        if (events.dt_ps.empty() || events.scannerJson.empty()) {
            return;
        }
        const Scanner scanner = Scanner::fromJson(events.scannerJson, input_);
        if (checkTof(referencePoints(scanner), events.crystals, events.dt_ps, scanner.fovRadius_mm).sign ==
            TofSign::Reversed) {
            console.note(fmt::format(
                "{}: the times of flight look reversed; see 'info --check-tof', and bin with {}--reverse-tof",
                input_, reverse_ ? "no " : ""));
        }
    }

    /// True when --scanner names rings; else it is the geometry that the list is read with.
    [[nodiscard]] bool rings() const { return !scanner_.empty() && MichelogramSpec::describes(scanner_); }

    [[nodiscard]] LineForm ringForm() const {
        LineForm form;
        form.input = input_;
        form.output = output_;
        form.lines = form_ == "lors";
        form.rings = rings() ? scanner_ : std::string();
        form.geometry = rings() ? std::string() : scanner_;
        form.corrections = corrections_;
        form.randoms = randoms_ == "estimate";
        form.segments = segments_;
        form.partial = partial_;
        form.lattice = lattice_.lattice();
        form.latticeGiven = lattice_.given;
        return form;
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
    std::string corrections_;
    std::string randoms_ = "estimate";
    int segments_ = 0;
    LatticeOptions lattice_;
    BinningSettings settings_;
    bool partial_ = false;
    bool reverse_ = false;
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeBinCommand() {
    return std::make_unique<BinCommand>();
}

}  // namespace tof
