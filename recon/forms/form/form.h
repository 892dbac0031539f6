// SPDX-License-Identifier: Apache-2.0
// What a form of data is to the rest: a row of recon/forms/forms.h. Everything above asks a row, which alone
// knows its data's type.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "recon/base/lattice.h"
#include "recon/base/options.h"
#include "recon/corrections/part_flow.h"
#include "recon/forms/form/bin_context.h"
#include "recon/forms/form/event_source.h"
#include "recon/io/bytes/destination.h"
#include "recon/metrics/roi.h"
#include "recon/systems/measurement.h"

namespace tof {

/// A straight line in the scanner's frame, mm.
struct FreeLine {
    Vec3 through;
    Vec3 direction;
};

/// How pictures begin where nobody chose.
struct UsualLook {
    /// The plane that one looks at alone, and what it is called there; none: all three.
    std::optional<Plane> plane{};
    std::string planeName{};
    int profileAxis = 0;
};

/// What lines of response are, of data that are no views.
enum class PlannedLines { None, Events, Bins, OfPanels };

/// What is to be reconstructed.
struct PlannedRun {
    Lattice lattice;
    std::size_t views = 0;            ///< or parts of other data
    std::size_t arrays = 4;           ///< floats per voxel and view: counts, mult, add, att
    double taps = 0;                  ///< taps of the kernel, mean over views
    int reach = 0;                    ///< planes that a voxel has to do with above itself
    std::size_t blocks = 1;           ///< updates per iteration
    bool blockSensitivities = false;  ///< an image per block (OSEM)
    PlannedLines of = PlannedLines::None;
    double lines = 0;        ///< where they are lines: how many, in `views` parts
    double lineBytes = 0;    ///< bytes of each line, with what the engine keeps beside it
    double passes = 1;       ///< over the data in an iteration
    std::size_t images = 0;  ///< that the algorithm has beside those of every run
};

/// What a form says of its lines to plan a run.
struct PlannedLinesOf {
    PlannedLines of = PlannedLines::None;
    double lines = 0;
    double lineBytes = 0;
};

/// Bytes of what corrects a line: mult and add, where there are any.
template <class Data>
[[nodiscard]] double factorBytes(const Data& data) {
    return sizeof(float) * (static_cast<double>(!data.mult.empty()) + static_cast<double>(!data.add.empty()));
}

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

/// Whether lists can be cut by time to data of a form.
enum class CutByTime { Not, Frames };

struct Form {
    std::string name;  ///< as --to and files say it: "histo"
    std::string kind;  ///< Measurement::kind() of its data

    /// How it reads lists, and what it makes of them or of bins of other programs. Where ranks bin together
    /// those but the first get an empty result. Throws BadInput, WrongUse, and Cancelled from the progress.
    ListUse lists = ListUse::Divided;
    std::function<BinResult(const BinContext& context, EventSource& source)> bin{};
    CutByTime time = CutByTime::Not;
    /// What was binned, as everything above sees it.
    std::function<std::shared_ptr<const Measurement>(MeasuredData data)> measure{};
    /// What a command prints of data it has made, after the name of the file: an object, or a sentence.
    std::function<nlohmann::ordered_json(const MeasuredData& data)> json{};
    std::function<std::string(const MeasuredData& data)> sentence{};

    /// A copy of data in memory.
    std::function<MeasuredData(const Measurement& data)> copy{};
    /// Writes data in memory to a file of this program. Throws CannotWrite.
    std::function<void(const Destination& to, const Measurement& data)> write{};
    /// What a run of the data asks of ranks; null where a kernel has to say.
    std::function<PlannedRun(const Measurement& data)> plan{};

    /// How the data are corrected; without parts they are not.
    FormCorrections corrections{};

    /// The line of the view at these places on the axes of Measurement::layout() that is nearest to a point;
    /// null where a view is of no direction.
    std::function<FreeLine(const Measurement& data, double first, double second, Vec3 point)> lineOf{};
    UsualLook usualLook{};
    ViewWords words{};
};

}  // namespace tof
