// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QFileInfo>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "recon/base/error.h"

namespace tof::ui {

enum class Severity { Note, Warning, Error };

struct Message {
    QDateTime time;
    Severity severity = Severity::Note;
    QString text;
    QString file{};  ///< that was written, where the message is about one
};

/// The message centre's content: what would elsewhere be message boxes.
class Messages : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    void add(Severity severity, const QString& text, const QString& file = {}) {
        messages_.push_back({QDateTime::currentDateTime(), severity, text, file});
        ++unread_;
        Q_EMIT changed();
        Q_EMIT added();
    }
    /// "Written: NAME"; its folder can be shown.
    void written(const QString& file) {
        add(Severity::Note, tr("Written: %1").arg(QFileInfo(file).fileName()), file);
        --unread_;  // good news does not count
        Q_EMIT changed();
    }
    /// Runs `body`; what it throws becomes an error that begins with `title`.
    void guard(const QString& title, const std::function<void()>& body) {
        try {
            body();
        } catch (const Error& fault) {
            add(Severity::Error, title + ": " + fault.what());
        }
    }
    [[nodiscard]] const std::vector<Message>& all() const { return messages_; }
    [[nodiscard]] int unread() const { return unread_; }
    void markRead() {
        unread_ = 0;
        Q_EMIT changed();
    }

  Q_SIGNALS:
    void changed();
    /// The last of all() is new.
    void added();

  private:
    std::vector<Message> messages_;
    int unread_ = 0;
};

}  // namespace tof::ui
