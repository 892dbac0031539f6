// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>

#include "recon/base/error.h"
#include "ui/desk/live_tuning.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/settings_model.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/save_file.h"
#include "ui/kit/theme.h"
#include "ui/lab/kernel_lab_page.h"

namespace tof::ui {

namespace {

/// One of several commands of which one is checked.
template <typename Value>
struct Choice {
    Value value;
    const char* id;
    QString text, brief, help;
    bool separatorBefore = false;
};

template <typename Value>
std::vector<Command> choiceRows(const std::vector<Choice<Value>>& choices,
                                const std::function<void(Value)>& take, const std::function<bool(Value)>& is,
                                const std::function<QString(Value)>& whyNot = {}) {
    std::vector<Command> rows;
    for (const auto& [value, id, text, brief, help, separatorBefore] : choices) {
        rows.push_back({.id = id, .text = text, .brief = brief, .help = help});
        rows.back().run = [take, v = value] { take(v); };
        rows.back().checked = [is, v = value] { return is(v); };
        rows.back().whyNot = [whyNot, v = value] { return whyNot ? whyNot(v) : QString(); };
        rows.back().separatorBefore = separatorBefore;
    }
    return rows;
}

}  // namespace

void KernelLabPage::addCommands(CommandRegistry& commands) {
    addFormCommands(commands);
    addFileCommands(commands);
    addPictureCommands(commands);
    // With live tuning on, an edit of the kernel is a changed setting of the open data.
    connect(&lab_, &KernelLab::edited, this, [this, &commands, last = lab_.kernel()]() mutable {
        const KernelSpec& now = lab_.kernel();
        if (now != last && models_.live.on() && models_.study.histo() != nullptr && isVisible()) {
            commands.trigger("lab.use");
        }
        last = now;
        Q_EMIT commandsChanged();
    });
    connect(&lab_, &KernelLab::computed, this, &Page::commandsChanged);
}

void KernelLabPage::addRows(CommandRegistry& commands, const QString& menu, std::vector<Command> rows) {
    for (Command& row : rows) {
        row.whyNot = [this, own = std::move(row.whyNot)] {
            const QString why = own ? own() : QString();
            return isInFront() || !why.isEmpty() ? why : tr("Open the Kernel lab first");
        };
    }
    commands.add(menu, std::move(rows));
}

void KernelLabPage::addFormCommands(CommandRegistry& commands) {
    using Spread = KernelLab::Spread;
    addRows(commands, "Kernel",
            choiceRows<Spread>(
                {{Spread::Invariant, "lab.invariant", tr("Invariant"), "", tr("One kernel for every voxel"),
                  true},
                 {Spread::Variant, "lab.variant", tr("Variant"), "",
                  tr("The radial width depends on the distance from the centre")},
                 {Spread::Measured, "lab.measured", tr("Measured"), "",
                  tr("Radial profiles that were measured")}},
                [this](Spread s) { lab_.setSpread(s); }, [this](Spread s) { return lab_.spread() == s; },
                [this](Spread s) {
                    return s == Spread::Measured && !lab_.hasMeasured()
                               ? tr("Load a measured kernel first (a JSON file)")
                               : QString();
                }));
    addRows(commands, "Kernel",
            choiceRows<bool>(
                {{false, "lab.symmetric", tr("Symmetric"), "", tr("One Gaussian along each axis"), true},
                 {true, "lab.asymmetric", tr("Asymmetric"), "",
                  tr("A second, wider Gaussian moved towards the centre")}},
                [this](bool on) { lab_.setAsymmetric(on); },
                [this](bool on) { return lab_.kernel().asymmetry.has_value() == on; },
                [this](bool) {
                    return lab_.spread() == Spread::Measured
                               ? tr("A measured kernel is as asymmetric as it was measured")
                               : QString();
                }));
    addRows(commands, "Kernel",
            choiceRows<bool>(
                {{false, "lab.sampling-centre", tr("At voxel centres"), "",
                  tr("Values of the kernel at the centres of voxels, as the papers take them"), true},
                 {true, "lab.sampling-voxel", tr("Over voxels"), "",
                  tr("Values averaged over a source voxel filled evenly and the target voxel")}},
                [this](bool on) { lab_.setAveraged(on); },
                [this](bool on) { return (lab_.kernel().sampling == KernelSampling::Voxel) == on; }));
}

void KernelLabPage::addFileCommands(CommandRegistry& commands) {
    addRows(
        commands, "Kernel",
        {{.id = "lab.load",
          .text = tr("Load kernel"),
          .help = tr("Reads a kernel, described or measured, from a JSON file"),
          .icon = "open",
          .run = [this] { loadKernel(); },
          .separatorBefore = true},
         {.id = "lab.save-preset",
          .text = tr("Save preset"),
          .help = tr("Keeps the lab's kernel under a name: for runs, the lab and --kernel preset:NAME"),
          .icon = "add",
          .run = [this] { savePreset(); }},
         {.id = "lab.delete-preset",
          .text = tr("Delete preset"),
          .help = tr("Deletes the preset of one's own that the lab's kernel comes from; the kernel stays"),
          .icon = "delete",
          .run = [this] { deletePreset(); },
          .whyNot =
              [this] {
                  return lab_.origin().startsWith(kPresetPrefix)
                             ? QString()
                             : tr("The lab's kernel does not come from a preset of one's own");
              }},
         {.id = "lab.export",
          .text = tr("Export kernel"),
          .help = tr("Writes the lab's kernel to a JSON file that any run can use"),
          .icon = "export",
          .run =
              [this] {
                  saveTextAs(*this, models_.messages, tr("Save kernel"), "kernel.json",
                             QString::fromStdString(lab_.kernel().toJson()) + "\n");
              }},
         {.id = "lab.use",
          .text = tr("Use for the next run"),
          .help = tr("The next run reconstructs with the lab's kernel"),
          .run = [this] { useForNextRun(); }},
         {.id = "lab.add-point",
          .text = tr("Add point source"),
          .help = tr("Adds a point source at the lab's cursor"),
          .run = [this] { static_cast<void>(lab_.addPoint(lab_.cursor())); },
          .separatorBefore = true},
         {.id = "lab.remove-point",
          .text = tr("Remove point source"),
          .help = tr("Removes the selected point source"),
          .run = [this] { lab_.removePoint(lab_.selectedPoint()); },
          .whyNot =
              [this] { return lab_.selectedPoint() < 0 ? tr("No point source is selected") : QString(); }},
         {.id = "lab.clear-points",
          .text = tr("Clear point sources"),
          .brief = tr("Clear"),
          .help = tr("Removes every point source"),
          .run = [this] { lab_.clearPoints(); },
          .whyNot = [this] { return lab_.points().empty() ? tr("There are no point sources") : QString(); }},
         {.id = "lab.image",
          .text = tr("Project the image on screen"),
          .brief = tr("Image"),
          .help = tr("Projects the image on screen in place of the point sources"),
          .run = [this] { setProjectsImage(!lab_.projectsImage()); },
          .whyNot = [this] { return isInFront() ? whyNoImage() : QString(); },
          .checked = [this] { return lab_.projectsImage(); }}});
}

void KernelLabPage::loadKernel() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Load kernel"), QString(),
                                                      tr("Kernels (*.json);;All files (*)"));
    if (!file.isEmpty()) {
        models_.messages.guard(tr("Loading a kernel"), [&] { lab_.usePreset(file.toStdString()); });
    }
}

void KernelLabPage::savePreset() {
    const bool own = lab_.origin().startsWith(kPresetPrefix);
    bool ok = false;
    const QString name = QInputDialog::getText(this, tr("Save preset"), tr("Name of the kernel"),
                                               QLineEdit::Normal, own ? lab_.originName() : QString(), &ok)
                             .trimmed();
    if (!ok || name.isEmpty()) {
        return;
    }
    models_.messages.guard(tr("Saving a preset"), [&] {
        const QString preset = kPresetPrefix + name;
        if (models_.settings.kernels().isOwn(name.toStdString()) && preset != lab_.origin()) {
            throw WrongUse(tr("there is a preset '%1': choose it and delete it first, or take another name")
                               .arg(name)
                               .toStdString());
        }
        models_.settings.saveKernel(name, lab_.kernel());
        lab_.setOrigin(preset);
    });
}

void KernelLabPage::deletePreset() {
    models_.messages.guard(tr("Deleting a preset"), [this] {
        const QString name = lab_.originName();
        models_.settings.deleteKernel(name);
        lab_.setOrigin(name);
    });
}

void KernelLabPage::useForNextRun() {
    const std::string origin = lab_.origin().toStdString();
    const bool preset =
        !lab_.changedSinceOrigin() && (KernelLibrary::isShipped(origin) || origin.starts_with(kPresetPrefix));
    models_.messages.guard(tr("Using the lab's kernel"),
                           [&] { models_.settings.set("kernel", preset ? origin : lab_.kernel().toJson()); });
}

void KernelLabPage::addPictureCommands(CommandRegistry& commands) {
    addRows(commands, "Kernel",
            {{.id = "lab.mip",
              .text = tr("Maximum intensity"),
              .brief = tr("MIP"),
              .help = tr("Shows all slices at once; off shows the slice at the cursor"),
              .run = [this] { setMip(!mip()); },
              .checked = [this] { return mip(); },
              .separatorBefore = true},
             {.id = "lab.reset-view",
              .text = tr("Fit the point sources"),
              .help = tr("Zoom and pan of the lab's pictures so that every point source is in them"),
              .run = [this] { resetView(); }},
             {.id = "lab.presets",
              .text = tr("Presets in the plot"),
              .brief = tr("Presets"),
              .help = tr("Draws the widths of the presets behind those of the kernel"),
              .run = [this] { plot_->setPresetsShown(!plot_->presetsShown()); },
              .checked = [this] { return plot_->presetsShown(); }}});
    addRows(commands, "Kernel",
            choiceRows<Side>(
                {{Side::Settings, "lab.side-settings", tr("Lab settings"), tr("Settings"),
                  tr("A narrow window shows the lab's settings beside the pictures")},
                 {Side::Kernel, "lab.side-kernel", tr("Kernel and times"), tr("Kernel"),
                  tr("A narrow window shows the kernel's picture and the times beside the pictures")}},
                [this](Side s) { showSide(s); }, [this](Side s) { return narrow_ && side_ == s; },
                [this](Side) {
                    return narrow_ || !isInFront() ? QString() : tr("The window is wide enough for both");
                }));
    using Kind = KernelPicture::Kind;
    addRows(commands, "Kernel",
            choiceRows<Kind>(
                {{Kind::Slice, "lab.slice", tr("Kernel as a slice"), tr("Slice"),
                  tr("The kernel at the selected radius, cut through its middle")},
                 {Kind::Surface, "lab.surface", tr("Kernel as a surface"), tr("Surface"),
                  tr("The surface where the kernel reaches the level below it; drag turns it")},
                 {Kind::Ids, "lab.ids", tr("Map of kernel ids"), tr("Ids"),
                  tr("Which kernel serves which column of voxels in this view")}},
                [this](Kind k) {
                    readout_->picture()->setKind(k);
                    showSide(Side::Kernel);
                },
                [this](Kind k) { return readout_->picture()->kind() == k; }));
    addRows(
        commands, "Kernel",
        {{.id = "lab.auto-limit",
          .text = tr("Auto limit of the difference"),
          .brief = tr("Auto"),
          .help = tr("Limit of A - B at its largest size; of images at the 99.9th percentile"),
          .run = [this] { setAutoLimit(); },
          .checked = [this] { return autoLimit_; }},
         {.id = "lab.measure",
          .text = tr("Measure all strategies"),
          .help = tr("Times forward and back projection by every strategy and tests adjointness"),
          .run =
              [this] {
                  lab_.measure();
                  showSide(Side::Kernel);
              },
          .whyNot = [this] { return lab_.results().measuring() ? tr("Measuring already") : QString(); }},
         {.id = "lab.compare",
          .text = tr("Compare projections"),
          .help =
              tr("Puts both projections beside the runs, as volumes, and opens the Compare page with them"),
          .run = [this] { compareProjections(); },
          .whyNot =
              [this] {
                  const auto& shown = lab_.results().pictures();
                  const bool both = shown != nullptr && !shown->preview &&
                                    shown->sides[0].volume != nullptr && shown->sides[1].volume != nullptr;
                  return both ? QString() : tr("There are not two projections yet");
              }}});
    addRows(commands, "Tools",
            {{.id = "export.lab",
              .text = tr("Copy lab figures"),
              .help = tr("Puts the numbers under the lab's projections on the clipboard"),
              .icon = "copy",
              .run = [this] { QApplication::clipboard()->setText(figuresText()); }},
             {.id = "export.widths",
              .text = tr("Export widths"),
              .help = tr("Writes the width against the radius, with the presets, to a CSV file"),
              .icon = "export",
              .run = [this] {
                  saveTextAs(*this, models_.messages, tr("Export widths"), "widths.csv", plot_->toCsv());
              }}});
}

void KernelLabPage::compareProjections() {
    const LabPictures& shown = *lab_.results().pictures();
    const auto keep = [&](int side) {
        const QString way = lab_.operand(side).text().replace(':', ' ');
        return models_.runs.addVolume(tr("%1, %2\u00b0").arg(way, numberText(lab_.azimuth_deg(), 1)),
                                      shown.sides[static_cast<std::size_t>(side)].volume);
    };
    const int a = keep(0);
    const int b = keep(1);
    Q_EMIT compareRequested(a, b);
}

}  // namespace tof::ui
