// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/time_chart.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "recon/base/error.h"
#include "recon/kinetics/partial_volume.h"
#include "recon/work/kinetics.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/kit/basic.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr std::size_t kMostDrawn = 6;  ///< ROIs; more cannot be told apart
constexpr double kMinute_s = 60;
constexpr double kLong_s = 300;  ///< from here on axes are in minutes
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double axisUnit_s(const DynamicInfo& info) {
    return info.frames.back().end_s() > kLong_s ? kMinute_s : 1;
}

}  // namespace

TimeChart::TimeChart(const RoiModel& rois, RunList& runs, ViewModel& view, Screen& screen,
                     Threading threading, QWidget* parent)
    : QWidget(parent), rois_(rois), runs_(runs), view_(view), screen_(screen), worker_(threading) {
    setObjectName("chart.time-curves");
    setAccessibleName(tr("Activity against time"));
    setMinimumHeight(120);
}

TimeChart::~TimeChart() {
    wish_.end();
}

RunItem* TimeChart::image() const {
    RunItem* item = runs_.onScreen();
    return item != nullptr && item->dynamic() != nullptr ? item : nullptr;
}

std::optional<std::size_t> TimeChart::voxel(const RunItem& item) const {
    const auto [x, y, z] = item.lattice().voxelAt(view_.cursor());
    return item.lattice().contains(x, y, z) ? std::optional(item.lattice().index(x, y, z)) : std::nullopt;
}

// ---- values ----

void TimeChart::refresh() {
    update();
    const RunItem* item = image();
    if (item == nullptr || worker_.busy()) {
        return;
    }
    std::vector<KeptImage> frames;
    bool inMemory = true;
    for (const int frame : item->iterates()) {
        frames.push_back(item->kept(frame));
        inMemory = inMemory && frames.back().volume != nullptr;
    }
    const std::optional<std::size_t> under = voxel(*item);
    const Of wanted{item->id(), rois_.revision(), inMemory || !under ? 0 : *under, partialVolume_mm_};
    if (wanted == of_) {
        return;
    }
    struct Found {
        std::vector<RegionCurve> rois;
        std::vector<double> cursor;
    };
    const auto found = std::make_shared<Found>();
    worker_.start(
        [found, frames = std::move(frames), info = *item->dynamic(), rois = rois_.rois(),
         voxel = wanted.voxel, width = wanted.partialVolume_mm, wish = wish_] {
            std::vector<Roi> inside = rois;
            std::erase_if(inside, [&](const Roi& roi) { return roiVoxels(roi, info.lattice).empty(); });
            std::shared_ptr<const Volume> held;
            const auto values = [&](std::size_t frame) -> const std::vector<float>& {
                held = frames[frame].get(wish);
                found->cursor.push_back(static_cast<double>(held->data[voxel]));
                return held->data;
            };
            const std::vector<double> asStored(info.frames.size(), 1.0);
            found->rois = width > 0 && !inside.empty()
                              ? PartialVolume::ofWidth(info.lattice, inside, width,
                                                       ThreadPool(0, Priority::Background, wish))
                                    .curves(info, values, asStored)
                              : regionCurves(info, values, inside, asStored);
        },
        [this, found, wanted](const std::exception_ptr& fault) {
            of_ = wanted;
            taken_ = std::move(found->rois);
            fault_ = fault != nullptr ? sentence(fault) : QString();
            underCursor_ = std::move(found->cursor);
            refresh();  // the models may have gone on meanwhile
            Q_EMIT taken();
        });
}

void TimeChart::setPartialVolume(double fwhm_mm) {
    constexpr double kWidest_mm = 1000;
    if (!(fwhm_mm >= 0 && fwhm_mm <= kWidest_mm)) {
        throw WrongUse("the width of partial volumes is from 0, which takes out nothing, to {:g} mm",
                       kWidest_mm);
    }
    partialVolume_mm_ = fwhm_mm;
    refresh();
}

TimeChart::Factors TimeChart::factors(const RunItem& item) const {
    const DynamicInfo& info = *item.dynamic();
    const std::string name = item.name().toStdString();
    try {
        return {view_.flag(ViewModel::Flag::DecayCorrected) ? decayFactors(info, {}, name)
                                                            : measuredFactors(info, name),
                {}};
    } catch (const Error& fault) {
        return {std::vector<double>(info.frames.size(), 1.0), QString::fromStdString(fault.what())};
    }
}

std::vector<RegionCurve> TimeChart::curves() const {
    const RunItem* item = image();
    if (item == nullptr) {
        return {};
    }
    const std::vector<double> factors = this->factors(*item).values;
    const std::size_t count = item->dynamic()->frames.size();
    std::vector<RegionCurve> all;
    if (const auto under = voxel(*item)) {
        const Vec3 at = view_.cursor();
        RegionCurve& curve = all.emplace_back();
        curve.name =
            QString("cursor %1 %2 %3 mm").arg(cPoint(at.x), cPoint(at.y), cPoint(at.z)).toStdString();
        for (std::size_t frame = 0; frame < count; ++frame) {
            const auto volume = item->kept(static_cast<int>(frame) + 1).volume;
            const bool read = of_.item == item->id() && of_.voxel == *under && underCursor_.size() == count;
            curve.means.push_back(volume != nullptr ? static_cast<double>(volume->data[*under])
                                  : read            ? underCursor_[frame]
                                                    : kNone);
            curve.sds.push_back(kNone);
        }
        const std::array<double, 3>& edge = item->lattice().spacing_mm;
        curve.volume_mm3 = edge[0] * edge[1] * edge[2];
    }
    if (of_.item == item->id()) {
        all.insert(all.end(), taken_.begin(), taken_.end());
    }
    const DisplayUnit unit = screen_.unitOf(*item);
    for (RegionCurve& curve : all) {
        for (std::size_t frame = 0; frame < count; ++frame) {
            curve.means[frame] = unit.shown(factors[frame] * curve.means[frame]);
            curve.sds[frame] = unit.shown(factors[frame] * curve.sds[frame]);
        }
    }
    return all;
}

QString TimeChart::toTsv() const {
    const RunItem* item = image();
    return item != nullptr ? QString::fromStdString(curvesTable(item->dynamic()->frames, curves()))
                           : QString();
}

QString TimeChart::caption() const {
    const RunItem* item = image();
    if (item == nullptr) {
        return {};
    }
    if (!fault_.isEmpty()) {
        return fault_;
    }
    const std::size_t count = std::min(kMostDrawn, taken_.size());
    const QString decay = !factors(*item).whyStored.isEmpty()           ? tr("as stored")
                          : view_.flag(ViewModel::Flag::DecayCorrected) ? tr("decay-corrected")
                                                                        : tr("as measured");
    const QString corrected =
        of_.partialVolume_mm > 0 && !taken_.empty()
            ? tr("%1, partial volumes of %2 mm taken out").arg(decay, numberText(of_.partialVolume_mm, 1))
            : decay;
    return taken_.empty()
               ? corrected
               : tr("%1; %2 of %3 ROIs, bands: SD over voxels").arg(corrected).arg(count).arg(taken_.size());
}

// ---- picture ----

/// The cursor's curve, that of the selected ROI and the first others that are no backgrounds.
std::vector<TimeChart::Drawn> TimeChart::drawn() const {
    const Theme& theme = Theme::of(*this);
    std::vector<Drawn> chosen;
    std::vector<RegionCurve> all = curves();
    const Roi* selected = rois_.selectedRoi();
    const auto role = [this](const RegionCurve& curve) {
        const Roi* roi = rois_.at(rois_.find(QString::fromStdString(curve.name)));
        return roi != nullptr ? roi->role : Roi::Role::None;
    };
    const RunItem* item = image();
    const std::size_t first = item != nullptr && voxel(*item) ? 1 : 0;
    std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                     [&](const RegionCurve& a, const RegionCurve& b) {
                         const auto rank = [&](const RegionCurve& curve) {
                             return selected != nullptr && curve.name == selected->name ? 0
                                    : role(curve) == Roi::Role::Background              ? 2
                                                                                        : 1;
                         };
                         return rank(a) < rank(b);
                     });
    for (std::size_t i = 0; i < std::min(all.size(), first + kMostDrawn); ++i) {
        const bool cursor = i < first;
        const int place = static_cast<int>(i - (cursor ? 0 : first));
        const QColor colour = cursor ? theme.text : theme.run(place);
        chosen.push_back({std::move(all[i]), colour, cursor ? QPen(colour, 1.75) : runPen(place, colour)});
    }
    return chosen;
}

Plot TimeChart::plot(const std::vector<Drawn>& curves) const {
    const RunItem& item = *image();
    const DynamicInfo& info = *item.dynamic();
    const double unit_s = axisUnit_s(info);
    const QRectF area(70, 26, std::max(10.0, width() - 70.0 - 150), std::max(10.0, height() - 26.0 - 42));
    const QString title = unit_s > 1 ? tr("time, min") : tr("time, s");
    const double end = info.frames.back().end_s() / unit_s;
    Axis x = view_.flag(ViewModel::Flag::LogTime)
                 ? logAxis(info.frames.front().middle_s() / unit_s, end, title)
                 : niceAxis(std::min(0.0, info.frames.front().start_s / unit_s), end, 8, title);
    x.high = view_.flag(ViewModel::Flag::LogTime) ? x.high : end;
    Span span;
    Span positive;
    for (const Drawn& one : curves) {
        for (const double mean : one.curve.means) {
            span.add(mean);
            positive.add(mean > 0 ? mean : kNone);
        }
    }
    const QString units = unitWord(screen_.unitOf(item));
    const int rows = std::max(2, static_cast<int>(area.height() / 26));
    const Axis y =
        view_.flag(ViewModel::Flag::LogActivity)
            ? logAxis(positive.empty() ? 0 : positive.low, positive.empty() ? 1 : positive.high, units)
            : niceAxis(span.empty() ? 0 : std::min(0.0, span.low),
                       span.empty() || span.high <= 0 ? 1 : 1.05 * span.high, rows, units);
    return {area, x, y};
}

QPointF TimeChart::placeOf(int frame) const {
    const DynamicInfo& info = *image()->dynamic();
    const Plot plot = this->plot(drawn());
    return plot.at(info.frames[static_cast<std::size_t>(frame) - 1].middle_s() / axisUnit_s(info),
                   plot.y.low);
}

int TimeChart::frameAt(const QPointF& place) const {
    const RunItem* item = image();
    if (item == nullptr) {
        return 0;
    }
    const DynamicInfo& info = *item->dynamic();
    const Plot plot = this->plot(drawn());
    const double time_s = plot.x.value(plot.shares(place).x()) * axisUnit_s(info);
    const auto nearest = std::min_element(
        info.frames.begin(), info.frames.end(), [time_s](const TimeFrame& a, const TimeFrame& b) {
            const auto away = [time_s](const TimeFrame& frame) {
                return std::max({frame.start_s - time_s, time_s - frame.end_s(), 0.0});
            };
            return away(a) < away(b);
        });
    return static_cast<int>(nearest - info.frames.begin()) + 1;
}

void TimeChart::paintCurve(QPainter& painter, const Plot& plot, const Drawn& one) const {
    const DynamicInfo& info = *image()->dynamic();
    const double unit_s = axisUnit_s(info);
    QPolygonF line;
    QPolygonF upper;
    QPolygonF lower;
    for (std::size_t frame = 0; frame < info.frames.size(); ++frame) {
        const double mean = one.curve.means[frame];
        const double sd = one.curve.sds[frame];
        const double at = info.frames[frame].middle_s() / unit_s;
        if (!std::isfinite(mean) || (plot.y.logarithmic && mean <= 0) || (plot.x.logarithmic && at <= 0)) {
            continue;
        }
        line << plot.at(at, mean);
        if (std::isfinite(sd)) {
            upper << plot.at(at, mean + sd);
            lower.prepend(plot.at(at, plot.y.logarithmic ? std::max(mean - sd, plot.y.low) : mean - sd));
        }
    }
    if (upper.size() > 1) {
        QColor fill = one.colour;
        fill.setAlphaF(0.16F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(upper + lower);
        painter.setBrush(Qt::NoBrush);
    }
    painter.setPen(one.pen);
    painter.drawPolyline(line);
    if (info.frames.size() <= 100) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(one.colour);
        for (const QPointF& point : line) {
            painter.drawEllipse(point, 2, 2);
        }
        painter.setBrush(Qt::NoBrush);
    }
}

void TimeChart::paintNames(QPainter& painter, const Plot& plot, const std::vector<Drawn>& curves) const {
    const Theme& theme = Theme::of(*this);
    painter.setFont(smallFont());
    double y = plot.area.top() + 8;
    for (const Drawn& one : curves) {
        const double left = plot.area.right() + 12;
        painter.setPen(one.pen);
        painter.drawLine(QPointF(left, y), QPointF(left + 18, y));
        painter.setPen(theme.text2);
        const bool cursor = one.curve.name.starts_with("cursor ");
        drawElided(painter, QRect(static_cast<int>(left) + 24, static_cast<int>(y) - 8, 110, 16),
                   Qt::AlignVCenter, cursor ? tr("cursor") : QString::fromStdString(one.curve.name));
        y += 15;
    }
}

void TimeChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    const RunItem* item = image();
    if (item == nullptr) {
        painter.setFont(textFont());
        painter.setPen(theme.text2);
        painter.drawText(rect(), Qt::AlignCenter, tr("The image on screen has no frames"));
        return;
    }
    const std::vector<Drawn> curves = drawn();
    const Plot plot = this->plot(curves);
    paintAxes(painter, plot, theme);
    painter.save();
    painter.setClipRect(plot.area.adjusted(0, -3, 3, 1));
    const DynamicInfo& info = *item->dynamic();
    const FrameRange shown = item->framesShown();
    const auto edge = [&](double time_s) {
        const double share =
            plot.x.share(std::max(time_s / axisUnit_s(info), plot.x.logarithmic ? plot.x.low : -1e300));
        return plot.area.left() + share * plot.area.width();
    };
    const double from = edge(info.frames[static_cast<std::size_t>(shown.first) - 1].start_s);
    const double to = edge(info.frames[static_cast<std::size_t>(shown.last) - 1].end_s());
    QColor band = theme.text3;
    band.setAlphaF(0.25F);
    painter.fillRect(QRectF(from, plot.area.top(), std::max(1.0, to - from), plot.area.height()), band);
    painter.setRenderHint(QPainter::Antialiasing);
    for (auto one = curves.rbegin(); one != curves.rend(); ++one) {  // the cursor's on top
        paintCurve(painter, plot, *one);
    }
    painter.restore();
    paintNames(painter, plot, curves);
}

void TimeChart::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->button() == Qt::LeftButton ? frameAt(event->position()) : 0;
    if (pressed_ > 0) {
        runs_.showFrames(image()->id(), {pressed_, pressed_});
    }
}

void TimeChart::mouseMoveEvent(QMouseEvent* event) {
    const int frame =
        pressed_ > 0 && (event->buttons() & Qt::LeftButton) != 0 ? frameAt(event->position()) : 0;
    if (frame > 0) {
        runs_.showFrames(image()->id(), {std::min(pressed_, frame), std::max(pressed_, frame)});
    }
}

bool TimeChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const RunItem* item = image();
    const int frame = frameAt(QPointF(help->pos()));
    QStringList lines;
    if (frame > 0) {
        lines << framesText(*item->dynamic(), {frame, frame});
        for (const Drawn& one : drawn()) {
            const auto i = static_cast<std::size_t>(frame) - 1;
            const QString sd = std::isfinite(one.curve.sds[i])
                                   ? " " + QString(QChar(0x00b1)) + " " + compactNumber(one.curve.sds[i])
                                   : QString();
            lines << QString::fromStdString(one.curve.name) + ": " + compactNumber(one.curve.means[i]) + sd;
        }
        lines << factors(*item).whyStored;
        lines.removeAll(QString());
    }
    QToolTip::showText(help->globalPos(), lines.join('\n'), this);
    return true;
}

}  // namespace tof::ui
