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

QString KernelLabPage::whyNotInFront() const {
    return isInFront() ? QString() : tr("Open the Kernel lab first");
}

void KernelLabPage::addCommands(CommandRegistry& commands) {
    addFormCommands(commands);
    addFileCommands(commands);
    addPointCommands(commands);
    addPictureCommands(commands);
    addResultCommands(commands);
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

void KernelLabPage::addFormCommands(CommandRegistry& commands) {
    const std::tuple<KernelLab::Spread, const char*, QString, QString> spreads[] = {
        {KernelLab::Spread::Invariant, "lab.invariant", tr("Invariant"), tr("One kernel for every voxel")},
        {KernelLab::Spread::Variant, "lab.variant", tr("Variant"),
         tr("The radial width depends on the distance from the centre")},
        {KernelLab::Spread::Measured, "lab.measured", tr("Measured"),
         tr("Radial profiles that were measured")}};
    for (const auto& [spread, id, text, help] : spreads) {
        commands.add({.id = id,
                      .menu = "Kernel",
                      .text = text,
                      .help = help,
                      .run = [this, s = spread] { lab_.setSpread(s); },
                      .whyNot =
                          [this, s = spread] {
                              return s == KernelLab::Spread::Measured && !lab_.hasMeasured()
                                         ? tr("Load a measured kernel first (a JSON file)")
                                         : whyNotInFront();
                          },
                      .checked = [this, s = spread] { return lab_.spread() == s; },
                      .separatorBefore = spread == KernelLab::Spread::Invariant});
    }
    const std::tuple<bool, const char*, QString, QString> forms[] = {
        {false, "lab.symmetric", tr("Symmetric"), tr("One Gaussian along each axis")},
        {true, "lab.asymmetric", tr("Asymmetric"), tr("A second, wider Gaussian moved towards the centre")}};
    for (const auto& [asymmetric, id, text, help] : forms) {
        commands.add(
            {.id = id,
             .menu = "Kernel",
             .text = text,
             .help = help,
             .run = [this, on = asymmetric] { lab_.setAsymmetric(on); },
             .whyNot =
                 [this] {
                     return lab_.spread() == KernelLab::Spread::Measured
                                ? tr("A measured kernel is as asymmetric as it was measured")
                                : whyNotInFront();
                 },
             .checked = [this, on = asymmetric] { return lab_.kernel().asymmetry.has_value() == on; },
             .separatorBefore = !asymmetric});
    }
    const std::tuple<bool, const char*, QString, QString> samplings[] = {
        {false, "lab.sampling-centre", tr("At voxel centres"),
         tr("Values of the kernel at the centres of voxels, as the papers take them")},
        {true, "lab.sampling-voxel", tr("Over voxels"),
         tr("Values averaged over a source voxel filled evenly and the target voxel")}};
    for (const auto& [averaged, id, text, help] : samplings) {
        commands.add(
            {.id = id,
             .menu = "Kernel",
             .text = text,
             .help = help,
             .run = [this, on = averaged] { lab_.setAveraged(on); },
             .whyNot = [this] { return whyNotInFront(); },
             .checked = [this,
                         on = averaged] { return (lab_.kernel().sampling == KernelSampling::Voxel) == on; },
             .separatorBefore = !averaged});
    }
}

void KernelLabPage::addFileCommands(CommandRegistry& commands) {
    const auto notShown = [this] { return whyNotInFront(); };
    commands.add(
        "Kernel",
        {{.id = "lab.load",
          .text = tr("Load kernel"),
          .help = tr("Reads a kernel, described or measured, from a JSON file"),
          .icon = "open",
          .run = [this] { loadKernel(); },
          .whyNot = notShown,
          .separatorBefore = true},
         {.id = "lab.save-preset",
          .text = tr("Save preset"),
          .help = tr("Keeps the lab's kernel under a name: for runs, the lab and --kernel preset:NAME"),
          .icon = "add",
          .run = [this] { savePreset(); },
          .whyNot = notShown},
         {.id = "lab.delete-preset",
          .text = tr("Delete preset"),
          .help = tr("Deletes the preset of one's own that the lab's kernel comes from; the kernel stays"),
          .icon = "delete",
          .run = [this] { deletePreset(); },
          .whyNot =
              [this] {
                  return lab_.origin().startsWith(kPresetPrefix)
                             ? whyNotInFront()
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
              },
          .whyNot = notShown},
         {.id = "lab.use",
          .text = tr("Use for the next run"),
          .help = tr("The next run reconstructs with the lab's kernel"),
          .run = [this] { useForNextRun(); },
          .whyNot = notShown}});
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

void KernelLabPage::addPointCommands(CommandRegistry& commands) {
    commands.add(
        "Kernel",
        {{.id = "lab.add-point",
          .text = tr("Add point source"),
          .help = tr("Adds a point source at the lab's cursor"),
          .run = [this] { static_cast<void>(lab_.addPoint(lab_.cursor())); },
          .whyNot = [this] { return whyNotInFront(); },
          .separatorBefore = true},
         {.id = "lab.remove-point",
          .text = tr("Remove point source"),
          .help = tr("Removes the selected point source"),
          .run = [this] { lab_.removePoint(lab_.selectedPoint()); },
          .whyNot =
              [this] {
                  return lab_.selectedPoint() < 0 ? tr("No point source is selected") : whyNotInFront();
              }},
         {.id = "lab.clear-points",
          .text = tr("Clear point sources"),
          .brief = tr("Clear"),
          .help = tr("Removes every point source"),
          .run = [this] { lab_.clearPoints(); },
          .whyNot =
              [this] { return lab_.points().empty() ? tr("There are no point sources") : whyNotInFront(); }},
         {.id = "lab.image",
          .text = tr("Project the image on screen"),
          .brief = tr("Image"),
          .help = tr("Projects the image on screen in place of the point sources"),
          .run = [this] { setProjectsImage(!lab_.projectsImage()); },
          .whyNot =
              [this] {
                  const QString why = whyNotInFront();
                  return why.isEmpty() ? whyNoImage() : why;
              },
          .checked = [this] { return lab_.projectsImage(); }}});
}

void KernelLabPage::addPictureCommands(CommandRegistry& commands) {
    const auto notShown = [this] { return whyNotInFront(); };
    commands.add("Kernel",
                 {{.id = "lab.mip",
                   .text = tr("Maximum intensity"),
                   .brief = tr("MIP"),
                   .help = tr("Shows all slices at once; off shows the slice at the cursor"),
                   .run = [this] { setMip(!mip()); },
                   .whyNot = notShown,
                   .checked = [this] { return mip(); },
                   .separatorBefore = true},
                  {.id = "lab.reset-view",
                   .text = tr("Fit the point sources"),
                   .help = tr("Zoom and pan of the lab's pictures so that every point source is in them"),
                   .run = [this] { resetView(); },
                   .whyNot = notShown},
                  {.id = "lab.presets",
                   .text = tr("Presets in the plot"),
                   .brief = tr("Presets"),
                   .help = tr("Draws the widths of the presets behind those of the kernel"),
                   .run = [this] { plot_->setPresetsShown(!plot_->presetsShown()); },
                   .whyNot = notShown,
                   .checked = [this] { return plot_->presetsShown(); }}});
    const std::tuple<Side, const char*, QString, QString, QString> sides[] = {
        {Side::Settings, "lab.side-settings", tr("Lab settings"), tr("Settings"),
         tr("A narrow window shows the lab's settings beside the pictures")},
        {Side::Kernel, "lab.side-kernel", tr("Kernel and times"), tr("Kernel"),
         tr("A narrow window shows the kernel's picture and the times beside the pictures")}};
    for (const auto& [which, id, text, brief, help] : sides) {
        commands.add({.id = id,
                      .menu = "Kernel",
                      .text = text,
                      .brief = brief,
                      .help = help,
                      .run = [this, s = which] { showSide(s); },
                      .whyNot =
                          [this] {
                              const QString why = whyNotInFront();
                              return !why.isEmpty() ? why
                                     : narrow_      ? QString()
                                                    : tr("The window is wide enough for both");
                          },
                      .checked = [this, s = which] { return narrow_ && side_ == s; }});
    }
    const std::tuple<KernelPicture::Kind, const char*, QString, QString, QString> kinds[] = {
        {KernelPicture::Kind::Slice, "lab.slice", tr("Kernel as a slice"), tr("Slice"),
         tr("The kernel at the selected radius, cut through its middle")},
        {KernelPicture::Kind::Surface, "lab.surface", tr("Kernel as a surface"), tr("Surface"),
         tr("The surface where the kernel reaches the level below it; drag turns it")},
        {KernelPicture::Kind::Ids, "lab.ids", tr("Map of kernel ids"), tr("Ids"),
         tr("Which kernel serves which column of voxels in this view")}};
    for (const auto& [kind, id, text, brief, help] : kinds) {
        commands.add({.id = id,
                      .menu = "Kernel",
                      .text = text,
                      .brief = brief,
                      .help = help,
                      .run =
                          [this, k = kind] {
                              readout_->picture()->setKind(k);
                              showSide(Side::Kernel);
                          },
                      .whyNot = notShown,
                      .checked = [this, k = kind] { return readout_->picture()->kind() == k; }});
    }
    commands.add({.id = "lab.auto-limit",
                  .menu = "Kernel",
                  .text = tr("Auto limit of the difference"),
                  .brief = tr("Auto"),
                  .help = tr("Limit of A - B at its largest size; of images at the 99.9th percentile"),
                  .run = [this] { setAutoLimit(); },
                  .whyNot = notShown,
                  .checked = [this] { return autoLimit_; }});
}

void KernelLabPage::addResultCommands(CommandRegistry& commands) {
    const auto notShown = [this] { return whyNotInFront(); };
    commands.add(
        "Kernel",
        {{.id = "lab.measure",
          .text = tr("Measure all strategies"),
          .help = tr("Times forward and back projection by every strategy and tests adjointness"),
          .run =
              [this] {
                  lab_.measure();
                  showSide(Side::Kernel);
              },
          .whyNot =
              [this] { return lab_.results().measuring() ? tr("Measuring already") : whyNotInFront(); }},
         {.id = "lab.compare",
          .text = tr("Compare projections"),
          .help =
              tr("Puts both projections beside the runs, as volumes, and opens the Compare page with them"),
          .run = [this] { compareProjections(); },
          .whyNot =
              [this] {
                  const auto& shown = lab_.results().pictures();
                  const bool both = shown != nullptr && !shown->preview && shown->volume[0] != nullptr &&
                                    shown->volume[1] != nullptr;
                  return both ? whyNotInFront() : tr("There are not two projections yet");
              }}});
    commands.add("Tools",
                 {{.id = "export.lab",
                   .text = tr("Copy lab figures"),
                   .help = tr("Puts the numbers under the lab's projections on the clipboard"),
                   .icon = "copy",
                   .run = [this] { QApplication::clipboard()->setText(figuresText()); },
                   .whyNot = notShown},
                  {.id = "export.widths",
                   .text = tr("Export widths"),
                   .help = tr("Writes the width against the radius, with the presets, to a CSV file"),
                   .icon = "export",
                   .run =
                       [this] {
                           saveTextAs(*this, models_.messages, tr("Export widths"), "widths.csv",
                                      plot_->toCsv());
                       },
                   .whyNot = notShown}});
}

void KernelLabPage::compareProjections() {
    const LabPictures& shown = *lab_.results().pictures();
    const auto keep = [&](int side) {
        const QString way = lab_.operand(side).text().replace(':', ' ');
        return models_.runs.addVolume(tr("%1, %2\u00b0").arg(way, numberText(lab_.azimuth_deg(), 1)),
                                      shown.volume[side]);
    };
    const int a = keep(0);
    const int b = keep(1);
    Q_EMIT compareRequested(a, b);
}

}  // namespace tof::ui
