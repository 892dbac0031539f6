// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSlider>
#include <algorithm>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kBar = 40;
constexpr int kGap = 1;

std::optional<double> typedNumber(const QLineEdit& edit) {
    bool ok = false;
    QString text = edit.text();
    const double value = text.replace(QChar(0x2212), '-').toDouble(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

}  // namespace

DataPage::DataPage(Desk& desk, QWidget* parent)
    : Page(parent), desk_(desk), model_(desk.engines(), desk.runs(), desk.tasks().threading()) {
    setObjectName("data");
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
        auto* pane = new SlicePane(plane, desk_, this);
        pane->setObjectName(QString("data.") + QString(names[static_cast<int>(plane)]).toLower());
        pane->setAccessibleName(tr("%1 picture of the view").arg(names[static_cast<int>(plane)]));
        PaneSource source;
        source.name = names[static_cast<int>(plane)];
        source.bars = plane == Plane::Transverse;
        source.frameFollowsFocus = true;
        source.volume = [this] { return model_.shown(); };
        source.range = [this] { return model_.range(); };
        source.setRange = [this](DisplayRange range) { model_.setRange(range); };
        source.resetRange = [this] { model_.resetRange(); };
        source.autoRange = [this] { return model_.autoRange(); };
        source.map = [this] { return map(); };
        source.anatomical = [this] { return !radial(); };
        source.caption = [this, name = source.name, plane] {
            const QString own = words().captions[static_cast<std::size_t>(plane)];
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
    bar_ = new QWidget(this);
    angles_ = new QWidget(this);
    chart_ = new ViewChart(model_, this);
    strip_ = new FigureStrip(this);
    strip_->setObjectName("data.figures");
    connect(&model_, &DataModel::changed, this, &DataPage::refresh);
}

DataWords DataPage::words() const {
    return model_.data() != nullptr ? dataWords(*model_.data()) : usualWords();
}

bool DataPage::radial() const {
    return model_.data() != nullptr && model_.data()->viewSpace() == ViewSpace::Radial;
}

viz::ColourMap DataPage::map() const {
    const viz::ColourMap shared = desk_.view().colourMap();
    return model_.diverging()
               ? viz::ColourMap::find(shared.darkGround() ? "difference-dark" : "difference-light")
               : shared;
}

QSlider* DataPage::slider(const char* name, const QString& label) {
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setObjectName(name);
    slider->setAccessibleName(label);
    slider->setPageStep(5);
    return slider;
}

void DataPage::build(CommandRegistry& commands) {
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    std::vector<QToolButton*> kinds;
    for (const char* id :
         {"data.counts", "data.expected", "data.residual", "data.weighted", "data.mult", "data.add"}) {
        kinds.push_back(makeButton(commands.action(id), ButtonKind::Segment, bar_));
    }
    row->addWidget(makeSegments(kinds, bar_));
    row->addStretch();
    const auto field = [&](const char* name, const QString& label) {
        auto* edit = new QLineEdit;
        edit->setObjectName(name);
        edit->setAccessibleName(label);
        edit->setToolTip(tr("%1, in the unit beside the colour bar").arg(label));
        edit->setAlignment(Qt::AlignRight);
        edit->setFixedWidth(80);
        connect(edit, &QLineEdit::editingFinished, this, &DataPage::commitRange);
        return edit;
    };
    low_ = field("data.low", tr("Lower end of the colour map"));
    high_ = field("data.high", tr("Upper end of the colour map"));
    limitLabel_ = new ElidedLabel(ElidedLabel::Role::Caption, Qt::AlignRight);
    limitLabel_->setText(tr("limit ±"));
    limitLabel_->setFixedWidth(48);
    unit_ = new ElidedLabel(ElidedLabel::Role::Caption);
    unit_->setFixedWidth(84);
    row->addWidget(limitLabel_);
    row->addWidget(low_);
    row->addWidget(high_);
    row->addWidget(unit_);
    row->addWidget(makeButton(commands.action("data.auto"), ButtonKind::Button, bar_));

    auto* line = new QHBoxLayout(angles_);
    line->setContentsMargins(12, 6, 12, 6);
    line->setSpacing(8);
    azimuth_ = slider("data.azimuth", tr("Azimuth"));
    azimuth_->setToolTip(tr("Azimuth of the view, degrees: the TOF axis turns from +x towards +y"));
    tilt_ = slider("data.tilt", tr("Tilt"));
    tilt_->setToolTip(tr("Tilt of the view out of the transverse plane, degrees"));
    azimuthText_ = new ElidedLabel;
    tiltText_ = new ElidedLabel;
    azimuthText_->setFixedWidth(116);
    tiltText_->setFixedWidth(104);
    azimuthName_ = new QLabel(tr("Azimuth"));
    tiltName_ = new QLabel(tr("Tilt"));
    line->addWidget(azimuthName_);
    line->addWidget(azimuth_, 3);
    line->addWidget(azimuthText_);
    line->addSpacing(8);
    line->addWidget(tiltName_);
    line->addWidget(tilt_, 1);
    line->addWidget(tiltText_);
    connect(azimuth_, &QSlider::valueChanged, this,
            [this](int value) { model_.setView(value, model_.secondIndex()); });
    connect(tilt_, &QSlider::valueChanged, this,
            [this](int value) { model_.setView(model_.firstIndex(), value); });
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
        // An end that was not touched keeps the digits that are not shown.
        const auto typed = [](const QLineEdit& edit, double before) {
            return edit.isModified() ? typedNumber(edit).value_or(before) : before;
        };
        const double high = typed(*high_, now.high);
        model_.setRange({model_.diverging() ? -high : typed(*low_, now.low), high});
    }
    low_->setModified(false);
    high_->setModified(false);
    refresh();
}

void DataPage::showSliders() {
    const DataWords now = words();
    const auto show = [](QSlider* slider, ElidedLabel* text, const ViewAxis& axis, int index,
                         const auto& textAt) {
        const QSignalBlocker quiet(slider);
        const int last = std::max(0, static_cast<int>(axis.values.size()) - 1);
        slider->setRange(0, last);
        slider->setValue(index);
        slider->setEnabled(last > 0);
        text->setText(axis.values.empty() ? QString(QChar(0x2013))
                                          : textAt(axis, static_cast<std::size_t>(index)));
    };
    azimuthText_->setFixedWidth(now.firstWidth);
    show(azimuth_, azimuthText_, model_.first(), model_.firstIndex(), now.firstText);
    show(tilt_, tiltText_, model_.second(), model_.secondIndex(), now.secondText);
    azimuthName_->setText(now.first);
    azimuth_->setToolTip(now.firstHelp);
    tiltName_->setText(now.second);
    tilt_->setToolTip(now.secondHelp);
}

FigureStrip::Figure DataPage::figureAtCursor(const Volume& shown, int x, int y, int z) const {
    const auto value = static_cast<double>(shown.data[shown.lattice.index(x, y, z)]);
    const QString unit = QString::fromStdString(shown.units);
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
    const DataWords now = words();
    const auto& totals = model_.totals();
    out.push_back({tr("view"), tr("%1 of %2").arg(*view + 1).arg(model_.viewCount()), "", now.viewHelp});
    if (*view < totals.size()) {
        out.push_back({tr("counts"), countText(totals[*view]), tr("events"), now.countsHelp});
    }
    if (const auto& fit = model_.fit()) {
        out.push_back({tr("expected"), countText(fit->expected), tr("events"),
                       tr("Sum of mult x forward(image) + add for the image on screen")});
        out.push_back({tr("counts − expected"),
                       fit->expected > 0 ? numberText(100 * (fit->counts / fit->expected - 1), 2)
                                         : QString(QChar(0x2013)),
                       "%", tr("Of the sums")});
        out.push_back({now.chiSquare, compactNumber(fit->chiSquare, 3), "",
                       tr("Mean of (y - e)^2/e where e exceeds 1 % of its mean: 1 when only Poisson noise is "
                          "left")});
    }
    if (const auto shown = model_.shown()) {
        const Vec3 c = desk_.view().cursor();
        const auto index = [&](int axis) {
            return viz::nearestIndex(shown->lattice, axis, viz::coordinate(c, axis));
        };
        const int x = index(0);
        const int y = index(1);
        const int z = index(2);
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
    painter.fillRect(QRect(0, 0, width(), 2 * kBar), theme.win);
}

void DataPage::arrange() {
    const int w = width();
    unit_->setVisible(w >= 860);  // the colour bar says it, too
    bar_->setGeometry(0, 0, w, kBar);
    angles_->setGeometry(0, kBar, w, kBar);
    const int chartHeight = height() < 480 ? 0 : std::clamp(height() / 5, 130, 190);
    const int stripTop = height() - FigureStrip::kHeight;
    strip_->setGeometry(0, stripTop, w, FigureStrip::kHeight);
    chart_->setVisible(chartHeight > 0);
    chart_->setGeometry(0, stripTop - chartHeight, w, chartHeight);
    const int top = 2 * kBar;
    const int h = stripTop - chartHeight - top;
    const int half = (w - kGap) / 2;
    const int upper = (h - kGap) / 2;
    pane(Plane::Transverse)->setGeometry(0, top, half, h);
    pane(Plane::Coronal)->setGeometry(half + kGap, top, w - half - kGap, upper);
    pane(Plane::Sagittal)->setGeometry(half + kGap, top + upper + kGap, w - half - kGap, h - upper - kGap);
    for (SlicePane* p : panes_) {
        p->setVisible(alone_ == nullptr || p == alone_);
    }
    if (alone_ != nullptr) {
        alone_->setGeometry(0, top, w, h);
    }
    double scale = 0;
    for (SlicePane* p : panes_) {
        scale = p->isHidden() ? scale : std::max(scale, p->fittingScale());
    }
    for (SlicePane* p : panes_) {
        p->setScale(scale / desk_.view().zoom());
    }
}

void DataPage::resizeEvent(QResizeEvent*) {
    arrange();
}

void DataPage::showEvent(QShowEvent*) {
    refresh();
}

void DataPage::refresh() {
    model_.setOpen(desk_.study().measurement());
    if (!isVisible() || azimuth_ == nullptr) {
        return;  // nothing is computed for a page that nobody sees
    }
    model_.refresh();
    showSliders();
    const auto write = [](QLineEdit* edit, double value) {
        if (!edit->hasFocus() || !edit->isModified()) {
            edit->setText(compactNumber(value, 3));
        }
    };
    write(low_, model_.range().low);
    write(high_, model_.range().high);
    low_->setVisible(!model_.diverging());
    limitLabel_->setVisible(model_.diverging());
    const auto shown = model_.shown();
    unit_->setText(shown != nullptr ? QString::fromStdString(shown->units) : QString());
    arrange();
    for (SlicePane* p : panes_) {
        p->update();
    }
    chart_->update();
    strip_->setFigures(figures());
}

bool DataPage::abandonDrag() {
    return std::any_of(panes_.begin(), panes_.end(), [](SlicePane* pane) { return pane->abandonDrag(); });
}

}  // namespace tof::ui
