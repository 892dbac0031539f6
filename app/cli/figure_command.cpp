// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "recon/base/error.h"
#include "recon/figure/figure.h"

namespace tof {

namespace {

class FigureCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional(
            "TEMPLATE", template_,
            "Template of a figure (JSON), as the page Figure keeps it in STUDY/figures; or a study "
            "folder, of which the first template is made");
        arguments.text("out", out_, "File to write: .pdf or .svg; of a study folder the template, .json",
                       Need::Required);
        arguments.text("study", study_,
                       "Study whose runs are shown; default: the one that holds the template");
        arguments.number("width-mm", width_mm_, 0, 500,
                         "Width in mm, as journals ask for; 0: the template's");
    }

    void run(CommandContext& context) override {
        if (std::filesystem::is_directory(template_)) {
            return begin(context);
        }
        FigureTemplate figure = readFigure(template_);
        const std::string folder = study_.empty() ? studyOfTemplate(template_) : study_;
        if (folder.empty()) {
            throw WrongUse("'{}': lies in no study, so its runs are not known; give --study", template_);
        }
        figure.width_mm = width_mm_ > 0 ? width_mm_ : figure.width_mm;
        const Drawing drawing = drawFigure(figure, Study::open(folder), template_, throwIfInterrupted);
        writeDrawing(out_, drawing);
        tell(context, fmt::format("{}: {:g} x {:.1f} mm, {} panels", out_, drawing.width_mm,
                                  drawing.height_mm, figure.panels.size()));
    }

  private:
    /// A template to begin with, for an editor or the window.
    void begin(CommandContext& context) {
        if (std::filesystem::path(out_).extension() != ".json") {
            throw WrongUse("'{}': of a study folder a template is written; give --out NAME.json", out_);
        }
        FigureTemplate figure = firstFigure(Study::open(template_), throwIfInterrupted);
        figure.width_mm = width_mm_ > 0 ? width_mm_ : figure.width_mm;
        writeFigure(out_, figure);
        tell(context, fmt::format("{}: {} panels", out_, figure.panels.size()));
    }

    void tell(CommandContext& context, const std::string& sentence) const { context.console.note(sentence); }

    std::string template_;
    std::string out_;
    std::string study_;
    double width_mm_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeFigureCommand() {
    return std::make_unique<FigureCommand>();
}

}  // namespace tof
