// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <vector>

namespace tof::ui {

enum class Severity { Note, Warning, Error };

struct Message {
    QDateTime time;
    Severity severity = Severity::Note;
    QString text;
};

/// The message centre's content: what would elsewhere be message boxes.
class Messages : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    void add(Severity severity, const QString& text) {
        messages_.push_back({QDateTime::currentDateTime(), severity, text});
        ++unread_;
        Q_EMIT changed();
    }
    [[nodiscard]] const std::vector<Message>& all() const { return messages_; }
    [[nodiscard]] int unread() const { return unread_; }
    void markRead() {
        unread_ = 0;
        Q_EMIT changed();
    }

  Q_SIGNALS:
    void changed();

  private:
    std::vector<Message> messages_;
    int unread_ = 0;
};

}  // namespace tof::ui
