// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/kernel_lab_readout.h"

#include <QHelpEvent>
#include <QLabel>
#include <QLinearGradient>
#include <QPainter>
#include <QRegularExpression>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "ui/kit/picture_marks.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kPictureHeight = 208;
constexpr double kFitted =
    0.6;  ///< share of the box around the support that is fitted: what is above a tenth of the peak
constexpr int kLegendWidth = 100;  ///< beside the map of ids
constexpr int kReadoutRow = 24;
constexpr int kNameWidth = 104;
constexpr int kNumberWidth = 64;

}  // namespace

// ---- the picture ----

KernelPicture::KernelPicture(KernelLab& lab, Threading threading, QWidget* parent)
    : QWidget(parent), lab_(lab) {
    SolidSource source;
    source.volume = [this]() -> std::shared_ptr<const Volume> {
        return lab_.results().shownKernel() != nullptr ? lab_.results().shownKernel()->values : nullptr;
    };
    source.look = [] {
        viz::SolidRequest look;
        look.mode = viz::SolidMode::Surface;
        look.map = viz::ColourMap::find("hot-metal");
        return look;
    };
    source.levelShare = [this] { return lab_.surfacePercent() / 100; };
    source.axes = [this]() -> std::vector<SolidAxis> {
        if (lab_.results().shownKernel() == nullptr) {
            return {};
        }
        const ViewAxes axes = lab_.results().shownKernel()->view.axes();
        const SupportAxes& support = lab_.results().shownKernel()->outline->support();
        return {{axes.u, kFitted * support.tof, tr("TOF")},
                {axes.r, kFitted * support.radial, tr("radial")},
                {axes.a, kFitted * support.axial, tr("axial")}};
    };
    source.box = [](const Volume& volume) {
        const Box box = latticeBox(volume.lattice);
        return Box{kFitted * box.low, kFitted * box.high};  // the kernel's offset 0 is the origin
    };
    source.empty = [] { return QString(); };
    source.corner = [this] {
        const LabKernel* kernel = lab_.results().shownKernel().get();
        return tr("%1 % of the peak, at |s| %2 mm")
            .arg(numberText(lab_.surfacePercent(), 0), numberText(kernel != nullptr ? kernel->s_mm : 0, 0));
    };
    solid_ = new SolidPane(std::move(source), threading, this);
    solid_->setObjectName("lab.kernel-surface");
    solid_->setAccessibleName(tr("Surface of the kernel"));
    solid_->setAngles(0, 50);
    solid_->hide();
    setObjectName("lab.kernel-picture");
    setAccessibleName(tr("Picture of the kernel"));
    setFixedHeight(kPictureHeight);
}

void KernelPicture::setKind(Kind kind) {
    kind_ = kind;
    solid_->setVisible(kind == Kind::Surface);
    update();
    Q_EMIT kindChanged();
}

void KernelPicture::draw(QPainter& painter, const std::shared_ptr<const Volume>& volume, QSize size,
                         double mmPerPixel, double high, const viz::ColourMap& map) {
    const double ratio = devicePixelRatioF();
    viz::SliceRequest request;
    request.volume = volume;
    request.view.width = static_cast<int>(std::lround(size.width() * ratio));
    request.view.height = static_cast<int>(std::lround(size.height() * ratio));
    request.view.mmPerPixel = mmPerPixel / ratio;
    request.high = high;
    request.map = map;
    painter.drawImage(0, 0, imageOn(pipeline_.render(request), ratio));
}

void KernelPicture::paintSlice(QPainter& painter, const LabKernel& kernel) {
    const Volume& volume = *kernel.values;
    const double high = static_cast<double>(*std::max_element(volume.data.begin(), volume.data.end()));
    const double scale =
        viz::fittingScale(latticeBox(volume.lattice), Plane::Transverse, width(), height(), 10);
    draw(painter, kernel.values, size(), scale, high, viz::ColourMap::find("hot-metal"));
    // The axes of the view, as long as the support.
    const ViewAxes axes = kernel.view.axes();
    const QPointF middle(width() / 2.0, height() / 2.0);
    const auto line = [&](Vec3 axis, double half_mm, const QString& name) {
        const QPointF reach = QPointF(axis.x, axis.y) * (half_mm / scale);
        QColor ink = markInk(MarkGround::Dark);
        ink.setAlphaF(0.55F);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(ink, 1));
        painter.drawLine(middle - reach, middle + reach);
        const QFont font = smallFont(QFont::DemiBold);
        const QFontMetricsF metrics(font);
        QPointF at = middle + reach + QPointF(axis.x >= 0 ? 5 : -5 - metrics.horizontalAdvance(name), 10);
        at.setX(std::clamp(at.x(), 6.0, width() - 6 - metrics.horizontalAdvance(name)));
        at.setY(std::clamp(at.y(), 16.0, height() - 8.0));
        drawOutlined(painter, at, name, font, MarkGround::Dark);
    };
    line(axes.u, kernel.outline->support().tof, tr("TOF"));
    line(axes.r, kernel.outline->support().radial, tr("radial"));
    drawScaleBar(painter, size(), scale, MarkGround::Dark);
    drawOutlined(painter, {10, 18}, tr("at |s| %1 mm").arg(numberText(kernel.s_mm, 0)),
                 smallFont(QFont::DemiBold), MarkGround::Dark);
}

void KernelPicture::paintIds(QPainter& painter, const LabKernel& kernel) {
    const int side = std::min(height(), width() - kLegendWidth);
    const QSize map(side, side);
    const double scale =
        viz::fittingScale(latticeBox(kernel.ids->lattice), Plane::Transverse, map.width(), map.height(), 0);
    painter.fillRect(rect(), Theme::of(*this).plot);
    draw(painter, kernel.ids, map, scale, std::max(1, kernel.outline->rows() - 1),
         viz::ColourMap::find("viridis"));
    drawScaleBar(painter, map, scale, MarkGround::Dark);
    paintIdLegend(painter, *kernel.outline, QRectF(side, 0, width() - side, side));
}

std::vector<IdMark> idMarks(int radialIds, int rows, double step_mm) {
    const auto mark = [&](int id, double s, const QString& sign) {
        return IdMark{rows > 1 ? id / (rows - 1.0) : 0.0,
                      QString("%1  %2%3").arg(id).arg(sign, numberText(s, 0))};
    };
    const double end = (radialIds - 1) * step_mm;
    if (rows == radialIds) {
        const int middle = (radialIds - 1) / 2;
        std::vector<IdMark> marks{mark(0, 0, "")};
        if (middle > 0) {
            marks.push_back(mark(middle, middle * step_mm, ""));
        }
        if (radialIds > 1) {
            marks.push_back(mark(radialIds - 1, end, ""));
        }
        return marks;
    }
    // Ids of s < 0 follow those of s > 0; the centre line has one of its own, the last.
    const QString minus(QChar(0x2212));
    return {mark(0, 0, "+"), mark(radialIds - 1, end, "+"), mark(radialIds, 0, minus),
            mark(2 * radialIds - 1, end, minus)};
}

void KernelPicture::paintIdLegend(QPainter& painter, const KernelOutline& outline, const QRectF& room) const {
    const Theme& theme = Theme::of(*this);
    const QRectF bar(room.left() + 10, room.top() + 34, 10, room.height() - 46);
    const viz::ColourMap map = viz::ColourMap::find("viridis");
    QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
    for (int i = 0; i <= 16; ++i) {
        const viz::Rgb c = map.table[static_cast<std::size_t>(std::min(255, 16 * i))];
        gradient.setColorAt(i / 16.0, QColor(c.r, c.g, c.b));
    }
    painter.fillRect(bar, gradient);
    painter.setFont(smallFont());
    painter.setPen(theme.text2);
    const double step = lab_.kernel().id_step_mm;
    painter.drawText(QPointF(room.left() + 10, room.top() + 18),
                     outline.rows() == outline.radialIds() ? tr("id  |s|, mm") : tr("id  s, mm"));
    double below = bar.bottom() + 30;
    for (const IdMark& mark : idMarks(outline.radialIds(), outline.rows(), step)) {
        double y = bar.bottom() - mark.height * bar.height();
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y));
        y = std::min(y + 4, below - 13);  // two ids that follow each other do not share a line
        below = y;
        painter.drawText(QPointF(bar.right() + 7, y), mark.text);
    }
}

void KernelPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& kernel = lab_.results().shownKernel();
    if (kernel == nullptr) {
        painter.fillRect(rect(), Theme::of(*this).plot);
        return;
    }
    if (kind_ == Kind::Ids) {
        paintIds(painter, *kernel);
    } else {
        paintSlice(painter, *kernel);
    }
}

// ---- times ----

StrategyBars::StrategyBars(KernelLab& lab, ProjectionKind kind, QWidget* parent)
    : QWidget(parent), lab_(lab), kind_(kind) {
    setAccessibleName(kind == ProjectionKind::Forward ? tr("Times of forward projection")
                                                      : tr("Times of back projection"));
}

void StrategyBars::refresh() {
    rows_.clear();
    const auto& timings = lab_.results().timings();
    const auto& pictures = lab_.results().pictures();
    const auto add = [&](const std::string& engine, const std::string& strategy, const std::string& why) {
        Row row{QString::fromStdString(strategy.empty() ? engine : engine + ", " + strategy),
                0,
                QString::fromStdString(why),
                false,
                {}};
        for (int side = 0; pictures != nullptr && side < 2; ++side) {
            const ComparedProjection& made = pictures->sides[static_cast<std::size_t>(side)];
            if (lab_.operand(side).kind == kind_ && QString::fromStdString(made.where) == row.name) {
                row.inUse = true;
                row.ms = made.project_ms;
                row.note = QString::fromStdString(made.note);
            }
        }
        rows_.push_back(row);
    };
    if (timings != nullptr) {
        for (const StrategyTiming& t : timings->rows) {
            if (t.kind == kind_) {
                add(t.engine, t.strategy, t.whyNot);
                rows_.back().ms = t.median_ms;
                rows_.back().note = QString::fromStdString(t.note);
            }
        }
    } else {
        lab_.forEachStrategy(add);
    }
    setFixedHeight(kReadoutRow * std::max<int>(1, static_cast<int>(rows_.size())));
    update();
}

void StrategyBars::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    double longest = 0;
    for (const Row& row : rows_) {
        longest = std::max(longest, row.ms);
    }
    int y = 0;
    for (const Row& row : rows_) {
        const bool can = row.whyNot.isEmpty();
        painter.setFont(textFont());
        painter.setPen(can ? theme.text : theme.disabled);
        drawElided(painter, QRect(0, y, kNameWidth - 4, kReadoutRow), Qt::AlignVCenter, row.name);
        if (can) {
            const QRectF track(kNameWidth, y + kReadoutRow / 2.0 - 4, width() - kNameWidth - kNumberWidth, 8);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.line);
            painter.drawRoundedRect(track, 2, 2);
            if (row.ms > 0) {
                painter.setBrush(row.inUse ? theme.run(0) : theme.text3);
                painter.drawRoundedRect(
                    QRectF(track.left(), track.top(), track.width() * row.ms / longest, 8), 2, 2);
            }
            painter.setPen(theme.text);
        }
        painter.drawText(QRect(width() - kNumberWidth, y, kNumberWidth, kReadoutRow),
                         Qt::AlignVCenter | Qt::AlignRight,
                         can && row.ms > 0 ? compactNumber(row.ms, 3) : QString(QChar(0x2013)));
        y += kReadoutRow;
    }
}

bool StrategyBars::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto row = static_cast<std::size_t>(std::max(0, help->pos().y() / kReadoutRow));
        if (row < rows_.size()) {
            const Row& r = rows_[row];
            QToolTip::showText(help->globalPos(),
                               !r.whyNot.isEmpty() ? r.name + ": " + r.whyNot
                               : r.ms > 0 ? tr("%1: %2 ms per view").arg(r.name, compactNumber(r.ms, 4)) +
                                                (r.note.isEmpty() ? QString() : "; " + r.note)
                                          : tr("%1: not timed yet; Measure times every strategy").arg(r.name),
                               this);
        }
        return true;
    }
    return QWidget::event(event);
}

// ---- the panel ----

KernelLabReadout::KernelLabReadout(KernelLab& lab, Threading threading, CommandRegistry& commands,
                                   QWidget* parent)
    : QWidget(parent), lab_(lab) {
    auto* all = makeColumn(this, {0, 8, 0, 8});
    Section* kernel = addSection(*all, tr("KERNEL"));
    kernel->addToHeading(makeSegments(commands, {"lab.slice", "lab.surface", "lab.ids"}, kernel));
    picture_ = new KernelPicture(lab_, threading);
    kernel->content()->addWidget(picture_);
    level_ =
        new NumberRow({tr("Level"), QString(QChar(0x00a0)) + "%",
                       tr("The surface is where the kernel reaches this share of its largest value; 50 % "
                          "is the half maximum"),
                       1, 99, 1, 0},
                      "lab.level", [this](double value, Edit) { lab_.setSurfacePercent(value); });
    connect(picture_, &KernelPicture::kindChanged, this, &KernelLabReadout::showLevel);
    kernel->content()->addWidget(level_);
    kernel->content()->addSpacing(8);
    const auto row = [&](const QString& name) {
        auto* r = new ValueRow(name);
        kernel->content()->addWidget(r);
        return r;
    };
    taps_ = row(tr("Taps"));
    ids_ = row(tr("Kernel ids"));
    table_ = row(tr("Table"));
    sum_ = row(tr("Sum"));
    fwhm_ = row(tr("FWHM as sampled"));
    fwhm_->setToolTip(
        tr("From the second moments of the sampled, truncated kernel along TOF, radial, axial"));
    const auto times = [&](const QString& title, ProjectionKind kind, const char* name) {
        Section* section = addSection(*all, title);
        section->setNote(tr("ms per view"));
        auto* bars = new StrategyBars(lab_, kind);
        bars->setObjectName(name);
        section->content()->addWidget(bars);
        return std::pair(section, bars);
    };
    forward_ = times(tr("FORWARD"), ProjectionKind::Forward, "lab.times.forward").second;
    Section* back = nullptr;
    std::tie(back, back_) = times(tr("BACK"), ProjectionKind::Back, "lab.times.back");
    back->content()->addSpacing(8);
    caption_ = new ElidedLabel(ElidedLabel::Role::Caption);
    back->content()->addWidget(caption_);
    reasons_ = new QLabel;
    reasons_->setObjectName("lab.reasons");
    reasons_->setWordWrap(true);
    reasons_->setStyleSheet("font-size: 11px;");
    reasons_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    back->content()->addWidget(reasons_);
    back->content()->addSpacing(4);
    QToolButton* measure = makeButton(commands.action("lab.measure"), ButtonKind::Button, back);
    measure->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    back->content()->addWidget(measure);
    all->addStretch();
    refresh();
}

/// "cuda, cufft: no NVIDIA driver ...", a line for every reason, however many rows it is the reason of.
QString KernelLabReadout::reasons() const {
    QStringList lines;
    std::vector<std::pair<QString, QStringList>> all;
    for (const StrategyBars* bars : {forward_, back_}) {
        for (const StrategyBars::Row& row : bars->rows()) {
            if (row.whyNot.isEmpty()) {
                continue;
            }
            auto same =
                std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.first == row.whyNot; });
            if (same == all.end()) {
                same = all.insert(all.end(), {row.whyNot, {}});
            }
            if (!same->second.contains(row.name)) {
                same->second << row.name;
            }
        }
    }
    for (const auto& [why, names] : all) {
        lines << names.join(", ") + ": " + why;
    }
    return lines.join('\n');
}

/// "fftw: rank 3, error 1.2e-04", a line for every engine that splits variant kernels into terms.
QString KernelLabReadout::notes() const {
    QStringList lines;
    for (const StrategyBars* bars : {forward_, back_}) {
        for (const StrategyBars::Row& row : bars->rows()) {
            // As numbers everywhere here: a real minus, no zeros in front.
            static const QRegularExpression kExponent("e-0*(?=\\d)");
            QString note = row.note;
            note.replace(kExponent, QString("e") + QChar(0x2212));
            const QString line = tr("%1 sums invariant kernels: %2 (share of the peak)").arg(row.name, note);
            if (!row.note.isEmpty() && !lines.contains(line)) {
                lines << line;
            }
        }
    }
    return lines.join('\n');
}

void KernelLabReadout::refresh() {
    showLevel();
    picture_->refresh();
    forward_->refresh();
    back_->refresh();
    const auto& kernel = lab_.results().shownKernel();
    if (kernel != nullptr) {
        const KernelOutline& t = *kernel->outline;
        const auto taps = static_cast<double>(t.taps().size());
        taps_->setValue(countText(taps), tr("largest kernel"));
        ids_->setValue(QString::number(t.rows()));
        table_->setValue(compactNumber(taps * t.rows() * sizeof(float) / 1024, 4), tr("KiB, float32"));
        sum_->setValue(numberText(kernel->moments.sum, 6));
        const auto& f = kernel->moments.fwhm_mm;
        fwhm_->setValue(numberText(f[0], 1) + ", " + numberText(f[1], 1) + ", " + numberText(f[2], 1), "mm");
    }
    QStringList said{notes(), reasons()};
    said.removeAll(QString());
    const QString why = said.join('\n');
    if (why != reasons_->text()) {
        reasons_->setText(why);
        reasons_->setVisible(!why.isEmpty());
    }
    const auto& timings = lab_.results().timings();
    caption_->setText(lab_.results().measuring() ? tr("measuring…")
                      : timings != nullptr ? tr("%1, median of 5 after 1 to warm up").arg(timings->device)
                                           : tr("of the projections on screen; Measure times all"));
}

}  // namespace tof::ui
