// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSlider>
#include <algorithm>

#include "recon/seam/engine.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pages/data_scanner.h"

namespace tof::ui {

namespace {

constexpr int kBarHeight = 40;
constexpr int kPaneGap = 1;
constexpr int kWide = 860;        ///< from here on there is room for more than the names of the quantities
constexpr int kFrameTable = 520;  ///< most that the frames take of the chart
constexpr int kField = 80;        ///< an end of the range
constexpr int kNarrowField = 62;  ///< width beside the names of all quantities in German

DataScanner& scannerIn(const QWidget& page) {
    return *page.findChild<DataScanner*>();
}

}  // namespace

DataPage::DataPage(const PictureModels& models, const EngineRegistry& engines, Messages& messages,
                   Threading threading, QWidget* parent)
    : Page(parent), models_(models), messages_(messages), model_(engines, models.runs, threading) {
    setObjectName("data");
    models_.bind(*this);
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
        auto* pane = new SlicePane(plane, models_, this);
        pane->setObjectName(QString("data.") + QString(names[static_cast<int>(plane)]).toLower());
        pane->setAccessibleName(tr("%1 picture of the view").arg(names[static_cast<int>(plane)]));
        PaneSource source;
        source.name = names[static_cast<int>(plane)];
        source.bars = plane == Plane::Transverse;
        source.frameFollowsFocus = true;
        source.rois = false;  // they are of the image, and hide the few counts of a bin
        source.volume = [this] { return model_.shown(); };
        source.range = [this] { return model_.range(); };
        source.setRange = [this](DisplayRange range) { model_.setRange(range); };
        source.resetRange = [this] { model_.resetRange(); };
        source.autoRange = [this] { return model_.autoRange(); };
        source.map = [this] { return map(); };
        source.anatomical = [this] { return !radial(); };
        source.caption = [this, name = source.name, plane] {
            const QString own = model_.words().captions[static_cast<std::size_t>(plane)];
            return own.isEmpty() ? name : own;
        };
        source.empty = [this] {
            const QString why = model_.whyNot(model_.quantity());
            return !why.isEmpty()              ? why
                   : !model_.fault().isEmpty() ? model_.fault()
                   : !model_.view()            ? tr("the data have no view of this azimuth and tilt")
                                               : tr("picture on its way");
        };
        source.stepImage = [this](int step) { model_.stepFirst(step); };
        pane->setSource(std::move(source));
        connect(pane, &SlicePane::maximiseRequested, this, [this, pane] {
            alone_ = alone_ == pane ? nullptr : pane;
            refresh();
        });
        panes_[static_cast<std::size_t>(plane)] = pane;
    }
    new DataScanner(models_.view, model_, threading, this);  // NOLINT: the page owns it
    bar_ = new QWidget(this);
    angles_ = new QWidget(this);
    chart_ = new ViewChart(model_, this);
    frames_ = new FrameTable(this);
    strip_ = new FigureStrip(this);
    strip_->setObjectName("data.figures");
    connect(&model_, &DataModel::changed, this, &DataPage::refresh);
}

bool DataPage::radial() const {
    return model_.data() != nullptr && model_.data()->viewSpace() == ViewSpace::Radial;
}

viz::ColourMap DataPage::map() const {
    const viz::ColourMap shared = models_.view.colourMap();
    return model_.diverging()
               ? viz::ColourMap::find(shared.darkGround() ? "difference-dark" : "difference-light")
               : shared;
}

void DataPage::build(CommandRegistry& commands) {
    auto* row = makeRow(bar_);
    row->addWidget(makeSegments(commands,
                                {"data.counts", "data.expected", "data.residual", "data.weighted",
                                 "data.mult", "data.add", "data.att"},
                                bar_));
    row->addStretch();
    const auto field = [&](const char* name, const QString& label) {
        auto* edit =
            makeNumberField(name, label, tr("%1, in the unit beside the colour bar").arg(label), kField);
        connect(edit, &QLineEdit::editingFinished, this, &DataPage::commitRange);
        return edit;
    };
    low_ = field("data.low", tr("Lower end of the colour map"));
    high_ = field("data.high", tr("Upper end of the colour map"));
    limitLabel_ = new ElidedLabel(tr("limit ±"), ElidedLabel::Role::Caption, Qt::AlignRight);
    limitLabel_->setFixedWidth(48);
    unit_ = new ElidedLabel(ElidedLabel::Role::Caption);
    row->addWidget(limitLabel_);
    row->addWidget(low_);
    row->addWidget(high_);
    row->addWidget(unit_);
    row->addWidget(makeButton(commands.action("data.auto"), ButtonKind::Button, bar_));

    auto* line = makeRow(angles_);
    const auto axis = [line](const char* objectName, int stretch) {
        AxisRow made{new QLabel, new QSlider(Qt::Horizontal), new ElidedLabel};
        made.slider->setObjectName(objectName);
        made.slider->setPageStep(5);
        line->addWidget(made.name);
        line->addWidget(made.slider, stretch);
        line->addWidget(made.text);
        return made;
    };
    first_ = axis("data.azimuth", 3);
    line->addSpacing(8);
    second_ = axis("data.tilt", 1);
    second_.text->setFixedWidth(104);
    line->addSpacing(8);
    line->addWidget(makeButton(commands.action("data.scanner"), ButtonKind::Button, angles_));
    line->addWidget(makeButton(commands.action("page.corrections"), ButtonKind::Button, angles_));
    connect(first_.slider, &QSlider::valueChanged, this,
            [this](int value) { model_.setView(value, model_.secondIndex()); });
    connect(second_.slider, &QSlider::valueChanged, this,
            [this](int value) { model_.setView(model_.firstIndex(), value); });
    showSliders();
    refresh();
}

QString DataPage::shownText() const {
    const auto view = model_.view();
    return QString::fromStdString(quantityName(model_.quantity())) +
           (view ? QString(" of view %1").arg(*view + 1) : QString());
}

void DataPage::commitRange() {
    if (low_->isModified() || high_->isModified()) {
        const DisplayRange now = model_.range();
        const double high = typedOr(*high_, now.high);
        model_.setRange({model_.diverging() ? -high : typedOr(*low_, now.low), high});
    }
    low_->setModified(false);
    high_->setModified(false);
    refresh();
}

void DataPage::showSliders() {
    const DataWords now = model_.words();
    const auto show = [](const AxisRow& row, const QString& name, const QString& help, const ViewAxis& axis,
                         int index, const auto& textAt) {
        QSlider* slider = row.slider;
        const QSignalBlocker quiet(slider);
        row.name->setText(name);
        slider->setAccessibleName(name);
        slider->setToolTip(help);
        const int last = std::max(0, static_cast<int>(axis.values.size()) - 1);
        slider->setRange(0, last);
        slider->setValue(index);
        slider->setEnabled(last > 0);
        row.text->setText(axis.values.empty() ? QString(QChar(0x2013))
                                              : textAt(axis, static_cast<std::size_t>(index)));
    };
    first_.text->setFixedWidth(now.firstWidth);
    show(first_, now.first, now.firstHelp, model_.first(), model_.firstIndex(), now.firstText);
    show(second_, now.second, now.secondHelp, model_.second(), model_.secondIndex(), now.secondText);
}

FigureStrip::Figure DataPage::figureAtCursor(const Volume& shown, int x, int y, int z) const {
    const auto value = static_cast<double>(shown.data[shown.lattice.index(x, y, z)]);
    const QString unit = shown.units.empty() ? QString() : word(shown.units);
    if (!radial()) {
        return {tr("voxel %1, %2, %3").arg(x).arg(y).arg(z), compactNumber(value, 4), unit,
                tr("Value under the cursor")};
    }
    const double degrees = 180.0 * y / shown.lattice.size[1];
    return {tr("radial %1 mm, %2, plane %3")
                .arg(numberText(shown.lattice.centre(x, 0, 0).x, 1))
                .arg(numberText(degrees, 1) + QString(QChar(0x00b0)))
                .arg(z + 1),
            compactNumber(value, 4), unit, tr("Value under the cursor")};
}

std::vector<FigureStrip::Figure> DataPage::figures() const {
    std::vector<FigureStrip::Figure> out;
    const auto view = model_.view();
    if (!view) {
        return out;
    }
    const DataWords now = model_.words();
    const auto& totals = model_.totals();
    out.push_back({tr("view"), tr("%1 of %2").arg(*view + 1).arg(model_.viewCount()), "", now.viewHelp});
    if (*view < totals.size()) {
        out.push_back({tr("counts"), countText(totals[*view]), tr("events"), now.countsHelp});
    }
    if (const auto& fit = model_.fit()) {
        out.push_back({tr("expected"), countText(fit->expected), tr("events"),
                       tr("Sum of mult x forward(att x image) + add for the image on screen")});
        out.push_back({tr("counts − expected"),
                       fit->expected > 0 ? numberText(100 * (fit->counts / fit->expected - 1), 2)
                                         : QString(QChar(0x2013)),
                       "%", tr("Of the sums")});
        out.push_back(
            {now.chiSquare, compactNumber(fit->chiSquare, 3), "",
             tr("Mean of (y - e)^2/e where e exceeds 1 % of its mean: 1 when only Poisson noise is left")});
    }
    if (const auto shown = model_.shown()) {
        const auto [x, y, z] = shown->lattice.voxelAt(models_.view.cursor());
        if (shown->lattice.contains(x, y, z)) {
            out.push_back(figureAtCursor(*shown, x, y, z));
        }
    }
    return out;
}

void DataPage::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.gap);
    painter.fillRect(QRect(0, 0, width(), 2 * kBarHeight), theme.win);
}

void DataPage::arrange() {
    const int w = width();
    const bool wide = w >= kWide;
    unit_->setVisible(wide);  // the colour bar says it, too
    low_->setFixedWidth(wide ? kField : kNarrowField);
    high_->setFixedWidth(wide ? kField : kNarrowField);
    showUntyped(*low_, low_->text());
    showUntyped(*high_, high_->text());
    bar_->setGeometry(0, 0, w, kBarHeight);
    angles_->setGeometry(0, kBarHeight, w, kBarHeight);
    const int chartHeight = height() < 480 ? 0 : std::clamp(height() / 5, 130, 190);
    const int stripTop = height() - FigureStrip::kHeight;
    strip_->setGeometry(0, stripTop, w, FigureStrip::kHeight);
    chart_->setVisible(chartHeight > 0);
    const int tableWidth = frames_->isEmpty() ? 0 : std::min(3 * w / 5, kFrameTable);
    chart_->setGeometry(0, stripTop - chartHeight, w - tableWidth, chartHeight);
    frames_->setVisible(tableWidth > 0 && chartHeight > 0);
    frames_->setGeometry(w - tableWidth, stripTop - chartHeight, tableWidth, chartHeight);
    const int top = 2 * kBarHeight;
    const int h = stripTop - chartHeight - top;
    const int half = (w - kPaneGap) / 2;
    const int upper = (h - kPaneGap) / 2;
    pane(Plane::Transverse)->setGeometry(0, top, half, h);
    pane(Plane::Coronal)->setGeometry(half + kPaneGap, top, w - half - kPaneGap, upper);
    pane(Plane::Sagittal)
        ->setGeometry(half + kPaneGap, top + upper + kPaneGap, w - half - kPaneGap, h - upper - kPaneGap);
    DataScanner& scanner = scannerIn(*this);
    const bool beside = scanner.wanted() && alone_ == nullptr;
    scanner.setVisible(beside);
    scanner.setGeometry(pane(Plane::Sagittal)->geometry());
    for (SlicePane* p : panes_) {
        p->setVisible((alone_ == nullptr || p == alone_) && !(beside && p == pane(Plane::Sagittal)));
    }
    if (alone_ != nullptr) {
        alone_->setGeometry(0, top, w, h);
    }
    // Views of panels are one voxel thick along x: one picture says it all.
    const auto shown = model_.shown();
    if (shown != nullptr && shown->lattice.size[0] == 1 && shown->lattice.size[1] > 1) {
        for (SlicePane* p : panes_) {
            p->setVisible(p == pane(Plane::Sagittal));
        }
        const int left = scanner.wanted() ? half : w;
        pane(Plane::Sagittal)->setGeometry(0, top, left, h);
        scanner.setGeometry(left + kPaneGap, top, w - left - kPaneGap, h);
        scanner.setVisible(scanner.wanted());
    }
    SlicePane::shareScale({panes_.begin(), panes_.end()}, models_.view.zoom());
}

void DataPage::refresh() {
    model_.setOpen(models_.study.measurement(), models_.study.form());
    if (!isVisible() || first_.slider == nullptr) {
        return;  // nothing is computed for a page that nobody sees
    }
    model_.refresh();
    const auto histo = models_.study.histo();
    frames_->setFrames(histo != nullptr ? histo->frames : nullptr);
    showSliders();
    showUntyped(*low_, compactNumber(model_.range().low, 3));
    showUntyped(*high_, compactNumber(model_.range().high, 3));
    low_->setVisible(!model_.diverging());
    limitLabel_->setVisible(model_.diverging());
    const auto shown = model_.shown();
    const QString unit = shown != nullptr && !shown->units.empty() ? word(shown->units) : QString();
    unit_->setText(unit);
    unit_->setFixedWidth(std::max(84, unit_->fontMetrics().horizontalAdvance(unit) + 8));
    arrange();
    for (SlicePane* p : panes_) {
        p->update();
    }
    chart_->update();
    scannerIn(*this).follow();
    strip_->setFigures(figures());
}

bool DataPage::showsScanner() const {
    return scannerIn(*this).wanted();
}

void DataPage::setScannerShown(bool shown) {
    scannerIn(*this).setWanted(shown);
    refresh();
    Q_EMIT commandsChanged();
}

bool DataPage::abandonDrag() {
    return std::any_of(panes_.begin(), panes_.end(), [](SlicePane* pane) { return pane->abandonDrag(); });
}

}  // namespace tof::ui
