// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/figures_panel.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "recon/seam/space.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_curves.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pictures/slice_pane.h"
#include "ui/rois/roi_actions.h"

namespace tof::ui {

namespace {

constexpr int kStageHeight = 24;

}  // namespace

// ---- stages ----

StageBars::StageBars(RunList& runs, QWidget* parent) : QWidget(parent), runs_(runs) {
    setObjectName("stages");
    setAccessibleName(tr("Seconds per iteration of each stage"));
    setToolTip(
        tr("Mean seconds per iteration. Forward: the image projected; ratio: measured over expected counts; "
           "back: that projected back; update: the step of the image; upload and download: copies to and "
           "from the device"));
    setFixedHeight((static_cast<int>(kStages) + 1) * kStageHeight + 8);
}

std::vector<double> StageBars::seconds() const {
    std::vector<double> mean(kStages, 0.0);
    RunItem* item = runs_.selected();
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
    RunItem* item = runs_.selected();
    const double most = values.empty() ? 1 : std::max(1e-9, *std::max_element(values.begin(), values.end()));
    const QString dash(QChar(0x2013));
    const auto number = [](double s) {
        return s >= 0.01 || s == 0 ? numberText(s, 2) + QChar(0x00a0) + "s"
                                   : numberText(s * 1000, 1) + QChar(0x00a0) + "ms";
    };
    for (std::size_t i = 0; i < kStages; ++i) {
        const QRectF row(0, static_cast<double>(i) * kStageHeight, width(), kStageHeight);
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
            painter.setBrush(theme.run(item->mark()));
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
    const double top = static_cast<double>(kStages) * kStageHeight + 4;
    painter.fillRect(QRectF(0, top, width(), 1), theme.line);
    const QRectF row(0, top + 1, width(), kStageHeight);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, tr("total"));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, total > 0 ? number(total) : dash);
}

// ---- panel ----

void FiguresPanel::build(CommandRegistry& commands) {
    addCommands(commands);
    auto* all = makeColumn(this, {0, 8, 0, 8});
    sections_ = {addSection(*all, tr("CURVES")), addSection(*all, tr("ROIs")),
                 addSection(*all, tr("STAGES"))};
    buildCurves(*sections_[0], commands);
    buildRois(*sections_[1], commands);
    stages_ = new StageBars(models_.runs);
    sections_[2]->content()->addWidget(stages_);
    all->addStretch();
    connect(&models_.view, &ViewModel::changed, this, &FiguresPanel::refreshRois);
    connect(&models_.rois, &RoiModel::changed, this, &FiguresPanel::refreshRois);
    // At once: both tables of ROIs say the same at any instant.
    connect(&models_.runs, &RunList::changed, this, &FiguresPanel::refreshRois);
    connect(&models_.runs, &RunList::settled, this, &FiguresPanel::refresh);
    connect(&models_.study, &OpenStudy::changed, this, &FiguresPanel::refresh);
    refresh();
}

void FiguresPanel::addKinds(CommandRegistry& commands) {
    for (const CurveKind& kind : curveKinds()) {
        commands.add(
            {.id = "curve." + kind.id(),
             .menu = "Curves",
             .text = kind.text(),
             .help = kind.of == CurveKind::Of::CrcNoise ? tr("Contrast recovery of the spheres over noise")
                     : kind.ofObserver()
                         ? tr("How well a sphere is told from background by a model observer of runs "
                              "of equal settings and other data")
                     : kind.of == CurveKind::Of::Roi
                         ? tr("Of the selected ROI against the iterate, for every run")
                         : tr("Against the iterate, for every run"),
             .run = [this, kind] { chart_->setKind(kind); },
             .checked = [this, kind] { return chart_->kind() == kind; }});
    }
}

void FiguresPanel::askForObserver() {
    ObserverRequest wish = observer_.request();
    QDialog dialog(this);
    dialog.setObjectName("observer.dialog");
    dialog.setWindowTitle(tr("Observer"));
    auto* form = new RequestForm("observer", boundRows(observerRows(), wish));
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(form);
    column->addWidget(makeAnswers(dialog, tr("Show curves"), [form] { return form->check(); }));
    dialog.setMinimumWidth(440);
    if (dialog.exec() == QDialog::Accepted) {
        observer_.setRequest(wish);
        if (!chart_->kind().ofObserver()) {
            chart_->setKind({CurveKind::Of::AucNoise, {}});
        }
    }
}

void FiguresPanel::addCommands(CommandRegistry& commands) {
    addKinds(commands);
    commands.add({.id = "curve.observer",
                  .menu = "Curves",
                  .text = tr("Observer..."),
                  .help = tr("Chooses the model observer whose AUC the curves show: its channels, internal "
                             "noise, and whether it searches the place"),
                  .run = [this] { askForObserver(); }});
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
                  .run = [this] { setEditorShown(editor_->isHidden()); },
                  .checked = [this] { return !editor_->isHidden(); }});
}

void FiguresPanel::buildCurves(Section& section, CommandRegistry& commands) {
    chart_ = new CurveChart(models_.runs, models_.rois, curves_, observer_, screen_, models_.study);
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
        observer_.setWanted(chart_->kind().ofObserver());
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
    table_ = new SphereTable(models_.rois, models_.view, screen_);
    connect(table_, &RoiList::editRequested, this, [this] { setEditorShown(true); });
    connect(table_, &RoiList::contextRequested, this, &FiguresPanel::roiContextRequested);
    connect(table_, &KeyTable::copyRequested, this, &FiguresPanel::copyRequested);
    section.content()->addWidget(table_);
    section.content()->addSpacing(4);
    caption_ = new ElidedLabel(ElidedLabel::Role::Caption);
    section.content()->addWidget(caption_);
    truth_ = new ElidedLabel(ElidedLabel::Role::Caption);
    truth_->setObjectName("rois.truth");
    truth_->setToolTip(
        tr("True CRC: of the phantom's own activity by the same ROIs on the same voxels. Overshoot: the "
           "largest value within 10 mm of a hot sphere's edge over its true value. Both for every ROI in the "
           "table below the pictures"));
    section.content()->addWidget(truth_);
    editor_ = new RoiEditor(models_.rois);
    editor_->hide();
    section.content()->addWidget(editor_);
}

void FiguresPanel::setEditorShown(bool on) {
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
    table_->refresh();
    if (!editor_->isHidden()) {
        editor_->refresh();
    }
    const DisplayUnit unit = screen_.unit();
    caption_->setText(models_.rois.isEmpty() ? tr("no ROIs known for this study")
                                             : (unit.name.isEmpty() ? "" : unitWord(unit) + "; ") +
                                                   tr("SD (n − 1); pixels by fraction inside"));
    truth_->setText(truthText(screen_.figures()));
}

QString FiguresPanel::truthText(const Figures& figures) const {
    if (models_.rois.isEmpty() || figures.rois.empty() || !screen_.kind().truth) {
        return {};
    }
    if (models_.rois.set().truth == nullptr) {
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
    if (chart_->kind().of == CurveKind::Of::Roi || chart_->kind().ofObserver()) {
        chart_->update();  // the selected ROI has changed
    }
}

void FiguresPanel::refresh() {
    fillRois();
    chart_->update();
    stages_->update();
    RunItem* item = models_.runs.selected();
    sections_[2]->setNote(item != nullptr && !item->isVolume()
                              ? tr("run %1, seconds per iteration").arg(item->label())
                              : QString());
}

QString FiguresPanel::roiTableFile() const {
    return exportHeader(models_.study, models_.runs, screen_) + roiTable();
}

QString FiguresPanel::roiTable() const {
    return roiTableText(models_.rois.set(), screen_.exactFigures(), screen_.kind(), screen_.unit());
}

}  // namespace tof::ui
