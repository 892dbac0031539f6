// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <algorithm>
#include <limits>

#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kCompareBar = 40;
constexpr int kOperands = 36;
constexpr int kFigures = FigureStrip::kHeight;
constexpr int kCompareGap = 1;
constexpr int kProbe = 32;
constexpr int kHighPage = 740;           ///< px that leave room for a second line of figures
constexpr int kWideBar = 1010;           ///< px that every control of the bar needs
constexpr int kNarrowBar = 860;          ///< and all but the strip
constexpr int kOneStrip = 1280;          ///< px in which all figures have room in one line
constexpr int kColumnOfProfiles = 1800;  ///< px of a page that may have its profiles beside the pictures
constexpr Plane kPaneRows[] = {Plane::Transverse, Plane::Sagittal, Plane::Coronal};

/// What a picture has of its plane, mm.
struct Body {
    explicit Body(const Box& box)
        : wide(std::max(1e-6, box.high.x - box.low.x)),
          tall(std::max(1e-6, box.high.y - box.low.y)),
          flat(std::max(1e-6, box.high.z - box.low.z)) {}
    double wide, tall, flat;

    /// px per mm of three pictures above each other in `size`.
    [[nodiscard]] double stacked(QSizeF size) const {
        return std::min(size.width() / std::max(wide, tall), size.height() / (tall + 2 * flat));
    }
    /// px per mm where the transverse picture stands at the left of the two others.
    [[nodiscard]] double beside(QSizeF size) const {
        return std::min(size.width() / (wide + std::max(wide, tall)),
                        size.height() / std::max(tall, 2 * flat));
    }
    /// The larger of both.
    [[nodiscard]] double scale(QSizeF size) const { return std::max(stacked(size), beside(size)); }
};

}  // namespace

ComparePage::ComparePage(const PictureModels& models, Screen& screen, Threading threading, QWidget* parent)
    : Page(parent), models_(models), screen_(screen), model_(models.runs, threading) {
    setObjectName("compare");
    models_.bind(*this);
    connect(&models_.rois, &RoiModel::changed, this, &ComparePage::refresh);
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    for (int column = 0; column < 3; ++column) {
        for (const Plane plane : kPaneRows) {
            auto* pane = new SlicePane(plane, models_, this);
            pane->setObjectName(QString("compare.%1.%2").arg(column).arg(static_cast<int>(plane)));
            PaneSource source = sourceOf(column);
            source.name = column == 0 ? names[static_cast<int>(plane)] : "";
            if (column == 0) {
                source.mix = mix();
            }
            source.bars = plane == Plane::Transverse;
            source.namesOrientation = column == 0;
            pane->setSource(std::move(source));
            connect(pane, &SlicePane::maximiseRequested, this, [this, pane] {
                alone_ = alone_ == pane ? nullptr : pane;
                refresh();
            });
            panes_[static_cast<std::size_t>(column)][static_cast<std::size_t>(plane)] = pane;
        }
    }
    bar_ = new QWidget(this);
    operands_ = new QWidget(this);
    strip_ = new FigureStrip(this);
    roiStrip_ = new FigureStrip(this);
    probe_ = new ProbeLine(models_.runs, models_.view, screen_, models_.study, this);
    probe_->setObjectName("compare.probe");
    probe_->setOperands([this] { return std::array{model_.a(), model_.b()}; });
    profileBar_ = new QWidget(this);
    profile_ =
        new ProfileChart(models_.runs, models_.view, screen_, threading, ProfileChart::Content::Values, this);
    differenceProfile_ = new ProfileChart(models_.runs, models_.view, screen_, threading,
                                          ProfileChart::Content::Difference, this);
    for (ProfileChart* chart : {profile_, differenceProfile_}) {
        chart->setObjectName("compare." + chart->objectName());
        chart->setRuns([this]() -> std::vector<int> {
            return model_.a() != nullptr && model_.b() != nullptr
                       ? std::vector{model_.a()->id(), model_.b()->id()}
                       : std::vector<int>{};
        });
    }
    differenceProfile_->setDifference([this] { return model_.difference(); }, [this] { return unit(); });
    connect(&model_, &CompareModel::changed, this, &ComparePage::refresh);
}

PaneSource ComparePage::sourceOf(int column) {
    PaneSource source;
    source.rois = column < 2;
    source.frameFollowsFocus = true;
    source.empty = [column] { return column == 2 ? tr("difference on its way") : tr("no image yet"); };
    source.unit = [this, column] { return column == 2 ? differenceUnit() : unitOf(column); };
    source.stepImage = [this, column](int step) { model_.step(column == 0 ? 0 : 1, step); };
    if (column == 2) {
        source.volume = [this] { return model_.difference(); };
        source.range = [this] { return DisplayRange{-model_.limit(), model_.limit()}; };
        source.setRange = [this](DisplayRange r) { model_.setLimit((r.high - r.low) / 2); };
        source.resetRange = [this] { model_.setAutoLimit(); };
        source.autoRange = [this] { return model_.autoLimit(); };
        source.map = [this] { return differenceMap(); };
        return source;
    }
    const auto shown = [this, column] { return column == 1 || blink_ ? 1 : 0; };
    source.volume = [this, shown] { return volumeOf(shown()); };
    source.range = [this, shown] { return lookOf(shown()).range; };
    source.setRange = [this, shown](DisplayRange range) { setRange(shown(), range); };
    source.map = [this, shown] { return mapOf(shown()); };
    return source;
}

bool ComparePage::withoutUnits() const {
    const RunItem* one = operand(0);
    const RunItem* two = operand(1);
    return models_.view.linked() && one != nullptr && two != nullptr && one->units().isEmpty() &&
           two->units().isEmpty();
}

QString ComparePage::keyOf(int which) const {
    const QString& own = models_.view.lookKey();
    const RunItem* item = operand(withoutUnits() ? 0 : which);
    if (item == nullptr || (withoutUnits() && screen_.lookKey(*operand(1)) == own)) {
        return own;
    }
    return screen_.lookKey(*item);
}

Look ComparePage::lookOf(int which) const {
    const ViewModel& view = models_.view;
    const QString key = keyOf(which);
    Look look = view.lookOf(key);
    const auto volume = volumeOf(withoutUnits() ? 0 : which);
    if (key != view.lookKey() && look.isAuto && volume != nullptr) {
        look.range = screen_.automaticRange(volume, look.range);
    }
    return look;
}

viz::ColourMap ComparePage::mapOf(int which) const {
    const Look look = lookOf(which);
    const viz::ColourMap& map = viz::ColourMap::find(look.map.toStdString());
    return look.inverted ? map.inverted() : map;
}

std::shared_ptr<const Volume> ComparePage::volumeOf(int which) const {
    const RunItem* item = operand(which);
    return item != nullptr ? item->volume() : nullptr;
}

DisplayUnit ComparePage::unitOf(int which) const {
    const RunItem* item = operand(which);
    return item != nullptr ? screen_.unitOf(*item) : models_.view.unit();
}

bool ComparePage::oneLook() const {
    const RunItem* one = operand(0);
    const RunItem* two = operand(1);
    return one != nullptr && two != nullptr && keyOf(0) == keyOf(1);
}

void ComparePage::chooseMap(const QString& id) {
    const QString key = keyOf(0);
    if (key == models_.view.lookKey()) {
        models_.view.setColourMap(id);
        return;
    }
    Look look = models_.view.lookOf(key);
    look.map = id;
    look.picked = true;
    look.inverted = false;
    models_.view.setLook(key, look);
}

void ComparePage::setRange(int which, DisplayRange range) {
    const QString key = keyOf(which);
    if (key == models_.view.lookKey()) {
        models_.view.setRange(range);
        return;
    }
    Look look = models_.view.lookOf(key);
    look.isAuto = false;
    look.range = range;
    models_.view.setLook(key, look);
}

std::vector<SlicePane*> ComparePage::panes() const {
    std::vector<SlicePane*> all;
    for (const auto& column : panes_) {
        all.insert(all.end(), column.begin(), column.end());
    }
    return all;
}

PaneMix ComparePage::mix() {
    PaneMix mix;
    mix.kind = [this] {
        return blink_                                       ? MixKind::None
               : model_.mode() == CompareMode::Swipe        ? MixKind::Swipe
               : model_.mode() == CompareMode::Checkerboard ? MixKind::Checkerboard
                                                            : MixKind::None;
    };
    mix.volume = [this] { return volumeOf(1); };
    mix.range = [this] { return lookOf(1).range; };
    mix.map = [this] { return mapOf(1); };
    mix.names = [this] { return model_.names(); };
    mix.split = [this] { return model_.split(); };
    mix.setSplit = [this](double split) { model_.setSplit(split); };
    return mix;
}

DisplayUnit ComparePage::unit() const {
    if (model_.a() == nullptr || model_.b() == nullptr) {
        return models_.view.unit();
    }
    const DisplayUnit a = screen_.unitOf(*model_.a());
    const DisplayUnit b = screen_.unitOf(*model_.b());
    // Different things, a phantom and a reconstruction, have stored values, which is what is subtracted.
    return a == b ? a : DisplayUnit{1, model_.a()->units() + " " + QChar(0x2212) + " " + model_.b()->units()};
}

DisplayUnit ComparePage::differenceUnit() const {
    return model_.relative() && model_.largestB() > 0
               ? DisplayUnit{100 / model_.largestB(), tr("% of max %1").arg(model_.names()[1])}
               : unit();
}

viz::ColourMap ComparePage::differenceMap() const {
    // Neutral is as dark or light as the pictures beside it.
    return viz::ColourMap::find(models_.view.colourMap().darkGround() ? "difference-dark"
                                                                      : "difference-light");
}

void ComparePage::build(CommandRegistry& commands) {
    auto* row = makeRow(bar_);
    row->addWidget(
        makeSegments(commands, {"compare.side-by-side", "compare.swipe", "compare.checkerboard"}, bar_));
    more_ = new MoreButton("compare.more", bar_);
    buildRange(*row);
    buildOperands(commands);
    row->addStretch(1);
    limitLabel_ = new QLabel;
    limitLabel_->setStyleSheet("font-size: 11px;");
    row->addWidget(limitLabel_);
    limit_ = makeNumberField("compare.limit", tr("Limit of the difference"),
                             tr("Difference with the strongest colour, in the unit of the images"), 72);
    connect(limit_, &QLineEdit::editingFinished, this, [this] {
        if (limit_->isModified()) {
            model_.setLimit(differenceUnit().stored(limit_->text().toDouble()));
            limit_->setModified(false);
        }
        refresh();
    });
    row->addWidget(limit_);
    row->addWidget(makeButton(commands.action("compare.auto"), ButtonKind::Button, bar_));
    row->addWidget(makeButton(commands.action("compare.relative"), ButtonKind::Button, bar_));
    row->addWidget(makeButton(commands.action("export.compare"), ButtonKind::Square, bar_));
    row->addWidget(more_);
    buildProfileBar(commands);
}

/// One range and map for both; where their values cannot be compared, those of the first.
void ComparePage::buildRange(QHBoxLayout& row) {
    maps_ = new ComboBox;
    maps_->setObjectName("compare.map");
    maps_->setAccessibleName(tr("Colour map of both images"));
    maps_->setToolTip(tr("Colour map; U inverts it"));
    for (const viz::ColourMap& map : viz::ColourMap::all()) {
        maps_->addItem(word(map.label), QString::fromStdString(map.id));
    }
    maps_->setMinimumWidth(84);
    connect(maps_, &QComboBox::activated, this,
            [this](int index) { chooseMap(maps_->itemData(index).toString()); });
    const auto field = [&](const char* name, const QString& label) {
        auto* edit = makeNumberField(name, label, tr("%1, in the unit of the image").arg(label), 72);
        connect(edit, &QLineEdit::editingFinished, this, [this] {
            const DisplayUnit unit = unitOf(0);
            const DisplayRange now = lookOf(0).range;
            const DisplayRange typed{unit.stored(typedOr(*low_, unit.shown(now.low))),
                                     unit.stored(typedOr(*high_, unit.shown(now.high)))};
            if ((low_->isModified() || high_->isModified()) && typed.high > typed.low) {
                setRange(0, typed);
            }
            low_->setModified(false);
            high_->setModified(false);
            refresh();
        });
        return edit;
    };
    low_ = field("compare.low", tr("Lower end of the colour map"));
    high_ = field("compare.high", tr("Upper end of the colour map"));
    levels_ = new LevelStrip(models_.view);
    levels_->setObjectName("compare.strip");
    levels_->setFixedWidth(110);
    row.addWidget(more_->hold(maps_, tr("Colour map")));
    row.addWidget(low_);
    row.addWidget(more_->hold(levels_, tr("Display range")));
    row.addWidget(high_);
}

void ComparePage::buildOperands(CommandRegistry& commands) {
    const auto choice = [&](const char* name, const QString& label, const QString& help) {
        auto* box = new ComboBox;
        box->setObjectName(name);
        box->setAccessibleName(label);
        box->setToolTip(help);
        return box;
    };
    const auto image = [&](const char* name, const QString& label) {
        ComboBox* box = choice(name, label, tr("%1: a run or a volume").arg(label));
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        box->setMinimumWidth(96);
        connect(box, &QComboBox::activated, this,
                [this] { model_.choose(chooseA_->currentData().toInt(), chooseB_->currentData().toInt()); });
        return box;
    };
    const auto iterate = [&](const char* name, const QString& label, int which) {
        ComboBox* box = choice(name, label, tr("Iterate of that run that is shown, on every page"));
        box->setMinimumWidth(84);
        connect(box, &QComboBox::activated, this,
                [this, box, which](int index) { model_.chooseIterate(which, box->itemData(index).toInt()); });
        return box;
    };
    chooseA_ = image("compare.a", tr("First image"));
    iterateA_ = iterate("compare.iterate-a", tr("Iterate of the first image"), 0);
    chooseB_ = image("compare.b", tr("Second image"));
    iterateB_ = iterate("compare.iterate-b", tr("Iterate of the second image"), 1);
    link_ = choice("compare.link", tr("Iterates compared"),
                   tr("Which iterate of the second run is compared with that of the first"));
    link_->addItems({tr("as chosen"), tr("same iterate"), tr("matched noise")});
    connect(link_, &QComboBox::activated, this,
            [this](int index) { model_.setLink(static_cast<IterateLink>(index)); });
    auto* operands = makeRow(operands_, {12, 0, 12, 8});
    operands->addWidget(chooseA_, 1);
    operands->addWidget(iterateA_);
    operands->addWidget(makeButton(commands.action("compare.swap"), ButtonKind::Square, operands_));
    operands->addWidget(chooseB_, 1);
    operands->addWidget(iterateB_);
    operands->addWidget(link_);
}

/// Fills a box anew where its entries are others, and chooses one.
void ComparePage::fill(ComboBox& box, const std::vector<std::pair<QString, int>>& entries, int chosen) {
    bool same = box.count() == static_cast<int>(entries.size());
    for (int i = 0; same && i < box.count(); ++i) {
        const auto& [text, data] = entries[static_cast<std::size_t>(i)];
        same = box.itemText(i) == text && box.itemData(i).toInt() == data;
    }
    if (!same) {
        box.clear();
        for (const auto& [text, data] : entries) {
            box.addItem(text, data);
        }
    }
    box.setCurrentIndex(box.findData(chosen));
}

void ComparePage::fillIterates(ComboBox& box, const RunItem* item) {
    std::vector<std::pair<QString, int>> all;
    if (item != nullptr && !item->isVolume()) {
        for (const int iteration : item->iterates()) {
            all.emplace_back(tr("iterate %1").arg(iteration), iteration);
        }
    }
    box.setVisible(!all.empty());
    fill(box, all, item != nullptr ? item->shownIterate() : -1);
}

void ComparePage::buildProfileBar(CommandRegistry& commands) {
    auto* row = makeRow(profileBar_, {12, 4, 12, 0});
    auto* title = new ElidedLabel(tr("Profiles"), ElidedLabel::Role::Strong);
    title->setFixedWidth(56);
    row->addWidget(title);
    row->addWidget(makeSegments(commands, {"chart.x", "chart.y", "chart.z", "chart.line"}, profileBar_));
    profileCaption_ = new ElidedLabel(ElidedLabel::Role::Caption);
    row->addWidget(profileCaption_, 1);
    row->addWidget(makeButton(commands.action("export.profile"), ButtonKind::Square, profileBar_));
}

void ComparePage::fillChoices() {
    std::vector<std::pair<QString, int>> images;
    for (const auto& item : models_.runs.items()) {
        if (item->volume() != nullptr) {
            images.emplace_back(item->label() + "  " + item->name(), item->id());
        }
    }
    fill(*chooseA_, images, model_.a() != nullptr ? model_.a()->id() : -1);
    fill(*chooseB_, images, model_.b() != nullptr ? model_.b()->id() : -1);
    fillIterates(*iterateA_, model_.a());
    fillIterates(*iterateB_, model_.b());
    link_->setCurrentIndex(static_cast<int>(model_.link()));
}

Figures ComparePage::figuresOf(int which) {
    const RunItem* item = operand(which);
    return item != nullptr ? screen_.figures(*item) : Figures{};
}

/// FWHM at the cursor, CRC and noise of both, in the order of their letters above the pictures.
std::vector<FigureStrip::Figure> ComparePage::roiFigures() {
    const auto [first, second] = model_.names();
    const QString of = first + " / " + second;
    std::vector<FigureStrip::Figure> rows;
    const auto curves = profile_->curves();
    const auto width = [&](std::size_t i) {
        return i < curves.size() && curves[i].fwhm_mm() ? numberText(*curves[i].fwhm_mm(), 1)
                                                        : QString(QChar(0x2013));
    };
    const QString slash = " / ";
    rows.push_back({tr("FWHM %1").arg(of), width(0) + slash + width(1), "mm",
                    tr("Of the peak at the cursor, along the profile below")});
    const Figures one = figuresOf(0);
    const Figures two = figuresOf(1);
    const auto both = [&](double a, double b) {
        return numberText(100 * a, 1) + slash + numberText(100 * b, 1);
    };
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    const auto value = [nan](const Figures& f, double v) { return f.rois.empty() ? nan : v; };
    rows.push_back(
        {tr("CRC %1").arg(of), both(value(one, one.crc), value(two, two.crc)), "%", tr("Mean over spheres")});
    rows.push_back({tr("noise %1").arg(of), both(value(one, one.noise), value(two, two.noise)), "%",
                    tr("SD / mean of the uniform ROI")});
    return rows;
}

/// With the figures of both that a low page has no line for; the widths stand in the chart.
QString ComparePage::captionOfProfiles() {
    QString text = profile_->caption();
    if (!roiStrip_->isHidden()) {
        return text;
    }
    const std::vector<FigureStrip::Figure> all = roiFigures();
    for (auto figure = all.begin() + 1; figure != all.end(); ++figure) {
        text += "; " + figure->name + " " + figure->value + QChar(0x00a0) + figure->unit;
    }
    return text;
}

std::vector<FigureStrip::Figure> ComparePage::figures() {
    const auto& f = model_.figures();
    if (!f || model_.difference() == nullptr) {
        return {};
    }
    const DisplayUnit as = differenceUnit();
    const auto mm = [](double v) { return numberText(v, 1); };
    std::vector<FigureStrip::Figure> rows{
        {tr("largest |%1|").arg(model_.differenceName()), compactNumber(as.shown(f->largest), 4),
         tr("at (%1, %2, %3) mm").arg(mm(f->where_mm.x), mm(f->where_mm.y), mm(f->where_mm.z))},
        {tr("RMS"), compactNumber(as.shown(f->rms), 4), unitWord(as)},
        {tr("relative RMS"), compactNumber(100 * f->relativeRms, 3), "%"},
        {tr("mean difference"), compactNumber(as.shown(f->mean), 3), unitWord(as)},
        {tr("bit-identical"), f->identical ? tr("yes") : tr("no"), ""}};
    return rows;
}

QString ComparePage::figuresText() {
    QString text;
    if (model_.a() != nullptr && model_.b() != nullptr) {
        for (const RunItem* item : {model_.a(), model_.b()}) {
            text += item->label() + "\t" + item->name() + ", " + item->shownText() + "\n";
        }
    }
    std::vector<FigureStrip::Figure> all = figures();
    for (FigureStrip::Figure& each : roiFigures()) {
        all.push_back(std::move(each));
    }
    for (const FigureStrip::Figure& figure : all) {
        text += figure.name + "\t" + figure.value + "\t" + figure.unit + "\n";
    }
    return text.replace(QChar(0x2212), '-');
}

void ComparePage::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    for (const SlicePane* pane : panes()) {
        if (pane->isVisible()) {
            painter.fillRect(pane->geometry().marginsAdded({1, 1, 1, 1}), theme.gap);
        }
    }
}

void ComparePage::arrange() {
    bar_->setGeometry(0, 0, width(), kCompareBar);
    operands_->setGeometry(0, kCompareBar, width(), kOperands);
    const bool oneStrip = width() >= kOneStrip;
    const bool high = oneStrip || height() >= kHighPage;
    const int stripTop = height() - kFigures - kProbe - (high && !oneStrip ? kFigures : 0);
    probe_->setGeometry(0, height() - kProbe, width(), kProbe);
    const bool wide = width() >= kWideBar;
    more_->setStowed(maps_, width() < kNarrowBar);
    bar_->layout()->setSpacing(width() < kNarrowBar ? 4 : 8);
    // It is the range of what is on screen elsewhere; images of other values have fields alone.
    const bool oneRange = oneLook() && lookOf(0).range == models_.view.range();
    more_->setStowed(levels_, !wide && oneRange);
    levels_->setVisible(oneRange);
    roiStrip_->setVisible(high);
    const int split = oneStrip ? width() * 3 / 5 : 0;
    roiStrip_->setGeometry(split, height() - kProbe - kFigures, width() - split, kFigures);
    strip_->setGeometry(0, stripTop, oneStrip ? split : width(), kFigures);
    const int top = kCompareBar + kOperands;
    const QRect pictures = besideProfiles({0, top, width(), stripTop - top});
    const bool mixed = model_.mode() != CompareMode::SideBySide;
    for (int column = 0; column < 3; ++column) {
        for (const Plane plane : kPaneRows) {
            SlicePane* p = pane(column, plane);
            p->setVisible(alone_ != nullptr ? p == alone_ : column == 0 || !mixed);
        }
    }
    if (alone_ != nullptr) {
        alone_->setGeometry(pictures);
    } else if (mixed) {
        arrangeMixed(pictures);
    } else {
        arrangeColumns(pictures);
    }
    SlicePane::shareScale(panes(), models_.view.zoom());
}

/// The profiles take a strip below the pictures, or a column beside them where that leaves larger ones; in
/// low pages they give way.
QRect ComparePage::besideProfiles(QRect area) {
    const int low = height() < 620 ? 0 : std::clamp(height() / 4, 170, 220);
    const QRect above = area.adjusted(0, 0, 0, -low - kCompareGap);
    const int column = std::clamp(area.width() / 4, 420, 640);
    const QRect left = area.adjusted(0, 0, -column - kCompareGap, -kCompareGap);
    const Body body(models_.view.fitted());
    const int columns = model_.mode() == CompareMode::SideBySide && alone_ == nullptr ? 3 : 1;
    const auto scale = [&](QRect r) {
        return body.scale({static_cast<double>(r.width()) / columns, static_cast<double>(r.height())});
    };
    const bool beside = area.width() >= kColumnOfProfiles && scale(left) > scale(above);
    arrangeProfiles(beside ? area.adjusted(area.width() - column, 0, 0, 0)
                           : area.adjusted(0, area.height() - low, 0, 0));
    return beside ? left : above;
}

void ComparePage::arrangeProfiles(QRect area) {
    const int bar = 32;
    const bool visible = area.height() > 0;
    for (QWidget* widget :
         {profileBar_, static_cast<QWidget*>(profile_), static_cast<QWidget*>(differenceProfile_)}) {
        widget->setVisible(visible);
    }
    profileBar_->setGeometry(area.left(), area.top(), area.width(), bar);
    const QRect charts = area.adjusted(0, bar, 0, 0);
    const bool column = charts.height() > charts.width();
    const int wide = column ? charts.width() : charts.width() * 3 / 5;
    const int high = column ? charts.height() / 2 : charts.height();
    profile_->setGeometry(charts.left(), charts.top(), wide, high);
    differenceProfile_->setGeometry(column ? charts.adjusted(0, high, 0, 0) : charts.adjusted(wide, 0, 0, 0));
}

void ComparePage::arrangeMixed(QRect area) {
    const int half = (area.width() - kCompareGap) / 2;
    const int upper = (area.height() - kCompareGap) / 2;
    const int right = area.width() - half - kCompareGap;
    const int beside = area.left() + half + kCompareGap;
    pane(0, Plane::Transverse)->setGeometry(area.left(), area.top(), half, area.height());
    pane(0, Plane::Coronal)->setGeometry(beside, area.top(), right, upper);
    pane(0, Plane::Sagittal)
        ->setGeometry(beside, area.top() + upper + kCompareGap, right, area.height() - upper - kCompareGap);
}

void ComparePage::arrangeColumns(QRect area) {
    const int w = (area.width() - 2 * kCompareGap) / 3;
    const int h = area.height() - 2 * kCompareGap;
    const Body body(models_.view.fitted());
    const QSizeF room(w, h);
    if (body.beside(room) > body.stacked(room)) {
        arrangeBeside(area, w);
        return;
    }
    // Rows get the height that their plane has in mm, so that all pictures share one scale without waste.
    const int first = static_cast<int>(h * std::clamp(body.tall / (body.tall + 2 * body.flat), 0.34, 0.72));
    const int rest = (h - first) / 2;
    for (int column = 0; column < 3; ++column) {
        int y = area.top();
        for (int row = 0; row < 3; ++row) {
            const int rowHeight = row == 0 ? first : rest;
            SlicePane* p = pane(column, kPaneRows[row]);
            p->setGeometry(area.left() + column * (w + kCompareGap), y,
                           column == 2 ? area.width() - 2 * (w + kCompareGap) : w, rowHeight);
            y += rowHeight + kCompareGap;
        }
    }
}

/// In low areas the transverse picture of a column stands at the left of the two others.
void ComparePage::arrangeBeside(QRect area, int columnWidth) {
    const Body body(models_.view.fitted());
    const int left = static_cast<int>(columnWidth * body.wide / (body.wide + std::max(body.wide, body.tall)));
    const int upper = (area.height() - kCompareGap) / 2;
    for (int column = 0; column < 3; ++column) {
        const int x = area.left() + column * (columnWidth + kCompareGap);
        const int end = column == 2 ? area.left() + area.width() : x + columnWidth;
        const int right = x + left + kCompareGap;
        pane(column, Plane::Transverse)->setGeometry(x, area.top(), left, area.height());
        pane(column, Plane::Coronal)->setGeometry(right, area.top(), end - right, upper);
        pane(column, Plane::Sagittal)
            ->setGeometry(right, area.top() + upper + kCompareGap, end - right,
                          area.height() - upper - kCompareGap);
    }
}

void ComparePage::refresh() {
    if (!isVisible() || limit_ == nullptr) {
        return;  // nothing is computed for a page that nobody sees
    }
    model_.refresh();
    fillChoices();
    const Look look = lookOf(0);
    maps_->setCurrentIndex(maps_->findData(look.map));
    showUntyped(*low_, compactNumber(unitOf(0).shown(look.range.low), 4));
    showUntyped(*high_, compactNumber(unitOf(0).shown(look.range.high), 4));
    limitLabel_->setText(model_.differenceName() + QString(" ") + QChar(0x00b1));
    showUntyped(*limit_, compactNumber(differenceUnit().shown(model_.limit()), 3));
    arrange();
    for (SlicePane* pane : panes()) {
        pane->update();
    }
    profileCaption_->setText(captionOfProfiles());
    profile_->update();
    differenceProfile_->update();
    strip_->setFigures(figures());
    roiStrip_->setFigures(roiFigures());
    probe_->update();
    update();
}

bool ComparePage::abandonDrag() {
    const std::vector<SlicePane*> all = panes();
    return std::any_of(all.begin(), all.end(), [](SlicePane* pane) { return pane->abandonDrag(); });
}

void ComparePage::setBlink(bool on) {
    if (on != blink_) {
        blink_ = on;
        refresh();
    }
}

void ComparePage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_QuoteLeft) {
        setBlink(true);
        return;
    }
    QWidget::keyPressEvent(event);
}

void ComparePage::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_QuoteLeft && !event->isAutoRepeat()) {
        setBlink(false);
        return;
    }
    QWidget::keyReleaseEvent(event);
}

}  // namespace tof::ui
