// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/completions.h"
#include "app/cli/console.h"
#include "app/cli/man_page.h"
#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

class ManualCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional(
            "OUT", output_,
            "Folder for man/ and the completions of bash, zsh and fish, laid out as /usr/share; "
            "without it the commands and their options are printed as JSON",
            Need::Optional);
    }

    void run(CommandContext& context) override {
        const ProgramForm program = programForm(context.commands);
        if (output_.empty()) {
            context.console.resultAsJson(asJson(program));
            return;
        }
        write("man/man1/" + program.name + ".1", manPageOf(program));
        for (const CommandForm& command : program.commands) {
            write(fmt::format("man/man1/{}-{}.1", program.name, command.name), manPageOf(program, command));
        }
        write("bash-completion/completions/" + program.name, bashCompletion(program));
        write("zsh/vendor-completions/_" + program.name, zshCompletion(program));
        write("fish/vendor_completions.d/" + program.name + ".fish", fishCompletion(program));
        if (context.console.json()) {
            context.console.resultAsJson({{"files", written_}});
        } else {
            context.console.result(fmt::format("{} files in {}", written_.size(), output_));
        }
    }

  private:
    /// Throws CannotWrite where the folder of the file cannot be made.
    void write(const std::string& name, const std::string& text) {
        const fs::path path = fs::path(output_) / name;
        std::error_code fault;
        fs::create_directories(path.parent_path(), fault);
        if (fault) {
            throw CannotWrite("cannot make the folder '{}': {}; choose another one",
                              path.parent_path().string(), fault.message());
        }
        writeTextAside(path.string(), text);
        written_.push_back(path.string());
    }

    std::string output_;
    std::vector<std::string> written_;
};

}  // namespace

std::unique_ptr<Command> makeManualCommand() {
    return std::make_unique<ManualCommand>();
}

}  // namespace tof
