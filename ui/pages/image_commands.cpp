// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/image_commands.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QProgressDialog>
#include <cmath>
#include <tuple>

#include "recon/base/error.h"
#include "ui/desk/annotations.h"
#include "ui/desk/made_images.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/uptakes.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/names.h"
#include "ui/kit/save_file.h"
#include "ui/kit/text.h"
#include "ui/pages/run_commands.h"
#include "ui/pictures/uptake_dialog.h"

namespace tof::ui {

namespace {

constexpr std::pair<MovieKind, const char*> kKinds[] = {
    {MovieKind::Slices, "slices"}, {MovieKind::Iterates, "iterates"}, {MovieKind::Rotation, "rotation"}};
constexpr int kStep_deg = 5;

MovieSource ofSlices(ViewModel& view, QWidget& pictures) {
    const Plane plane = view.activePlane();
    MovieSource source;
    source.pictures = view.sliceCount(plane);
    source.show = [&view, plane](int n) { view.stepSlice(plane, n - view.sliceIndex(plane)); };
    source.ready = [] { return true; };
    source.picture = [&pictures] { return pictureOf(pictures, pictures.devicePixelRatioF()); };
    source.putBack = [&view, before = view.cursor()] { view.setCursor(before); };
    return source;
}

MovieSource ofIterates(RunList& runs, QWidget& pictures) {
    RunItem* item = runs.selected();
    const int id = item->id();
    const std::vector<int> iterates = item->iterates();
    MovieSource source;
    source.pictures = static_cast<int>(iterates.size());
    source.show = [&runs, id, iterates](int n) {
        runs.showIterate(id, iterates[static_cast<std::size_t>(n)]);
        runs.flush();
    };
    source.ready = [&runs, id] {
        const RunItem* run = runs.find(id);
        return run == nullptr || run->volume() != nullptr;  // one that went is shown as it was last
    };
    source.picture = [&pictures] { return pictureOf(pictures, pictures.devicePixelRatioF()); };
    source.putBack = [&runs, id, before = item->shown()] { runs.showIterate(id, before); };
    return source;
}

/// In the fourth picture, which is larger than the pane below the pictures.
MovieSource ofRotation(ViewModel& view, Viewer& viewer) {
    SolidPane& pane = *viewer.solid();
    const Layout before = view.layout();
    view.setLayout(Layout::Solid);
    MovieSource source;
    source.pictures = 360 / kStep_deg;
    source.show = [&pane, from = pane.azimuth_deg()](int n) {
        pane.setAngles(from + n * kStep_deg, pane.elevation_deg());
    };
    source.ready = [&pane] { return !pane.isVisible() || (!pane.busy() && !pane.picture().isNull()); };
    source.picture = [&pane] { return pictureOf(pane, pane.devicePixelRatioF()); };
    source.putBack = [&view, &pane, before, from = pane.azimuth_deg()] {
        pane.setAngles(from, pane.elevation_deg());
        view.setLayout(before);
    };
    return source;
}

}  // namespace

MovieKind movieKindFromName(const QString& name) {
    return valueIn(kKinds, name, "no movie of '%1'; there are slices, iterates and rotation");
}

double usualRate(MovieKind kind) {
    return kind == MovieKind::Iterates ? 2 : 10;
}

QString whyNoMovie(RunList& runs, MovieKind kind) {
    if (runs.image() == nullptr) {
        return Text::tr("There is no image yet");
    }
    const RunItem* item = runs.selected();
    return kind == MovieKind::Iterates && (item == nullptr || item->iterates().size() < 2)
               ? Text::tr("The selected run has no two iterates")
               : QString();
}

MovieSource movieOf(RunList& runs, ViewModel& view, Viewer& viewer, QWidget& pictures, MovieKind kind) {
    switch (kind) {
        case MovieKind::Slices: return ofSlices(view, pictures);
        case MovieKind::Iterates: return ofIterates(runs, pictures);
        case MovieKind::Rotation: break;
    }
    return ofRotation(view, viewer);
}

ImageCommands::ImageCommands(const Workbench& bench) : QObject(&bench.window), Workbench(bench) {
    addImages();
    addAnnotations();
    addMovies();
    connect(&uptakes, &Uptakes::changed, &commands, &CommandRegistry::refresh);
    connect(&annotations, &Annotations::changed, &commands, &CommandRegistry::refresh);
    connect(&annotations, &Annotations::toolChanged, &commands, &CommandRegistry::refresh);
    connect(&rois, &RoiModel::toolChanged, this, [this] {
        if (rois.tool()) {
            annotations.setTool(std::nullopt);
        }
    });
}

void ImageCommands::addImages() {
    const auto entry = [this] {
        const RunItem* item = runs.onScreen();
        return item != nullptr ? uptakes.of(*item) : nullptr;
    };
    commands.add("Tools", {{.id = "image.filter",
                            .text = tr("Post filter..."),
                            .help = tr("Puts every iterate of the selected run after a Gaussian filter "
                                       "beside the runs: an image and a curve of its own"),
                            .run = [this] { askAndFilter(); },
                            .whyNot = [this] { return whyNoImage(runs); }},
                           {.id = "image.match-noise",
                            .text = tr("Post filter to the noise of another run..."),
                            .help = tr("Puts the selected run beside the runs after the narrowest Gaussian "
                                       "filter that makes it as quiet as another: a run with a prior and one "
                                       "without, at one noise"),
                            .run = [this] { askAndMatchNoise(); },
                            .whyNot =
                                [this] {
                                    return quieterRuns().isEmpty()
                                               ? tr("No other run has less noise, or no ROI of role "
                                                    "uniform says how much there is")
                                               : QString();
                                }},
                           {.id = "image.suv",
                            .text = tr("SUV..."),
                            .help = tr("Body weight, dose and time of the image on screen, so that its "
                                       "values are standardised uptake values"),
                            .run = [this] { editUptake(); },
                            .whyNot = [this] { return whyNoImage(runs); }},
                           {.id = "image.suv-shown",
                            .text = tr("Values as SUV"),
                            .help = tr("Standardised uptake values, or what the image has itself"),
                            .run =
                                [this, entry] {
                                    Uptakes::Entry changed = *entry();
                                    changed.shown = !changed.shown;
                                    uptakes.set(*runs.onScreen(), changed);
                                },
                            .whyNot =
                                [entry] {
                                    return entry() != nullptr
                                               ? QString()
                                               : tr("Body weight and dose are not known: Tools > SUV");
                                },
                            .checked = [entry] { return entry() != nullptr && entry()->shown; }}});
}

void ImageCommands::addAnnotations() {
    using Kind = Annotation::Kind;
    Annotations& model = annotations;
    const std::tuple<Kind, QString, QString> tools[] = {
        {Kind::Ruler, tr("Ruler"),
         tr("A length in mm, drawn with a drag in a picture; its ends can be dragged")},
        {Kind::Arrow, tr("Arrow"),
         tr("Drawn with a drag from its tail to its tip; a double-click gives it words")},
        {Kind::Text, tr("Text"), tr("Words, put with a click into a picture")}};
    for (const auto& [kind, text, help] : tools) {
        commands.add({.id = QString("annotate.") + annotationName(kind),
                      .menu = "Tools",
                      .text = text,
                      .help = help,
                      .run =
                          [this, &model, k = kind] {
                              model.setTool(model.tool() == k ? std::nullopt : std::optional(k));
                              rois.setTool(std::nullopt);
                              view.setFlag(ViewModel::Flag::Annotations, true);
                              viewer.pane(view.activePlane())->setFocus();
                          },
                      .whyNot = [this] { return whyNoImage(runs); },
                      .checked = [&model, k = kind] { return model.tool() == k; },
                      .separatorBefore = kind == Kind::Ruler});
    }
    commands.add({.id = "annotate.delete",
                  .menu = "Tools",
                  .text = tr("Delete annotation"),
                  .help = tr("The selected ruler, arrow or text; Del does it in its picture"),
                  .run = [&model] { model.remove(model.selected()); },
                  .whyNot =
                      [&model] {
                          return model.selected() >= 0 ? QString()
                                                       : tr("No ruler, arrow or text is selected");
                      }});
}

void ImageCommands::addMovies() {
    const std::tuple<MovieKind, const char*, QString, QString> kinds[] = {
        {MovieKind::Slices, "movie.slices", tr("Movie of slices..."),
         tr("The pictures through all slices of the plane with the frame, as WebM, MP4 or PNG files")},
        {MovieKind::Iterates, "movie.iterates", tr("Movie of iterates..."),
         tr("The pictures through all iterates of the selected run, as WebM, MP4 or PNG files")},
        {MovieKind::Rotation, "movie.rotation", tr("Movie of a turn..."),
         tr("The image from outside, once around, as WebM, MP4 or PNG files")}};
    for (const auto& [kind, id, text, help] : kinds) {
        commands.add({.id = id,
                      .menu = "Tools",
                      .text = text,
                      .help = help,
                      .run = [this, k = kind] { askAndFilm(k); },
                      .whyNot =
                          [this, k = kind] {
                              return movie_ != nullptr ? tr("A movie is being written") : whyNoMovie(runs, k);
                          }});
    }
}

void ImageCommands::editUptake() {
    RunItem* item = runs.onScreen();
    const int id = item->id();
    const Uptakes::Entry* known = uptakes.of(*item);
    UptakeDialog dialog(
        item->label(), known != nullptr ? *known : Uptakes::Entry{},
        [this, id](const Uptake& uptake) {
            const RunItem* image = runs.find(id);
            return image != nullptr ? screen.suvOf(*image, uptake) : std::nullopt;
        },
        &window);
    if (dialog.exec() == QDialog::Accepted && runs.find(id) != nullptr) {
        messages.guard(tr("SUV"), [&] { uptakes.set(*runs.find(id), dialog.entry()); });
    }
}

void ImageCommands::askAndFilter() {
    const QString label = runs.onScreen()->label();
    bool ok = false;
    const double mm = QInputDialog::getDouble(&window, tr("Post filter of %1").arg(label),
                                              tr("Gaussian, FWHM in mm"), filter_mm_, 0.1, 100, 2, &ok);
    if (ok) {
        filter_mm_ = mm;
        messages.guard(tr("Post filter"), [&] { made.filter(label, mm); });
    }
}

QStringList ImageCommands::quieterRuns() {
    const auto noiseOf = [](const RunItem& item) {
        const Figures* measured = item.figuresOf(item.shownIterate());
        return measured != nullptr ? measured->noise : std::nan("");
    };
    const RunItem* shown = runs.onScreen();
    QStringList names;
    for (const auto& item : runs.items()) {
        if (shown != nullptr && item.get() != shown && noiseOf(*item) < noiseOf(*shown)) {
            names << item->label() + " " + item->name();
        }
    }
    return names;
}

void ImageCommands::askAndMatchNoise() {
    const QString label = runs.onScreen()->label();
    bool ok = false;
    const QString chosen =
        QInputDialog::getItem(&window, tr("Post filter of %1").arg(label),
                              tr("Filtered until its noise is that of"), quieterRuns(), 0, false, &ok);
    if (ok) {
        messages.guard(tr("Post filter"),
                       [&] { made.filterToNoiseOf(label, chosen.section(' ', 0, 0), rois.set()); });
    }
}

void ImageCommands::askAndFilm(MovieKind kind) {
    const QString video = tr("WebM (*.webm);;MP4 (*.mp4)");
    const QString pictures = tr("PNG files (*.png)");
    const bool coder = !Movie::ffmpeg().isEmpty();
    const QString name = viewer.shownName().isEmpty() ? "movie" : viewer.shownName();
    const QString file =
        QFileDialog::getSaveFileName(&window, tr("Save movie"), name + (coder ? ".webm" : ".png"),
                                     coder ? video + ";;" + pictures : pictures);
    if (file.isEmpty()) {
        return;
    }
    bool ok = false;
    const double before = rates_.contains(kind) ? rates_.at(kind) : usualRate(kind);
    const double rate =
        QInputDialog::getDouble(&window, tr("Save movie"), tr("Pictures per second"), before, 1, 60, 0, &ok);
    if (!ok) {
        return;
    }
    rates_[kind] = rate;
    QWidget& shown = kind == MovieKind::Rotation ? viewer.pictures() : pages.inFront().pictures();
    try {
        movie_ = new Movie(movieOf(runs, view, viewer, shown, kind), file, rate, this);
    } catch (const Error& fault) {
        messages.add(Severity::Error, fault.what());
        return;
    }
    auto* progress =
        new QProgressDialog(tr("Writing the movie"), tr("Cancel"), 0, movie_->pictures(), &window);
    progress->setObjectName("movie.progress");
    progress->setMinimumDuration(0);
    progress->setAttribute(Qt::WA_DeleteOnClose);
    connect(movie_, &Movie::progress, progress, &QProgressDialog::setValue);
    connect(progress, &QProgressDialog::canceled, movie_, &Movie::cancel);
    connect(movie_, &Movie::finished, this, [this, progress, movie = movie_](const QString& fault) {
        progress->disconnect();
        progress->deleteLater();
        if (!fault.isEmpty()) {
            messages.add(Severity::Error, fault);
        } else if (movie->done() == movie->pictures()) {
            messages.written(movie->written());
        }
        movie->deleteLater();
    });
    movie_->start();
}

}  // namespace tof::ui
