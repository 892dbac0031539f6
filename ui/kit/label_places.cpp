// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/label_places.h"

#include <algorithm>

namespace tof::ui {

namespace {

constexpr double kBeside = 8;  ///< px from a mark to its label
constexpr double kAbove = 12;  ///< px from a mark to the middle of its label
constexpr int kRounds = 4;     ///< times that a label moves farther out

/// Right above first, as one reads; then left above, right below, left below, and farther out.
std::vector<QRectF> candidates(QPointF mark, QSizeF size) {
    std::vector<QRectF> all;
    for (int round = 0; round < kRounds; ++round) {
        const double away = kAbove + round * size.height();
        for (const double y : {mark.y() - away, mark.y() + away}) {
            const double top = y - size.height() / 2;
            all.emplace_back(QPointF(mark.x() + kBeside, top), size);
            all.emplace_back(QPointF(mark.x() - kBeside - size.width(), top), size);
        }
        const double middle = mark.y() - size.height() / 2;
        const double aside = kBeside + 4 + round * (size.width() + 4);
        all.emplace_back(QPointF(mark.x() + aside, middle), size);
        all.emplace_back(QPointF(mark.x() - aside - size.width(), middle), size);
    }
    return all;
}

}  // namespace

std::vector<QRectF> labelPlaces(const std::vector<QPointF>& marks, const std::vector<QSizeF>& sizes,
                                const QRectF& room, const QRectF& taken) {
    std::vector<QRectF> places;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::vector<QRectF> all = candidates(marks[i], sizes[i]);
        const auto free = std::find_if(all.begin(), all.end(), [&](const QRectF& r) {
            return room.contains(r) && !taken.intersects(r) &&
                   std::none_of(places.begin(), places.end(),
                                [&](const QRectF& p) { return p.intersects(r); });
        });
        places.push_back(free != all.end() ? *free : all.front());
    }
    return places;
}

}  // namespace tof::ui
