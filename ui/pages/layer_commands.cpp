// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layer_commands.h"

#include <QInputDialog>
#include <QLineEdit>
#include <QStringList>
#include <algorithm>
#include <iterator>
#include <vector>

#include "recon/base/error.h"
#include "recon/metrics/image_math.h"
#include "recon/metrics/range_presets.h"
#include "ui/desk/layers.h"
#include "ui/desk/made_images.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/text.h"
#include "ui/pages/layer_rows.h"

namespace tof::ui {

namespace {

constexpr double kFade = 0.1;
constexpr const char* kBackground = "background-";

/// Mean over the ROIs of role background on the image on screen; 0 where there is none.
double backgroundMean(const RoiModel& rois, Screen& screen) {
    const Figures figures = screen.exactFigures();
    double sum = 0;
    int n = 0;
    for (std::size_t i = 0; i < figures.rois.size(); ++i) {
        const Roi* roi = rois.at(static_cast<int>(i));
        if (roi != nullptr && roi->role == Roi::Role::Background) {
            sum += figures.rois[i].statistics.mean;
            ++n;
        }
    }
    return n > 0 ? sum / n : 0;
}

}  // namespace

QString whyNoRange(RunList& runs, const ViewModel& view, const RoiModel& rois, const QString& preset) {
    if (runs.image() == nullptr) {
        return Text::tr("There is no image yet");
    }
    const QString& unit = view.unit().name;
    if (preset.startsWith(kBackground)) {
        bool any = false;
        for (const Roi& roi : rois.rois()) {
            any = any || roi.role == Roi::Role::Background;
        }
        return any ? QString() : Text::tr("No ROI has the role background");
    }
    if (const RangePreset* fixed = findRangePreset(preset.toStdString())) {
        const auto& units = fixed->units;
        const std::string first = unit.section(' ', 0, 0).toStdString();
        const bool may = std::find(units.begin(), units.end(), first) != units.end();
        return may ? QString()
                   : Text::tr("The image is not in %1").arg(QString::fromStdString(units.front()));
    }
    return {};
}

void useRange(RunList& runs, ViewModel& view, const RoiModel& rois, Screen& screen, const QString& preset) {
    RunItem* item = runs.onScreen();
    const auto whole = item != nullptr ? item->wholeVolume() : nullptr;
    const auto image = whole != nullptr ? whole : runs.image();
    if (image == nullptr) {
        return;
    }
    constexpr double kTail = 0.001;  // share of the voxels at either end
    if (preset == "999") {
        view.setRange({std::min(0.0, percentileOf(*image, kTail)), percentileOf(*image, 1 - kTail)});
    } else if (preset == "max") {
        view.setRange({0, largestOf(*image)});
    } else if (const RangePreset* fixed = findRangePreset(preset.toStdString())) {
        const double scale = view.unit().name == "1/mm" ? 0.1 : 1;
        view.setShownRange({scale * fixed->range.low, scale * fixed->range.high});
    } else if (preset.startsWith(kBackground)) {
        const double times = preset.mid(QString(kBackground).size()).toDouble();
        view.setRange({0, times * backgroundMean(rois, screen)});
    }
}

LayerCommands::LayerCommands(const Workbench& bench) : QObject(&bench.window), Workbench(bench) {
    addRanges();
    addLayers();
    addImages();
    connect(&layers, &LayerModel::changed, &commands, &CommandRegistry::refresh);
}

void LayerCommands::addRanges() {
    const std::tuple<QString, QString, QString> presets[] = {
        {"999", tr("0 to 99.9 %"), tr("Display range up to the value that one voxel in a thousand exceeds")},
        {"max", tr("0 to max"), tr("Display range up to the largest value of the image")},
        {"background-2", tr("0 to 2 × background"),
         tr("Display range up to twice the mean of the background ROIs")},
        {"background-5", tr("0 to 5 × background"),
         tr("Display range up to five times the mean of the background ROIs")},
        {"background-10", tr("0 to 10 × background"),
         tr("Display range up to ten times the mean of the background ROIs")}};
    std::vector<std::tuple<QString, QString, QString>> rows(std::begin(presets), std::end(presets));
    for (const RangePreset& preset : rangePresets()) {
        rows.emplace_back(QString::fromStdString(preset.id), word(preset.label), word(preset.help));
    }
    for (const auto& [preset, text, help] : rows) {
        commands.add({.id = "range." + preset,
                      .menu = "View",
                      .text = text,
                      .help = help,
                      .run = [this, p = preset] { useRange(runs, view, rois, screen, p); },
                      .whyNot = [this, p = preset] { return whyNoRange(runs, view, rois, p); }});
    }
    commands.add(
        {.id = "range.linked",
         .menu = "View",
         .text = tr("One range for all runs"),
         .help = tr("Range and colour map are those of all images in one unit; off gives each image its own"),
         .run =
             [this] {
                 view.setLinked(!view.linked());
                 runs.touch();
             },
         .checked = [this] { return view.linked(); },
         .separatorBefore = true});
}

void LayerCommands::addLayers() {
    const auto selected = [this] {
        const RunItem* item = runs.selected();
        return item != nullptr ? item->label() : QString();
    };
    const auto isLayer = [this, selected] { return layers.find(selected()) >= 0; };
    const auto notStacked = [this] {
        return layers.stacked() ? QString() : tr("Put an image under the others first (G)");
    };
    const auto fade = [this](double by) {
        const int top = layers.top();
        layers.setOpacity(top, layers.layers()[static_cast<std::size_t>(top)].opacity + by);
    };
    commands.add(
        "View",
        {{.id = "layer.pin",
          .text = tr("Under the other images"),
          .help = tr("Keeps the selected image, a mu-map or CT, in the pictures under whichever run is "
                     "selected; again takes it out"),
          .keys = {QKeySequence(Qt::Key_G)},
          .run = [this, selected, isLayer] { isLayer() ? layers.unpin(selected()) : layers.pin(selected()); },
          .whyNot = [this, selected,
                     isLayer] { return isLayer() ? QString() : layers.whyNotPin(selected()); },
          .checked = isLayer},
         {.id = "layer.fade-out",
          .text = tr("Upper layer fainter"),
          .help = tr("Opacity of the uppermost visible layer, 10 % less"),
          .keys = {QKeySequence(Qt::Key_Less)},
          .run = [fade] { fade(-kFade); },
          .whyNot = notStacked},
         {.id = "layer.fade-in",
          .text = tr("Upper layer stronger"),
          .help = tr("Opacity of the uppermost visible layer, 10 % more"),
          .keys = {QKeySequence(Qt::Key_Greater)},
          .run = [fade] { fade(kFade); },
          .whyNot = notStacked},
         {.id = "layer.hide-top",
          .text = tr("Hide the upper layer"),
          .help = tr("The last layer alone goes, and comes back: a blink between what lies over each other"),
          .keys = {QKeySequence(Qt::Key_W)},
          .run =
              [this] {
                  const int last = static_cast<int>(layers.layers().size()) - 1;
                  layers.setVisible(last, !layers.layers().back().visible);
              },
          .whyNot = notStacked,
          .checked = [this] { return layers.stacked() && !layers.layers().back().visible; }},
         {.id = "layer.up",
          .text = tr("Layer up"),
          .brief = tr("Up"),
          .help = tr("Paints the layer of the selected image over the next one"),
          .run = [this, selected] { layers.move(std::max(0, layers.find(selected())), 1); },
          .whyNot = [isLayer] { return isLayer() ? QString() : tr("The selected image is no layer"); }},
         {.id = "layer.down",
          .text = tr("Layer down"),
          .brief = tr("Down"),
          .help = tr("Paints the layer of the selected image under the next one"),
          .run = [this, selected] { layers.move(std::max(0, layers.find(selected())), -1); },
          .whyNot = [isLayer] { return isLayer() ? QString() : tr("The selected image is no layer"); }},
         {.id = "layer.name",
          .text = tr("Name of layer..."),
          .help = tr("A name of its own for the layer of the selected image"),
          .run = [this] { askForName(); },
          .whyNot = notStacked},
         {.id = "layer.colour",
          .text = tr("Colour of layer..."),
          .help = tr("One colour in the place of the colour map, for the layer of the selected image"),
          .run = [this] { askForColour(); },
          .whyNot = notStacked}});
}

int LayerCommands::layerOfSelected() {
    const RunItem* item = runs.selected();
    return item != nullptr ? layers.indexOf(item->label()) : -1;
}

void LayerCommands::askForName() {
    if (const int layer = layerOfSelected(); layer >= 0) {
        LayerRows::askForName(layers, layer, layers.layers()[static_cast<std::size_t>(layer)].name, &window);
    }
}

void LayerCommands::askForColour() {
    if (const int layer = layerOfSelected(); layer >= 0) {
        LayerRows::askForColour(layers, layer, Qt::red, &window);
    }
}

void LayerCommands::addImages() {
    using Kind = MadeImages::Kind;
    const std::tuple<const char*, Kind, QString, QString> images[] = {
        {"image.truth", Kind::Truth, tr("True activity"),
         tr("Puts the activity of the simulated phantom beside the runs, with the total of the image on "
            "screen")},
        {"image.attenuation", Kind::Attenuation, tr("True attenuation"),
         tr("Puts the attenuation of the simulated phantom beside the runs, per cm")},
        {"image.bias", Kind::Bias, tr("Bias map"),
         tr("Puts the difference of the image on screen from the truth beside the runs, per cent of the "
            "truth")}};
    for (const auto& [id, kind, text, help] : images) {
        commands.add({.id = id,
                      .menu = "Tools",
                      .text = text,
                      .help = help,
                      .run = [this, k = kind] { made.make(k); },
                      .whyNot = [this, k = kind] { return made.whyNot(k); },
                      .separatorBefore = kind == Kind::Truth});
    }
    const std::tuple<const char*, Kind, QString, QString> several[] = {
        {"image.mean", Kind::Mean, tr("Mean of runs"),
         tr("Puts the mean image of chosen runs, of replicates, beside them")},
        {"image.sd", Kind::Deviation, tr("SD of runs"),
         tr("Puts the voxel-wise SD (n − 1) of chosen runs, of replicates, beside them")}};
    for (const auto& [id, kind, text, help] : several) {
        commands.add({.id = id,
                      .menu = "Tools",
                      .text = text,
                      .help = help,
                      .run = [this, k = kind, t = text] { askAndMake(k, t); },
                      .whyNot = [this, k = kind] { return made.whyNot(k); }});
    }
}

void LayerCommands::askAndMake(MadeImages::Kind kind, const QString& title) {
    bool ok = false;
    const QString letters = QInputDialog::getText(&window, title, tr("Runs, by their letters"),
                                                  QLineEdit::Normal, made.replicates().join(", "), &ok);
    if (!ok) {
        return;
    }
    try {
        made.make(kind, letters.split(',', Qt::SkipEmptyParts));
    } catch (const WrongUse& fault) {
        messages.add(Severity::Error, title + ": " + fault.what());
    }
}

}  // namespace tof::ui
