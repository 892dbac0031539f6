// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "recon/metrics/roi.h"
#include "ui/pictures/picture_models.h"

namespace tof::ui {

class CommandRegistry;
class PaneWindow;
class SlicePane;

/// Pictures of the image on screen in windows of their own, for a second monitor: a plane each, with the one
/// cursor, range, zoom, stack of layers and set of ROIs, and every key. They come back with the session.
class DetachedPanes : public QObject {
    Q_OBJECT

  public:
    /// `window` is the parent of the windows; all of it outlives this.
    DetachedPanes(const PictureModels& models, CommandRegistry& commands, QWidget& window);

    /// A new window with that plane, where the window system puts it unless told otherwise.
    PaneWindow& open(Plane plane, const QRect& place = {});
    /// Those that are open, oldest first.
    [[nodiscard]] std::vector<PaneWindow*> windows() const;

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    /// A window was opened; this is its picture.
    void opened(SlicePane* pane);

  private:
    PictureModels models_;
    CommandRegistry& commands_;
    QWidget& window_;
    std::vector<QPointer<PaneWindow>> open_;  ///< null where one was closed
};

}  // namespace tof::ui
