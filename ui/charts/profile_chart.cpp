// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/profile_chart.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "recon/base/percentile.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

/// The unit of all curves; of curves in several ones each, in their order.
QString unitsOf(const std::vector<ProfileChart::Curve>& curves) {
    QStringList units;
    for (const ProfileChart::Curve& curve : curves) {
        if (!curve.unit.isEmpty() && !units.contains(word(curve.unit.toStdString()))) {
            units << word(curve.unit.toStdString());
        }
    }
    return units.join("; ");
}

/// A line that goes level and upright by turns, as bars: five times as fast as stroking it.
void fillSteps(QPainter& painter, const QPolygonF& steps, const QPen& pen) {
    const double half = pen.widthF() / 2;
    for (qsizetype i = 1; i < steps.size(); ++i) {
        const QRectF bar = QRectF(steps[i - 1], steps[i]).normalized();
        painter.fillRect(bar.adjusted(-half, -half, half, half), pen.brush());
    }
}

}  // namespace

ProfileChart::ProfileChart(RunList& runs, ViewModel& view, Screen& screen, Threading threading,
                           Content content, QWidget* parent)
    : QWidget(parent),
      runs_(runs),
      view_(view),
      screen_(screen),
      content_(content),
      counts_(threading, [this] { update(); }) {
    setObjectName(content == Content::Values ? "chart.profile" : "chart.difference");
    setAccessibleName(content == Content::Values ? tr("Profile") : tr("Profile of the difference"));
    setMinimumHeight(120);
    choose_ = [this] {
        std::vector<int> ids;
        const RunItem* selected = runs_.selected();
        for (const auto& item : runs_.items()) {
            if (selected != nullptr && item->lattice() == selected->lattice()) {
                ids.push_back(item->id());
            }
        }
        return ids;
    };
}

void ProfileChart::setDifference(std::function<std::shared_ptr<const Volume>()> volume,
                                 std::function<DisplayUnit()> unit) {
    difference_ = std::move(volume);
    differenceUnit_ = std::move(unit);
}

Profile ProfileChart::profileOf(const Volume& volume) const {
    if (alongLine()) {
        return profileBetween(volume, view_.line()->a, view_.line()->b);
    }
    return profileAlong(volume, view_.profileAxis(), view_.cursor());
}

std::pair<std::optional<ProfilePeak>, QString> ProfileChart::peakOf(const Profile& profile) const {
    if (profile.value.empty()) {
        return {std::nullopt, tr("The profile lies outside the image")};
    }
    const PeakSearch found =
        alongLine() ? peakAcross(profile)
                    : peakNear(profile, viz::coordinate(view_.cursor(), view_.profileAxis()), kPeakReach_mm);
    if (!found.standsOut) {
        return {std::nullopt, alongLine()
                                  ? tr("No peak on the line stands out of its ends by more than the noise")
                                  : tr("No peak near the cursor stands out of the profile by more than "
                                       "the noise")};
    }
    return {found.peak,
            found.peak ? QString() : tr("The peak does not fall to half its height on both sides")};
}

std::vector<RunItem*> ProfileChart::runs() const {
    std::vector<RunItem*> out;
    for (const int id : choose_()) {
        RunItem* item = runs_.find(id);
        if (item != nullptr && item->volume() != nullptr) {
            out.push_back(item);
        }
    }
    return out;
}

std::vector<ProfileChart::Curve> ProfileChart::curves() const {
    std::vector<Curve> curves;
    for (RunItem* item : runs()) {
        Profile profile = profileOf(*item->volume());
        auto [peak, why] = screen_.kindOf(*item).width
                               ? peakOf(profile)
                               : std::pair{std::optional<ProfilePeak>(),
                                           tr("A width is that of an object in an image of activity")};
        const DisplayUnit unit = screen_.unitOf(*item);
        for (double& value : profile.value) {
            value = unit.shown(value);
        }
        if (peak) {
            peak->top = unit.shown(peak->top);
            peak->base = unit.shown(peak->base);
        }
        curves.push_back(
            {item->mark(), item->label(), item->name(), std::move(profile), unit.name, peak, why});
    }
    return content_ == Content::Values ? curves : differenceOf(std::move(curves));
}

std::vector<ProfileChart::Curve> ProfileChart::differenceOf(std::vector<Curve> curves) const {
    if (curves.size() < 2) {
        return {};
    }
    Curve difference = curves[0];
    difference.mark = {};
    difference.name.clear();
    difference.peak.reset();
    difference.whyNoWidth.clear();
    difference.label += " " + QString(QChar(0x2212)) + " " + curves[1].label;
    const std::vector<RunItem*> of = runs();
    if (!(of[0]->volume()->lattice == of[1]->volume()->lattice)) {
        const auto volume = difference_ ? difference_() : nullptr;
        if (volume == nullptr) {
            return {};
        }
        const DisplayUnit unit = differenceUnit_();
        difference.unit = unit.name;
        difference.profile = profileOf(*volume);
        for (double& value : difference.profile.value) {
            value = unit.shown(value);
        }
        return {difference};
    }
    for (std::size_t i = 0; i < difference.profile.value.size(); ++i) {
        difference.profile.value[i] -= curves[1].profile.value[i];
    }
    return {difference};
}

std::array<double, 2> ProfileChart::shownEnds() const {
    if (alongLine()) {
        return {0, norm(view_.line()->b - view_.line()->a)};
    }
    const int axis = view_.profileAxis();
    const auto whole = viz::extent(view_.lattice(), axis);
    const double half =
        (viz::coordinate(view_.fitted().high, axis) - viz::coordinate(view_.fitted().low, axis)) /
        (2 * view_.zoom());
    const double middle = viz::coordinate(view_.middle(), axis);
    const double low = std::max(whole[0], middle - half);
    const double high = std::min(whole[1], middle + half);
    return high > low ? std::array{low, high} : whole;
}

QString ProfileChart::caption() const {
    if (view_.chart() == ChartKind::Histogram) {
        return tr("all voxels");
    }
    const char names[] = {'x', 'y', 'z'};
    return alongLine() ? tr("along the line, %1 mm").arg(numberText(shownEnds()[1], 1))
                       : tr("along %1 through the cursor").arg(names[view_.profileAxis()]);
}

bool ProfileChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        QStringList lines;
        if (view_.chart() == ChartKind::Profile) {
            for (const Curve& curve : curves()) {
                if (!curve.whyNoWidth.isEmpty()) {
                    lines << tr("%1: no FWHM. %2").arg(curve.label, curve.whyNoWidth);
                } else if (curve.peak) {
                    const ProfilePeak& peak = *curve.peak;
                    lines << tr("%1: peak of %2 on %3, half its height from %4 to %5 mm")
                                 .arg(curve.label, compactNumber(peak.top), compactNumber(peak.base),
                                      numberText(peak.left_mm, 1), numberText(peak.right_mm, 1));
                }
            }
        }
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), lines.join('\n'), this);
        return true;
    }
    return QWidget::event(event);
}

void ProfileChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (view_.chart() == ChartKind::Histogram && content_ == Content::Values) {
        paintHistogram(painter);
    } else {
        paintProfile(painter);
    }
}

void ProfileChart::paintProfile(QPainter& painter) {
    const Theme& theme = Theme::of(*this);
    const QRectF plot = plotArea();
    const std::vector<Curve> shown = curves();
    const auto ends = shownEnds();
    Span up{0, 0};
    for (const Curve& curve : shown) {
        for (std::size_t i = 0; i < curve.profile.value.size(); ++i) {
            const double at = curve.profile.position_mm[i];
            if (at >= ends[0] && at <= ends[1]) {
                up.add(curve.profile.value[i]);
            }
        }
    }
    if (content_ == Content::Difference) {
        up.add(-up.low);
        up.low = -up.high;
    }
    const QString titles[] = {tr("x, mm"), tr("y, mm"), tr("z, mm"), tr("along the line, mm")};
    const int columns = std::max(4, static_cast<int>(plot.width() / 70));
    Axis x = niceAxis(ends[0], ends[1], columns, titles[view_.profileAxis()]);
    x.low = ends[0];
    x.high = ends[1];
    QString units = unitsOf(shown);
    if (content_ == Content::Difference && !shown.empty()) {
        units = shown.front().label + (units.isEmpty() ? "" : ", " + units);
    }
    const Axis y = niceAxis(up.low, up.high > up.low ? up.high * 1.05 : up.low + 1,
                            std::max(2, static_cast<int>(plot.height() / 26)), units);
    const Plot inside{plot, x, y};
    paintAxes(painter, inside, theme);
    painter.save();
    painter.setClipRect(plot.adjusted(0, -1, 1, 1));
    if (!alongLine()) {
        const double at = viz::coordinate(view_.cursor(), view_.profileAxis());
        const double cursorX = std::floor(inside.at(at, 0).x()) + 0.5;
        painter.setPen(QPen(theme.text3, 1, Qt::DotLine));
        painter.drawLine(QPointF(cursorX, plot.top()), QPointF(cursorX, plot.bottom()));
    }
    for (const Curve& curve : shown) {
        const auto& at = curve.profile.position_mm;
        const double half = alongLine() || at.size() < 2 ? 0 : (at[1] - at[0]) / 2;
        QPolygonF steps;
        for (std::size_t i = 0; i < curve.profile.value.size(); ++i) {
            const double v = std::isfinite(curve.profile.value[i]) ? curve.profile.value[i] : 0;
            steps << inside.at(at[i] - half, v) << inside.at(at[i] + half, v);
        }
        const QPen pen = curve.mark ? runPen(*curve.mark, theme.run(*curve.mark)) : QPen(theme.text, 1.75);
        painter.setRenderHint(QPainter::Antialiasing);
        if (half > 0 && pen.style() == Qt::SolidLine) {
            fillSteps(painter, steps, pen);
        } else {
            painter.setPen(pen);
            painter.drawPolyline(steps);
        }
    }
    paintPeak(painter, inside, shown);
    painter.restore();
    if (content_ == Content::Values) {
        paintLegend(painter, plot, shown);
    }
}

void ProfileChart::paintPeak(QPainter& painter, const Plot& plot, const std::vector<Curve>& curves) const {
    const RunItem* const selected = runs_.selected();
    for (const Curve& curve : curves) {
        if (!curve.peak || selected == nullptr || curve.label != selected->label()) {
            continue;
        }
        const ProfilePeak& peak = *curve.peak;
        const double beside = peak.width_mm();
        const QColor ink = Theme::of(*this).text;
        painter.setPen(QPen(ink, 1, Qt::DashLine));
        painter.drawLine(plot.at(peak.left_mm - beside, peak.base),
                         plot.at(peak.right_mm + beside, peak.base));
        painter.setPen(QPen(ink, 1));
        painter.drawLine(plot.at(peak.left_mm, peak.half()), plot.at(peak.right_mm, peak.half()));
        painter.setBrush(ink);
        for (const double at : {peak.left_mm, peak.right_mm}) {
            painter.drawEllipse(plot.at(at, peak.half()), 2.5, 2.5);
        }
    }
}

void ProfileChart::paintLegend(QPainter& painter, const QRectF& plot, const std::vector<Curve>& curves) {
    const Theme& theme = Theme::of(*this);
    const QFontMetricsF metrics(smallFont());
    std::vector<QString> texts;
    double total = 0;
    for (const Curve& curve : curves) {
        texts.push_back(curve.label +
                        (curve.peak ? "  " + (plot.width() > 420 ? tr("FWHM %1 mm") : QString("%1 mm"))
                                                 .arg(numberText(*curve.fwhm_mm(), 1))
                                    : "  " + (plot.width() > 420 ? tr("no FWHM") : QString(QChar(0x2013)))));
        total += 14 + metrics.horizontalAdvance(texts.back()) + 20;
    }
    double left = std::max(plot.left() + 110, plot.center().x() - total / 2);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const int mark = curves[i].mark.value_or(-1);
        drawRunSymbol(painter, {left + 4, 12}, 7, mark, theme.run(mark));
        painter.setFont(smallFont());
        painter.setPen(theme.text);
        painter.drawText(QPointF(left + 14, 16), texts[i]);
        left += 14 + metrics.horizontalAdvance(texts[i]) + 20;
    }
}

void ProfileChart::paintHistogram(QPainter& painter) {
    const Theme& theme = Theme::of(*this);
    const QRectF plot = plotArea();
    RunItem* item = runs_.selected();
    const VoxelCounts::Histogram& counted = counts_.newest(runs_.image(), view_.range());
    // The first bin holds the empty space around the object and would flatten everything else.
    const std::size_t most =
        counted.bins.empty() ? 0 : *std::max_element(counted.bins.begin() + 1, counted.bins.end());
    const DisplayRange ends = view_.shownRange();
    Axis x = niceAxis(ends.low, ends.high, 8, item != nullptr ? unitWord(view_.unit()) : QString());
    x.low = ends.low;
    x.high = ends.high;
    const Axis y = niceAxis(0, std::max<double>(1, static_cast<double>(most) * 1.05),
                            std::max(2, static_cast<int>(plot.height() / 26)), tr("voxels"));
    const Plot inside{plot, x, y};
    paintAxes(painter, inside, theme);
    painter.setClipRect(plot);
    painter.setPen(Qt::NoPen);
    painter.setBrush(item != nullptr ? theme.run(item->mark()) : theme.text3);
    // Bars stand where their values are: these may be the counts of another range until its own come.
    for (std::size_t i = 0; i < counted.bins.size(); ++i) {
        const QPointF from = inside.at(edgeOf(counted, i), static_cast<double>(counted.bins[i]));
        const QPointF to = inside.at(edgeOf(counted, i + 1), 0);
        painter.drawRect(QRectF(from, QPointF(from.x() + 0.9 * (to.x() - from.x()), plot.bottom())));
    }
}

double ProfileChart::edgeOf(const VoxelCounts::Histogram& counted, std::size_t bin) const {
    const double share = static_cast<double>(bin) / VoxelCounts::kBins;
    return view_.unit().shown(counted.range.low + (counted.range.high - counted.range.low) * share);
}

void ProfileChart::mousePressEvent(QMouseEvent* event) {
    if (view_.chart() != ChartKind::Profile || event->button() != Qt::LeftButton) {
        return;
    }
    const QRectF plot = plotArea();
    const auto ends = shownEnds();
    const double at = ends[0] + (event->position().x() - plot.left()) / plot.width() * (ends[1] - ends[0]);
    if (alongLine()) {
        view_.setCursor(view_.line()->a + (at / ends[1]) * (view_.line()->b - view_.line()->a));
        return;
    }
    Vec3 cursor = view_.cursor();
    viz::setCoordinate(cursor, view_.profileAxis(), at);
    view_.setCursor(cursor);
}

QString ProfileChart::histogramCsv() const {
    const auto volume = runs_.image();
    if (volume == nullptr) {
        return {};
    }
    const VoxelCounts::Histogram counted = counts_.exactly(volume, view_.range());
    QString text = QString("from (%1),to (%1),voxels\n").arg(view_.unit().name);
    for (std::size_t i = 0; i < counted.bins.size(); ++i) {
        text += cPoint(edgeOf(counted, i)) + "," + cPoint(edgeOf(counted, i + 1)) + "," +
                QString::number(counted.bins[i]) + "\n";
    }
    return text;
}

QString ProfileChart::toCsv() const {
    if (view_.chart() == ChartKind::Histogram && content_ == Content::Values) {
        return histogramCsv();
    }
    const std::vector<Curve> shown = curves();
    if (shown.empty()) {
        return {};
    }
    const QString axis = alongLine() ? QString("line") : QString(QString("xyz").at(view_.profileAxis()));
    QString text = axis + "_mm";
    const std::vector<double>& common = shown.front().profile.position_mm;
    std::size_t rows = 0;
    for (const Curve& curve : shown) {
        rows = std::max(rows, curve.profile.value.size());
        if (curve.profile.position_mm != common) {
            text += "," + axis + "_mm of " + curve.label;
        }
        text += "," + curve.label;
        text += curve.name.isEmpty() ? QString() : " " + curve.name;
        text += curve.unit.isEmpty() ? QString() : " (" + curve.unit + ")";
    }
    text += "\n";
    for (std::size_t i = 0; i < rows; ++i) {
        text += i < common.size() ? cPoint(common[i]) : QString();
        for (const Curve& curve : shown) {
            const bool there = i < curve.profile.value.size();
            if (curve.profile.position_mm != common) {
                text += "," + (there ? cPoint(curve.profile.position_mm[i]) : QString());
            }
            text += "," + (there ? cPoint(curve.profile.value[i]) : QString());
        }
        text += "\n";
    }
    return text;
}

}  // namespace tof::ui
