// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/files_aside.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

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
        QFile::remove(aside);  // of a run of the same name that was deleted before
        if (QDir().mkpath(folder_) && QFile::rename(file, aside)) {
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

void clearFilesAside(const QString& study) {
    QDir(folderIn(study)).removeRecursively();
}

}  // namespace tof::ui
