// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "recon/base/lattice.h"
#include "recon/register/rigid_place.h"

namespace tof::ui {

/// Where an image that is laid onto another one is held by the handles in the pictures. What is dragged is
/// shown at once, by looking at the image from elsewhere; whoever holds it out makes the image anew. No
/// widgets.
class PlaceHandles : public QObject {
    Q_OBJECT

  public:
    /// The image that is moved, as it is now.
    struct Held {
        std::shared_ptr<const Volume> image;  ///< null: no image is held out
        RigidPlace at;                        ///< where it was put when `image` was made
        Vec3 middle;                          ///< mm; turns are about this point
    };
    /// Handles appear where the image is; a drag that is going on goes on.
    void hold(const Held& held);
    void release() { hold({}); }
    [[nodiscard]] bool shown() const { return held_.image != nullptr; }

    [[nodiscard]] const RigidPlace& place() const { return place_; }
    /// mm; the point that turns are about, where it is now.
    [[nodiscard]] Vec3 pivot() const { return held_.middle + place_.shift_mm; }
    /// Shows the image where these numbers put it.
    void showAt(const RigidPlace& place);

    // A drag: begin, any number of moves from where it began, then end or abandon.
    void beginDrag();
    void drag(const Pose& by);
    void endDrag();
    /// Puts back what was dragged; false when nothing was.
    bool abandonDrag();
    [[nodiscard]] bool dragging() const { return before_.has_value(); }

    /// By how much an image is drawn beside where it lies; nothing for every other one.
    [[nodiscard]] std::optional<Pose> away(const Volume* image) const;

  Q_SIGNALS:
    /// Handles came, went or moved.
    void changed();
    /// A drag has ended elsewhere: the image is to be made there.
    void put();

  private:
    Held held_;
    RigidPlace place_;
    std::optional<RigidPlace> before_;  ///< while dragging
};

}  // namespace tof::ui
