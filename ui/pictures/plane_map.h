// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>

#include "viz/slice_view.h"

namespace tof::ui {

/// Where a picture of a plane has the points of the world, and the other way round.
class PlaneMap {
  public:
    virtual ~PlaneMap() = default;
    [[nodiscard]] virtual Plane plane() const = 0;
    [[nodiscard]] virtual QPointF toWidget(Vec3 world) const = 0;
    /// In the plane that is shown.
    [[nodiscard]] virtual Vec3 toWorld(QPointF position) const = 0;
};

}  // namespace tof::ui
