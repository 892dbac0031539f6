// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/kernel_report.h"
#include "app/cli/lattice_options.h"
#include "app/cli/text_table.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/kernel/kernel_edit.h"
#include "recon/kernel/point_response.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

/// Edges of a file of widths: the farthest |s| of the view, and at least the reach of the presets.
constexpr double kLeastWidthsEnd_mm = 300;

class KernelCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("KERNEL", kernel_,
                             "Preset name (one's own: preset:NAME), JSON file, or JSON text", Need::Optional);
        edits_.describe(arguments);
        arguments.number("azimuth", azimuth_deg_, -360, 360, "Azimuth of the view in degrees");
        arguments.number("tilt", tilt_deg_, -89, 89, "Tilt of the view in degrees");
        lattice_.describe(arguments);
        arguments.number("radius", radius_mm_, 0, 10000,
                         "Distance from the centre, |s| in mm, of the kernel that is sampled");
        arguments.choice("print", print_, {"summary", "slices", "ids", "taps"},
                         "What to print: sizes and widths, the kernel in three planes, the map of kernel "
                         "ids, or the taps");
        arguments.text("out", files_.kernel, "Write the kernel to this JSON file, for --kernel");
        arguments.text("tables", files_.tables, "Write every table to this JSON file");
        arguments.text("widths-csv", files_.widths, "Write width against radius to this CSV file");
        arguments.text("volume", files_.volume, "Write the sampled kernel as a volume: .h5, .nii, .hv");
        arguments.text("id-map", files_.ids, "Write the map of kernel ids as a volume: .h5, .nii, .hv");
        arguments.text("save", save_, "Keep the kernel as a preset of this name");
        arguments.text("delete", delete_, "Delete the preset of this name");
        arguments.flag("list", list_, "List the presets: the program's, and one's own");
    }

    void run(CommandContext& context) override {
        if (list_ || !delete_.empty()) {
            if (!kernel_.empty()) {
                throw WrongUse("--list and --delete take no KERNEL");
            }
            if (!delete_.empty()) {
                library_.remove(delete_);
                context.console.note(fmt::format("deleted the preset '{}'", delete_));
            }
            if (list_) {
                list(context.console);
            }
            return;
        }
        if (kernel_.empty()) {
            throw WrongUse("KERNEL is missing; see 'tofscope-cli kernel --list'");
        }
        const KernelSpec spec = edits_.applied(library_.find(kernel_));
        const View view{azimuth_deg_ * kRadPerDeg, tilt_deg_ * kRadPerDeg};
        const KernelInView kernel = kernelInView(spec, lattice_.lattice(), view, radius_mm_);
        write(context.console, kernel);
        context.console.result(context.console.json() ? jsonText(kernelForm(kernel)) : text(kernel));
    }

  private:
    [[nodiscard]] std::string text(const KernelInView& kernel) const {
        return print_ == "slices" ? kernelSlices(kernel)
               : print_ == "ids"  ? kernelIds(kernel)
               : print_ == "taps" ? kernelTaps(kernel)
                                  : kernelSummary(kernel) + "\n\n" + kernelWidths(kernel);
    }

    void write(Console& console, const KernelInView& kernel) const {
        const auto note = [&](const std::string& file) { console.note(fmt::format("wrote {}", file)); };
        if (!files_.kernel.empty()) {
            writeTextAside(files_.kernel, kernel.spec.toJson() + "\n");
            note(files_.kernel);
        }
        if (!files_.tables.empty()) {
            writeTextAside(files_.tables, jsonText(kernelForm(kernel)) + "\n");
            note(files_.tables);
        }
        if (!files_.widths.empty()) {
            const double end = kernel.tables.radialIds * kernel.spec.id_step_mm;
            writeTextAside(files_.widths, widthsAsCsv(kernel.spec, std::max(end, kLeastWidthsEnd_mm)));
            note(files_.widths);
        }
        if (!files_.volume.empty()) {
            writeVolume({files_.volume, throwIfInterrupted},
                        kernelVolume(kernel.tables, kernel.lattice.spacing_mm, kernel.row));
            note(files_.volume);
        }
        if (!files_.ids.empty()) {
            writeVolume({files_.ids, throwIfInterrupted}, kernelIdMap(kernel.tables.ids, kernel.lattice));
            note(files_.ids);
        }
        if (!save_.empty()) {
            library_.save(save_, kernel.spec);
            console.note(fmt::format("kept as {}{}", kPresetPrefix, save_));
        }
    }

    void list(Console& console) const {
        Json form = Json::array();
        std::vector<std::vector<std::string>> rows{
            {"preset", "TOF ps", "axial mm", "radial mm", "at 288 mm", "cut-off"}};
        const auto add = [&](const std::string& name, bool shipped) {
            const std::string written = shipped ? name : kPresetPrefix + name;
            try {
                const KernelSpec k = library_.load(name);
                form.push_back({{"kernel", written}, {"shipped", shipped}, {"description", k.json()}});
                const bool measured = !k.measured.empty();
                const auto width = [&](double s) {
                    return measured ? std::string("measured") : fmt::format("{:g}", k.radial.at(s));
                };
                rows.push_back({written, fmt::format("{:g}", k.tof_ps), fmt::format("{:g}", k.axial_mm),
                                width(0), width(288), fmt::format("{:g}", k.cutoff)});
            } catch (const BadInput& fault) {  // one bad file does not hide the others
                form.push_back({{"kernel", written}, {"shipped", shipped}, {"fault", fault.what()}});
                rows.push_back({written, "-", "-", "-", "-", "cannot be read"});
            }
        };
        for (const std::string& name : KernelSpec::presetNames()) {
            add(name, true);
        }
        for (const std::string& name : library_.ownNames()) {
            add(name, false);
        }
        if (console.json()) {
            console.resultAsJson(Json{{"folder", library_.folder()}, {"presets", form}});
        } else {
            console.result(textTable(rows));
        }
    }

    struct Files {
        std::string kernel;
        std::string tables;
        std::string widths;
        std::string volume;
        std::string ids;
    };

    KernelLibrary library_ = ownKernels();
    std::string kernel_;
    KernelEdits edits_;
    double azimuth_deg_ = 0;
    double tilt_deg_ = 0;
    double radius_mm_ = 0;
    LatticeOptions lattice_;
    std::string print_ = "summary";
    Files files_;
    std::string save_;
    std::string delete_;
    bool list_ = false;
};

}  // namespace

std::unique_ptr<Command> makeKernelCommand() {
    return std::make_unique<KernelCommand>();
}

}  // namespace tof
