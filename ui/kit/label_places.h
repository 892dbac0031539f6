// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <vector>

namespace tof::ui {

/// Where the labels of marks go: beside their mark, inside `room` and off each other as long as there is a
/// place; the first label has the first choice. `taken` is where something else is written. One rectangle per
/// mark, in order.
[[nodiscard]] std::vector<QRectF> labelPlaces(const std::vector<QPointF>& marks,
                                              const std::vector<QSizeF>& sizes, const QRectF& room,
                                              const QRectF& taken);

}  // namespace tof::ui
