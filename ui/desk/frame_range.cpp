// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/frame_range.h"

#include <cmath>

#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

QString spanText(double start_s, double end_s) {
    constexpr double kLong_s = 300;
    constexpr double kMinute_s = 60;
    const bool minutes = end_s > kLong_s;
    const auto number = [&](double time_s) {
        const double value = minutes ? time_s / kMinute_s : time_s;
        int decimals = 0;  // as few as say it, at most 2
        for (double ten = 1; decimals < 2 && std::abs(value * ten - std::round(value * ten)) > 1e-6;
             ten *= 10) {
            ++decimals;
        }
        return numberText(value, decimals);
    };
    return (minutes ? Text::tr("%1 to %2 min") : Text::tr("%1 to %2 s")).arg(number(start_s), number(end_s));
}

QString framesText(const DynamicInfo& image, FrameRange frames) {
    const auto at = [&](int number) { return image.frames[static_cast<std::size_t>(number) - 1]; };
    const QString span = spanText(at(frames.first).start_s, at(frames.last).end_s());
    const int count = static_cast<int>(image.frames.size());
    if (frames.one()) {
        return Text::tr("frame %1 of %2, %3").arg(frames.first).arg(count).arg(span);
    }
    return frames == FrameRange{1, count}
               ? Text::tr("mean of all frames, %1").arg(span)
               : Text::tr("mean of frames %1 to %2, %3").arg(frames.first).arg(frames.last).arg(span);
}

}  // namespace tof::ui
