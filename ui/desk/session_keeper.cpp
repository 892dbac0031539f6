// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/session_keeper.h"

#include <signal.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include "recon/base/json_text.h"
#include "ui/desk/desk.h"
#include "ui/kit/json.h"

namespace tof::ui {

SessionKeeper::SessionKeeper(Desk& desk, const QString& file, QObject* parent)
    : QObject(parent), desk_(desk), file_(file) {
    QFile last(file_);
    if (!file_.isEmpty() && last.open(QIODevice::ReadOnly)) {
        const nlohmann::json saved = parsedJson(last.readAll().toStdString());
        if (!savedIn(saved, "files").empty()) {
            before_ = jsonText(saved);
            // Another window that is open has not crashed.
            const auto process = savedIn<std::int64_t>(saved, "process", 0);
            const bool lives = process > 0 && process != QCoreApplication::applicationPid() &&
                               kill(static_cast<pid_t>(process), 0) == 0;
            crashed_ = !savedIn(saved, "clean", false) && !lives;
        }
    }
    // At once, too: a program may be killed before the first tick.
    connect(&desk_, &Desk::opened, this, &SessionKeeper::save, Qt::QueuedConnection);
    timer_.setInterval(kEveryMs);
    connect(&timer_, &QTimer::timeout, this, &SessionKeeper::save);
    timer_.start();
}

void SessionKeeper::save() {
    desk_.sessions().autosave();
    if (!desk_.study().files().isEmpty()) {
        write(Session::GoesOn);
    }
}

void SessionKeeper::end() {
    timer_.stop();
    if (!written_.empty() || !desk_.study().files().isEmpty()) {
        write(Session::Ended);
    }
}

void SessionKeeper::write(Session session) {
    if (file_.isEmpty()) {
        return;
    }
    nlohmann::json state{{"clean", session == Session::Ended},
                         {"process", QCoreApplication::applicationPid()}};
    std::string text;
    if (desk_.study().files().isEmpty()) {  // what was open last, with what is new about it
        nlohmann::json before = parsedJson(written_);
        before.update(state);
        text = jsonText(before);
    } else {
        text = desk_.sessions().last(std::move(state));
    }
    if (text == written_) {
        return;
    }
    QDir().mkpath(QFileInfo(file_).absolutePath());
    QSaveFile out(file_);
    const auto bytes = static_cast<qint64>(text.size());
    // Nothing to be done about a folder that cannot be written: the session goes on without this net.
    if (out.open(QIODevice::WriteOnly) && out.write(text.data(), bytes) == bytes && out.commit()) {
        written_ = text;
    }
}

}  // namespace tof::ui
