// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>
#include <array>
#include <functional>

#include "recon/forms/form/form.h"
#include "ui/charts/axes.h"

namespace tof::ui {

/// How the pages speak of data of one form, in the user's language.
struct DataWords {
    Q_DECLARE_TR_FUNCTIONS(tof::ui::DataWords)

  public:
    /// What is written beside a slider at a value.
    using ValueTextOf = std::function<QString(const ViewAxis& axis, std::size_t index)>;

    /// Names and help of the two sliders.
    QString first;
    QString firstHelp;
    int firstWidth = 116;
    ValueTextOf firstText;
    QString second;
    QString secondHelp;
    ValueTextOf secondText;

    std::array<QString, 3> captions;  ///< captions of the pictures; empty: the names of their planes
    QString viewHelp;                 ///< what the number of a view counts
    QString countsHelp;               ///< what its counts are the sum of
    QString chiSquare;                ///< its name
    QString countsAlone;              ///< why there is nothing but counts, where that is so

    std::function<Axis(const ViewAxis& first)> axis;  ///< the chart's axis
    enum class CurveOf { ShownView, OtherViews };
    std::function<QString(const ViewAxis& second, std::size_t index, CurveOf which)> curve;  ///< its name
    QString csvHead;

    QString viewsNote;   ///< beside the numbers of views in the study panel
    QString eventsNote;  ///< beside the number of events where nobody knows how many were recorded
};

/// The row of a form says these words; where the form is null they fit any data.
[[nodiscard]] DataWords dataWords(const Measurement& data, const Form* form);
/// While nothing is open.
[[nodiscard]] DataWords usualWords();

}  // namespace tof::ui
