// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>
#include <QStackedWidget>
#include <algorithm>

#include "recon/base/error.h"
#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::saveKernelPreset() {
    KernelLab& lab = lab_->lab();
    const bool own = lab.origin().startsWith(kPresetPrefix);
    bool ok = false;
    const QString name = QInputDialog::getText(this, tr("Save preset"), tr("Name of the kernel"),
                                               QLineEdit::Normal, own ? lab.originName() : QString(), &ok)
                             .trimmed();
    if (!ok || name.isEmpty()) {
        return;
    }
    carefully(tr("Saving a preset"), [&] {
        const QString preset = kPresetPrefix + name;
        if (workspace_.kernels().isOwn(name.toStdString()) && preset != lab.origin()) {
            throw WrongUse(tr("there is a preset '%1': choose it and delete it first, or take another name")
                               .arg(name)
                               .toStdString());
        }
        workspace_.saveKernel(name, lab.kernel());
        lab.setOrigin(preset);
    });
}

void MainWindow::addPresetCommands() {
    KernelLab& lab = lab_->lab();
    const auto notShown = [this] {
        return centre_->currentWidget() == lab_ ? QString() : tr("Open the Kernel lab first");
    };
    commands_->add(
        {.id = "lab.save-preset",
         .menu = "Kernel",
         .text = tr("Save preset"),
         .help = tr("Keeps the lab's kernel under a name: for runs, the lab and --kernel preset:NAME"),
         .icon = "add",
         .run = [this] { saveKernelPreset(); },
         .whyNot = notShown});
    commands_->add(
        {.id = "lab.delete-preset",
         .menu = "Kernel",
         .text = tr("Delete preset"),
         .help = tr("Deletes the preset of one's own that the lab's kernel comes from; the kernel stays"),
         .icon = "delete",
         .run =
             [this, &lab] {
                 carefully(tr("Deleting a preset"), [&] {
                     const QString name = lab.originName();
                     workspace_.deleteKernel(name);
                     lab.setOrigin(name);
                 });
             },
         .whyNot =
             [&lab, notShown] {
                 return lab.origin().startsWith(kPresetPrefix)
                            ? notShown()
                            : tr("The lab's kernel does not come from a preset of one's own");
             }});
}

void MainWindow::addLabCommands() {
    KernelLab& lab = lab_->lab();
    const auto notShown = [this] {
        return centre_->currentWidget() == lab_ ? QString() : tr("Open the Kernel lab first");
    };
    commands_->add({.id = "page.lab",
                    .menu = "Kernel",
                    .text = tr("Kernel lab"),
                    .help = tr("What a kernel is and does: widths, point sources, engines, live"),
                    .icon = "kernel",
                    .keys = {QKeySequence(Qt::Key_K)},
                    .run =
                        [this] {
                            centre_->setCurrentWidget(
                                centre_->currentWidget() == lab_ ? static_cast<QWidget*>(viewer_) : lab_);
                            refresh();
                        },
                    .checked = [this] { return centre_->currentWidget() == lab_; }});
    const std::tuple<KernelLab::Spread, const char*, QString, QString> spreads[] = {
        {KernelLab::Spread::Invariant, "lab.invariant", tr("Invariant"), tr("One kernel for every voxel")},
        {KernelLab::Spread::Variant, "lab.variant", tr("Variant"),
         tr("The radial width depends on the distance from the centre")},
        {KernelLab::Spread::Measured, "lab.measured", tr("Measured"),
         tr("Radial profiles that were measured")}};
    for (const auto& [spread, id, text, help] : spreads) {
        commands_->add({.id = id,
                        .menu = "Kernel",
                        .text = text,
                        .help = help,
                        .run = [&lab, s = spread] { lab.setSpread(s); },
                        .whyNot =
                            [&lab, s = spread, notShown] {
                                return s == KernelLab::Spread::Measured && !lab.hasMeasured()
                                           ? tr("Load a measured kernel first (a JSON file)")
                                           : notShown();
                            },
                        .checked = [&lab, s = spread] { return lab.spread() == s; },
                        .separatorBefore = spread == KernelLab::Spread::Invariant});
    }
    for (const bool asymmetric : {false, true}) {
        commands_->add(
            {.id = asymmetric ? "lab.asymmetric" : "lab.symmetric",
             .menu = "Kernel",
             .text = asymmetric ? tr("Asymmetric") : tr("Symmetric"),
             .help = asymmetric ? tr("A second, wider Gaussian moved towards the centre")
                                : tr("One Gaussian along each axis"),
             .run = [&lab, asymmetric] { lab.setAsymmetric(asymmetric); },
             .whyNot =
                 [&lab, notShown] {
                     return lab.spread() == KernelLab::Spread::Measured
                                ? tr("A measured kernel is as asymmetric as it was measured")
                                : notShown();
                 },
             .checked = [&lab, asymmetric] { return lab.kernel().asymmetry.has_value() == asymmetric; },
             .separatorBefore = !asymmetric});
    }
    commands_->add({.id = "lab.load",
                    .menu = "Kernel",
                    .text = tr("Load kernel"),
                    .help = tr("Reads a kernel, described or measured, from a JSON file"),
                    .icon = "open",
                    .run =
                        [this, &lab] {
                            const QString file = QFileDialog::getOpenFileName(
                                this, tr("Load kernel"), QString(), tr("Kernels (*.json);;All files (*)"));
                            if (!file.isEmpty()) {
                                carefully(tr("Loading a kernel"), [&] { lab.usePreset(file.toStdString()); });
                            }
                        },
                    .whyNot = notShown,
                    .separatorBefore = true});
    addPresetCommands();
    commands_->add({.id = "lab.export",
                    .menu = "Kernel",
                    .text = tr("Export kernel"),
                    .help = tr("Writes the lab's kernel to a JSON file that any run can use"),
                    .icon = "export",
                    .run =
                        [this, &lab] {
                            saveText(tr("Save kernel"), "kernel.json",
                                     QString::fromStdString(lab.kernel().toJson()) + "\n");
                        },
                    .whyNot = notShown});
    commands_->add({.id = "lab.use",
                    .menu = "Kernel",
                    .text = tr("Use for the next run"),
                    .help = tr("The next run reconstructs with the lab's kernel"),
                    .run =
                        [this, &lab] {
                            const std::string origin = lab.origin().toStdString();
                            const bool preset =
                                !lab.changedSinceOrigin() &&
                                (KernelLibrary::isShipped(origin) || origin.starts_with(kPresetPrefix));
                            carefully(tr("Using the lab's kernel"), [&] {
                                workspace_.setSetting("kernel", preset ? origin : lab.kernel().toJson());
                            });
                        },
                    .whyNot = notShown});
    commands_->add({.id = "lab.add-point",
                    .menu = "Kernel",
                    .text = tr("Add point source"),
                    .help = tr("Adds a point source at the lab's cursor"),
                    .run = [&lab] { static_cast<void>(lab.addPoint(lab.cursor())); },
                    .whyNot = notShown,
                    .separatorBefore = true});
    commands_->add({.id = "lab.remove-point",
                    .menu = "Kernel",
                    .text = tr("Remove point source"),
                    .help = tr("Removes the selected point source"),
                    .run = [&lab] { lab.removePoint(lab.selectedPoint()); },
                    .whyNot =
                        [&lab, notShown] {
                            return lab.selectedPoint() < 0 ? tr("No point source is selected") : notShown();
                        }});
    commands_->add({.id = "lab.clear-points",
                    .menu = "Kernel",
                    .text = tr("Clear point sources"),
                    .brief = tr("Clear"),
                    .help = tr("Removes every point source"),
                    .run = [&lab] { lab.clearPoints(); },
                    .whyNot =
                        [&lab, notShown] {
                            return lab.points().empty() ? tr("There are no point sources") : notShown();
                        }});
    commands_->add({.id = "lab.image",
                    .menu = "Kernel",
                    .text = tr("Project the image on screen"),
                    .brief = tr("Image"),
                    .help = tr("Projects the image on screen in place of the point sources"),
                    .run = [this, &lab] { lab_->setProjectsImage(!lab.projectsImage()); },
                    .whyNot =
                        [this, notShown] {
                            const QString why = notShown();
                            return why.isEmpty() ? lab_->whyNoImage() : why;
                        },
                    .checked = [&lab] { return lab.projectsImage(); }});
    commands_->add({.id = "lab.mip",
                    .menu = "Kernel",
                    .text = tr("Maximum intensity"),
                    .brief = tr("MIP"),
                    .help = tr("Shows all slices at once; off shows the slice at the cursor"),
                    .run = [this] { lab_->setMip(!lab_->mip()); },
                    .whyNot = notShown,
                    .checked = [this] { return lab_->mip(); },
                    .separatorBefore = true});
    commands_->add({.id = "lab.reset-view",
                    .menu = "Kernel",
                    .text = tr("Fit the point sources"),
                    .help = tr("Zoom and pan of the lab's pictures so that every point source is in them"),
                    .run = [this] { lab_->resetView(); },
                    .whyNot = notShown});
    commands_->add({.id = "lab.presets",
                    .menu = "Kernel",
                    .text = tr("Presets in the plot"),
                    .brief = tr("Presets"),
                    .help = tr("Draws the widths of the presets behind those of the kernel"),
                    .run = [this] { lab_->plot()->setPresetsShown(!lab_->plot()->presetsShown()); },
                    .whyNot = notShown,
                    .checked = [this] { return lab_->plot()->presetsShown(); }});
    const std::tuple<KernelLabPage::Side, const char*, QString, QString, QString> sides[] = {
        {KernelLabPage::Side::Settings, "lab.side-settings", tr("Lab settings"), tr("Settings"),
         tr("A narrow window shows the lab's settings beside the pictures")},
        {KernelLabPage::Side::Kernel, "lab.side-kernel", tr("Kernel and times"), tr("Kernel"),
         tr("A narrow window shows the kernel's picture and the times beside the pictures")}};
    for (const auto& [side, id, text, brief, help] : sides) {
        commands_->add({.id = id,
                        .menu = "Kernel",
                        .text = text,
                        .brief = brief,
                        .help = help,
                        .run = [this, s = side] { lab_->showSide(s); },
                        .whyNot =
                            [this, notShown] {
                                const QString why = notShown();
                                return !why.isEmpty()   ? why
                                       : lab_->narrow() ? QString()
                                                        : tr("The window is wide enough for both");
                            },
                        .checked = [this, s = side] { return lab_->narrow() && lab_->side() == s; }});
    }
    connect(lab_, &KernelLabPage::sidesChanged, this, [this] { commands_->refresh(); });
    const std::tuple<KernelPicture::Kind, const char*, QString, QString, QString> kinds[] = {
        {KernelPicture::Kind::Slice, "lab.slice", tr("Kernel as a slice"), tr("Slice"),
         tr("The kernel at the selected radius, cut through its middle")},
        {KernelPicture::Kind::Surface, "lab.surface", tr("Kernel as a surface"), tr("Surface"),
         tr("The surface where the kernel reaches the level below it; drag turns it")},
        {KernelPicture::Kind::Ids, "lab.ids", tr("Map of kernel ids"), tr("Ids"),
         tr("Which kernel serves which column of voxels in this view")}};
    for (const auto& [kind, id, text, brief, help] : kinds) {
        commands_->add({.id = id,
                        .menu = "Kernel",
                        .text = text,
                        .brief = brief,
                        .help = help,
                        .run =
                            [this, k = kind] {
                                lab_->readout()->picture()->setKind(k);
                                lab_->showSide(KernelLabPage::Side::Kernel);
                            },
                        .whyNot = notShown,
                        .checked = [this, k = kind] { return lab_->readout()->picture()->kind() == k; }});
    }
    commands_->add({.id = "lab.auto-limit",
                    .menu = "Kernel",
                    .text = tr("Auto limit of the difference"),
                    .brief = tr("Auto"),
                    .help = tr("Limit of A - B at its largest size; of images at the 99.9th percentile"),
                    .run = [this] { lab_->setAutoLimit(); },
                    .whyNot = notShown,
                    .checked = [this] { return lab_->autoLimit(); }});
    commands_->add(
        {.id = "lab.measure",
         .menu = "Kernel",
         .text = tr("Measure all strategies"),
         .help = tr("Times forward and back projection by every strategy and tests adjointness"),
         .run =
             [this, &lab] {
                 lab.measure();
                 lab_->showSide(KernelLabPage::Side::Kernel);
             },
         .whyNot = [&lab, notShown] { return lab.measuring() ? tr("Measuring already") : notShown(); }});
    commands_->add(
        {.id = "lab.compare",
         .menu = "Kernel",
         .text = tr("Compare projections"),
         .help =
             tr("Puts both projections beside the runs, as volumes, and opens the Compare page with them"),
         .run =
             [this, &lab] {
                 const LabPictures& shown = *lab.pictures();
                 const auto keep = [&](int side) {
                     const QString way = lab.operand(side).text().replace(':', ' ');
                     return workspace_.addVolume(
                         tr("%1, %2\u00b0").arg(way, numberText(lab.azimuth_deg(), 1)), shown.volume[side]);
                 };
                 const int a = keep(0);
                 compare_->model().choose(a, keep(1));
                 commands_->trigger("page.compare");
             },
         .whyNot =
             [&lab, notShown] {
                 const auto& shown = lab.pictures();
                 const bool both = shown != nullptr && !shown->preview && shown->volume[0] != nullptr &&
                                   shown->volume[1] != nullptr;
                 return both ? notShown() : tr("There are not two projections yet");
             }});
    commands_->add({.id = "export.lab",
                    .menu = "Tools",
                    .text = tr("Copy lab figures"),
                    .help = tr("Puts the numbers under the lab's projections on the clipboard"),
                    .icon = "copy",
                    .run = [this] { QApplication::clipboard()->setText(lab_->figuresText()); },
                    .whyNot = notShown});
    commands_->add({.id = "export.widths",
                    .menu = "Tools",
                    .text = tr("Export widths"),
                    .help = tr("Writes the width against the radius, with the presets, to a CSV file"),
                    .icon = "export",
                    .run = [this] { saveText(tr("Export widths"), "widths.csv", lab_->plot()->toCsv()); },
                    .whyNot = notShown});
    // With live tuning on, an edit of the kernel is a changed setting of the open data.
    connect(&lab, &KernelLab::edited, this, [this, &lab, last = lab.kernel()]() mutable {
        const KernelSpec& now = lab.kernel();
        if (now != last && workspace_.live().on() && workspace_.data() != nullptr && lab_->isVisible()) {
            commands_->trigger("lab.use");
        }
        last = now;
        commands_->refresh();
    });
    connect(&lab, &KernelLab::computed, this, [this] { commands_->refresh(); });
}

}  // namespace tof::ui
