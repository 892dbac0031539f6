// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QRect>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "recon/metrics/roi.h"
#include "ui/pictures/picture_models.h"

namespace tof::ui {

class CommandRegistry;
class PaneWindow;
class SlicePane;

/// Pictures of the image on screen in windows of their own, for a second monitor: one to three planes each,
/// with the one stack of layers and set of ROIs, every key and, unless unlinked, the one cursor, range and
/// zoom. They come back with the session.
class DetachedPanes : public QObject {
    Q_OBJECT

  public:
    /// `window` is the parent of the windows; all of it outlives this.
    DetachedPanes(const PictureModels& models, CommandRegistry& commands, QWidget& window);

    /// A new window with those planes, where the window system puts it unless told otherwise.
    PaneWindow& open(const std::vector<Plane>& planes, const QRect& place = {});
    /// Those that are open, oldest first.
    [[nodiscard]] std::vector<PaneWindow*> windows() const;

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    /// There is a picture in such a window, new or in the place of one before.
    void opened(SlicePane* pane);

  private:
    /// The active one, else the newest; null: there is none.
    [[nodiscard]] PaneWindow* inFront() const;

    PictureModels models_;
    CommandRegistry& commands_;
    QWidget& window_;
    std::vector<PaneWindow*> open_;  ///< until they are destroyed
};

}  // namespace tof::ui
