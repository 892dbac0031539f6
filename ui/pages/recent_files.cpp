// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/recent_files.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "ui/kit/text.h"

namespace tof::ui {

QString RecentFiles::base(const QString& path) const {
    return folder_ + "/" + QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex();
}

void RecentFiles::keep(const QString& path, const Look& look) const {
    if (folder_.isEmpty() || !QDir().mkpath(folder_)) {
        return;
    }
    if (!look.picture.isNull()) {
        look.picture.save(base(path) + ".png");
    }
    QFile result(base(path) + ".txt");
    if (result.open(QIODevice::WriteOnly)) {  // without it the list has no second line, no more
        result.write(look.result.toUtf8());
    }
}

RecentFiles::Look RecentFiles::look(const QString& path) const {
    Look look;
    if (folder_.isEmpty()) {
        return look;
    }
    look.picture.load(base(path) + ".png");
    QFile result(base(path) + ".txt");
    look.result = result.open(QIODevice::ReadOnly) ? QString::fromUtf8(result.readAll()) : QString();
    return look;
}

void RecentFiles::clear() const {
    if (!folder_.isEmpty()) {
        QDir(folder_).removeRecursively();
    }
}

QString changedText(const QString& path) {
    QDateTime changed = QFileInfo(path).lastModified();
    if (QFileInfo(path).isDir()) {
        for (const QString& inside : {path + "/study.json", path + "/runs"}) {
            if (QFileInfo::exists(inside)) {
                changed = std::max(changed, QFileInfo(inside).lastModified());
            }
        }
    }
    const QDate day = changed.date();
    const QDate today = QDate::currentDate();
    const QLocale words;
    if (day == today) {
        return Text::tr("today %1").arg(changed.toString("HH:mm"));
    }
    if (day == today.addDays(-1)) {
        return Text::tr("yesterday");
    }
    return words.toString(day, day.year() == today.year() ? "d MMM" : "d MMM yyyy");
}

}  // namespace tof::ui
