// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointer>
#include <map>

#include "ui/pages/workbench.h"
#include "ui/pictures/movie.h"

namespace tof::ui {

/// What a movie goes through.
enum class MovieKind { Slices, Iterates, Rotation };
/// "slices", "iterates", "rotation"; throws WrongUse listing them for another name.
[[nodiscard]] MovieKind movieKindFromName(const QString& name);
/// Pictures per second where nobody chose: iterates are few, and differ in what one wants to see.
[[nodiscard]] double usualRate(MovieKind kind);
/// Empty when such a movie can be made now, else the reason.
[[nodiscard]] QString whyNoMovie(RunList& runs, MovieKind kind);
/// The pictures on screen through the slices of the plane with the frame, or through the iterates of the
/// selected run; or the image from outside, once around in steps of 5 degrees.
[[nodiscard]] MovieSource movieOf(RunList& runs, ViewModel& view, Viewer& viewer, QWidget& pictures,
                                  MovieKind kind);

/// What is done with images and pictures: SUV, a post filter, rulers and words, movies, the choice of a
/// series.
class ImageCommands : public QObject, private Workbench {
    Q_OBJECT

  public:
    explicit ImageCommands(const Workbench& bench);

  private:
    void addImages();
    void addAnnotations();
    void addMovies();
    void editUptake();
    void askAndFilter();
    /// Letters and names of runs whose image on screen has less noise than the one in the pictures.
    [[nodiscard]] QStringList quieterRuns();
    void askAndMatchNoise();
    void askAndFilm(MovieKind kind);

    double filter_mm_ = 5;
    std::map<MovieKind, double> rates_;  ///< pictures per second, as last asked for
    QPointer<Movie> movie_;
};

}  // namespace tof::ui
