// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/movie.h"

#include <QFile>
#include <QFileInfo>
#include <QTimer>
#include <utility>

#include "recon/base/error.h"

namespace tof::ui {

namespace {

constexpr qint64 kMostWaiting = 32 << 20;  ///< bytes that ffmpeg has not taken yet

/// While it is written: a movie that was given up is never taken for one.
QString asideOf(const QString& file) {
    const QFileInfo info(file);
    return info.path() + "/" + info.completeBaseName() + ".part." + info.suffix();
}

}  // namespace

Movie::Movie(MovieSource source, const QString& file, double picturesPerSecond, QObject* parent)
    : QObject(parent), source_(std::move(source)), file_(file), rate_(picturesPerSecond) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != "webm" && ending != "mp4" && ending != "png") {
        throw WrongUse(
            tr("%1: movies are written as .webm, .mp4 or, picture by picture, .png").arg(file).toStdString());
    }
    if (source_.pictures < 1) {
        throw WrongUse(tr("there are no pictures for a movie").toStdString());
    }
    if (!(rate_ >= 1 && rate_ <= 60)) {
        throw WrongUse(tr("1 to 60 pictures per second are possible").toStdString());
    }
    series_ = ending == "png" || ffmpeg().isEmpty();
}

Movie::~Movie() {
    if (process_ != nullptr) {
        process_->disconnect(this);
        process_->kill();
        process_->waitForFinished();
    }
}

QString Movie::fileOf(int picture) const {
    const QFileInfo info(file_);
    return QString("%1/%2-%3.png")
        .arg(info.path(), info.completeBaseName())
        .arg(picture + 1, 4, 10, QChar('0'));
}

void Movie::later(int ms) {
    QTimer::singleShot(ms, this, [this] {
        if (running_) {
            step();
        }
    });
}

void Movie::step() {
    constexpr int kWait_ms = 10;
    if (!asked_) {
        asked_ = true;
        source_.show(next_);
        later(0);  // what follows from it
        return;
    }
    const bool full = process_ != nullptr && process_->bytesToWrite() > kMostWaiting;
    if (full || !source_.ready()) {
        later(kWait_ms);
        return;
    }
    take();
}

void Movie::take() {
    write(source_.picture());
    if (!running_) {
        return;
    }
    asked_ = false;
    ++next_;
    Q_EMIT progress(next_, source_.pictures);
    if (next_ < source_.pictures) {
        later(0);
    } else if (process_ != nullptr) {
        process_->closeWriteChannel();
    } else {
        end({});
    }
}

void Movie::write(const QImage& image) {
    if (series_) {
        if (!image.save(fileOf(next_), "PNG")) {
            end(tr("%1: cannot be written; check the folder").arg(fileOf(next_)));
        }
        return;
    }
    if (process_ == nullptr) {
        open({image.width() / 2 * 2, image.height() / 2 * 2});  // encoders want even sides
    }
    const QImage frame = image.copy(QRect(QPoint(), size_)).convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < frame.height(); ++y) {
        process_->write(reinterpret_cast<const char*>(frame.constScanLine(y)), qint64{4} * frame.width());
    }
}

void Movie::open(QSize size) {
    size_ = size;
    process_ = new QProcess(this);
    process_->setStandardOutputFile(QProcess::nullDevice());
    const bool webm = file_.endsWith(".webm", Qt::CaseInsensitive);
    const QStringList coder =
        webm ? QStringList{"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "24", "-row-mt", "1"}
             : QStringList{"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart"};
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end(tr("ffmpeg cannot be started: %1").arg(process_->errorString()));
        }
    });
    connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        if (code == 0 && status == QProcess::NormalExit && next_ == source_.pictures) {
            QFile::remove(file_);
            const bool there = QFile::rename(asideOf(file_), file_);
            end(there ? QString() : tr("%1: cannot be written; check the folder").arg(file_));
            return;
        }
        const QString said = QString::fromLocal8Bit(process_->readAllStandardError()).trimmed();
        end(tr("ffmpeg gave up: %1").arg(said.section('\n', -1)));
    });
    process_->start(
        ffmpeg(), QStringList{"-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgra", "-video_size",
                              QString("%1x%2").arg(size.width()).arg(size.height()), "-framerate",
                              QString::number(rate_), "-i", "-"} +
                      coder + QStringList{"-pix_fmt", "yuv420p", asideOf(file_)});
}

void Movie::cancel() {
    if (!running_) {
        return;
    }
    if (series_) {
        for (int i = 0; i < next_; ++i) {
            QFile::remove(fileOf(i));
        }
    }
    end({});
}

void Movie::end(const QString& fault) {
    if (!std::exchange(running_, false)) {
        return;
    }
    if (process_ != nullptr) {
        process_->disconnect(this);
        process_->kill();  // has no effect on one that has ended
        process_->waitForFinished();
        process_->deleteLater();
        process_ = nullptr;
        QFile::remove(asideOf(file_));
    }
    source_.putBack();
    Q_EMIT finished(fault);
}

}  // namespace tof::ui
