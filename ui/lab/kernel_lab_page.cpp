// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/kernel_lab_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_system.h"
#include "ui/desk/live_tuning.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/settings_model.h"
#include "ui/desk/view_model.h"
#include "ui/kit/json.h"
#include "ui/kit/messages.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kLeftWidth = 304;
constexpr int kRightWidth = 320;
constexpr int kBar = 40;
constexpr int kHead = 36;
constexpr int kGap = 1;
constexpr int kBesideEachOther = 1240;         ///< px of the page below which both sides share one column
constexpr std::size_t kMostVoxels = 16777216;  ///< larger lattices are not projected live
constexpr double kRoundPoints_mm = 70;         ///< shown beyond the outermost point source
constexpr Plane kRows[] = {Plane::Transverse, Plane::Sagittal, Plane::Coronal};

/// A plain area in one colour of the theme: the window's ground, or the gaps between pictures.
class Ground : public QWidget {
  public:
    explicit Ground(QWidget* parent = nullptr, QColor Theme::*colour = &Theme::win)
        : QWidget(parent), colour_(colour) {}

  protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), Theme::of(*this).*colour_); }

  private:
    QColor Theme::*colour_;
};

QScrollArea* sideArea(QWidget* panel, int width, const char* name) {
    auto* area = new QScrollArea;
    area->setObjectName(name);
    area->setWidget(panel);
    area->setWidgetResizable(true);
    area->setFixedWidth(width);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);  // it follows the focus of what is in it
    return area;
}

}  // namespace

KernelLabPage::KernelLabPage(const Models& models, Threading threading, QWidget* parent)
    : Page(parent),
      models_(models),
      threading_(threading),
      lab_(models.engines, threading),
      shown_(new Coalescer([this] { showEdited(); }, this)) {
    setObjectName("lab");
    connect(&models_.view, &ViewModel::changed, this, &KernelLabPage::refresh);
    connect(&models_.runs, &RunList::settled, this, &KernelLabPage::refresh);
    connect(&models_.study, &OpenStudy::changed, this, &KernelLabPage::refresh);
    setAccessibleName(tr("Kernel lab"));
    centre_ = new Ground(this, &Theme::gap);
    plot_ = new RadiusPlot(lab_, centre_);
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    for (int column = 0; column < 3; ++column) {
        for (const Plane plane : kRows) {
            auto* pane = new LabPane(plane, lab_, view_, source(column, plane), centre_);
            pane->setObjectName(QString("lab.pane.%1.%2").arg(column).arg(static_cast<int>(plane)));
            const QString columns[] = {tr("first operand"), tr("second operand"), tr("difference")};
            pane->setAccessibleName(QString("%1, %2").arg(names[static_cast<int>(plane)], columns[column]));
            connect(pane, &LabPane::viewChanged, this, &KernelLabPage::arrange);
            panes_[static_cast<std::size_t>(column)][static_cast<std::size_t>(plane)] = pane;
        }
    }
    strip_ = new FigureStrip(centre_);
    connect(&lab_, &KernelLab::edited, this, [this] { shown_->touch(); });
    connect(&lab_, &KernelLab::computed, this, &KernelLabPage::showComputed);
}

LabPaneSource KernelLabPage::source(int column, Plane plane) {
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    LabPaneSource source;
    source.name = column == 0 ? names[static_cast<int>(plane)] : "";
    source.scaleBar = column == 0 && plane == Plane::Transverse;
    source.volume = [this, column, plane]() -> std::shared_ptr<const Volume> {
        const auto& p = lab_.results().pictures();
        if (p == nullptr) {
            return nullptr;
        }
        if (view_.mip) {
            return p->mip[column][static_cast<std::size_t>(plane)];
        }
        return column == 2 ? p->difference : p->sides[static_cast<std::size_t>(column)].volume;
    };
    source.range = [this, column] {
        const auto& p = lab_.results().pictures();
        const double peak = p != nullptr && p->peak > 0 ? p->peak : 1;
        const double limit = peak * limit_ / 100;
        return column == 2 ? DisplayRange{-limit, limit} : DisplayRange{0, peak};
    };
    source.map = [column] { return viz::ColourMap::find(column == 2 ? "difference-dark" : "hot-metal"); };
    source.empty = [this, column] {
        const auto& p = lab_.results().pictures();
        if (!lab_.results().fault().isEmpty()) {
            return lab_.results().fault();
        }
        if (p == nullptr) {
            return tr("projection on its way");
        }
        return column < 2   ? QString::fromStdString(p->sides[static_cast<std::size_t>(column)].whyNot)
               : p->preview ? tr("the difference of the engines follows when the mouse rests")
                            : tr("a difference needs both projections");
    };
    return source;
}

void KernelLabPage::build(CommandRegistry& commands) {
    controls_ = new KernelLabControls(lab_, commands);
    readout_ = new KernelLabReadout(lab_, threading_, commands);
    left_ = sideArea(controls_, kLeftWidth, "lab.left");
    right_ = sideArea(readout_, kRightWidth, "lab.right");
    const auto useLibrary = [this] {
        lab_.setLibrary(models_.settings.kernels());
        controls_->refresh();
    };
    connect(&models_.settings, &SettingsModel::kernelsChanged, this, useLibrary);
    connect(controls_, &KernelLabControls::presetChosen, this, [this](const QString& name) {
        try {
            lab_.usePreset(name.toStdString());
        } catch (const Error& fault) {  // a file of the user's own that is no kernel
            models_.messages.add(Severity::Error, fault.what());
            controls_->refresh();
        }
    });
    useLibrary();
    buildSides(commands);

    plotBar_ = new Ground(centre_);
    auto* row = makeRow(plotBar_, {16, 6, 12, 6});
    auto* title = new QLabel(tr("WIDTH AGAINST RADIUS"));
    title->setFont(smallFont(QFont::DemiBold));
    title->setStyleSheet("font-size: 11px; font-weight: 600;");
    row->addWidget(title);
    auto* hint = new ElidedLabel(ElidedLabel::Role::Caption, Qt::AlignRight);
    hint->setText(tr("drag a point, off the plot to remove it; double-click to add"));
    hint->setToolTip(
        tr("Keys: Tab takes the next point, arrows move it (Shift: ten times as far), Ins adds one "
           "behind it, Del removes it"));
    hint->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    row->addWidget(hint, 1);
    for (const char* id : {"lab.presets", "lab.mip", "lab.image"}) {
        row->addWidget(makeButton(commands.action(id), ButtonKind::Button, plotBar_));
    }
    row->addWidget(makeButton(commands.action("export.widths"), ButtonKind::Square, plotBar_));

    heads_ = {new LabHead(lab_, 0, centre_), new LabHead(lab_, 1, centre_)};
    differenceHead_ = new Ground(centre_);
    auto* limitRow = makeRow(differenceHead_, {12, 6, 8, 6});
    limitRow->setSpacing(6);
    auto* name = new QLabel(QString("A ") + QChar(0x2212) + " B " + QChar(0x00b1));
    name->setStyleSheet("font-weight: 600;");
    limitRow->addWidget(name);
    limitRow->addStretch();
    limitField_ = makeNumberField("lab.limit", tr("Limit of the difference, per cent of the peak"),
                                  tr("Limit of the difference, per cent of the largest value of A"), 72);
    connect(limitField_, &QLineEdit::editingFinished, this, [this] {
        if (limitField_->isModified()) {
            limitField_->setModified(false);
            setLimitPercent(limitField_->text().remove('%').trimmed().toDouble());
        }
    });
    limitRow->addWidget(limitField_);
    limitRow->addWidget(makeButton(commands.action("lab.auto-limit"), ButtonKind::Button, differenceHead_));
    orderTabStops();
    resetView();
    showEdited();
    showComputed();
}

/// Both sides beside the pictures, or in a narrow window one at a time at the left, under two tabs.
void KernelLabPage::buildSides(CommandRegistry& commands) {
    sideTabs_ = new Ground;
    sideTabs_->setObjectName("lab.tabs");
    sideTabs_->setFixedWidth(kLeftWidth);
    auto* tabs = new QHBoxLayout(sideTabs_);
    tabs->setContentsMargins(16, 8, 24, 0);  // as the panels, whose scroll bars take 8
    std::vector<QToolButton*> sides;
    for (const char* id : {"lab.side-settings", "lab.side-kernel"}) {
        sides.push_back(makeButton(commands.action(id), ButtonKind::Segment, sideTabs_));
        sides.back()->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    tabs->addWidget(makeSegments(sides, sideTabs_));
    leftColumn_ = new QVBoxLayout;
    leftColumn_->setSpacing(0);
    leftColumn_->addWidget(sideTabs_);
    leftColumn_->addWidget(left_, 1);
    auto* columns = makeRow(this, {});
    columns->setSpacing(0);
    columns->addLayout(leftColumn_);
    columns->addWidget(new HairLine(Qt::Vertical));
    columns->addWidget(centre_, 1);
    rightLine_ = new HairLine(Qt::Vertical);
    columns->addWidget(rightLine_);
    columns->addWidget(right_);
    sideTabs_->hide();
}

void KernelLabPage::arrangeSides() {
    const bool narrow = width() < kBesideEachOther;
    if (narrow != narrow_) {
        narrow_ = narrow;
        right_->setFixedWidth(narrow ? kLeftWidth : kRightWidth);
        if (narrow) {
            leftColumn_->addWidget(right_, 1);
        } else {
            layout()->addWidget(right_);
        }
        orderTabStops();
        Q_EMIT commandsChanged();
    }
    sideTabs_->setVisible(narrow);
    rightLine_->setVisible(!narrow);
    left_->setVisible(!narrow || side_ == Side::Settings);
    right_->setVisible(!narrow || side_ == Side::Kernel);
}

/// From the left to the right side, each from its top to its bottom.
void KernelLabPage::orderTabStops() {
    std::vector<QWidget*> stops = narrow_ ? tabStopsOf(sideTabs_) : std::vector<QWidget*>();
    const auto add = [&](QWidget* widget) {
        const std::vector<QWidget*> more = tabStopsOf(widget);
        stops.insert(stops.end(), more.begin(), more.end());
    };
    add(left_);
    if (narrow_) {
        add(right_);
    }
    add(plotBar_);
    add(plot_);
    add(heads_[0]);
    add(heads_[1]);
    add(differenceHead_);
    for (const Plane plane : kRows) {
        for (int column = 0; column < 3; ++column) {
            add(pane(column, plane));
        }
    }
    add(strip_);
    if (!narrow_) {
        add(right_);
    }
    chainTabStops(stops);
}

// ---- state ----

void KernelLabPage::setLimitPercent(double percent) {
    if (percent > 0 && std::isfinite(percent)) {
        limit_ = percent;
        autoLimit_ = false;
    }
    redraw();
}

void KernelLabPage::resetView() {
    // What the kernels reach, and the whole height: most of the lattice's corners is empty.
    const Box whole = latticeBox(lab_.lattice());
    view_.fitted = whole;
    double reach = 0;
    for (const Vec3& p : lab_.points()) {
        reach = std::max({reach, std::abs(p.x - whole.middle().x), std::abs(p.y - whole.middle().y)});
    }
    reach += kRoundPoints_mm;
    for (int axis = 0; axis < 2 && !lab_.projectsImage() && !lab_.points().empty(); ++axis) {
        const double middle = viz::coordinate(whole.middle(), axis);
        viz::setCoordinate(view_.fitted.low, axis,
                           std::max(middle - reach, viz::coordinate(whole.low, axis)));
        viz::setCoordinate(view_.fitted.high, axis,
                           std::min(middle + reach, viz::coordinate(whole.high, axis)));
    }
    view_.zoom = 1;
    view_.middle = whole.middle();
    arrange();
}

QString KernelLabPage::whyNoImage() const {
    RunItem* item = models_.runs.selected();
    if (item == nullptr || item->volume() == nullptr) {
        return tr("There is no image on screen");
    }
    return item->volume()->lattice == lab_.lattice()
               ? QString()
               : tr("The image on screen lies on another lattice than the lab");
}

void KernelLabPage::setProjectsImage(bool on) {
    RunItem* item = models_.runs.selected();
    lab_.setImage(on && whyNoImage().isEmpty() ? item->volume() : nullptr);
}

bool KernelLabPage::abandonDrag() {
    bool any = plot_->abandonDrag();
    for (LabPane* pane : allPanes()) {
        any = pane->abandonDrag() || any;
    }
    return any;
}

void KernelLabPage::refresh() {
    if (controls_ == nullptr) {
        return;
    }
    const auto histo = models_.study.histo();
    if (histo != nullptr && histo->lattice.voxels() <= kMostVoxels && !(histo->lattice == lab_.lattice())) {
        lab_.setLattice(histo->lattice);
        if (!restored_.empty()) {
            lab_.fromJson(parseJson(std::exchange(restored_, {}), "session"));
        }
        const LabView before = view_;
        resetView();
        if (std::exchange(restoredView_, false)) {  // a session comes back before its data
            view_.zoom = before.zoom;
            view_.middle = before.middle;
        }
    }
    if ((lab_.projectsImage() || wantsImage_) && isVisible()) {
        setProjectsImage(true);  // the image on screen may be another one
        wantsImage_ = wantsImage_ && !lab_.projectsImage();
    }
    view_.orientation = models_.view.orientation();
    view_.annotations = models_.view.flag(ViewModel::Flag::Annotations);
    if (isVisible()) {
        redraw();
    }
}

void KernelLabPage::showEdited() {
    if (controls_ == nullptr) {
        return;
    }
    controls_->refresh();
    readout_->refresh();
    // The pictures change with the results; what is painted over them, with the sources.
    const auto marks = std::make_tuple(lab_.points().size(), lab_.selectedPoint(), lab_.cursor().x,
                                       lab_.cursor().y, lab_.cursor().z, lab_.projectsImage());
    if (marks != marksDrawn_) {
        marksDrawn_ = marks;
        updatePanes();
    }
}

void KernelLabPage::updatePanes() {
    for (LabPane* pane : allPanes()) {
        pane->update();
    }
}

std::vector<FigureStrip::Figure> KernelLabPage::figures() const {
    std::vector<FigureStrip::Figure> all;
    const auto& p = lab_.results().pictures();
    if (p == nullptr) {
        return all;
    }
    if (p->figures) {
        const DifferenceFigures& f = *p->figures;
        const double peak = p->peak > 0 ? p->peak : 1;
        const auto mm = [](double v) { return numberText(v, 0); };
        all.push_back({tr("largest |A − B|"),
                       f.identical ? QString("0") : compactNumber(100 * f.largest / peak, 3),
                       f.identical ? tr("bit-identical")
                                   : tr("% of peak, at (%1, %2, %3) mm")
                                         .arg(mm(f.where_mm.x), mm(f.where_mm.y), mm(f.where_mm.z)),
                       tr("Of the largest value of A; the voxel where it is")});
        all.push_back({tr("RMS"), compactNumber(100 * f.rms / peak, 3), tr("% of peak"),
                       tr("Root mean square of A - B over all voxels, of the largest value of A")});
        all.push_back({tr("relative RMS"), compactNumber(100 * f.relativeRms, 3), "%",
                       tr("Root mean square of A - B over that of B")});
    }
    const auto& [a, b] = p->sides;
    if (a.volume != nullptr && b.volume != nullptr) {
        all.push_back({tr("projection A, B"),
                       compactNumber(a.project_ms, 3) + ", " + compactNumber(b.project_ms, 3), "ms",
                       tr("Tables and plans before them took %1 and %2 ms")
                           .arg(compactNumber(a.prepare_ms, 3), compactNumber(b.prepare_ms, 3))});
    }
    const double first_ms = lab_.results().picturesLatency_ms();
    const double exact_ms = lab_.results().exactLatency_ms();
    const bool timed = first_ms > 0;  // else nobody has waited for this picture
    all.push_back(
        {tr("change to picture"),
         !timed ? QString(QChar(0x2013))
                : compactNumber(first_ms, 3) + (p->preview            ? QString(", ") + QChar(0x2026)
                                                : exact_ms > first_ms ? ", " + compactNumber(exact_ms, 3)
                                                                      : QString()),
         "ms",
         tr("From the last change to a first picture, by the definition to single precision, and to "
            "the projections of the engines")});
    if (lab_.results().timings() != nullptr && lab_.results().timings()->adjointError) {
        all.push_back({tr("adjoint test"), compactNumber(*lab_.results().timings()->adjointError, 3), "",
                       tr("|<F x, y> - <x, F'y>| / |<F x, y>| for random x and y")});
    }
    return all;
}

void KernelLabPage::showComputed() {
    if (controls_ == nullptr) {
        return;
    }
    const auto& p = lab_.results().pictures();
    if (autoLimit_ && p != nullptr && p->figures && p->peak > 0) {
        // Point sources fill so little of the lattice that a percentile over it says nothing.
        const bool dense = lab_.projectsImage() && p->figures->percentile999 > 0;
        const double size = dense ? p->figures->percentile999 : p->figures->largest;
        limit_ = size > 0 ? roundUpTwoDigits(100 * size / p->peak) : 1;
    }
    if (!limitField_->hasFocus() || !limitField_->isModified()) {
        limitField_->setText(compactNumber(limit_, 3) + " %");
        limitField_->setModified(false);
    }
    readout_->refresh();
    strip_->setFigures(figures());
    if (p != picturesDrawn_ || lab_.results().fault() != faultDrawn_) {
        picturesDrawn_ = p;
        faultDrawn_ = lab_.results().fault();
        updatePanes();
    }
}

nlohmann::json KernelLabPage::toJson() const {
    nlohmann::json o = lab_.toJson();
    o["mip"] = view_.mip;
    o["limit_percent"] = limit_;
    o["auto_limit"] = autoLimit_;
    o["presets"] = plot_->presetsShown();
    o["picture"] = static_cast<int>(readout_->picture()->kind());
    o["zoom"] = view_.zoom;
    o["middle_mm"] = view_.middle;
    o["projects_image"] = lab_.projectsImage() || wantsImage_;
    const SolidPane& solid = *readout_->picture()->solid();
    o["solid_azimuth_deg"] = solid.azimuth_deg();
    o["solid_elevation_deg"] = solid.elevation_deg();
    o["solid_zoom"] = solid.zoom();
    o["side"] = static_cast<int>(side_);
    return o;
}

void KernelLabPage::fromJson(const nlohmann::json& saved) {
    begun_ = true;
    refresh();  // points belong to the lattice of the data
    lab_.fromJson(saved);
    restored_ = models_.study.histo() == nullptr ? jsonText(saved) : std::string();
    view_.mip = savedIn(saved, "mip", view_.mip);
    limit_ = std::max(1e-12, savedIn(saved, "limit_percent", limit_));
    autoLimit_ = savedIn(saved, "auto_limit", autoLimit_);
    plot_->setPresetsShown(savedIn(saved, "presets", plot_->presetsShown()));
    const int kind = savedIn(saved, "picture", static_cast<int>(readout_->picture()->kind()));
    readout_->picture()->setKind(static_cast<KernelPicture::Kind>(std::clamp(kind, 0, 2)));
    SolidPane& solid = *readout_->picture()->solid();
    solid.setAngles(savedIn(saved, "solid_azimuth_deg", solid.azimuth_deg()),
                    savedIn(saved, "solid_elevation_deg", solid.elevation_deg()));
    solid.setZoom(savedIn(saved, "solid_zoom", solid.zoom()));
    wantsImage_ = savedIn(saved, "projects_image", false);
    showSide(savedIn(saved, "side", 0) == 1 ? Side::Kernel : Side::Settings);
    resetView();
    if (const auto middle = savedIn<std::vector<double>>(saved, "middle_mm"); middle.size() == 3) {
        view_.zoom = std::clamp(savedIn(saved, "zoom", 1.0), 1.0, 40.0);
        view_.middle = {middle[0], middle[1], middle[2]};
        restoredView_ = true;
    }
    showEdited();
}

// ---- sizes ----

void KernelLabPage::arrange() {
    if (plotBar_ == nullptr) {
        return;
    }
    arrangeSides();
    layout()->activate();
    const int w = centre_->width();
    const int whole = centre_->height();
    const int plotHeight = std::clamp(whole * 28 / 100, 160, 264);
    plotBar_->setGeometry(0, 0, w, kBar);
    plot_->setGeometry(0, kBar, w, plotHeight);
    const int headTop = kBar + plotHeight + kGap;
    const int top = headTop + kHead;
    const int strip = FigureStrip::kHeight;
    const int h = whole - top - strip - 2 * kGap;
    const int column = (w - 2 * kGap) / 3;
    heads_[0]->setGeometry(0, headTop, column, kHead);
    heads_[1]->setGeometry(column + kGap, headTop, column, kHead);
    differenceHead_->setGeometry(2 * (column + kGap), headTop, w - 2 * (column + kGap), kHead);
    const Box& box = view_.fitted;
    const double tall = box.high.y - box.low.y;
    const double flat = box.high.z - box.low.z;
    const int first = static_cast<int>(h * std::clamp(tall / (tall + 2 * flat), 0.4, 0.62));
    const int rest = (h - first) / 2;
    double scale = 0;
    for (int c = 0; c < 3; ++c) {
        int y = top;
        for (const Plane plane : kRows) {
            const int rowHeight = plane == Plane::Transverse ? first : rest;
            LabPane* p = pane(c, plane);
            p->setGeometry(c * (column + kGap), y, c == 2 ? w - 2 * (column + kGap) : column, rowHeight);
            y += rowHeight + kGap;
            scale = std::max(scale, p->fittingScale());
        }
    }
    for (LabPane* pane : allPanes()) {
        pane->setScale(scale / view_.zoom);
    }
    strip_->setGeometry(0, whole - strip, w, strip);
}

void KernelLabPage::showEvent(QShowEvent*) {
    if (!begun_) {
        begun_ = true;
        try {
            lab_.startFrom(models_.settings.current().kernel(),
                           QString::fromStdString(kernelName(models_.settings.current())));
        } catch (const Error&) {
            // A kernel file that cannot be read is said in the settings; the lab starts with its own.
        }
    }
    refresh();
    lab_.setActive(true);
    showEdited();
    arrange();
    // Not the first control: its ring would be the first thing seen.
    pane(0, Plane::Transverse)->setFocus(Qt::OtherFocusReason);
}

}  // namespace tof::ui
