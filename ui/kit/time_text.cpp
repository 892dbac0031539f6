// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/time_text.h"
#include "ui/kit/text.h"

#include <algorithm>
#include <cmath>

namespace tof::ui {

QString etaText(std::optional<double> seconds) {
    if (!seconds) {
        return QString(QChar(0x2013));
    }
    const double s = *seconds;
    if (s < 5) {
        return Text::tr("a few seconds left");
    }
    if (s < 55) {
        return Text::tr("about %1 s left").arg(std::ceil(s / 5) * 5);
    }
    if (s < 3600 - 30) {
        return Text::tr("about %1 min left").arg(std::max(1.0, std::round(s / 60)));
    }
    return Text::tr("about %1 h left").arg(std::round(s / 360) / 10);
}

QString durationText(double seconds) {
    const QString nbsp(QChar(0x00a0));
    if (seconds < 60) {
        return QString::number(seconds, 'f', seconds < 10 ? 2 : 1) + nbsp + "s";
    }
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 3600) {
        return QString::number(whole / 60) + nbsp + "min " + QString::number(whole % 60) + nbsp + "s";
    }
    return QString::number(whole / 3600) + nbsp + "h " + QString::number(whole % 3600 / 60) + nbsp + "min";
}

}  // namespace tof::ui
