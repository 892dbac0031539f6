// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "recon/base/options.h"

namespace tof {

/// What stands beside a value on an axis of views.
enum class ValueText {
    Place,            ///< "4 of 40"
    Degrees,          ///< "30.00°, 4 of 40"
    RingDifferences,  ///< what the value spans, and its place
    Time,             ///< the middle of what the value spans, and its place
    Crystals,         ///< "-3 crystals"
    CrystalsAndPlace  ///< "-3 crystals, 5 of 15"
};

/// One direction that views lie along.
struct AxisWords {
    std::string name{};  ///< empty: the axis has one of its own
    std::string help{};
    ValueText text = ValueText::Place;
    std::string always{};  ///< stands in place of the text where it is not empty
};

/// How the chart of counts goes along the first axis.
enum class ChartRange {
    Places,    ///< the numbers of the values
    HalfTurn,  ///< 0 to 180 degrees
    Symmetric  ///< as far below zero as the greatest value is above
};

/// The chart of counts over views: a curve for each value of the second axis.
struct ChartWords {
    std::string title{};  ///< empty: the name of the first axis
    ChartRange range = ChartRange::Places;
    int ticks = 6;
    /// What a curve is called, with %1 for its value: the one on screen, and any other.
    std::string curve = "%1";
    std::string others = "%1";
    enum class Value { OneDecimal, Whole, Place } value = Value::OneDecimal;
};

/// How pages speak of the views of one form: English, which the window translates. Data of no form that is
/// known have these as they stand.
struct ViewWords {
    AxisWords first{};
    AxisWords second{};
    /// What the three pictures show; empty: planes of the image, or of sinograms where views are radial.
    std::array<std::string, 3> captions{};
    std::string view = toTranslate("Word", "Number of the view in the data file");
    std::string counts = toTranslate("Word", "Sum of the view's histo-image");
    std::string chiSquare = toTranslate("Word", "chi-square / voxel");
    std::string countsAlone{};  ///< why there is nothing but counts, where that is so
    ChartWords chart{};
    std::string csvHead{};     ///< empty: the names of the axes
    std::string viewsNote{};   ///< beside the numbers of views in the study panel
    std::string eventsNote{};  ///< beside the number of events where nobody knows how many were recorded
};

}  // namespace tof
