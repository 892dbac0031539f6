// SPDX-License-Identifier: Apache-2.0
// info and convert: what files hold, and from one format to another.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_check.h"
#include "app/cli/text_table.h"
#include "recon/core/error.h"
#include "recon/io/file_kind.h"
#include "recon/io/list_io.h"
#include "recon/io/volume_io.h"

namespace tof {

namespace {

class InfoCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("FILE", file_, "File or study folder");
    }
    void run(CommandContext& context) override {
        const std::string form = fileInfoJson(file_);
        context.console.result(context.console.json() ? form : jsonAsLines(form));
    }

  private:
    std::string file_;
};

class ConvertCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("IN", input_,
                             "Volume (HDF5, NIfTI, Interfile; a run counts as its last image) or "
                             "list-mode (HDF5, CASToR)");
        arguments.positional("OUT", output_, "Volume: .h5, .nii, .nii.gz or .hv; list-mode: .h5");
        arguments.text("scanner", scanner_, "Geometry file for list-mode that only names its scanner");
        arguments.flag("partial", partial_, "Read truncated list-mode as far as it goes");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        if (fileKind(input_) == FileKind::List) {
            convertList(context.console);
        } else {
            const Volume volume = readVolume(input_);
            writeVolume(output_, volume);
            report(context.console, "volume", fmt::format("volume, {}", volume.lattice.text()));
        }
    }

  private:
    void convertList(Console& console) const {
        if (!output_.ends_with(".h5")) {
            throw WrongUse(
                fmt::format("list-mode is written as HDF5 only; name the output '{}.h5'", output_));
        }
        ListReadOptions options;
        options.partial = partial_;
        options.scannerFile = scanner_;
        const ListReadResult list = readEvents(input_, options);
        if (!list.note.empty()) {
            console.note(list.note);
        }
        writeEvents(output_, list.events);
        report(console, "list", fmt::format("list-mode, {} events", list.events.size()));
    }

    void report(Console& console, const std::string& kind, const std::string& text) const {
        if (console.json()) {
            console.result(nlohmann::ordered_json{{"output", output_}, {"kind", kind}}.dump(2));
        } else {
            console.note(fmt::format("{}: {}", output_, text));
        }
    }

    std::string input_;
    std::string output_;
    std::string scanner_;
    bool partial_ = false;
};

}  // namespace

std::unique_ptr<Command> makeInfoCommand() {
    return std::make_unique<InfoCommand>();
}
std::unique_ptr<Command> makeConvertCommand() {
    return std::make_unique<ConvertCommand>();
}

}  // namespace tof
