// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/session_keeper.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>

namespace tof::ui {

SessionKeeper::SessionKeeper(Desk& desk, const QString& file, QObject* parent)
    : QObject(parent), desk_(desk), file_(file) {
    QFile last(file_);
    if (!file_.isEmpty() && last.open(QIODevice::ReadOnly)) {
        before_ = QJsonDocument::fromJson(last.readAll()).object();
        if (before_["files"].toArray().isEmpty()) {
            before_ = {};
        }
        crashed_ = !before_.isEmpty() && !before_["clean"].toBool();
    }
    timer_.setInterval(kEveryMs);
    connect(&timer_, &QTimer::timeout, this, &SessionKeeper::save);
    timer_.start();
}

void SessionKeeper::save() {
    desk_.sessions().autosave();
    if (!desk_.study().files().isEmpty()) {
        write(false);
    }
}

void SessionKeeper::end() {
    timer_.stop();
    if (!written_.isEmpty() || !desk_.study().files().isEmpty()) {
        write(true);
    }
}

void SessionKeeper::write(bool clean) {
    if (file_.isEmpty()) {
        return;
    }
    QJsonObject state = desk_.study().files().isEmpty() ? QJsonDocument::fromJson(written_).object()
                                                        : desk_.sessions().last();
    state["clean"] = clean;
    const QByteArray text = QJsonDocument(state).toJson(QJsonDocument::Compact);
    if (text == written_) {
        return;
    }
    QDir().mkpath(QFileInfo(file_).absolutePath());
    QSaveFile out(file_);
    // Nothing to be done about a folder that cannot be written: the session goes on without this net.
    if (out.open(QIODevice::WriteOnly) && out.write(text) == text.size() && out.commit()) {
        written_ = text;
    }
}

}  // namespace tof::ui
