// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/viewer.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/desk/annotations.h"
#include "ui/desk/layers.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pages/run_commands.h"

namespace tof::ui {

namespace {

constexpr int kBesideTheText = 56;  ///< margins and arrow of a combo box
constexpr int kLeastBesideTheText = 38;
constexpr int kViewerGap = 1;
constexpr std::array kCharts{"chart.profile", "chart.solid", "chart.histogram", "chart.rois", "chart.time"};

int widthOfEveryItem(const QComboBox& box) {
    int widest = 0;
    for (int i = 0; i < box.count(); ++i) {
        if (box.itemData(i).toString().startsWith("difference") && i != box.currentIndex()) {
            continue;  // seldom on this page
        }
        widest = std::max(widest, QFontMetrics(textFont()).horizontalAdvance(box.itemText(i)));
    }
    return widest + kBesideTheText;
}

}  // namespace

Viewer::Viewer(const PictureModels& models, Screen& screen, Threading threading, QWidget* parent)
    : Page(parent), models_(models) {
    pictures_ = new QWidget(this);
    pictures_->setAutoFillBackground(true);
    for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
        const auto i = static_cast<std::size_t>(plane);
        frames_[i] = new QWidget(pictures_);
        headers_[i] = new PaneHeader(plane, models_.runs, models_.view, models_.study);
        panes_[i] = new SlicePane(plane, models_);
        auto* column = makeColumn(frames_[i]);
        column->addWidget(headers_[i]);
        column->addWidget(panes_[i], 1);
        connect(panes_[i], &SlicePane::maximiseRequested, this, [this, plane] {
            ViewModel& view = models_.view;
            view.setActivePlane(plane);
            view.setLayout(view.layout() == Layout::Single ? Layout::Main : Layout::Single);
        });
    }
    bar_ = new QWidget(this);
    bar_->setFixedHeight(40);
    profileBox_ = new QWidget(this);
    profileBox_->setAutoFillBackground(true);  // among pictures it stands before the colour of their gaps
    profile_ = new ProfileChart(models_.runs, models_.view, screen, threading);
    solid_ = new SolidPane(solidSource(), threading);
    solid_->setObjectName("view.solid");
    solid_->setAccessibleName(tr("The image seen from outside"));
    roiTable_ = new RoiTable(models_.rois, models_.view, screen);
    timeChart_ = new TimeChart(models_.rois, models_.runs, models_.view, screen, threading);
    connect(timeChart_, &TimeChart::taken, this, &Viewer::refresh);
    timeBar_ = new TimeBar(models_.runs, this);
    lower_ = new QStackedWidget;
    lower_->addWidget(profile_);
    lower_->addWidget(roiTable_);
    lower_->addWidget(solid_);
    lower_->addWidget(timeChart_);
    profileCaption_ = new ElidedLabel(ElidedLabel::Role::Caption, Qt::AlignRight);
    probe_ = new ProbeLine(models_.runs, models_.view, screen, models_.study, this);
    connect(&models_.layers, &LayerModel::changed, this, &Viewer::refresh);
    connect(&models_.view, &ViewModel::changed, this, &Viewer::refresh);
    connect(&models_.rois, &RoiModel::changed, this, &Viewer::refreshRois);
    connect(&models_.runs, &RunList::changed, this, &Viewer::refresh);
    connect(&models_.study, &OpenStudy::changed, this, &Viewer::refresh);
    connect(&models_.runs, &RunList::settled, this, [this] {
        if (isInFront() && models_.view.chart() == ChartKind::Rois) {
            roiTable_->refresh();  // a run may have got on since the pictures were drawn
        }
    });
}

QString Viewer::whyNoPicture() const {
    return whyNoImage(models_.runs);
}

QString Viewer::shownName() {
    return shownNameOf(models_.runs.onScreen());
}

void Viewer::build(CommandRegistry& commands) {
    auto* row = makeRow(bar_);
    row->addWidget(
        makeSegments(commands, {"layout.main", "layout.grid", "layout.row", "layout.single"}, bar_));
    maps_ = new ComboBox;
    maps_->setObjectName("view.map");
    maps_->setAccessibleName(tr("Colour map"));
    maps_->setToolTip(tr("Colour map; U inverts it"));
    for (const viz::ColourMap& map : viz::ColourMap::all()) {
        maps_->addItem(word(map.label), QString::fromStdString(map.id));
    }
    maps_->setFixedWidth(widthOfEveryItem(*maps_));
    connect(maps_, &QComboBox::activated, this,
            [this](int index) { models_.view.setColourMap(maps_->itemData(index).toString()); });
    row->addWidget(maps_);
    const auto field = [&](const char* name, const QString& label) {
        auto* edit = makeNumberField(name, label, tr("%1, in the unit of the image").arg(label), 72);
        connect(edit, &QLineEdit::editingFinished, this, &Viewer::commitRange);
        return edit;
    };
    low_ = field("view.low", tr("Lower end of the colour map"));
    high_ = field("view.high", tr("Upper end of the colour map"));
    unit_ = new ElidedLabel(ElidedLabel::Role::Caption);
    row->addWidget(low_);
    more_ = new MoreButton("view.more", bar_);
    strip_ = new LevelStrip(models_.view);
    strip_->setFixedWidth(strip_->sizeHint().width());
    row->addWidget(more_->hold(strip_, tr("Display range")));
    row->addWidget(high_);
    row->addWidget(unit_);
    row->addWidget(makeButton(commands.action("view.auto"), ButtonKind::Button, bar_));
    row->addWidget(makeRangeButton(commands));
    slab_ = makeNumberField("view.slab", tr("Slab thickness"),
                            tr("Slab thickness, mm; 0 shows one slice, \"all\" every one"), 84);
    const QFontMetrics metrics(slab_->font());
    const int words =
        std::max(metrics.horizontalAdvance(tr("one slice")), metrics.horizontalAdvance(tr("all slices")));
    slab_->setFixedWidth(std::max(84, words + 24));
    connect(slab_, &QLineEdit::editingFinished, this, &Viewer::commitSlab);
    row->addWidget(more_->hold(slab_, tr("Thick slices")));
    row->addWidget(makeButton(commands.action("view.mip"), ButtonKind::Button, bar_));
    row->addStretch();
    for (const char* id : {"view.interpolation", "view.rois", "view.annotations", "export.picture"}) {
        row->addWidget(makeButton(commands.action(id), ButtonKind::Square, bar_));
    }
    row->addWidget(more_);
    chainTabStops(tabStopsOf(bar_));  // as they stand, not as they were made

    auto* column = makeColumn(profileBox_, {12, 4, 12, 0});
    auto* tabs = new QHBoxLayout;
    tabs->setSpacing(4);
    for (const char* id : kCharts) {
        chartTabs_.push_back(makeButton(commands.action(id), ButtonKind::Button, profileBox_));
        tabs->addWidget(chartTabs_.back());
    }
    // Where the pane is a quarter of the pictures, a list stands for the tabs.
    auto* list = new QMenu(this);
    auto* choice = new QAction(this);
    choice->setToolTip(tr("What is below the pictures"));
    for (const char* id : kCharts) {
        list->addAction(commands.action(id));
    }
    chartTabs_.push_back(new MenuButton(choice, list, profileBox_));
    chartTabs_.back()->setObjectName("view.charts");
    chartTabs_.back()->setAccessibleName(tr("What is below the pictures"));
    tabs->addWidget(chartTabs_.back());
    tabs->addSpacing(8);
    axisSegments_ = makeSegments(commands, {"chart.x", "chart.y", "chart.z", "chart.line"}, profileBox_);
    tabs->addWidget(axisSegments_);
    buildSolidBox(commands);
    tabs->addWidget(solidBox_);
    buildTimeBox(commands);
    tabs->addWidget(timeBox_);
    timeBar_->build(commands);
    tabs->addWidget(profileCaption_, 1);
    tabs->addWidget(makeButton(commands.action("export.pane"), ButtonKind::Square, profileBox_));
    column->addLayout(tabs);
    column->addWidget(lower_, 1);
    refresh();
}

QToolButton* Viewer::makeRangeButton(CommandRegistry& commands) {
    auto* ranges = new QAction(this);
    ranges->setToolTip(tr("Display ranges by name"));
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    QStringList ids{"view.auto"};
    for (const auto& command : commands.all()) {
        if (command->id.startsWith("range.") && command->id != "range.linked") {
            ids << command->id;
        }
    }
    for (const QString& id : ids) {
        menu->addAction(commands.action(id));
    }
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { Q_EMIT rangesShown(*menu); });
    menu->addSeparator();
    menu->addAction(commands.action("range.linked"));
    auto* button = new MenuButton(ranges, menu, bar_);
    button->setObjectName("view.ranges");
    button->setAccessibleName(tr("Display ranges by name"));
    button->setFixedWidth(30);
    return button;
}

bool Viewer::abandonDrag() {
    return std::any_of(panes_.begin(), panes_.end(), [](SlicePane* pane) { return pane->abandonDrag(); });
}

/// What can be read elsewhere goes first when the bar gets short; tools go into the panel of the button at
/// its end.
void Viewer::fitBar() {
    constexpr int kWideStrip = 190;
    constexpr int kNarrowStrip = 112;
    constexpr int kSpacing = 8;
    constexpr int kNarrowSpacing = 4;
    bar_->layout()->setSpacing(kSpacing);
    const int gap = kSpacing;
    // The style's own limit is less than what the button asks for.
    const int button = std::min(more_->sizeHint().width(), more_->maximumWidth()) + gap;
    unit_->show();
    maps_->setFixedWidth(widthOfEveryItem(*maps_));
    bar_->layout()->invalidate();
    // With every tool in the bar, and no button for more.
    int wanted = bar_->layout()->sizeHint().width() - (more_->isHidden() ? 0 : button);
    wanted += more_->stowed(strip_) ? kWideStrip + gap : kWideStrip - strip_->minimumWidth();
    wanted += more_->stowed(slab_) ? slab_->minimumWidth() + gap : 0;
    const auto tooWide = [&] { return wanted > width(); };
    if (tooWide()) {
        unit_->hide();
        wanted -= unit_->sizeHint().width() + gap;
    }
    int strip = kWideStrip;
    if (tooWide()) {
        strip = kNarrowStrip;
        wanted -= kWideStrip - kNarrowStrip;
    }
    const bool slabAway = tooWide();
    wanted += slabAway ? button - slab_->minimumWidth() - gap : 0;
    const bool stripAway = tooWide();
    wanted -= stripAway ? strip + gap : 0;
    if (tooWide()) {
        // The name in use stays whole.
        const int name = QFontMetrics(textFont()).horizontalAdvance(maps_->currentText());
        wanted -= maps_->minimumWidth() - name - kLeastBesideTheText;
        maps_->setFixedWidth(name + kLeastBesideTheText);
    }
    if (tooWide()) {
        bar_->layout()->setSpacing(kNarrowSpacing);
    }
    strip_->setFixedWidth(stripAway ? kWideStrip : strip);
    more_->setStowed(slab_, slabAway);
    more_->setStowed(strip_, stripAway);
    bar_->layout()->activate();
}

void Viewer::arrange() {
    const ViewModel& view = models_.view;
    const int w = width();
    bar_->setGeometry(0, 0, w, 40);
    if (strip_ != nullptr) {
        fitBar();
    }
    const int probeTop = height() - 32;
    probe_->setGeometry(0, probeTop, w, 32);
    const bool time = timeBar_->wanted();
    const int barTop = probeTop - (time ? TimeBar::kHeight : 0);
    timeBar_->setVisible(time);
    timeBar_->setGeometry(0, barTop, w, TimeBar::kHeight);
    const Layout layout = view.layout();
    // The profile gives way before the pictures do.
    const bool quarters = layout == Layout::Grid || layout == Layout::Solid;
    const int profileHeight = quarters ? 0 : height() < 560 ? 0 : std::clamp(height() / 4, 150, 216);
    profileBox_->setVisible(quarters || profileHeight > 0);
    profileBox_->setGeometry(0, barTop - profileHeight, w, profileHeight);
    pictures_->setGeometry(0, 40, w, barTop - profileHeight - 40);
    const int h = pictures_->height();

    const auto place = [&](Plane plane, QRect r) {
        frames_[static_cast<std::size_t>(plane)]->setGeometry(r);
    };
    for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
        frames_[static_cast<std::size_t>(plane)]->setVisible(layout != Layout::Single ||
                                                             plane == view.activePlane());
    }
    const int half = (w - kViewerGap) / 2;
    const int upper = (h - kViewerGap) / 2;
    switch (layout) {
        case Layout::Single: place(view.activePlane(), {0, 0, w, h}); break;
        case Layout::Row: {
            const int third = (w - 2 * kViewerGap) / 3;
            place(Plane::Transverse, {0, 0, third, h});
            place(Plane::Coronal, {third + kViewerGap, 0, third, h});
            place(Plane::Sagittal, {2 * (third + kViewerGap), 0, w - 2 * (third + kViewerGap), h});
            break;
        }
        case Layout::Grid:
        case Layout::Solid:
            place(Plane::Transverse, {0, 0, half, upper});
            place(Plane::Coronal, {half + kViewerGap, 0, w - half - kViewerGap, upper});
            place(Plane::Sagittal, {0, upper + kViewerGap, half, h - upper - kViewerGap});
            profileBox_->setGeometry(half + kViewerGap, 40 + upper + kViewerGap, w - half - kViewerGap,
                                     h - upper - kViewerGap);
            break;
        case Layout::Main:
            place(Plane::Transverse, {0, 0, half, h});
            place(Plane::Coronal, {half + kViewerGap, 0, w - half - kViewerGap, upper});
            place(Plane::Sagittal,
                  {half + kViewerGap, upper + kViewerGap, w - half - kViewerGap, h - upper - kViewerGap});
            break;
    }
    if (quarters) {
        profileBox_->raise();
    }
    for (QWidget* frame : frames_) {
        frame->layout()->activate();
    }
    shareScale();
    if (surfaceLevel_ != nullptr) {
        constexpr int kNarrow = 720;
        const bool narrow = profileBox_->width() < kNarrow;
        surfaceLevel_->setCompact(narrow);
        surfaceLevel_->setFixedWidth(narrow ? NumberRow::kCompactWidth : 260);
        constexpr int kNarrowBesideSwitches = 1100;
        const bool alone = profileBox_->width() < kNarrowBesideSwitches;
        partialVolume_->setCompact(alone);
        partialVolume_->setFixedWidth(alone ? NumberRow::kCompactWidth : 260);
    }
}

void Viewer::shareScale() {
    const ViewModel& view = models_.view;
    double scale = 0;
    for (SlicePane* pane : panes_) {
        const bool counts = view.layout() != Layout::Single || pane->plane() == view.activePlane();
        scale = counts ? std::max(scale, pane->fittingScale()) : scale;
    }
    for (SlicePane* pane : panes_) {
        pane->setScale(scale / view.zoom());
    }
}

/// The tabs where there is room for all of them with what belongs to the chart, else their list.
void Viewer::showChartTabs() {
    constexpr int kSpacing = 4;
    constexpr int kMargins = 24 + 8 + 32;  // at the sides, behind the tabs, the button of the export
    const bool solid = solidInFront();
    int wanted = kMargins + (solid          ? solidBox_->sizeHint().width()
                             : timeShown()  ? timeBox_->sizeHint().width()
                             : tableShown() ? 0
                                            : axisSegments_->sizeHint().width());
    for (std::size_t i = 0; i < kCharts.size(); ++i) {
        wanted += chartTabs_[i]->sizeHint().width() + kSpacing;
        const auto* tab = static_cast<QToolButton*>(chartTabs_[i]);
        if (tab->isChecked()) {
            static_cast<QToolButton*>(chartTabs_.back())->setText(tab->text());
        }
    }
    const bool any = models_.view.layout() != Layout::Solid;
    const bool list = wanted > profileBox_->width();
    for (QWidget* tab : chartTabs_) {
        tab->setVisible(any && list == (tab == chartTabs_.back()));
    }
}

void Viewer::refresh() {
    QPalette palette = pictures_->palette();
    palette.setColor(QPalette::Window, Theme::of(*this).gap);
    if (palette.color(QPalette::Window) != pictures_->palette().color(QPalette::Window)) {
        pictures_->setPalette(palette);
    }
    palette.setColor(QPalette::Window, Theme::of(*this).win);
    if (palette.color(QPalette::Window) != profileBox_->palette().color(QPalette::Window)) {
        profileBox_->setPalette(palette);
    }
    const ViewModel& view = models_.view;
    if (maps_ != nullptr) {
        maps_->setCurrentIndex(maps_->findData(view.colourMapId()));  // before its width is chosen
    }
    arrange();
    if (maps_ != nullptr) {
        showUntyped(*low_, compactNumber(view.shownRange().low, 4));
        showUntyped(*high_, compactNumber(view.shownRange().high, 4));
        unit_->setText(rangeCaption());
        const bool solid = solidInFront();
        profileCaption_->setText(tableShown()             ? roiTable_->caption()
                                 : timeShown()            ? timeChart_->caption()
                                 : solid && surfaceShown_ ? tr("drag turns, wheel zooms")
                                 : solid ? tr("brightest along the line of sight; drag turns, wheel zooms")
                                         : profile_->caption());
        axisSegments_->setVisible(!tableShown() && !solid && !timeShown());
        timeBox_->setVisible(timeShown());
        partialVolume_->setValue(timeChart_->partialVolume_mm());
        solidBox_->setVisible(solid);
        showChartTabs();
        surfaceLevel_->setValue(surfacePercent_);
        surfaceLevel_->setVisible(surfaceShown_);
        if (solid) {
            refreshSolid();
        }
        if (!slab_->hasFocus() || !slab_->isModified()) {
            const double mm = view.slab().thickness_mm;
            slab_->setText(mm <= 0              ? tr("one slice")
                           : !std::isfinite(mm) ? tr("all slices")
                                                : tr("slab %1 mm").arg(compactNumber(mm, 3)));
            slab_->setModified(false);
        }
    }
    // One picture per turn of the event loop, the one with the frame first: drawing all three at once would
    // keep the window from answering three times as long.
    int turn = 0;
    const auto active = static_cast<std::size_t>(view.activePlane());
    for (const std::size_t i : {active, (active + 1) % 3, (active + 2) % 3}) {
        headers_[i]->update();
        if (turn == 0) {
            panes_[i]->update();
        } else {
            QTimer::singleShot(8 * turn, panes_[i], [pane = panes_[i]] { pane->update(); });
        }
        ++turn;
    }
    lower_->setCurrentWidget(tableShown()     ? static_cast<QWidget*>(roiTable_)
                             : solidInFront() ? static_cast<QWidget*>(solid_)
                             : timeShown()    ? static_cast<QWidget*>(timeChart_)
                                              : profile_);
    if (tableShown()) {
        roiTable_->refresh();
    }
    if (timeShown()) {
        timeChart_->refresh();
    }
    timeBar_->refresh();
    profile_->update();
    probe_->update();
}

QString Viewer::rangeCaption() {
    const ViewModel& view = models_.view;
    if (models_.runs.selected() == nullptr) {
        return {};
    }
    if (!view.followsSource() || view.autoRange() || !view.rangeSource()) {
        return unitWord(view.unit());
    }
    const RangeSource& source = *view.rangeSource();
    const QString of =
        source.iterate > 0 ? tr("%1, iterate %2").arg(source.run).arg(source.iterate) : source.run;
    return tr("%1; range of %2").arg(unitWord(view.unit()), of);
}

bool Viewer::tableShown() const {
    return models_.view.chart() == ChartKind::Rois && !solidInFront();
}

bool Viewer::timeShown() const {
    return models_.view.chart() == ChartKind::Time && !solidInFront();
}

bool Viewer::solidInFront() const {
    return models_.view.chart() == ChartKind::Solid || models_.view.layout() == Layout::Solid;
}

SolidSource Viewer::solidSource() {
    SolidSource source;
    source.volume = [this] { return models_.runs.image(); };
    source.look = [this] {
        viz::SolidRequest look;
        const DisplayRange range = models_.view.range();
        look.mode = surfaceShown_ ? viz::SolidMode::Surface : viz::SolidMode::Maximum;
        look.low = range.low;
        look.high = range.high;
        look.map = models_.view.colourMap();
        if (!look.map.darkGround()) {
            look.surface = {150, 152, 158};  // what is lit most still stands out from a bright ground
        }
        return look;
    };
    source.axes = [this]() -> std::vector<SolidAxis> {
        const Box& box = models_.view.fitted();
        const Vec3 half = 0.5 * (box.high - box.low);
        return {{{1, 0, 0}, half.x, "L"}, {{0, 1, 0}, half.y, "P"}, {{0, 0, 1}, half.z, "S"}};
    };
    source.box = [this](const Volume&) { return models_.view.fitted(); };
    source.empty = [] { return tr("no image yet"); };
    source.levelShare = [this] { return surfacePercent_ / 100; };
    source.corner = [this] {
        return surfaceShown_ ? tr("%1 % of the largest value").arg(numberText(surfacePercent_, 0))
                             : QString();
    };
    return source;
}

void Viewer::buildTimeBox(CommandRegistry& commands) {
    timeBox_ = new QWidget(profileBox_);
    auto* row = makeRow(timeBox_, {});
    row->addWidget(makeSegments(commands, {"time.decay", "time.log-activity", "time.log-time"}, timeBox_));
    partialVolume_ =
        new NumberRow({tr("PVC"), QString(QChar(0x00a0)) + "mm",
                       tr("Partial volume correction: takes out of the curves of ROIs what is seen "
                          "of them in one another, through a Gaussian of this FWHM; "
                          "ROIs must lie beside each other. 0: nothing"),
                       0, 20, 0.5, 1},
                      "time.partial-volume", [this](double mm, Edit) {
                          timeChart_->setPartialVolume(mm);
                          refresh();
                      });
    row->addWidget(partialVolume_);
}

void Viewer::buildSolidBox(CommandRegistry& commands) {
    solidBox_ = new QWidget(profileBox_);
    auto* row = makeRow(solidBox_, {});
    row->addWidget(makeButton(commands.action("view.surface"), ButtonKind::Button, solidBox_));
    surfaceLevel_ = new NumberRow(
        {tr("Level"), QString(QChar(0x00a0)) + "%",
         tr("The surface is where the image reaches this share of its largest value"), 1, 99, 1, 0},
        "view.surface-level", [this](double value, Edit) { setSurfacePercent(value); });
    surfaceLevel_->setFixedWidth(260);
    row->addWidget(surfaceLevel_);
}

void Viewer::setSurfaceShown(bool shown) {
    surfaceShown_ = shown;
    refresh();
}

void Viewer::setSurfacePercent(double percent) {
    surfacePercent_ = std::clamp(percent, 1.0, 99.0);
    refresh();
}

void Viewer::refreshSolid() {
    const auto volume = models_.runs.image();
    const ViewModel& view = models_.view;
    // A surface has one colour: the range does not matter to it.
    const DisplayRange range = surfaceShown_ ? DisplayRange{0, 1} : view.range();
    const auto key = std::make_tuple(volume, range.low, range.high, view.colourMapId(), view.inverted(),
                                     surfaceShown_ ? surfacePercent_ : 0.0);
    if (key != solidShown_) {
        solidShown_ = key;
        solid_->refresh();
    }
}

void Viewer::commitRange() {
    // Leaving a field that was not touched must not switch auto off; shown values are rounded.
    if (low_->isModified() || high_->isModified()) {
        const DisplayRange now = models_.view.shownRange();
        const DisplayRange typed{typedOr(*low_, now.low), typedOr(*high_, now.high)};
        if (typed.high > typed.low) {
            models_.view.setShownRange(typed);
        }
    }
    low_->setModified(false);
    high_->setModified(false);
    refresh();
}

void Viewer::commitSlab() {
    if (!slab_->isModified()) {
        return;
    }
    slab_->setModified(false);
    QString text = slab_->text().remove(tr("slab %1 mm").section("%1", 0, 0)).remove("mm").trimmed();
    bool ok = false;
    const double mm = text.replace(QChar(0x2212), '-').toDouble(&ok);
    Slab slab = models_.view.slab();
    if (text.startsWith("all") || text == tr("all slices") || text == Text::tr("all")) {
        slab.thickness_mm = std::numeric_limits<double>::infinity();
    } else if (ok && mm >= 0) {
        slab.thickness_mm = mm;
    }
    models_.view.setSlab(slab);
    refresh();
}

void Viewer::refreshRois() {
    for (SlicePane* pane : panes_) {
        pane->update();
    }
    if (tableShown()) {
        roiTable_->refresh();
        profileCaption_->setText(roiTable_->caption());
    } else if (timeShown()) {
        timeChart_->refresh();
    }
}

}  // namespace tof::ui
