// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <map>

#include "ui/desk/desk.h"
#include "ui/kit/commands.h"
#include "ui/pages/viewer.h"
#include "ui/pictures/movie.h"

class QProgressDialog;

namespace tof::ui {

/// What a movie goes through.
enum class MovieKind { Slices, Iterates, Rotation };
/// "slices", "iterates", "rotation"; throws WrongUse listing them for another name.
[[nodiscard]] MovieKind movieKindFromName(const QString& name);
/// Pictures per second where nobody chose: iterates are few, and differ in what one wants to see.
[[nodiscard]] double usualRate(MovieKind kind);
/// Empty when such a movie can be made now, else the reason.
[[nodiscard]] QString whyNoMovie(Desk& desk, MovieKind kind);
/// The pictures on screen through the slices of the plane with the frame, or through the iterates of the
/// selected run; or the image from outside, once around in steps of 5 degrees.
[[nodiscard]] MovieSource movieOf(Desk& desk, Viewer& viewer, QWidget& pictures, MovieKind kind);

/// What is done with images and pictures: SUV, a post filter, rulers and words, movies, the choice of a
/// series.
class ImageCommands : public QObject {
    Q_OBJECT

  public:
    /// `ask`: whether there is somebody to ask which series is opened.
    ImageCommands(CommandRegistry& commands, Desk& desk, PageStack& pages, Viewer& viewer, bool ask,
                  QWidget& window);

  private:
    void addImages(CommandRegistry& commands);
    void addAnnotations(CommandRegistry& commands);
    void addMovies(CommandRegistry& commands);
    void editUptake();
    void askAndFilter();
    void chooseSeries(const QString& path, const std::vector<VolumeSeries>& series);
    void askAndFilm(MovieKind kind);

    Desk& desk_;
    PageStack& pages_;
    Viewer& viewer_;
    QWidget& window_;
    double filter_mm_ = 5;
    std::map<MovieKind, double> rates_;  ///< pictures per second, as last asked for
    QPointer<Movie> movie_;
};

}  // namespace tof::ui
