// SPDX-License-Identifier: Apache-2.0
// What every picture of a plane carries on top of its pixels.
#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QSize>
#include <QString>
#include <array>

#include "viz/colour_map.h"
#include "viz/picture.h"

class QFont;
class QPainter;

namespace tof::ui {

/// A picture as an image on the picture's memory, and no longer valid than that.
[[nodiscard]] QImage imageOn(viz::PictureView picture, double ratio = 1);

/// What marks stand on.
enum class MarkGround { Dark, Bright };
[[nodiscard]] inline MarkGround groundOf(const viz::ColourMap& map) {
    return map.darkGround() ? MarkGround::Dark : MarkGround::Bright;
}

/// Ink and halo of marks on a dark or light picture.
[[nodiscard]] QColor markInk(MarkGround ground);
[[nodiscard]] QColor markHalo(MarkGround ground);

/// Text with a halo that reads on any picture.
void drawOutlined(QPainter& painter, const QPointF& baseline, const QString& text, const QFont& font,
                  const QColor& ink, const QColor& halo);

/// Draws it in the ink and halo of marks.
void drawOutlined(QPainter& painter, const QPointF& baseline, const QString& text, const QFont& font,
                  MarkGround ground);

/// Two lines through `at`, open around it so that the voxel looked at is never covered.
void drawCrosshair(QPainter& painter, QSize picture, QPointF at, MarkGround ground);

/// Letters at the left, right, top and bottom edge; they step aside of a crosshair at `cursor`.
void drawEdgeLetters(QPainter& painter, QSize picture, const std::array<char, 4>& letters, QPointF cursor,
                     MarkGround ground);

/// A bar of a round number of mm in the lower left corner.
void drawScaleBar(QPainter& painter, QSize picture, double mmPerPixel, MarkGround ground);

/// Whether a line lies in the slice shown.
enum class LineAt { Slice, OtherSlice };
/// The line that profiles are taken along, with its two ends; dashed where it lies in another slice.
void drawProfileLine(QPainter& painter, QPointF a, QPointF b, LineAt where, MarkGround ground);

/// The symbol of RunItem::mark(): circle, square, triangle, diamond in turn; hollow from the ninth run on,
/// and where it has no colour.
void drawRunSymbol(QPainter& painter, QPointF centre, double size, int mark, const QColor& colour);

}  // namespace tof::ui
