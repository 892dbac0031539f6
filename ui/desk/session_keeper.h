// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

namespace tof::ui {

class Desk;

/// Writes studies and the state of the session as they change, so that an end of the program nobody asked
/// for loses seconds, not the session.
class SessionKeeper : public QObject {
  public:
    static constexpr int kEveryMs = 5000;
    /// `file` empty: only studies are saved. Reads what the session before has left.
    SessionKeeper(Desk& desk, const QString& file, QObject* parent = nullptr);
    /// The session before this one, for Desk::openLastSession(); empty when there is none.
    [[nodiscard]] const std::string& before() const { return before_; }
    /// True when that session did not end by closing the program.
    [[nodiscard]] bool crashed() const { return crashed_; }
    /// How often it writes what has changed.
    void setInterval(int seconds) { timer_.setInterval(1000 * seconds); }
    /// Writes now what has changed since the last time.
    void save();
    /// The program ends as it should.
    void end();

  private:
    enum class Session { GoesOn, Ended };
    void write(Session session);

    Desk& desk_;
    QString file_;
    QTimer timer_;
    std::string before_;
    bool crashed_ = false;
    std::string written_;
};

}  // namespace tof::ui
