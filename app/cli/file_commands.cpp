// SPDX-License-Identifier: Apache-2.0
// info and convert: what files hold, and from one format to another.
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_check.h"
#include "app/cli/text_table.h"
#include "recon/io/convert.h"
#include "recon/io/file_kind.h"

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
        arguments.positional(
            "IN", input_,
            "Volume (HDF5, NIfTI, Interfile), run, list-mode (HDF5, CASToR), sinograms (HDF5, "
            "Interfile) or lines of response (HDF5, CASToR histogram)");
        arguments.positional(
            "OUT", output_,
            "Volume: .h5, .nii, .nii.gz or .hv; list-mode and lines: .h5 or .cdh; sinograms: .h5, "
            ".hs or .cdh");
        arguments.integer("iteration", options_.iteration, 0, 100000, "Iterate of a run; 0 takes the last");
        arguments.text("scanner", options_.scannerFile,
                       "Geometry file for list-mode that only names its scanner");
        arguments.flag("partial", options_.partial, "Read truncated list-mode as far as it goes");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        requireWritable(output_);
        const std::string remark = convertFile(input_, output_, options_);
        if (context.console.json()) {
            context.console.resultAsJson({{"output", output_}, {"note", remark}});
        } else {
            context.console.note(remark.empty() ? output_ + ": written" : remark);
        }
    }

  private:
    std::string input_;
    std::string output_;
    ConvertOptions options_;
};

}  // namespace

std::unique_ptr<Command> makeInfoCommand() {
    return std::make_unique<InfoCommand>();
}
std::unique_ptr<Command> makeConvertCommand() {
    return std::make_unique<ConvertCommand>();
}

}  // namespace tof
