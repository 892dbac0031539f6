// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/files_aside.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <map>

#include "recon/study/study.h"

namespace tof::ui {

namespace {

QString folderIn(const QString& study) {
    return study + "/deleted";
}

}  // namespace

FilesAside::FilesAside(const QString& study, const QStringList& files) : folder_(folderIn(study)) {
    for (const QString& file : files) {
        if (!QFileInfo::exists(file)) {
            continue;
        }
        const QString aside = folder_ + "/" + QFileInfo(file).fileName();
        const bool own = QDir().mkpath(folder_) && !QFileInfo(folder_).isSymLink();
        if (own) {
            QFile::remove(aside);  // a run of the same name that was deleted before left it
        }
        if (own && QFile::rename(file, aside)) {
            files_.emplace_back(file, aside);
        } else {
            QFile::remove(file);
        }
    }
}

FilesAside::~FilesAside() {
    for (const auto& [file, aside] : files_) {
        QFile::remove(aside);
    }
    QDir().rmdir(folder_);  // does nothing while there is more in it
}

bool FilesAside::putBack() {
    bool all = true;
    for (; !files_.empty(); files_.pop_back()) {
        all = QFile::rename(files_.back().second, files_.back().first) && all;
    }
    QDir().rmdir(folder_);
    return all;
}

QStringList bringFilesBack(const Study& study) {
    const QString folder = QString::fromStdString(study.folder());
    const QDir aside(folderIn(folder));
    const QDir runs(folder + "/runs");
    if (QFileInfo(aside.path()).isSymLink() || QFileInfo(runs.path()).isSymLink()) {
        return {};
    }
    std::map<QString, QStringList> byRun;
    for (const QString& file : aside.entryList(QDir::Files | QDir::NoSymLinks)) {
        if (const QString run = QString::fromStdString(Study::runOfFile(file.toStdString()));
            !run.isEmpty()) {
            byRun[run] << file;
        }
    }
    const auto taken = [&](const QString& letter) {
        return !runs.entryList({letter + ".*"}, QDir::Files | QDir::Hidden).isEmpty();
    };
    QStringList back;
    for (const auto& [run, files] : byRun) {
        const QString letter = taken(run) ? QString::fromStdString(study.nextRunName()) : run;
        bool all = true;
        for (const QString& file : files) {
            all = QFile::rename(aside.filePath(file), runs.filePath(letter + file.mid(run.size()))) && all;
        }
        if (all) {
            back << letter;
        }
    }
    QDir().rmdir(aside.path());
    return back;
}

}  // namespace tof::ui
