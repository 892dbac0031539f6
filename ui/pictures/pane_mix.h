// SPDX-License-Identifier: Apache-2.0
// Two pictures in one: swipe and checkerboard.
#pragma once

#include <QImage>
#include <QSize>
#include <array>
#include <functional>
#include <memory>

#include "recon/base/lattice.h"
#include "recon/metrics/robust_range.h"
#include "ui/kit/picture_marks.h"
#include "viz/colour_map.h"

class QPainter;

namespace tof::ui {

/// How a second image lies over the first.
enum class MixKind {
    None,
    Swipe,        ///< the second to the right of a divider
    Checkerboard  ///< the second in every other square
};

/// The second image of a pane.
struct PaneMix {
    std::function<MixKind()> kind;
    std::function<std::shared_ptr<const Volume>()> volume;
    /// The range of the second image; that of the first unless told otherwise.
    std::function<DisplayRange()> range;
    std::function<viz::ColourMap()> map;
    std::function<std::array<QString, 2>()> names;  ///< names of both, beside the divider of a swipe
    std::function<double()> split;                  ///< where the divider is, 0..1 of the width
    std::function<void(double)> setSplit;
};

constexpr int kCheckerSquare = 48;  ///< px

/// Paints the second picture's part over the first.
void paintSecond(QPainter& painter, const QImage& second, MixKind kind, double split, QSize pane);
/// The divider of a swipe with its handle and the names of both sides.
void paintDivider(QPainter& painter, double split, QSize pane, const std::array<QString, 2>& names,
                  MarkGround ground);

}  // namespace tof::ui
