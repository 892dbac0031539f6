// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace tof::ui {

struct Theme;

/// An icon of resources/icons recoloured for normal, disabled and checked states. Unknown names give an empty
/// icon.
[[nodiscard]] QIcon themedIcon(const QString& name, const Theme& theme);
/// One picture of an icon, `size` px square at a device pixel ratio.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size = 16, double ratio = 1);
/// The program's own icon, in its colours.
[[nodiscard]] QIcon programIcon();

}  // namespace tof::ui
