// SPDX-License-Identifier: Apache-2.0
#include "ui/window/script.h"

#include <QDialog>
#include <QFileInfo>
#include <QPainter>
#include <QSet>
#include <limits>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "ui/kit/picture_file.h"
#include "ui/kit/save_text.h"
#include "ui/rois/roi_actions.h"

namespace tof::ui {

namespace {

struct OptionInfo {
    const char* name;
    const char* value;  ///< "" for a switch
    const char* help;
};

const std::vector<OptionInfo>& optionTable() {
    static const std::vector<OptionInfo> table{
        {"binning", "AxT,MM[,partial]",
         "azimuths, tilts and voxel that list-mode is opened with; partial takes a damaged file as it is"},
        {"demo", "", "open the demo study (simulated at the first use)"},
        {"set", "KEY=VALUE", "a setting of the next run, as in tofscope-cli reconstruct: iterations=5"},
        {"run", "", "start a reconstruction of the open data"},
        {"live", "N", "live tuning on, with N iterations at every change of a setting; 0 switches it off"},
        {"wait", "", "until nothing is being read, simulated or reconstructed"},
        {"until-iterate", "N", "until the run has N whole iterates and works on the next, or has ended"},
        {"select", "RUN", "select a run by its letter"},
        {"continue", "N", "go on with the selected run for N more iterations; 0 finishes an interrupted one"},
        {"rename", "NAME", "name of the selected run"},
        {"iterate", "N", "show an iterate of the selected run; 0 follows the newest"},
        {"cursor", "X,Y,Z", "move the cursor, mm"},
        {"wl", "LOW,HIGH", "display range, in the units shown"},
        {"map", "NAME", "colour map: grey, inverse-grey, hot-metal, inferno, viridis, pet-rainbow"},
        {"slab", "MM", "thickness of the slices shown, mm: largest value; MM,mean: mean; all: every slice"},
        {"layout", "NAME", "main, row, grid, single"},
        {"surface", "PERCENT", "3-D picture: the surface at this share of the largest value"},
        {"compare", "MODE", "Compare page: side-by-side, swipe or checkerboard"},
        {"split", "SHARE", "divider of a swipe, 0 to 1 of a picture's width"},
        {"line", "X,Y,Z,X,Y,Z", "line that profiles are taken along, mm"},
        {"data", "QUANTITY", "Data page: counts, expected, residual, weighted, mult or add"},
        {"view", "AZIMUTH,TILT", "the view of the data nearest to these angles, degrees"},
        {"lab", "KEY=VALUE",
         "Kernel lab: kernel, family, symmetry, widths=S:W;.., tof, axial, cutoff, step, ratio, shift, "
         "weight, "
         "azimuth, tilt, points=X,Y,Z;.., select, level, a and b as forward:ENGINE:STRATEGY:KERNEL"},
        {"rois", "FILE", "ROIs from JSON or a label map, in the place of those that are there"},
        {"roi", "JSON", "add ROIs, described as in a JSON file"},
        {"select-roi", "NAME", "select an ROI and move the cursor there"},
        {"ring", "N", "copies of the selected ROI, so that there are N about the scanner's axis"},
        {"threshold", "PERCENT,MM",
         "a sphere from the voxels above that share of the largest within so many mm"},
        {"save-rois", "OUT", "JSON, or a label map for .nii, .nii.gz, .hv, .h5"},
        {"match-noise", "PERCENT", "of every run the iterate nearest to that noise, side by side"},
        {"save-curve", "OUT", "the curves on screen: .csv, .png, .svg or .pdf"},
        {"save-roi-table", "OUT.tsv", "every ROI with every value of the image on screen"},
        {"command", "ID", "any command of the menus by its id, as docs/desktop.md lists them"},
        {"zoom", "FACTOR", "zoom about the cursor; 1 changes nothing"},
        {"picture-scale", "N", "pixels for each one on the screen in --pictures"},
        {"pictures", "OUT.png|OUT.pdf", "the pictures alone, at --picture-scale"},
        {"screenshot", "OUT.png",
         "picture of the window and its dialogs; without a display this implies --exit"},
        {"exit", "", "end the program"},
    };
    return table;
}

const std::vector<OptionInfo>& windowTable() {
    static const std::vector<OptionInfo> table{
        {"size", "WxH", "size of the window in logical pixels"},
        {"theme", "NAME", "dark, light or system (what the desktop looks like)"},
        {"preference", "KEY=VALUE",
         "a preference for this start only, as the dialog Preferences lists them: scale=1.5"},
        {"language", "CODE",
         "language of the window, as in de or pt_BR; en and without a translation: English"},
        {"renderer", "NAME", "auto, opengl (VTK) or cpu"},
        {"fresh", "", "neither read nor write the user's preferences (implied by --screenshot)"},
        {"save", "",
         "keep in the study what the script does with it: runs, view, settings, ROIs; without it a script "
         "that "
         "takes pictures, measures or ends the program leaves the study as it was"},
        {"measure-responsiveness", "SECONDS",
         "reconstruct the open data for so long while scrolling and windowing; print the gaps between "
         "event-loop turns and the times to the repainted pictures as JSON, then end"},
        {"drag-roi", "",
         "with --measure-responsiveness: drag a sphere of 25 mm radius instead, and print the "
         "time from a mouse event to the painted window"},
        {"measure-cycles", "N",
         "open and close what is open N times; print the times to the first slice and the heap in use as "
         "JSON, then end"},
        {"measure-live-tuning", "N",
         "change the kernel N times with live tuning on; print the times to the new image as JSON, then end"},
        {"measure-kernel-drag", "SECONDS",
         "drag the selected point of the kernel lab's plot, a move every 16 ms; print the times to the "
         "painted projections as JSON, then end"},
        {"help", "", "this text"},
        {"version", "", "version"},
    };
    return table;
}

std::vector<double> numbers(const CommandLine::Action& action, int count) {
    std::vector<double> values;
    for (const QString& part : action.value.split(',')) {
        bool ok = false;
        QString text = part.trimmed();
        values.push_back(text.replace(QChar(0x2212), '-').toDouble(&ok));
        if (!ok) {
            values.clear();
            break;
        }
    }
    if (static_cast<int>(values.size()) != count) {
        throw WrongUse("--" + action.name.toStdString() + " '" + action.value.toStdString() +
                       "': " + std::to_string(count) + " numbers with commas between them are needed");
    }
    return values;
}

std::pair<QString, QString> keyAndValue(const CommandLine::Action& action) {
    const auto equals = action.value.indexOf('=');
    if (equals < 1) {
        throw WrongUse("--" + action.name.toStdString() + " '" + action.value.toStdString() +
                       "': KEY=VALUE is needed");
    }
    return {action.value.left(equals), action.value.mid(equals + 1)};
}

Slab slabFrom(const CommandLine::Action& action) {
    const QStringList parts = action.value.split(',');
    bool ok = parts[0] == "all";
    const double mm = ok ? std::numeric_limits<double>::infinity() : parts[0].toDouble(&ok);
    const QString mode = parts.value(1, "max");
    if (!ok || parts.size() > 2 || (mode != "max" && mode != "mean")) {
        throw WrongUse("--slab '" + action.value.toStdString() + "': MM or all, then ,mean or ,max");
    }
    return {mm, mode == "mean" ? viz::SlabMode::Mean : viz::SlabMode::Largest};
}

int wholeNumber(const CommandLine::Action& action) {
    bool ok = false;
    const int n = action.value.toInt(&ok);
    if (!ok || n < 0) {
        throw WrongUse("--" + action.name.toStdString() + " '" + action.value.toStdString() +
                       "': a whole number from 0 is needed");
    }
    return n;
}

ListBinning binningFrom(const CommandLine::Action& action) {
    const QStringList parts = action.value.split(',');
    const QStringList views = parts[0].split('x');
    ListBinning binning;
    bool ok[3] = {false, false, false};
    if (parts.size() >= 2 && views.size() == 2) {
        binning.azimuths = views[0].toInt(&ok[0]);
        binning.tilts = views[1].toInt(&ok[1]);
        binning.voxel_mm = parts[1].toDouble(&ok[2]);
        binning.partial = parts.size() > 2 && parts[2] == "partial";
    }
    const bool range = binning.azimuths >= 1 && binning.tilts >= 1 && binning.voxel_mm >= 0.5;
    if (!ok[0] || !ok[1] || !ok[2] || !range || parts.size() > (binning.partial ? 3 : 2)) {
        throw WrongUse("--binning '" + action.value.toStdString() +
                       "': azimuths x tilts, voxel in mm, as in 40x3,4 or 40x3,4,partial");
    }
    return binning;
}

/// The window with the dialogs over it, each in its middle: off screen there is no desktop that places them.
QPixmap shotOf(QWidget& window) {
    QPixmap shot = window.grab();
    QPainter painter(&shot);
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
        if (dialog->isVisible()) {
            const QSize free = window.size() - dialog->size();
            painter.drawPixmap(QPoint(free.width() / 2, free.height() / 2), dialog->grab());
        }
    }
    return shot;
}

const OptionInfo* findOption(const std::vector<OptionInfo>& table, const QString& name) {
    for (const OptionInfo& info : table) {
        if (name == info.name) {
            return &info;
        }
    }
    return nullptr;
}

}  // namespace

CommandLine CommandLine::parse(const QStringList& arguments) {
    CommandLine line;
    QStringList rest = arguments;
    while (!rest.isEmpty()) {
        QString word = rest.takeFirst();
        if (!word.startsWith("--") || word == "--") {
            line.actions.push_back({"open", word});
            continue;
        }
        QString value;
        const auto equals = word.indexOf('=');
        const QString name = word.mid(2, equals < 0 ? -1 : equals - 2);
        const OptionInfo* action = findOption(optionTable(), name);
        const OptionInfo* window = findOption(windowTable(), name);
        const OptionInfo* info = action != nullptr ? action : window;
        if (info == nullptr) {
            throw WrongUse("no option --" + name.toStdString() + "; tofscope --help lists them");
        }
        if (*info->value != '\0') {
            if (equals >= 0) {
                value = word.mid(equals + 1);
            } else if (!rest.isEmpty()) {
                value = rest.takeFirst();
            } else {
                throw WrongUse("--" + name.toStdString() + " needs " + info->value);
            }
        }
        if (action != nullptr) {
            line.screenshot = line.screenshot || name == "screenshot";
            line.exit = line.exit || name == "exit";
            line.actions.push_back({name, value});
        } else if (name == "size") {
            const QStringList sides = value.split('x');
            line.size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
            if (!line.size.isValid() || line.size.isEmpty() || line.size.width() > 16384 ||
                line.size.height() > 16384) {
                throw WrongUse("--size '" + value.toStdString() + "': two numbers of pixels as in 1600x1000");
            }
        } else if (name == "theme") {
            if (value != "dark" && value != "light" && value != "system") {
                throw WrongUse("--theme '" + value.toStdString() + "': dark, light or system");
            }
            line.preferences["theme"] = value;
        } else if (name == "preference") {
            const auto [key, text] = keyAndValue({name, value});
            line.preferences[key] = text;
        } else if (name == "language") {
            line.language = value;
        } else if (name == "renderer") {
            if (value != "auto" && value != "opengl" && value != "cpu") {
                throw WrongUse("--renderer '" + value.toStdString() + "': auto, opengl or cpu");
            }
            line.renderer = value == "cpu"      ? viz::RendererChoice::Cpu
                            : value == "opengl" ? viz::RendererChoice::OpenGl
                                                : viz::RendererChoice::Auto;
        } else if (name == "measure-responsiveness") {
            line.measureSeconds = value.toDouble();
            if (!(line.measureSeconds > 0)) {
                throw WrongUse("--measure-responsiveness '" + value.toStdString() + "': seconds above 0");
            }
        } else if (name == "measure-cycles") {
            line.measureCycles = value.toInt();
            if (line.measureCycles < 1) {
                throw WrongUse("--measure-cycles '" + value.toStdString() + "': a whole number above 0");
            }
        } else if (name == "measure-live-tuning") {
            line.measureLive = value.toInt();
            if (line.measureLive < 1) {
                throw WrongUse("--measure-live-tuning '" + value.toStdString() + "': a whole number above 0");
            }
        } else if (name == "measure-kernel-drag") {
            line.measureDragSeconds = value.toDouble();
            if (!(line.measureDragSeconds > 0)) {
                throw WrongUse("--measure-kernel-drag '" + value.toStdString() + "': seconds above 0");
            }
        } else {
            line.help = line.help || name == "help";
            line.dragRoi = line.dragRoi || name == "drag-roi";
            line.version = line.version || name == "version";
            line.save = line.save || name == "save";
            line.remember = line.remember && name != "fresh";
        }
    }
    line.remember = line.remember && !line.screenshot && !line.measures();
    return line;
}

QString helpText() {
    QString text =
        "tofscope [FILE...] [OPTION...]\n\n"
        "Opens study folders, data, list-mode, run and volume files (HDF5, NIfTI, Interfile, CASToR).\n"
        "Files and the options of the first list are carried out in the order given.\n\n";
    const auto list = [&](const std::vector<OptionInfo>& table) {
        for (const OptionInfo& info : table) {
            const QString left = QString("--%1 %2").arg(info.name, info.value);
            text += "  " + left.leftJustified(34) + info.help + "\n";
        }
    };
    list(optionTable());
    text += "\nThe window:\n";
    list(windowTable());
    text +=
        "\nWithout a display (or with QT_QPA_PLATFORM=offscreen) --screenshot renders the same window off "
        "screen.\n"
        "QT_SCALE_FACTOR=2 gives twice the pixels. TOFSCOPE_NO_OPENGL=1 draws slices on the CPU.\n\n"
        "  tofscope study.tofstudy --set iterations=5 --run --until-iterate 3 --screenshot running.png\n";
    return text;
}

Script::Script(MainWindow& window, Workspace& workspace, std::vector<CommandLine::Action> actions)
    : window_(window), workspace_(workspace), actions_(actions.begin(), actions.end()) {
    timer_.setInterval(10);
    connect(&timer_, &QTimer::timeout, this, &Script::step);
    connect(&workspace_.tasks(), &TaskQueue::failed, this,
            [this](const QString&, const QString& sentence, ErrorKind kind) {
                fault_ = Error(kind, sentence.toStdString());
            });
}

void Script::start() {
    timer_.start();
}

bool Script::settled() {
    return !workspace_.tasks().busy();
}

void Script::step() {
    if (waiting_ && !waiting_()) {
        return;
    }
    waiting_ = nullptr;
    if (fault_ || actions_.empty()) {
        timer_.stop();
        Q_EMIT finished(exit_);
        return;
    }
    const CommandLine::Action action = actions_.front();
    actions_.pop_front();
    try {
        carryOut(action);
    } catch (const Error& fault) {
        fault_ = fault;
    }
}

bool Script::carryOutRoi(const CommandLine::Action& action) {
    RoiModel& rois = workspace_.roiModel();
    if (action.name == "rois") {
        loadRois(workspace_, action.value);
    } else if (action.name == "roi") {
        addRois(workspace_, action.value, "--roi");
    } else if (action.name == "select-roi") {
        const int index = rois.find(action.value);
        if (index < 0) {
            throw WrongUse("--select-roi: no ROI '" + action.value.toStdString() + "'");
        }
        workspace_.view().selectRoi(index);
        workspace_.view().setCursor(rois.at(index)->centre);
    } else if (action.name == "ring") {
        addRing(workspace_, wholeNumber(action), {});
    } else if (action.name == "threshold") {
        const auto v = numbers(action, 2);
        addThreshold(workspace_, v[0] / 100, v[1], ThresholdKind::Sphere);
    } else if (action.name == "save-rois") {
        saveRois(workspace_, action.value);
    } else if (action.name == "match-noise") {
        window_.refreshNow();
        if (!window_.matchedPage().isVisible() && !window_.commands().trigger("page.matched")) {
            throw WrongUse("--match-noise: " + window_.matchedPage().whyNot().toStdString());
        }
        window_.matchedPage().setLevel(numbers(action, 1)[0] / 100);
        waiting_ = [this] { return settled(); };
    } else if (action.name == "save-curve") {
        window_.refreshNow();
        window_.figuresPanel().chart()->save(action.value);
    } else if (action.name == "save-roi-table") {
        window_.refreshNow();
        writeTextAside(action.value.toStdString(),
                       tableFor(action.value, window_.figuresPanel().roiTableFile()).toStdString());
    } else {
        return false;
    }
    return true;
}

void Script::carryOut(const CommandLine::Action& action) {
    ViewModel& view = workspace_.view();
    const auto tasksDone = [this] { return settled(); };
    if (action.name == "open") {
        if (!QFileInfo::exists(action.value)) {
            throw BadInput(action.value.toStdString() + ": no such file or folder");
        }
        workspace_.open({action.value});
        waiting_ = tasksDone;
    } else if (action.name == "demo") {
        workspace_.openDemo();
        waiting_ = tasksDone;
    } else if (action.name == "set") {
        const auto [key, value] = keyAndValue(action);
        workspace_.setSetting(key.toStdString(), value.toStdString());
    } else if (action.name == "run") {
        if (workspace_.startRun() == 0) {
            throw WrongUse("--run: " + workspace_.whyNoRun().toStdString());
        }
    } else if (action.name == "live") {
        const int iterations = wholeNumber(action);
        if (iterations > 0) {
            workspace_.live().setIterations(iterations);
        }
        workspace_.live().setOn(iterations > 0);
    } else if (action.name == "wait") {
        waiting_ = [this] { return !workspace_.busy(); };
    } else if (action.name == "until-iterate") {
        waiting_ = [this, n = wholeNumber(action)] {
            RunItem* run = workspace_.activeRun();
            return run == nullptr || (run->lastIterate() >= n && run->showsWork());
        };
    } else if (action.name == "select") {
        for (const auto& item : workspace_.runs().items()) {
            if (item->label() == action.value) {
                workspace_.runs().select(item->id());
                return;
            }
        }
        throw WrongUse("--select: no run " + action.value.toStdString());
    } else if (action.name == "continue") {
        workspace_.continueRun(workspace_.runs().selectedId(), wholeNumber(action));
    } else if (action.name == "rename") {
        workspace_.runs().rename(workspace_.runs().selectedId(), action.value);
    } else if (action.name == "iterate") {
        workspace_.runs().showIterate(workspace_.runs().selectedId(), wholeNumber(action));
        workspace_.runs().flush();
        waiting_ = tasksDone;
    } else if (action.name == "cursor") {
        const auto v = numbers(action, 3);
        view.setCursor({v[0], v[1], v[2]});
    } else if (action.name == "wl") {
        const auto v = numbers(action, 2);
        if (!(v[1] > v[0])) {
            throw WrongUse("--wl " + action.value.toStdString() +
                           ": the second number must be the larger one");
        }
        view.setShownRange({v[0], v[1]});
    } else if (action.name == "map") {
        view.setColourMap(action.value);
    } else if (action.name == "surface") {
        window_.viewer().setSurfacePercent(numbers(action, 1).front());
        window_.viewer().setSurfaceShown(true);
        view.setChart(ChartKind::Solid);
    } else if (action.name == "slab") {
        view.setSlab(slabFrom(action));
    } else if (action.name == "zoom") {
        view.zoomAbout(view.cursor(), numbers(action, 1)[0]);
    } else if (action.name == "picture-scale") {
        pictureScale_ = numbers(action, 1)[0];
    } else if (action.name == "pictures") {
        window_.refreshNow();
        writePicture(window_.pageInFront().pictures(), action.value, pictureScale_);
    } else if (action.name == "binning") {
        workspace_.setListBinning(binningFrom(action));
    } else if (action.name == "layout") {
        view.setLayout(layoutFromName(action.value));
    } else if (action.name == "compare") {
        const CompareMode mode = modeFromName(action.value);
        window_.refreshNow();
        const QString why = window_.comparePage().model().whyNot();
        if (!why.isEmpty()) {
            throw WrongUse("--compare " + action.value.toStdString() + ": " + why.toStdString());
        }
        if (!window_.comparePage().isVisible()) {
            window_.commands().trigger("page.compare");
        }
        window_.comparePage().model().setMode(mode);
    } else if (action.name == "split") {
        window_.comparePage().model().setSplit(numbers(action, 1)[0]);
    } else if (action.name == "line") {
        const auto v = numbers(action, 6);
        view.setLine({{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    } else if (action.name == "data") {
        const DataQuantity quantity = quantityFromName(action.value.toStdString());
        const QString why = window_.dataPage().model().whyNot(quantity);
        if (!why.isEmpty()) {
            throw WrongUse("--data " + action.value.toStdString() + ": " + why.toStdString());
        }
        window_.refreshNow();
        if (!window_.dataPage().isVisible()) {
            window_.commands().trigger("page.data");
        }
        window_.dataPage().model().setQuantity(quantity);
    } else if (action.name == "view") {
        const auto v = numbers(action, 2);
        window_.dataPage().model().setOpen(workspace_.measurement());
        window_.dataPage().model().setPlace(v[0], v[1]);
    } else if (action.name == "lab") {
        const auto [key, value] = keyAndValue(action);
        if (!window_.labPage().isVisible()) {
            window_.commands().trigger("page.lab");
        }
        window_.labPage().lab().set(key, value);
    } else if (carryOutRoi(action)) {
    } else if (action.name == "command") {
        window_.refreshNow();
        if (!window_.commands().trigger(action.value)) {
            throw WrongUse("--command " + action.value.toStdString() + " cannot be used now: " +
                           window_.commands().action(action.value)->toolTip().toStdString());
        }
    } else if (action.name == "screenshot") {
        // The picture shows what is true now, after one turn of the event loop for the layout to settle.
        workspace_.drain();
        window_.refreshNow();
        waiting_ = [this, file = action.value, turns = 0]() mutable {
            if (++turns < 3 || window_.comparePage().model().busy() || window_.dataPage().model().busy() ||
                window_.labPage().busy() ||
                (window_.viewer().solid()->isVisible() && window_.viewer().solid()->busy())) {
                return false;
            }
            window_.refreshNow();
            if (!shotOf(window_).save(file, "PNG")) {
                fault_ = CannotWrite(file.toStdString() + ": cannot be written; check the folder");
            }
            return true;
        };
    } else if (action.name == "exit") {
        exit_ = true;
        actions_.clear();
    }
}

}  // namespace tof::ui
