// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/label_placer.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"

namespace tof::ui {

namespace {

constexpr double kNearest = 7;  ///< px from the point to the text
constexpr double kStep = 4;
constexpr int kDirections = 16;
constexpr double kSquare = 32;  ///< px

/// Squares that a length has room for; one at least.
int squaresOf(double length) {
    constexpr double kMost = 1000;
    return static_cast<int>(std::min(kMost, std::max(1.0, std::ceil(length / kSquare))));
}

/// The square of so many that a place lies in.
int squareAt(double place, int count) {
    return static_cast<int>(std::max(0.0, std::min(count - 1.0, std::floor(place / kSquare))));
}

bool crosses(const QLineF& line, const QRectF& box) {
    if (box.contains(line.p1()) || box.contains(line.p2())) {
        return true;
    }
    const QRectF span = QRectF(line.p1(), line.p2()).normalized();
    if (span.right() < box.left() || span.left() > box.right() || span.bottom() < box.top() ||
        span.top() > box.bottom()) {
        return false;
    }
    const QLineF diagonals[] = {{box.topLeft(), box.bottomRight()}, {box.topRight(), box.bottomLeft()}};
    return std::any_of(std::begin(diagonals), std::end(diagonals), [&](const QLineF& diagonal) {
        return diagonal.intersects(line, nullptr) == QLineF::BoundedIntersection;
    });
}

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

LabelPlacer::LabelPlacer(const QRectF& area)
    : area_(area),
      columns_(squaresOf(area.width())),
      rows_(squaresOf(area.height())),
      squares_(static_cast<std::size_t>(columns_ * rows_)) {}

LabelPlacer::Squares LabelPlacer::under(const QRectF& box) const {
    return {squareAt(box.left() - area_.left(), columns_), squareAt(box.top() - area_.top(), rows_),
            squareAt(box.right() - area_.left(), columns_), squareAt(box.bottom() - area_.top(), rows_)};
}

void LabelPlacer::avoid(const QRectF& mark) {
    const Squares those = under(mark);
    for (int row = those.top; row <= those.bottom; ++row) {
        for (int column = those.left; column <= those.right; ++column) {
            at(column, row).marks.push_back(mark);
        }
    }
}

void LabelPlacer::avoid(const QLineF& line) {
    const Squares those = under(QRectF(line.p1(), line.p2()).normalized());
    for (int row = those.top; row <= those.bottom; ++row) {
        for (int column = those.left; column <= those.right; ++column) {
            at(column, row).lines.push_back(line);
        }
    }
}

bool LabelPlacer::isFree(const QRectF& box) const {
    if (!area_.contains(box)) {
        return false;
    }
    const Squares those = under(box);
    for (int row = those.top; row <= those.bottom; ++row) {
        for (int column = those.left; column <= those.right; ++column) {
            const auto& [marks, lines] = at(column, row);
            if (std::any_of(marks.begin(), marks.end(), [&](const QRectF& m) { return m.intersects(box); }) ||
                std::any_of(lines.begin(), lines.end(), [&](const QLineF& l) { return crosses(l, box); })) {
                return false;
            }
        }
    }
    return true;
}

std::optional<QRectF> LabelPlacer::place(QPointF at, QSizeF size, double reach) {
    for (double away = kNearest; away <= reach; away += kStep) {
        for (int i = 0; i < kDirections; ++i) {
            // From below right alternately both ways round.
            const int steps = (i % 2 == 1 ? 1 : -1) * ((i + 1) / 2);
            const double turn = steps * 2 * kPi / kDirections;
            const double angle = kPi / 4 + turn;
            const QPointF towards(std::cos(angle), std::sin(angle));
            QRectF box(QPointF(), size);
            box.moveCenter(at + QPointF(towards.x() * (away + size.width() / 2),
                                        towards.y() * (away + size.height() / 2)));
            if (isFree(box)) {
                avoid(box);
                return box;
            }
        }
    }
    return std::nullopt;
}

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
