// SPDX-License-Identifier: Apache-2.0
// What the panels of a figure show, read from the study as it is now.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/base/box.h"
#include "recon/figure/drawing.h"
#include "recon/figure/figure_template.h"
#include "recon/metrics/picture_data.h"
#include "recon/study/study.h"

namespace tof {

/// The values of a slice as a picture has them: the top row first, each row from the left.
struct SliceCut {
    int across = 0;
    int down = 0;
    std::vector<float> values;
    int acrossAxis = 0;  ///< 0 = x, 1 = y, 2 = z
    int downAxis = 1;
    double left_mm = 0;  ///< coordinate of the left edge along acrossAxis
    double top_mm = 0;
    double stepAcross_mm = 1;  ///< to the next pixel; negative where the coordinate falls
    double stepDown_mm = 1;

    [[nodiscard]] double width_mm() const { return across * std::abs(stepAcross_mm); }
    [[nodiscard]] double height_mm() const { return down * std::abs(stepDown_mm); }
    /// The pixels whose centres lie in a box; all of it where none does.
    [[nodiscard]] SliceCut within(const Box& box) const;
};

/// The slice nearest to a coordinate along the plane's normal, as the window shows it. Throws WrongUse
/// outside the lattice.
[[nodiscard]] SliceCut cutOf(const Volume& volume, Plane plane, double at_mm, FigureTemplate::Sides sides);

/// What one panel shows.
struct ShownPanel {
    std::string title;
    SliceCut cut{};          ///< slices
    DisplayRange range{};    ///< slices: the automatic one of the whole image
    Box object{};            ///< slices: where the object is
    std::string units{};     ///< slices
    LineChart chart{};       ///< charts
    bool hasPoints = false;  ///< charts: each point is a measurement
};

/// Reads what a template asks for; images one after the other, so that memory holds two at most. Files are
/// looked for in the template's folder and below. Throws BadInput that names the template, the panel and the
/// run or file, and what `heed` does (recognise()).
[[nodiscard]] std::vector<ShownPanel> readPanels(const FigureTemplate& figure, const Study& study,
                                                 const std::string& templatePath,
                                                 std::function<void()> heed = {});

}  // namespace tof
