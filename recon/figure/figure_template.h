// SPDX-License-Identifier: Apache-2.0
// What a figure of a paper is made of, as a file keeps it: made again, it shows the data as they are then.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/metrics/robust_range.h"
#include "recon/metrics/roi.h"

namespace tof {

/// An image that a figure shows: the iterate of a run of the study, or a file in the template's folder or
/// below.
struct FigureImage {
    std::string run{};     ///< its letter; empty: `file` is shown
    int iteration = 0;     ///< 0: the last one whose image is kept
    std::string file{};    ///< relative to the template
    std::string name{};    ///< what the figure calls it; empty: its own name
    double filter_mm = 0;  ///< FWHM of a Gaussian post filter; 0: none
    [[nodiscard]] bool operator==(const FigureImage&) const = default;
};

/// One of the pictures and charts of a figure.
struct FigurePanel {
    enum class Kind {
        Slice,    ///< one image, or the difference of two
        Profile,  ///< values along a line through images
        Curves    ///< figures of merit of all iterates of runs
    };
    Kind kind = Kind::Slice;
    int span = 1;       ///< columns that it takes
    std::string title;  ///< empty: the name of its image; none over charts
    std::vector<FigureImage> images;

    Plane plane = Plane::Transverse;    ///< slice
    double at_mm = 0;                   ///< slice: the coordinate along the plane's normal
    std::optional<FigureImage> minus;   ///< slice: what is subtracted
    std::string map;                    ///< slice: empty: the figure's, or that of differences
    std::optional<DisplayRange> range;  ///< slice: empty: the figure's, or that of the difference

    Vec3 from_mm;  ///< profile: both ends of its line
    Vec3 to_mm;

    std::string x = "noise";  ///< curves: ids of curveMeasures()
    std::string y = "crc";
    std::string xTitle;  ///< charts: empty: what is shown
    std::string yTitle;
    [[nodiscard]] bool operator==(const FigurePanel&) const = default;
};

/// A figure: panels in rows, from the left, a row after the other.
struct FigureTemplate {
    enum class Letters { Lower, Upper, None };
    enum class Sides { Radiological, Neurological };  ///< the patient's left is on the right, on the left
    enum class Between { Nearest, Linear };           ///< voxels as they are, or interpolated in the plane

    std::string title;  ///< the document's
    double width_mm = 174;
    int columns = 3;
    double gap_mm = 3;
    double font_pt = 8;
    Letters letters = Letters::Lower;
    Sides sides = Sides::Radiological;
    Between between = Between::Nearest;
    std::string map = "inverse-grey";
    std::optional<DisplayRange> range;  ///< empty: from 0 to the highest robust value of its slices
    std::optional<double> scaleBar_mm;  ///< 0: none; empty: about a quarter of a picture
    std::string barTitle;               ///< beside the colour bar; empty: the unit
    bool wholeImages = false;           ///< all of a slice, or the part with an object
    std::vector<FigurePanel> panels;
    [[nodiscard]] bool operator==(const FigureTemplate&) const = default;
};

/// Widths that journals ask for, mm: one, one and a half and two columns. Any other is taken, too.
[[nodiscard]] const std::vector<double>& figureWidths_mm();

/// The words of files for kinds and choices, in the order of their enumerations.
[[nodiscard]] const std::vector<std::string>& panelKinds();
[[nodiscard]] const std::vector<std::string>& planeWords();

/// Reads a template. Throws BadInput naming `source`, the panel and the field.
[[nodiscard]] FigureTemplate figureFromJson(const std::string& text, const std::string& source);
[[nodiscard]] std::string figureToJson(const FigureTemplate& figure);

}  // namespace tof
