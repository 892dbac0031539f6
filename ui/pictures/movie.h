// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <functional>

namespace tof::ui {

/// What a movie shows, picture by picture.
struct MovieSource {
    int pictures = 0;
    std::function<void(int)> show;          ///< makes picture n, from 0, come on screen
    std::function<bool()> ready;            ///< it is there
    std::function<QImage()> picture;        ///< as it is now
    std::function<void()> putBack = [] {};  ///< everything as it was before the movie
};

/// Writes a movie: WebM or MP4 through ffmpeg where that is in PATH, PNG files beside each other otherwise or
/// when asked for by the ending. Takes a picture in each turn of the event loop, so that the window answers.
class Movie : public QObject {
    Q_OBJECT

  public:
    /// `file` ends in .webm, .mp4 or .png; of .png, and without ffmpeg, come NAME-0001.png and so on.
    /// Throws WrongUse for other endings, no pictures, and rates outside 1 to 60 a second.
    Movie(MovieSource source, const QString& file, double picturesPerSecond, QObject* parent = nullptr);
    ~Movie() override;

    /// The program; empty where there is none.
    [[nodiscard]] static QString ffmpeg() { return QStandardPaths::findExecutable("ffmpeg"); }
    void start() {
        running_ = true;
        later(0);
    }
    /// Ends it; what was written of it goes.
    void cancel();
    [[nodiscard]] bool running() const { return running_; }
    [[nodiscard]] int done() const { return next_; }
    [[nodiscard]] int pictures() const { return source_.pictures; }
    /// What there is at the end: the movie, or the first of the PNG files.
    [[nodiscard]] QString written() const { return series_ ? fileOf(0) : file_; }

  Q_SIGNALS:
    void progress(int done, int pictures);
    /// `fault`: a sentence, empty when the movie is there or was cancelled.
    void finished(const QString& fault);

  private:
    void later(int ms);
    void step();
    void take();
    void write(const QImage& image);
    void open(QSize size);
    void end(const QString& fault);
    [[nodiscard]] QString fileOf(int picture) const;

    MovieSource source_;
    QString file_;
    double rate_;
    bool series_ = false;
    QSize size_;
    QProcess* process_ = nullptr;
    int next_ = 0;
    bool asked_ = false;  ///< the picture next_ was told to come
    bool running_ = false;
};

}  // namespace tof::ui
