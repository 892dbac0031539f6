// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "recon/base/vec3.h"

class QSocketNotifier;

namespace tof::ui {

class ViewModel;

/// The cursor, in mm, of several windows with a study each: every window is a program of its own, so nothing
/// else of one reaches the other. Those that joined under one name send each other where their cursor goes,
/// through a socket in the folder that only this user may enter (XDG_RUNTIME_DIR). The first one holds the
/// socket; when it ends, the others are alone.
class CursorLink : public QObject {
    Q_OBJECT

  public:
    /// `view` outlives the link.
    CursorLink(ViewModel& view, QObject* parent);
    ~CursorLink() override;

    /// From now on the cursor goes with those of the same name: letters, digits, - and _, 40 at most.
    /// Throws WrongUse for another name and Unavailable where there can be no socket.
    void join(const QString& name);
    void leave();
    [[nodiscard]] const QString& name() const { return name_; }
    /// How many others this one sends to: all for the first, else the first alone.
    [[nodiscard]] int others() const { return static_cast<int>(peers_.size()); }

  Q_SIGNALS:
    void changed();

  private:
    class Socket;

    void add(std::unique_ptr<Socket> peer);
    void remove(const Socket* peer);
    void accept();
    void read(const Socket& peer);
    void tell(const Vec3& mm, const Socket* but) const;
    void follow();

    ViewModel& view_;
    QString name_;
    std::unique_ptr<Socket> server_;  ///< null: another one holds it, or nobody
    std::vector<std::unique_ptr<Socket>> peers_;
    std::optional<Vec3> last_;  ///< where the cursor is as all others know
};

}  // namespace tof::ui
