// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_words.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/forms/forms.h"
#include "ui/kit/text.h"
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

QString ringsText(const ViewAxis& segments, std::size_t index) {
    const auto [least, most] = segments.spans[index];
    const QString place = placeText(segments, index);
    return least == most ? DataWords::tr("ring diff. %1, %2").arg(least).arg(place)
                         : DataWords::tr("ring diff. %1..%2, %3").arg(least).arg(most).arg(place);
}

QString timeText(const ViewAxis& bins, std::size_t index) {
    if (bins.spans.empty()) {
        return DataWords::tr("no times");
    }
    const double middle_ps = 0.5 * (bins.spans[index][0] + bins.spans[index][1]);
    return DataWords::tr("%1 ps, %2").arg(numberText(middle_ps, 0)).arg(placeText(bins, index));
}

/// The sign of a step; a plural is of a number without one.
QString signText(int step) {
    return step < 0 ? "-" : "";
}

/// "-3 crystals".
QString stepText(const ViewAxis& axis, std::size_t index) {
    const auto step = static_cast<int>(std::lround(axis.values[index]));
    return signText(step) + DataWords::tr("%n crystals", "", std::abs(step));
}

/// "-3 crystals, 5 of 15".
QString stepAndPlaceText(const ViewAxis& axis, std::size_t index) {
    const auto step = static_cast<int>(std::lround(axis.values[index]));
    return signText(step) + DataWords::tr("%n crystals, %1", "", std::abs(step)).arg(placeText(axis, index));
}

/// A row's text in the user's language.
QString said(const std::string& text) {
    return text.empty() ? QString() : word(text);
}

DataWords::ValueTextOf valueText(const AxisWords& words) {
    if (!words.always.empty()) {
        return [always = word(words.always)](const ViewAxis&, std::size_t) { return always; };
    }
    switch (words.text) {
        case ValueText::Place: return placeText;
        case ValueText::Degrees: return angleText;
        case ValueText::RingDifferences: return ringsText;
        case ValueText::Time: return timeText;
        case ValueText::Crystals: return stepText;
        case ValueText::CrystalsAndPlace: return stepAndPlaceText;
    }
    throw InternalError("no text for values of an axis");
}

/// Room for the longest text.
int widthOf(ValueText text) {
    return text == ValueText::RingDifferences || text == ValueText::CrystalsAndPlace ? 164 : 116;
}

Axis chartAxis(const ChartWords& chart, const QString& title, const ViewAxis& views) {
    const std::vector<double>& values = views.values;
    switch (chart.range) {
        case ChartRange::Places:
            return niceAxis(0, std::max(1.0, static_cast<double>(values.size()) - 1), chart.ticks, title);
        case ChartRange::Symmetric: {
            const double end = values.empty() ? 1 : std::max(1.0, std::ceil(values.back()));
            return niceAxis(-end, end, chart.ticks, title);
        }
        case ChartRange::HalfTurn: break;
    }
    Axis axis = niceAxis(0, 180, chart.ticks, title);
    axis.ticks = {0, 30, 60, 90, 120, 150, 180};
    axis.low = 0;
    axis.high = 180;
    return axis;
}

QString curveText(const ChartWords& chart, const ViewAxis& axis, std::size_t index,
                  DataWords::CurveOf which) {
    const QString name = said(which == DataWords::CurveOf::ShownView ? chart.curve : chart.others);
    switch (chart.value) {
        case ChartWords::Value::Place: return name.arg(index + 1);
        case ChartWords::Value::Whole:
            return name.isEmpty() ? name : name.arg(static_cast<int>(std::lround(axis.values[index])));
        case ChartWords::Value::OneDecimal: break;
    }
    return name.arg(numberText(axis.values[index], 1));
}

/// Unless they are the image's own planes.
std::array<QString, 3> captionsOf(const ViewWords& form, ViewSpace space) {
    if (form.captions[0].empty() && space == ViewSpace::Radial) {
        return {DataWords::tr("Sinogram: azimuth over radial"), DataWords::tr("Planes over radial"),
                DataWords::tr("Planes over azimuth")};
    }
    return {said(form.captions[0]), said(form.captions[1]), said(form.captions[2])};
}

DataWords wordsOf(const ViewWords& form, ViewSpace space, const std::array<std::string, 2>& axes) {
    DataWords words;
    words.first = form.first.name.empty() ? QString::fromStdString(axes[0]) : word(form.first.name);
    words.firstHelp = said(form.first.help);
    words.firstWidth = widthOf(form.first.text);
    words.firstText = valueText(form.first);
    words.second = form.second.name.empty() ? QString::fromStdString(axes[1]) : word(form.second.name);
    words.secondHelp = said(form.second.help);
    words.secondText = valueText(form.second);
    words.captions = captionsOf(form, space);
    words.viewHelp = said(form.view);
    words.countsHelp = said(form.counts);
    words.chiSquare = said(form.chiSquare);
    words.countsAlone = said(form.countsAlone);
    const QString title = form.chart.title.empty() ? words.first : word(form.chart.title);
    words.axis = [chart = form.chart, title](const ViewAxis& views) {
        return chartAxis(chart, title, views);
    };
    words.curve = [chart = form.chart](const ViewAxis& axis, std::size_t index, DataWords::CurveOf which) {
        return curveText(chart, axis, index, which);
    };
    words.csvHead =
        form.csvHead.empty() ? words.first + "," + words.second : QString::fromStdString(form.csvHead);
    words.viewsNote = said(form.viewsNote);
    words.eventsNote = said(form.eventsNote);
    return words;
}

}  // namespace

DataWords usualWords() {
    return wordsOf(builtInForms().rows().front().words, ViewSpace::Image, {});
}

DataWords dataWords(const Measurement& data, const Form* form) {
    const ViewLayout layout = data.layout();
    return wordsOf(form != nullptr ? form->words : ViewWords(), data.viewSpace(),
                   {layout.axes[0].name, layout.axes[1].name});
}

}  // namespace tof::ui
