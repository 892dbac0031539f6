// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/figure/drawing.h"
#include "recon/figure/shown_panel.h"

namespace tof {

/// How the words and lines of a figure look.
struct FigureInk {
    double font_pt = 8;
    /// Height of a line of text with room about it, mm.
    [[nodiscard]] double line_mm() const { return 1.35 * font_pt * kPoint_mm; }
    /// How far below its middle a line of text stands on its base line, mm.
    [[nodiscard]] double middle_mm() const { return 0.36 * font_pt * kPoint_mm; }
    double thin_mm = 0.18;   ///< frames and marks: half a point
    double thick_mm = 0.35;  ///< curves: a point
    Rgb black{};
    Rgb grey{0xd9, 0xd9, 0xd9};
};

/// The line of a chart's n-th curve: told apart by the colour-blind, and in grey by its dashes.
struct CurveInk {
    Rgb colour;
    std::vector<double> dashes_mm;
};
[[nodiscard]] const std::vector<CurveInk>& curveInks();

/// How high a chart of this width is at its best: wider than high, with room for all of its words, mm.
[[nodiscard]] double chartHeight(const ShownPanel& panel, double width_mm, const FigureInk& ink);

/// Draws axes, curves and their names into a box.
void drawChart(const ShownPanel& panel, PageBox box, const FigureInk& ink, std::vector<Drawn>& parts);

}  // namespace tof
