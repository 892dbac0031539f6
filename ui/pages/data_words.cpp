// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_words.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

const QChar kDegree(0x00b0);

/// "4 of 40".
QString placeText(const ViewAxis& axis, std::size_t index) {
    return DataWords::tr("%1 of %2").arg(index + 1).arg(axis.values.size());
}

/// "30.00°, 4 of 40".
QString angleText(const ViewAxis& axis, std::size_t index) {
    return numberText(axis.values[index], 2) + QString(kDegree) + ", " + placeText(axis, index);
}

Axis numbersAxis(const ViewAxis& axis, const QString& name) {
    return niceAxis(0, std::max(1.0, static_cast<double>(axis.values.size()) - 1), 6, name);
}

std::array<QString, 3> radialCaptions() {
    return {DataWords::tr("Sinogram: azimuth over radial"), DataWords::tr("Planes over radial"),
            DataWords::tr("Planes over azimuth")};
}

DataWords histoWords() {
    DataWords words;
    words.first = DataWords::tr("Azimuth");
    words.firstHelp = DataWords::tr("Azimuth of the view, degrees: the TOF axis turns from +x towards +y");
    words.firstText = angleText;
    words.second = DataWords::tr("Tilt");
    words.secondHelp = DataWords::tr("Tilt of the view out of the transverse plane, degrees");
    words.secondText = angleText;
    words.viewHelp = DataWords::tr("Number of the view in the data file");
    words.countsHelp = DataWords::tr("Sum of the view's histo-image");
    words.chiSquare = DataWords::tr("chi-square / voxel");
    words.axis = [](const ViewAxis&) {
        Axis axis = niceAxis(0, 180, 6, DataWords::tr("azimuth, degrees"));
        axis.ticks = {0, 30, 60, 90, 120, 150, 180};
        axis.low = 0;
        axis.high = 180;
        return axis;
    };
    words.curve = [](const ViewAxis& tilts, std::size_t index, bool shown) {
        return numberText(tilts.values[index], 1) + QString(kDegree) +
               (shown ? " " + DataWords::tr("tilt") : "");
    };
    words.csvHead = "azimuth_deg,tilt_deg";
    return words;
}

QString segmentText(const ViewAxis& segments, std::size_t index) {
    const auto [least, most] = segments.spans[index];
    const QString place = placeText(segments, index);
    return least == most ? DataWords::tr("ring diff. %1, %2").arg(least).arg(place)
                         : DataWords::tr("ring diff. %1..%2, %3").arg(least).arg(most).arg(place);
}

QString timeBinText(const ViewAxis& bins, std::size_t index) {
    if (bins.spans.empty()) {
        return DataWords::tr("no times");
    }
    const double middle_ps = 0.5 * (bins.spans[index][0] + bins.spans[index][1]);
    return DataWords::tr("%1 ps, %2").arg(numberText(middle_ps, 0)).arg(placeText(bins, index));
}

DataWords sinogramWords() {
    DataWords words;
    words.first = DataWords::tr("Segment");
    words.firstHelp = DataWords::tr("Segment of the sinograms: planes between rings of these differences");
    words.firstWidth = 164;
    words.firstText = segmentText;
    words.second = DataWords::tr("Time bin");
    words.secondHelp = DataWords::tr("Time bin; positive times are nearer the second crystal");
    words.secondText = timeBinText;
    words.captions = radialCaptions();
    words.viewHelp = DataWords::tr("Number of the segment, of one time bin after the other");
    words.countsHelp = DataWords::tr("Sum of the segment's sinograms in this time bin");
    words.chiSquare = DataWords::tr("chi-square / bin");
    words.axis = [](const ViewAxis& segments) { return numbersAxis(segments, DataWords::tr("segment")); };
    words.curve = [](const ViewAxis&, std::size_t index, bool) {
        return DataWords::tr("bin %1").arg(index + 1);
    };
    words.csvHead = "segment,time_bin";
    words.viewsNote = DataWords::tr("angles, sinograms");
    return words;
}

DataWords lineWords() {
    DataWords words = sinogramWords();
    words.first = DataWords::tr("Tilt");
    words.firstHelp = DataWords::tr(
        "Tilt of the lines out of the transverse plane, degrees; the last classes "
        "take what is steeper");
    words.firstWidth = DataWords().firstWidth;
    words.firstText = angleText;
    words.secondHelp = DataWords::tr("Tilt of the view out of the transverse plane, degrees");
    words.secondText = [](const ViewAxis&, std::size_t) { return DataWords::tr("all times"); };
    words.viewHelp = DataWords::tr("Number of the class of tilts");
    words.countsHelp = DataWords::tr("Lines of this tilt, those beyond the picture too");
    words.countsAlone =
        DataWords::tr("Lines of response are shown as counts; bin them into sinograms for the rest");
    words.axis = [](const ViewAxis& tilts) {
        const double end = std::max(1.0, std::ceil(tilts.values.back()));
        return niceAxis(-end, end, 6, DataWords::tr("tilt, degrees"));
    };
    words.csvHead = "tilt_deg,time_bin";
    words.viewsNote.clear();
    words.eventsNote = DataWords::tr("lines with counts");
    return words;
}

/// The sign of a step; a plural is of a number without one.
QString signText(int step) {
    return step < 0 ? "-" : "";
}

/// "-3 crystals, 5 of 15".
QString stepText(const ViewAxis& axis, std::size_t index) {
    const auto step = static_cast<int>(std::lround(axis.values[index]));
    return signText(step) + DataWords::tr("%n crystals, %1", "", std::abs(step)).arg(placeText(axis, index));
}

DataWords panelWords() {
    DataWords words;
    words.first = DataWords::tr("Step y");
    words.firstHelp = DataWords::tr(
        "Crystals along y from the head at +x to the head at -x: with the step along z, a class "
        "of lines of one direction");
    words.firstWidth = 164;
    words.firstText = stepText;
    words.second = DataWords::tr("Step z");
    words.secondHelp = DataWords::tr("Crystals along z from the head at +x to the head at -x");
    words.secondText = [](const ViewAxis& axis, std::size_t index) {
        const auto step = static_cast<int>(std::lround(axis.values[index]));
        return signText(step) + DataWords::tr("%n crystals", "", std::abs(step));
    };
    const QString lines = DataWords::tr("Lines of this direction, by their place on the heads");
    words.captions = {lines, lines, lines};
    words.viewHelp = DataWords::tr("Number of the direction: a class of lines with its signs");
    words.countsHelp = DataWords::tr("Sum over the lines of this direction");
    words.chiSquare = DataWords::tr("chi-square / line");
    words.axis = [](const ViewAxis& steps) {
        const double end = steps.values.empty() ? 1 : std::max(1.0, steps.values.back());
        return niceAxis(-end, end, 8, DataWords::tr("step along y, crystals"));
    };
    words.curve = [](const ViewAxis& steps, std::size_t index, bool shown) {
        return shown ? DataWords::tr("step z %1").arg(static_cast<int>(std::lround(steps.values[index])))
                     : QString();
    };
    words.csvHead = "step_y,step_z";
    words.viewsNote = DataWords::tr("steps along y, z");
    words.eventsNote = DataWords::tr("in lines between two heads");
    return words;
}

DataWords anyWords(const Measurement& data) {
    const ViewLayout layout = data.layout();
    DataWords words = histoWords();
    words.first = QString::fromStdString(layout.axes[0].name);
    words.second = QString::fromStdString(layout.axes[1].name);
    words.firstHelp = words.secondHelp = QString();
    words.firstText = words.secondText = placeText;
    words.axis = [name = words.first](const ViewAxis& axis) { return numbersAxis(axis, name); };
    words.curve = [](const ViewAxis& axis, std::size_t index, bool) {
        return numberText(axis.values[index], 1);
    };
    words.csvHead = words.first + "," + words.second;
    if (data.viewSpace() == ViewSpace::Radial) {
        words.captions = radialCaptions();
    }
    return words;
}

struct Row {
    const char* kind;
    DataWords (*words)();
};

/// By Measurement::kind(); a new kind of data adds its row.
const Row kRows[] = {
    {"histo-images", histoWords}, {"sinograms", sinogramWords}, {"lines", lineWords}, {"panel", panelWords}};

}  // namespace

DataWords usualWords() {
    return kRows[0].words();
}

DataWords dataWords(const Measurement& data) {
    const auto* const found = std::find_if(std::begin(kRows), std::end(kRows),
                                           [&](const Row& row) { return row.kind == data.kind(); });
    return found != std::end(kRows) ? found->words() : anyWords(data);
}

}  // namespace tof::ui
