// SPDX-License-Identifier: Apache-2.0
#include "ui/window/script_actions.h"

#include <QAction>
#include <QDialog>
#include <QFileInfo>
#include <QPainter>
#include <algorithm>
#include <limits>
#include <memory>

#include "recon/base/constants.h"
#include "recon/base/json_text.h"
#include "recon/io/bytes/atomic_file.h"
#include "ui/desk/cursor_link.h"
#include "ui/desk/desk.h"
#include "ui/desk/keep_study.h"
#include "ui/kit/save_file.h"
#include "ui/kit/theme.h"
#include "ui/pages/image_commands.h"
#include "ui/pages/layer_commands.h"
#include "ui/pages/own_ranges.h"
#include "ui/pages/run_commands.h"
#include "ui/pages/runs_page.h"
#include "ui/rois/roi_actions.h"
#include "ui/window/diagnostics.h"
#include "ui/window/main_window.h"

namespace tof::ui {

namespace {

using Stage = ScriptStage;
using Step = ScriptStep;

// ---- values ----

std::vector<double> numbers(const Step& step, int count) {
    std::vector<double> values;
    for (const QString& part : step.value.split(',')) {
        bool ok = false;
        QString text = part.trimmed();
        values.push_back(text.replace(QChar(0x2212), '-').toDouble(&ok));
        if (!ok) {
            values.clear();
            break;
        }
    }
    if (static_cast<int>(values.size()) != count) {
        refuse(step, std::to_string(count) + " numbers with commas between them are needed");
    }
    return values;
}

int wholeNumber(const Step& step) {
    bool ok = false;
    const int n = step.value.toInt(&ok);
    if (!ok || n < 0) {
        refuse(step, "a whole number from 0 is needed");
    }
    return n;
}

Slab slabFrom(const Step& step) {
    const QStringList parts = step.value.split(',');
    bool ok = parts[0] == "all";
    const double mm = ok ? std::numeric_limits<double>::infinity() : parts[0].toDouble(&ok);
    const QString mode = parts.value(1, "max");
    if (!ok || parts.size() > 2 || (mode != "max" && mode != "mean" && mode != "sum")) {
        refuse(step, "MM or all, then ,mean, ,sum or ,max");
    }
    return {mm, mode == "mean"  ? viz::SlabMode::Mean
                : mode == "sum" ? viz::SlabMode::Sum
                                : viz::SlabMode::Largest};
}

ListBinning binningFrom(const Step& step) {
    const QStringList parts = step.value.split(',');
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
        refuse(step, "azimuths x tilts, voxel in mm, as in 40x3,4 or 40x3,4,partial");
    }
    return binning;
}

// ---- steps of several lines ----

/// The image on screen.
const RunItem* imageOf(Stage& stage, const Step& step) {
    stage.window.refreshNow();
    const RunItem* item = stage.desk.runs().onScreen();
    if (item == nullptr || item->volume() == nullptr) {
        refuse(step, "an image is needed first");
    }
    return item;
}

void waitForTasks(Stage& stage) {
    stage.waiting = [&stage] { return !stage.desk.tasks().busy(); };
}

/// Opens a page by its command unless it is open; false when it cannot be.
bool showPage(Stage& stage, const QWidget& page, const char* command) {
    return page.isVisible() || stage.window.commands().trigger(command);
}

/// Throws WrongUse where there is a reason why not.
void require(const Step& step, const QString& whyNot) {
    const QString value = step.value.isEmpty() ? QString() : " " + step.value;
    if (!whyNot.isEmpty()) {
        throw WrongUse(("--" + step.name + value + ": " + whyNot).toStdString());
    }
}

void openFile(Stage& stage, const Step& step) {
    if (!QFileInfo::exists(step.value)) {
        throw BadInput(step.value.toStdString() + ": no such file or folder");
    }
    stage.desk.open({step.value});
    waitForTasks(stage);
}

void goLive(Stage& stage, const Step& step) {
    const int iterations = wholeNumber(step);
    if (iterations > 0) {
        stage.desk.live().setIterations(iterations);
    }
    stage.desk.live().setOn(iterations > 0);
}

void untilIterate(Stage& stage, const Step& step) {
    stage.waiting = [&stage, n = wholeNumber(step)] {
        RunItem* run = stage.desk.queue().active();
        return run == nullptr || (run->lastIterate() >= n && run->showsWork());
    };
}

void selectRun(Stage& stage, const Step& step) {
    const RunItem* run = stage.desk.runs().find(step.value);
    if (run == nullptr) {
        throw WrongUse("--select: no run " + step.value.toStdString());
    }
    stage.desk.runs().select(run->id());
}

void showIterate(Stage& stage, const Step& step) {
    RunList& runs = stage.desk.runs();
    runs.showIterate(runs.selectedId(), wholeNumber(step));
    runs.flush();
    waitForTasks(stage);
}

void showFrames(Stage& stage, const Step& step) {
    const auto v = numbers(step, 2);
    RunList& runs = stage.desk.runs();
    require(step, whyNoFrames(runs));
    runs.showFrames(runs.selectedId(), {static_cast<int>(v[0]), static_cast<int>(v[1])});
    runs.flush();
    waitForTasks(stage);
}

void setRange(Stage& stage, const Step& step) {
    const auto v = numbers(step, 2);
    require(step, v[1] > v[0] ? "" : "the second number must be the larger one");
    stage.desk.view().setShownRange({v[0], v[1]});
}

void showSurface(Stage& stage, const Step& step) {
    stage.window.viewer().setSurfacePercent(numbers(step, 1).front());
    stage.window.viewer().setSurfaceShown(true);
    stage.desk.view().setChart(ChartKind::Solid);
}

void compare(Stage& stage, const Step& step) {
    const CompareMode mode = modeFromName(step.value);
    stage.window.refreshNow();
    ComparePage& page = stage.window.comparePage();
    require(step, page.model().whyNot());
    showPage(stage, page, "page.compare");
    page.model().setMode(mode);
}

void showData(Stage& stage, const Step& step) {
    const DataQuantity quantity = quantityFromName(step.value.toStdString());
    DataPage& page = stage.window.dataPage();
    require(step, page.model().whyNot(quantity));
    stage.window.refreshNow();
    showPage(stage, page, "page.data");
    page.model().setQuantity(quantity);
}

void showView(Stage& stage, const Step& step) {
    const auto v = numbers(step, 2);
    stage.window.dataPage().model().setOpen(stage.desk.study().measurement(), stage.desk.study().form());
    stage.window.dataPage().model().setPlace(v[0], v[1]);
}

void setInLab(Stage& stage, const Step& step) {
    const auto [key, value] = keyAndValue(step);
    showPage(stage, stage.window.labPage(), "page.lab");
    stage.window.labPage().lab().set(key, value);
}

void selectRoi(Stage& stage, const Step& step) {
    const RoiModel& rois = stage.desk.rois();
    const int index = rois.find(step.value);
    if (index < 0) {
        throw WrongUse("--select-roi: no ROI '" + step.value.toStdString() + "'");
    }
    stage.desk.view().selectRoi(index);
    stage.desk.view().setCursor(rois.at(index)->centre);
}

void matchNoise(Stage& stage, const Step& step) {
    stage.window.refreshNow();
    MatchedPage& page = stage.window.matchedPage();
    if (!showPage(stage, page, "page.matched")) {
        throw WrongUse("--match-noise: " + page.whyNot().toStdString());
    }
    page.setLevel(numbers(step, 1)[0] / 100);
    waitForTasks(stage);
}

int layerOf(Stage& stage, const Step& step, const QString& run) {
    stage.window.refreshNow();
    const int index = stage.desk.layers().indexOf(run);
    if (index < 0) {
        refuse(step, "the run is no layer; --layer makes it one");
    }
    return index;
}

void saveRoiTable(Stage& stage, const Step& step) {
    stage.window.refreshNow();
    writeTextAside(step.value.toStdString(),
                   tableFor(step.value, stage.window.figuresPanel().roiTableFile()).toStdString());
}

RunsPage& runsPage(const Stage& stage) {
    return *stage.window.findChild<RunsPage*>();
}

/// The letter of a run that is there; throws WrongUse for others.
QString knownRun(const Stage& stage, const Step& step, const QString& letter) {
    if (stage.desk.runs().find(letter) == nullptr) {
        refuse(step, "the letter of a run");
    }
    return letter;
}

void sortRuns(Stage& stage, const Step& step) {
    const QString title = step.value.section(',', 0, 0).trimmed();
    const bool down = step.value.section(',', 1).trimmed() == "down";
    stage.window.refreshNow();
    QStringList titles;
    for (const RunTable::Column& column : runsPage(stage).shown().columns) {
        // Titles with a unit have a comma: "CRC, %".
        if (column.id == title || column.title.section(',', 0, 0).compare(title, Qt::CaseInsensitive) == 0) {
            runsPage(stage).sortBy(column.id, down ? Qt::DescendingOrder : Qt::AscendingOrder);
            return;
        }
        titles << column.title.section(',', 0, 0);
    }
    refuse(step, "one of " + titles.join(", ").toStdString());
}

void triggerCommand(Stage& stage, const Step& step) {
    stage.window.refreshNow();
    QAction* const action = stage.window.commands().action(step.value);
    if (!action->isEnabled()) {
        throw WrongUse("--command " + step.value.toStdString() +
                       " cannot be used now: " + action->toolTip().toStdString());
    }
    // In a turn of its own: a dialog has an event loop in which the next steps go on.
    QMetaObject::invokeMethod(action, "trigger", Qt::QueuedConnection);
}

/// The window with the dialogs over it, each in its middle: off screen there is no desktop that places them.
QPixmap shotOf(QWidget& window) {
    QPixmap shot = window.grab();
    QPainter painter(&shot);
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
        if (dialog->isVisible()) {
            const QSize free = window.size() - dialog->size();
            const QPoint corner(free.width() / 2, free.height() / 2);
            painter.drawPixmap(corner, dialog->grab());
            painter.setPen(Theme::of(window).ctlBorder);  // what a window manager draws about it
            painter.drawRect(QRect(corner, dialog->size()).adjusted(-1, -1, 0, 0));
        }
    }
    return shot;
}

bool computing(MainWindow& window) {
    return window.comparePage().model().busy() || window.dataPage().model().busy() ||
           window.labPage().busy() || window.pageInFront().busy() ||
           (window.viewer().solid()->isVisible() && window.viewer().solid()->busy());
}

/// The picture shows what is true now, after one turn of the event loop for the layout to settle.
void takeScreenshot(Stage& stage, const Step& step) {
    stage.desk.queue().driver().drain();
    stage.window.refreshNow();
    stage.waiting = [&stage, file = step.value, turns = 0]() mutable {
        if (++turns < 3 || computing(stage.window)) {
            return false;
        }
        stage.window.refreshNow();
        if (!shotOf(stage.window).save(file, "PNG")) {
            stage.fault = CannotWrite(file.toStdString() + ": cannot be written; check the folder");
        }
        return true;
    };
}

}  // namespace

void refuse(const ScriptStep& step, const std::string& needed) {
    throw WrongUse("--" + step.name.toStdString() + " '" + step.value.toStdString() + "': " + needed);
}

std::pair<QString, QString> keyAndValue(const ScriptStep& step) {
    const auto equals = step.value.indexOf('=');
    if (equals < 1) {
        refuse(step, "KEY=VALUE is needed");
    }
    return {step.value.left(equals), step.value.mid(equals + 1)};
}

const std::vector<ScriptAction>& scriptActions() {
    static const std::vector<ScriptAction> table{
        {"binning", "AxT,MM[,partial]",
         "azimuths, tilts and voxel that list-mode is opened with; partial takes a damaged file as it is",
         [](Stage& s, const Step& step) { s.desk.setListBinning(binningFrom(step)); }},
        {"allow-outside", "", "from now on headers may name files outside their folder",
         [](Stage& s, const Step& /*step*/) { s.outside = std::make_shared<OutsideAllowed>(); }},
        {"series", "NAME[,FRAME]",
         "of DICOM folders opened from now on: series by number, description or UID, and frame from 1",
         [](Stage& s, const Step& step) {
             const QString frame = step.value.section(',', 1);
             bool ok = frame.isEmpty();
             VolumeReadOptions choice;
             choice.series = step.value.section(',', 0, 0).toStdString();
             choice.frame = ok ? 0 : frame.toInt(&ok);
             if (!ok || choice.frame < 0) {
                 refuse(step, "a series, then a frame from 1");
             }
             s.desk.setVolumeChoice(choice);
         }},
        {"suv", "KG,MBQ[,MIN[,HALFLIFE[,POSITRONS]]]",
         "the image on screen as SUV: body weight, dose at injection, minutes from there to the time of the "
         "values, half life in minutes, positrons per decay (else those of the nuclide with that half life)",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             RunItem* item = s.desk.runs().onScreen();
             if (item == nullptr) {
                 refuse(step, "an image is needed first");
             }
             const auto v = numbers(step, static_cast<int>(step.value.count(',')) + 1);
             if (v.size() < 2 || v.size() > 5) {
                 refuse(step, "two to five numbers are needed");
             }
             Uptake uptake;
             uptake.weight_kg = v[0];
             uptake.dose_Bq = 1e6 * v[1];
             uptake.waited_s = v.size() > 2 ? 60 * v[2] : 0;
             uptake.halfLife_s = v.size() > 3 ? 60 * v[3] : uptake.halfLife_s;
             uptake.branching = v.size() > 4 ? v[4] : positronsPerDecay(uptake.halfLife_s);
             require(step, s.desk.screen().suvOf(*item, uptake)
                               ? ""
                               : "the activity per ml of the image is not known");
             s.desk.uptakes().set(*item, {uptake, true});
             s.window.refreshNow();
         }},
        {"filter", "MM", "the selected run after a Gaussian filter of this FWHM, beside the runs",
         [](Stage& s, const Step& step) {
             const RunItem* item = imageOf(s, step);
             s.desk.madeImages().filter(item->label(), numbers(step, 1)[0]);
             waitForTasks(s);
         }},
        {"register", "FIXED", "the image on screen, laid onto that of a letter by mutual information",
         [](Stage& s, const Step& step) {
             const RunItem* item = imageOf(s, step);
             s.desk.madeImages().fit({item->label(), {}, {}}, step.value);
             waitForTasks(s);
         }},
        {"move", "X,Y,Z,X,Y,Z", "the image on screen shifted (mm) and turned about its middle (degrees)",
         [](Stage& s, const Step& step) {
             const RunItem* item = imageOf(s, step);
             const auto v = numbers(step, 6);
             MadeImages::Moved wish{item->label(), {}, {}};
             wish.move.by = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
             s.desk.madeImages().move(wish);
             waitForTasks(s);
         }},
        {"reorient", "LETTERS", "the image on screen with its axes where they really run, as RAS",
         [](Stage& s, const Step& step) {
             const RunItem* item = imageOf(s, step);
             MadeImages::Moved wish{item->label(), {}, {}};
             wish.move.axes = TrueAxes::fromText("--reorient", step.value.toStdString());
             s.desk.madeImages().move(wish);
             waitForTasks(s);
         }},
        {"filter-to-noise-of", "RUN",
         "the selected run after the narrowest Gaussian filter that makes it as quiet as another",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             const RunItem* item = s.desk.runs().onScreen();
             if (item == nullptr || item->volume() == nullptr) {
                 refuse(step, "an image is needed first");
             }
             s.desk.madeImages().filterToNoiseOf(item->label(), step.value, s.desk.rois().set());
             waitForTasks(s);
         }},
        {"annotate", "KIND:X,Y,Z[,X,Y,Z][:TEXT]",
         "ruler, arrow (tail, tip) or text in the picture with the frame, mm",
         [](Stage& s, const Step& step) {
             Annotation one;
             one.kind = annotationFromName(step.value.section(':', 0, 0));
             one.text = step.value.section(':', 2);
             one.plane = s.desk.view().activePlane();
             const bool words = one.kind == Annotation::Kind::Text;
             if (words && one.text.isEmpty()) {
                 refuse(step, "text:X,Y,Z:WORDS is needed");
             }
             const auto v = numbers({step.name, step.value.section(':', 1, 1)}, words ? 3 : 6);
             one.a = {v[0], v[1], v[2]};
             one.b = words ? one.a : Vec3{v[3], v[4], v[5]};
             s.desk.annotations().add(one);
             s.desk.annotations().select(-1);
         }},
        {"movie", "KIND:OUT",
         "of slices, iterates or rotation: .webm or .mp4 through ffmpeg, else .png files",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             const MovieKind kind = movieKindFromName(step.value.section(':', 0, 0));
             require(step, whyNoMovie(s.desk.runs(), kind));
             auto movie = std::make_shared<Movie>(movieOf(s.desk.runs(), s.desk.view(), s.window.viewer(),
                                                          s.window.pageInFront().pictures(), kind),
                                                  step.value.section(':', 1), usualRate(kind));
             QObject::connect(movie.get(), &Movie::finished, &s.window, [&s](const QString& fault) {
                 if (!fault.isEmpty()) {
                     s.fault = CannotWrite(fault.toStdString());
                 }
             });
             movie->start();
             s.waiting = [movie] { return !movie->running(); };
         }},
        {"layer-name", "RUN=NAME", "what a layer is called in the stack",
         [](Stage& s, const Step& step) {
             const auto [run, name] = keyAndValue(step);
             s.desk.layers().setName(layerOf(s, step, run), name);
         }},
        {"layer-colour", "RUN=#RRGGBB", "one colour for a layer; RUN= takes its colour map again",
         [](Stage& s, const Step& step) {
             const auto [run, colour] = keyAndValue(step);
             s.desk.layers().setColour(layerOf(s, step, run), colour);
         }},
        {"demo", "", "open the demo study (simulated at the first use)",
         [](Stage& s, const Step& /*step*/) {
             s.desk.openDemo();
             waitForTasks(s);
         }},
        {"set", "KEY=VALUE", "a setting of the next run, as in tofscope-cli reconstruct: iterations=5",
         [](Stage& s, const Step& step) {
             const auto [key, value] = keyAndValue(step);
             s.desk.settings().set(key.toStdString(), value.toStdString());
         }},
        {"run", "", "start a reconstruction of the open data",
         [](Stage& s, const Step& step) {
             require(step, s.desk.queue().start() != 0 ? QString() : s.desk.queue().whyNoRun());
         }},
        {"live", "N", "live tuning on, with N iterations at every change of a setting; 0 switches it off",
         goLive},
        {"wait", "", "until nothing is being read, simulated or reconstructed",
         [](Stage& s, const Step& /*step*/) { s.waiting = [&s] { return !s.desk.busy(); }; }},
        {"until-iterate", "N", "until the run has N whole iterates and works on the next, or has ended",
         untilIterate},
        {"select", "RUN", "select a run by its letter", selectRun},
        {"continue", "N", "go on with the selected run for N more iterations; 0 finishes an interrupted one",
         [](Stage& s, const Step& step) {
             s.desk.queue().continueRun(s.desk.runs().selectedId(), wholeNumber(step));
         }},
        {"rename", "NAME", "name of the selected run",
         [](Stage& s, const Step& step) { s.desk.runs().rename(s.desk.runs().selectedId(), step.value); }},
        {"iterate", "N",
         "show an iterate of the selected run, or a frame of an image; 0 follows the newest, or shows the "
         "mean "
         "of all frames",
         showIterate},
        {"frames", "FIRST,LAST", "show the mean of these frames of the selected image", showFrames},
        {"cursor", "X,Y,Z", "move the cursor, mm",
         [](Stage& s, const Step& step) {
             const auto v = numbers(step, 3);
             s.desk.view().setCursor({v[0], v[1], v[2]});
         }},
        {"link", "NAME", "share the cursor with every window that was started with this name",
         [](Stage& s, const Step& step) { s.window.findChild<CursorLink*>()->join(step.value); }},
        {"wl", "LOW,HIGH", "display range, in the units shown", setRange},
        {"map", "NAME", "colour map: grey, inverse-grey, hot-metal, inferno, viridis, pet-rainbow, labels",
         [](Stage& s, const Step& step) { s.desk.view().setColourMap(step.value); }},
        {"range", "NAME",
         "display range by name: 999, max, background-2, background-5, background-10, suv, mu, "
         "ct-lung, ct-soft, ct-bone, ct-brain, ct-liver, ct-vessels, or own:NAME of a range that was saved",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             if (step.value.startsWith("own:")) {
                 s.window.findChild<OwnRanges*>()->use(step.value.mid(4));
                 return;
             }
             require(step, whyNoRange(s.desk.runs(), s.desk.view(), s.desk.rois(), step.value));
             useRange(s.desk.runs(), s.desk.view(), s.desk.rois(), s.desk.screen(), step.value);
         }},
        {"layer", "RUN", "keep the image of a letter in the pictures under the others",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             require(step, s.desk.layers().whyNotPin(step.value));
             s.desk.layers().pin(step.value);
         }},
        {"opacity", "PERCENT", "of the uppermost layer",
         [](Stage& s, const Step& step) {
             s.desk.layers().setOpacity(s.desk.layers().top(), numbers(step, 1)[0] / 100);
         }},
        {"make-image", "KIND[:RUN,RUN..]",
         "an image beside the runs: truth, attenuation, bias, mean or sd, of these runs",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             const auto kind = MadeImages::kindFromName(step.value.section(':', 0, 0));
             require(step, s.desk.madeImages().whyNot(kind));
             const QStringList runs = step.value.section(':', 1).split(',', Qt::SkipEmptyParts);
             const bool several = kind == MadeImages::Kind::Mean || kind == MadeImages::Kind::Deviation;
             s.desk.madeImages().make(kind,
                                      runs.isEmpty() && several ? s.desk.madeImages().replicates() : runs);
             waitForTasks(s);
         }},
        {"slab", "MM",
         "thickness of the slices shown, mm: largest value; MM,mean: mean; MM,sum: sum; all: every slice",
         [](Stage& s, const Step& step) { s.desk.view().setSlab(slabFrom(step)); }},
        {"turn", "X,Y,Z",
         "turn the three planes by these angles about their own axes, one after the other, degrees",
         [](Stage& s, const Step& step) {
             const auto v = numbers(step, 3);
             viz::Turn turn = s.desk.view().turn();
             for (const int axis : {0, 1, 2}) {
                 turn = turn.about(axis, v[static_cast<std::size_t>(axis)] * kRadPerDeg);
             }
             s.desk.view().setTurn(turn);
         }},
        {"layout", "NAME", "main, row, grid, single, solid",
         [](Stage& s, const Step& step) { s.desk.view().setLayout(layoutFromName(step.value)); }},
        {"surface", "PERCENT", "3-D picture: the surface at this share of the largest value", showSurface},
        {"compare", "MODE", "Compare page: side-by-side, swipe or checkerboard", compare},
        {"split", "SHARE", "divider of a swipe, 0 to 1 of a picture's width",
         [](Stage& s, const Step& step) { s.window.comparePage().model().setSplit(numbers(step, 1)[0]); }},
        {"line", "X,Y,Z,X,Y,Z", "line that profiles are taken along, mm",
         [](Stage& s, const Step& step) {
             const auto v = numbers(step, 6);
             s.desk.view().setLine({{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
         }},
        {"data", "QUANTITY", "Data page: counts, expected, residual, weighted, mult, add or att", showData},
        {"view", "AZIMUTH,TILT", "the view of the data nearest to these angles, degrees", showView},
        {"lab", "KEY=VALUE",
         "Kernel lab: kernel, family, symmetry, sampling, widths=S:W;.., tof, axial, cutoff, step, ratio, "
         "shift, weight, azimuth, tilt, points=X,Y,Z;.., select, level, a and b as "
         "forward:ENGINE:STRATEGY:KERNEL",
         setInLab},
        {"rois", "FILE", "ROIs from JSON or a label map, in the place of those that are there",
         [](Stage& s, const Step& step) { loadRois(s.desk.rois(), step.value); }},
        {"roi", "JSON", "add ROIs, described as in a JSON file",
         [](Stage& s, const Step& step) { addRois(s.desk.rois(), step.value, "--roi"); }},
        {"select-roi", "NAME", "select an ROI and move the cursor there", selectRoi},
        {"ring", "N", "copies of the selected ROI, so that there are N about the scanner's axis",
         [](Stage& s, const Step& step) { addRing(s.desk.rois(), wholeNumber(step), {}); }},
        {"threshold", "PERCENT,MM",
         "a sphere from the voxels above that share of the largest within so many mm",
         [](Stage& s, const Step& step) {
             const auto v = numbers(step, 2);
             addThreshold(s.desk.runs(), s.desk.view(), s.desk.rois(), v[0] / 100, v[1],
                          ThresholdKind::Sphere);
         }},
        {"contour", "RULE", "voxels around the cursor above a level: 41, 50, suv-2.5, suv-4, percist",
         [](Stage& s, const Step& step) {
             const QString id =
                 "roi.contour-" + QString::fromStdString(contourRule(step.value.toStdString()).id);
             s.window.refreshNow();
             require(step,
                     s.window.commands().trigger(id) ? QString() : s.window.commands().action(id)->toolTip());
         }},
        {"save-rois", "OUT", "JSON, or a label map for .nii, .nii.gz, .hv, .h5",
         [](Stage& s, const Step& step) {
             writeRois({step.value.toStdString()}, s.desk.rois().set(), s.desk.view().lattice());
         }},
        {"match-noise", "PERCENT", "of every run the iterate nearest to that noise, side by side",
         matchNoise},
        {"save-curve", "OUT", "the curves on screen: .csv, .png, .svg or .pdf",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             s.window.figuresPanel().chart()->save(step.value);
         }},
        {"run-filter", "WORDS", "rows of the table of runs that have these words; empty: all",
         [](Stage& s, const Step& step) { runsPage(s).setFilter(step.value); }},
        {"run-sort", "COLUMN[,down]", "table of runs: by this title, from below or from above", sortRuns},
        {"run-pin", "RUN", "table of runs: this letter on top",
         [](Stage& s, const Step& step) { runsPage(s).setPinned(knownRun(s, step, step.value), true); }},
        {"run-comment", "RUN=TEXT", "table of runs: a comment on this letter; empty: none",
         [](Stage& s, const Step& step) {
             const auto [run, text] = keyAndValue(step);
             runsPage(s).setComment(knownRun(s, step, run), text);
         }},
        {"save-run-table", "OUT.csv|OUT.tex", "the table of runs, filtered and sorted as it is",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             runsPage(s).writeTable(step.value);
         }},
        {"save-roi-table", "OUT.tsv", "every ROI with every value of the image on screen", saveRoiTable},
        {"command", "ID", "any command of the menus by its id", triggerCommand},
        {"save-study", "FOLDER", "a study of the open data and runs, or a copy of the open study; opens it",
         [](Stage& s, const Step& step) {
             require(step, whyNotKeepStudy(s.desk));
             keepStudy(s.desk, step.value);
             waitForTasks(s);
         }},
        {"zoom", "FACTOR", "zoom about the cursor; 1 changes nothing",
         [](Stage& s, const Step& step) {
             s.desk.view().zoomAbout(s.desk.view().cursor(), numbers(step, 1)[0]);
         }},
        {"picture-scale", "N", "pixels for each one on the screen in --pictures",
         [](Stage& s, const Step& step) { s.pictureScale = numbers(step, 1)[0]; }},
        {"pictures", "OUT.png|OUT.pdf", "the pictures alone, at --picture-scale",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             writePicture(s.window.pageInFront().pictures(), step.value, s.pictureScale);
         }},
        {"screenshot", "OUT.png",
         "picture of the window and its dialogs; without a display this implies --exit", takeScreenshot},
        {"save-texts", "OUT.json",
         "what a screen reader finds in the window: role, name, value and description of everything",
         [](Stage& s, const Step& step) {
             s.window.refreshNow();
             writeTextAside(step.value.toStdString(), jsonText(accessibleTree(s.window), 1) + "\n");
         }},
        {"exit", "", "end the program", [](Stage& s, const Step& /*step*/) { s.exit = true; }},
    };
    return table;
}

void carryOut(ScriptStage& stage, const ScriptStep& step) {
    const auto& table = scriptActions();
    const auto action =
        std::find_if(table.begin(), table.end(), [&](const auto& a) { return step.name == a.name; });
    const auto take = action != table.end() ? action->carryOut : openFile;
    take(stage, step);
}

}  // namespace tof::ui
