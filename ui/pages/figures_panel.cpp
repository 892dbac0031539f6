// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/figures_panel.h"

#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "recon/seam/space.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pictures/slice_pane.h"
#include "ui/rois/roi_actions.h"

namespace tof::ui {

namespace {

constexpr int kRow = 24;
constexpr int kMaxRows = 13;
constexpr int kGroupRole = Qt::UserRole + 2;  ///< of a title that folds the rows below it

/// What the sign of an ROI depends on.
QString looksOf(const Roi& roi) {
    return QString("%1 %2 ").arg(static_cast<int>(roi.role)).arg(static_cast<int>(roi.dash)) +
           QString::fromStdString(roi.colour);
}

QString meanText(double value) {
    return std::abs(value) >= 100 ? numberText(value, 0) : compactNumber(value, 4);
}

}  // namespace

// ---- stages ----

StageBars::StageBars(Desk& desk, QWidget* parent) : QWidget(parent), desk_(desk) {
    setObjectName("stages");
    setAccessibleName(tr("Seconds per iteration of each stage"));
    setToolTip(tr(
        "Mean seconds per iteration. Forward: the image projected; ratio: measured over expected counts; "
        "back: that "
        "projected back; update: the step of the image; upload and download: copies to and from the device"));
    setFixedHeight((static_cast<int>(kStages) + 1) * kRow + 8);
}

std::vector<double> StageBars::seconds() const {
    std::vector<double> mean(kStages, 0.0);
    RunItem* item = desk_.runs().selected();
    if (item == nullptr || item->timing().empty()) {
        return {};
    }
    for (const StoredIterate& iterate : item->timing()) {
        for (std::size_t i = 0; i < std::min(mean.size(), iterate.stageSeconds.size()); ++i) {
            mean[i] += iterate.stageSeconds[i] / static_cast<double>(item->timing().size());
        }
    }
    return mean;
}

void StageBars::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto values = seconds();
    RunItem* item = desk_.runs().selected();
    const int index = desk_.runs().indexOf(desk_.runs().selectedId());
    const double most = values.empty() ? 1 : std::max(1e-9, *std::max_element(values.begin(), values.end()));
    const QString dash(QChar(0x2013));
    const auto number = [](double s) {
        return s >= 0.01 || s == 0 ? numberText(s, 2) + QChar(0x00a0) + "s"
                                   : numberText(s * 1000, 1) + QChar(0x00a0) + "ms";
    };
    for (std::size_t i = 0; i < kStages; ++i) {
        const QRectF row(0, static_cast<double>(i) * kRow, width(), kRow);
        painter.setFont(textFont());
        painter.setPen(theme.text);
        const std::string name = stageName(static_cast<Stage>(i));
        // One word for one thing: the mock-up, the literature and this window call it ratio.
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                         name == "discrepancy" ? tr("ratio") : word(name));
        const QRectF track(88, row.center().y() - 4, width() - 88 - 66.0, 8);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.line);
        painter.drawRoundedRect(track, 2, 2);
        if (!values.empty() && values[i] > 0) {
            painter.setBrush(theme.run(std::max(0, index)));
            painter.drawRoundedRect(
                QRectF(track.left(), track.top(), std::max(2.0, track.width() * values[i] / most), 8), 2, 2);
        }
        painter.setPen(theme.text);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, values.empty() ? dash : number(values[i]));
    }
    double total = 0;
    if (item != nullptr && !item->timing().empty()) {
        for (const StoredIterate& iterate : item->timing()) {
            total += iterate.seconds / static_cast<double>(item->timing().size());
        }
    }
    const double top = static_cast<double>(kStages) * kRow + 4;
    painter.fillRect(QRectF(0, top, width(), 1), theme.line);
    const QRectF row(0, top + 1, width(), kRow);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, tr("total"));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, total > 0 ? number(total) : dash);
}

// ---- panel ----

FiguresPanel::FiguresPanel(Desk& desk, QWidget* parent) : QWidget(parent), desk_(desk) {}

void FiguresPanel::build(CommandRegistry& commands) {
    addCommands(commands);
    auto* all = makeColumn(this, {0, 8, 0, 8});
    sections_ = {addSection(*all, tr("CURVES")), addSection(*all, tr("ROIs")),
                 addSection(*all, tr("STAGES"))};
    buildCurves(*sections_[0], commands);
    buildRois(*sections_[1], commands);
    stages_ = new StageBars(desk_);
    sections_[2]->content()->addWidget(stages_);
    all->addStretch();
    refresh();
}

void FiguresPanel::addCommands(CommandRegistry& commands) {
    for (const CurveKind& kind : curveKinds()) {
        commands.add({.id = "curve." + kind.id(),
                      .menu = "Curves",
                      .text = kind.text(),
                      .help = kind.of == CurveKind::Of::CrcNoise
                                  ? tr("Contrast recovery of the spheres over noise")
                              : kind.of == CurveKind::Of::Roi
                                  ? tr("Of the selected ROI against the iterate, for every run")
                                  : tr("Against the iterate, for every run"),
                      .run = [this, kind] { chart_->setKind(kind); },
                      .checked = [this, kind] { return chart_->kind() == kind; }});
    }
    commands.add({.id = "curve.log",
                  .menu = "Curves",
                  .text = tr("Log"),
                  .help = tr("Logarithmic axis of noise, or of a value against the iterate"),
                  .run = [this] { chart_->setLogarithmic(!chart_->logarithmic()); },
                  .checked = [this] { return chart_->logarithmic(); },
                  .separatorBefore = true});
    commands.add({.id = "curve.auto",
                  .menu = "Curves",
                  .text = tr("Auto axes"),
                  .brief = tr("Auto"),
                  .help = tr("Shows all points again after zooming (wheel) or panning (drag)"),
                  .run = [this] { chart_->autoscale(); },
                  .checked = [this] { return chart_->autoscaled(); }});
    commands.add({.id = "roi.numbers",
                  .menu = "ROIs",
                  .text = tr("Numbers"),
                  .help = tr("Exact numbers, role and looks of the selected ROI, below the table"),
                  .icon = "settings",
                  .keys = {QKeySequence(Qt::Key_N)},
                  .run = [this] { showEditor(editor_->isHidden()); },
                  .checked = [this] { return !editor_->isHidden(); }});
}

void FiguresPanel::buildCurves(Section& section, CommandRegistry& commands) {
    chart_ = new CurveChart(desk_);
    chart_->setFixedHeight(296);
    connect(chart_, &CurveChart::scaleChanged, &commands, &CommandRegistry::refresh);
    kinds_ = new ComboBox;
    kinds_->setObjectName("curve.kind");
    kinds_->setAccessibleName(tr("What the curves show"));
    kinds_->setToolTip(tr("What the curves show; ROI: of the selected one, against the iterate"));
    for (const CurveKind& kind : curveKinds()) {
        kinds_->addItem(kind.text());
    }
    connect(kinds_, &QComboBox::activated, this, [&commands](int index) {
        commands.trigger("curve." + curveKinds()[static_cast<std::size_t>(index)].id());
    });
    connect(chart_, &CurveChart::scaleChanged, this, [this] {
        const auto& kinds = curveKinds();
        kinds_->setCurrentIndex(
            static_cast<int>(std::find(kinds.begin(), kinds.end(), chart_->kind()) - kinds.begin()));
    });
    section.addToHeading(makeButton(commands.action("curve.log"), ButtonKind::Button, this));
    section.addToHeading(makeButton(commands.action("curve.auto"), ButtonKind::Button, this));
    section.addToHeading(makeButton(commands.action("page.matched"), ButtonKind::Square, this));
    section.addToHeading(makeButton(commands.action("export.curve"), ButtonKind::Square, this));
    section.content()->setContentsMargins(8, 0, 8, 0);
    section.content()->addWidget(kinds_);
    section.content()->addSpacing(4);
    section.content()->addWidget(chart_);
}

void FiguresPanel::buildRois(Section& section, CommandRegistry& commands) {
    section.addToHeading(makeButton(commands.action("edit.undo"), ButtonKind::Square, this));
    section.addToHeading(makeButton(commands.action("roi.numbers"), ButtonKind::Square, this));
    section.addToHeading(makeDrawButton(commands));
    section.addToHeading(makeButton(commands.action("export.rois"), ButtonKind::Square, this));
    buildTable();
    section.content()->addWidget(table_);
    section.content()->addSpacing(4);
    caption_ = new ElidedLabel(ElidedLabel::Role::Caption);
    section.content()->addWidget(caption_);
    truth_ = new ElidedLabel(ElidedLabel::Role::Caption);
    truth_->setObjectName("rois.truth");
    truth_->setToolTip(tr(
        "True CRC: of the phantom's own activity by the same ROIs on the same voxels. Overshoot: the largest "
        "value within 10 mm of a hot sphere's edge over its true value. Both for every ROI in the table "
        "below the pictures"));
    section.content()->addWidget(truth_);
    editor_ = new RoiEditor(desk_.rois());
    editor_->hide();
    section.content()->addWidget(editor_);
}

void FiguresPanel::buildTable() {
    table_ = new KeyTable(0, 4);
    table_->setObjectName("rois.table");
    table_->setAccessibleName(tr("Regions of interest"));
    table_->setHorizontalHeaderLabels({tr("ROI"), tr("mean"), tr("SD, %"), tr("CRC, %")});
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(kRow);
    table_->verticalHeader()->setMinimumSectionSize(16);
    table_->horizontalHeader()->setMinimumSectionSize(16);
    table_->horizontalHeader()->setFixedHeight(kRow);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int c = 1; c < 4; ++c) {
        table_->horizontalHeader()->setSectionResizeMode(c, QHeaderView::Fixed);
        table_->setColumnWidth(c, c == 1 ? 70 : 52);
        table_->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    table_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeaderItem(1)->setToolTip(tr("Mean, pixels counted by the fraction of them inside"));
    table_->horizontalHeaderItem(2)->setToolTip(tr("SD (n - 1, n the sum of fractions) over the mean"));
    table_->horizontalHeaderItem(3)->setToolTip(
        tr("((mean - background mean) / background mean) / (true ratio - 1)"));
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(table_, &QTableWidget::cellDoubleClicked, this, [this](int, int) { showEditor(true); });
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table_, &QWidget::customContextMenuRequested, this, &FiguresPanel::requestContext);
    // A click takes the cursor to the ROI.
    connect(table_, &QTableWidget::cellClicked, this, [this](int row, int) {
        if (!foldBackgrounds(row)) {
            choose(row);
        }
    });
    connect(table_, &QTableWidget::cellActivated, this,
            [this](int row, int) { static_cast<void>(foldBackgrounds(row)); });
    connect(table_, &KeyTable::rowChosen, this, &FiguresPanel::choose);
    connect(table_, &KeyTable::copyRequested, this, &FiguresPanel::copyRequested);
}

void FiguresPanel::requestContext(const QPoint& at) {
    const QTableWidgetItem* first = table_->item(table_->rowAt(at.y()), 0);
    if (first == nullptr || !first->data(Qt::UserRole).isValid()) {
        return;
    }
    using Kind = RoiQuantity::Kind;
    constexpr std::array<Kind, 3> kColumns{Kind::Mean, Kind::SdPercent, Kind::Crc};
    const auto roi = static_cast<std::size_t>(first->data(Qt::UserRole).toInt());
    const int column = table_->columnAt(at.x());
    const Figures f = desk_.screen().figures();
    const QString value = column > 0 && roi < f.rois.size()
                              ? roiValueText(kColumns.at(static_cast<std::size_t>(column - 1)),
                                             desk_.rois().rois()[roi], f.rois[roi], desk_.screen().unit())
                              : QString();
    Q_EMIT roiContextRequested(static_cast<int>(roi), table_->viewport()->mapToGlobal(at), value);
}

bool FiguresPanel::foldBackgrounds(int row) {
    const QTableWidgetItem* first = table_->item(row, 0);
    if (first == nullptr || !first->data(kGroupRole).toBool()) {
        return false;
    }
    const Roi* chosen = desk_.rois().selectedRoi();
    if (!backgroundsFolded_ && chosen != nullptr && chosen->role == Roi::Role::Background &&
        chosen->group >= 0) {
        desk_.view().selectRoi(-1);  // what is selected is never out of sight
    }
    backgroundsFolded_ = !backgroundsFolded_;
    fillRois();
    return true;
}

void FiguresPanel::choose(int row) {
    const auto& list = desk_.rois().rois();
    const QVariant index = table_->item(row, 0)->data(Qt::UserRole);
    if (index.isValid() && index.toUInt() < list.size()) {
        desk_.view().selectRoi(static_cast<int>(index.toUInt()));
        desk_.view().setCursor(list[index.toUInt()].centre);
    }
}

void FiguresPanel::showEditor(bool on) {
    editor_->setVisible(on);
    editor_->refresh();
    Q_EMIT editorShown();
}

QToolButton* FiguresPanel::makeDrawButton(CommandRegistry& commands) {
    auto* draw = new QAction(tr("Draw"), this);
    draw->setToolTip(tr("Draws an ROI into a picture: choose its shape"));
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    for (const char* shape : {"circle", "ellipse", "annulus", "polygon", "sphere", "cylinder", "box"}) {
        menu->addAction(commands.action(QString("roi.") + shape));
    }
    auto* button = new MenuButton(draw, menu, this);
    button->setObjectName("rois.draw");
    return button;
}

void FiguresPanel::fillRois() {
    const Theme& theme = Theme::of(*this);
    const DisplayUnit unit = desk_.screen().unit();
    const Figures figures = desk_.screen().figures();
    const auto& rois = desk_.rois().rois();
    struct Row {
        QString name;
        QString mean, sd, crc;
        int roi = -1;
        QString note{};
        bool group = false;  ///< a title that folds the rows below it
    };
    const QString dash(QChar(0x2013));
    std::vector<Row> rows;
    double meanSum = 0;
    int spheres = 0;
    const int selected = desk_.view().selectedRoi();
    double largest = 0;
    for (const RoiFigures& f : figures.rois) {
        largest = std::isfinite(f.statistics.mean)
                      ? std::max(largest, std::abs(unit.shown(f.statistics.mean)))
                      : largest;
    }
    const int power = commonPower(largest);
    const auto meanOf = [&](double value) {
        return power == 0 ? meanText(unit.shown(value))
                          : numberText(unit.shown(value) / std::pow(10.0, power), 3);
    };
    // The backgrounds of spheres are one row that unfolds: no row comes or goes by what is selected.
    const auto inGroup = [](const Roi& roi) { return roi.role == Roi::Role::Background && roi.group >= 0; };
    const auto grouped = std::count_if(rois.begin(), rois.end(), inGroup);
    if (const Roi* chosen = desk_.rois().at(selected); chosen != nullptr && inGroup(*chosen)) {
        backgroundsFolded_ = false;
    }
    double backgroundSum = 0;
    std::size_t groupRow = 0;
    // Spheres first, as one reads the table; then their mean, then the backgrounds, then the rest.
    for (const int part : {0, 1, 2}) {
        const bool sphereRows = part == 0;
        if (part == 1 && grouped > 0) {
            groupRow = rows.size();
            rows.push_back(
                {tr("backgrounds"), dash, dash, dash, -1,
                 tr("The backgrounds of single spheres and their mean; a click or Return unfolds them"),
                 true});
        }
        for (std::size_t i = 0; i < rois.size(); ++i) {
            const int partOf = rois[i].role == Roi::Role::Sphere ? 0 : inGroup(rois[i]) ? 1 : 2;
            if (partOf != part) {
                continue;
            }
            if (part == 1 && i < figures.rois.size()) {
                backgroundSum += figures.rois[i].statistics.mean;
                rows[groupRow].mean = meanOf(backgroundSum / static_cast<double>(grouped));
            }
            if (part == 1 && backgroundsFolded_) {
                continue;
            }
            Row row{QString::fromStdString(rois[i].name), dash, dash, dash, static_cast<int>(i), {}};
            if (i < figures.rois.size()) {
                const RoiFigures& f = figures.rois[i];
                row.mean = meanOf(f.statistics.mean);
                if (f.statistics.outsideFraction > 0) {
                    row.note = tr("%1 % of it lie outside the image and are left out")
                                   .arg(numberText(100 * f.statistics.outsideFraction, 1));
                }
                row.sd =
                    f.statistics.mean != 0 ? numberText(100 * f.statistics.sd / f.statistics.mean, 1) : dash;
                row.crc = f.hasCrc ? numberText(100 * f.crc, 1) : dash;
                if (sphereRows) {
                    meanSum += f.statistics.mean;
                    ++spheres;
                }
            }
            rows.push_back(row);
        }
        if (sphereRows && spheres > 0) {
            rows.push_back({tr("mean of %1").arg(spheres), meanOf(meanSum / spheres), dash,
                            numberText(100 * figures.crc, 1)});
        }
    }
    const QString meanTitle = power == 0 ? tr("mean") : tr("mean") + ", " + powerText(power);
    if (table_->horizontalHeaderItem(1)->text() != meanTitle) {
        table_->horizontalHeaderItem(1)->setText(meanTitle);
    }
    for (int c = 1; c < table_->columnCount(); ++c) {
        table_->setColumnWidth(c, std::max(table_->columnWidth(c), table_->titleWidth(c)));
    }
    table_->setRowCount(static_cast<int>(rows.size()));
    const auto set = [&](int r, int c, const QString& text, bool strong) {
        QTableWidgetItem* cell = table_->item(r, c);
        if (cell == nullptr) {
            cell = new QTableWidgetItem;
            table_->setItem(r, c, cell);
        }
        if (cell->text() != text) {
            cell->setText(text);
            cell->setTextAlignment(c == 0 ? Qt::AlignLeft | Qt::AlignVCenter
                                          : Qt::AlignRight | Qt::AlignVCenter);
        }
        const QFont font = textFont(13, strong ? QFont::DemiBold : QFont::Normal);
        if (cell->font() != font) {
            cell->setFont(font);
        }
        if (c > 0) {  // a number is never shortened
            table_->setColumnWidth(c, std::max(table_->columnWidth(c), table_->wholeWidth(r, c)));
        }
        return cell;
    };
    for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
        const Row& row = rows[static_cast<std::size_t>(r)];
        const bool strong = row.roi < 0 && !row.group;
        QTableWidgetItem* first = set(r, 0, row.name, strong);
        first->setData(kGroupRole, row.group);
        const QVariant index = row.roi >= 0 ? QVariant(static_cast<uint>(row.roi)) : QVariant();
        if (row.roi == selected && selected >= 0 && table_->currentRow() != r) {
            table_->setCurrentCell(r, 0);
        }
        const QString looks = row.group     ? QString(backgroundsFolded_ ? "folded" : "unfolded")
                              : row.roi < 0 ? QString()
                                            : looksOf(rois[static_cast<std::size_t>(row.roi)]);
        if (first->data(Qt::UserRole) != index || first->data(Qt::UserRole + 1) != looks ||
            first->icon().isNull()) {
            first->setData(Qt::UserRole, index);
            first->setData(Qt::UserRole + 1, looks);
            const char* const chevron = backgroundsFolded_ ? "chevron-right" : "chevron-down";
            first->setIcon(row.group     ? QIcon(iconPixmap(chevron, theme.text2, 16, devicePixelRatioF()))
                           : row.roi < 0 ? QIcon(emptySign(devicePixelRatioF()))
                                         : QIcon(roiSign(rois[static_cast<std::size_t>(row.roi)], theme.roi,
                                                         devicePixelRatioF())));
        }
        first->setToolTip(row.note);
        set(r, 1, row.mean, strong)->setToolTip(row.note);
        set(r, 2, row.sd, strong);
        set(r, 3, row.crc, strong)
            ->setToolTip(row.crc != dash ? QString()
                         : row.roi < 0
                             ? tr("No sphere has a CRC")
                             : whyNoRoiValue(RoiQuantity::Kind::Crc, rois[static_cast<std::size_t>(row.roi)],
                                             desk_.rois().set()));
    }
    const int shown = std::clamp(static_cast<int>(rows.size()), 1, kMaxRows);
    table_->setFixedHeight((shown + 1) * kRow + 2);
    if (!editor_->isHidden()) {
        editor_->refresh();
    }
    caption_->setText(rois.empty() ? tr("no ROIs known for this study")
                                   : (unit.name.isEmpty() ? "" : unitWord(unit) + "; ") +
                                         tr("SD (n − 1); pixels by fraction inside"));
    truth_->setText(truthText(figures));
}

QString FiguresPanel::truthText(const Figures& figures) const {
    if (desk_.rois().isEmpty() || figures.rois.empty()) {
        return {};
    }
    if (desk_.rois().set().truth == nullptr) {
        return tr("no true CRC: the data name no phantom of shapes");
    }
    QStringList parts;
    if (std::isfinite(figures.trueCrc)) {
        parts << tr("true CRC %1 %").arg(numberText(100 * figures.trueCrc, 1));
    }
    if (std::isfinite(figures.overshoot)) {
        parts << tr("overshoot %1").arg(numberText(figures.overshoot, 2));
    }
    return parts.isEmpty() ? tr("no true CRC: no ROI is a sphere of the phantom") : parts.join(", ");
}

void FiguresPanel::refreshRois() {
    fillRois();
    if (chart_->kind().of == CurveKind::Of::Roi) {
        chart_->update();  // of the selected ROI
    }
}

void FiguresPanel::refresh() {
    fillRois();
    chart_->update();
    stages_->update();
    RunItem* item = desk_.runs().selected();
    sections_[2]->setNote(item != nullptr && !item->isVolume()
                              ? tr("run %1, seconds per iteration").arg(item->label())
                              : QString());
}

QString FiguresPanel::roiTableFile() const {
    return exportHeader(desk_) + roiTable();
}

QString FiguresPanel::roiTable() const {
    return roiTableText(desk_.rois().set(), desk_.screen().figures(), desk_.screen().unit());
}

}  // namespace tof::ui
