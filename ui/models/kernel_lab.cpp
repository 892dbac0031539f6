// SPDX-License-Identifier: Apache-2.0
#include "ui/models/kernel_lab.h"

#include <QJsonArray>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "recon/core/constants.h"
#include "recon/core/error.h"
#include "ui/text.h"
#include "viz/slab.h"
#include "viz/slice_view.h"

namespace tof::ui {

namespace {

constexpr qint64 kPatience_ms = 200;  ///< a job that is out of date may still finish within this time
constexpr std::size_t kUndoSteps = 200;
constexpr double kLeastGap_mm = 1;  ///< between two points of the width line
constexpr double kLeastWidth_mm = 0.5;
constexpr double kMostWidth_mm = 200;
constexpr double kMostTilt_deg = 60;
constexpr int kTimedRuns = 5;
constexpr int kFormulaKnots = 5;

/// Point sources of the first look: spread over radius and height.
std::vector<Vec3> firstPoints(const Lattice& lattice) {
    const Vec3 shares[] = {{0.003, 0.003, 0.01},  {-0.108, 0.087, -0.12}, {0.08, -0.128, 0.09},
                           {-0.087, 0.219, 0.05}, {0.212, 0.1, -0.075},   {-0.19, -0.142, 0.135}};
    std::vector<Vec3> points;
    for (const Vec3& share : shares) {
        const Vec3 at{share.x * lattice.size[0] * lattice.spacing_mm[0],
                      share.y * lattice.size[1] * lattice.spacing_mm[1],
                      share.z * lattice.size[2] * lattice.spacing_mm[2]};
        const VoxelIndex v = nearestVoxel(lattice, at);
        points.push_back(lattice.centre(v[0], v[1], v[2]));
    }
    return points;
}

bool samePlace(Vec3 a, Vec3 b) {
    return norm(a - b) < 1e-6;
}

std::vector<double> numbersOf(const QString& key, const QString& text, QChar separator) {
    std::vector<double> values;
    for (const QString& part : text.split(separator)) {
        bool ok = false;
        QString plain = part.trimmed();
        values.push_back(plain.replace(QChar(0x2212), '-').toDouble(&ok));
        if (!ok || !std::isfinite(values.back())) {
            throw WrongUse("lab " + key.toStdString() + "='" + text.toStdString() + "': '" +
                           part.toStdString() + "' is not a number");
        }
    }
    return values;
}

double numberOf(const QString& key, const QString& text) {
    return numbersOf(key, text, ',').front();
}

}  // namespace

// ---- operands ----

QString LabOperand::text() const {
    QStringList parts{kind == ProjectionKind::Forward ? "forward" : "back", QString::fromStdString(engine),
                      QString::fromStdString(strategy), QString::fromStdString(preset)};
    while (parts.last().isEmpty()) {
        parts.removeLast();
    }
    return parts.join(':');
}

LabOperand LabOperand::fromText(const QString& text) {
    const QStringList parts = text.split(':');
    if (parts.size() > 4 || (parts[0] != "forward" && parts[0] != "back")) {
        throw WrongUse("'" + text.toStdString() +
                       "': forward or back, then :ENGINE:STRATEGY:KERNEL as far as wanted");
    }
    LabOperand operand;
    operand.kind = parts[0] == "forward" ? ProjectionKind::Forward : ProjectionKind::Back;
    if (parts.size() > 1 && !parts[1].isEmpty()) {
        operand.engine = parts[1].toStdString();
    }
    operand.strategy = parts.value(2).toStdString();
    operand.preset = parts.value(3).toStdString();
    return operand;
}

// ---- the lab ----

/// One computation: what it is made from, and what it gives.
struct KernelLab::Job {
    int revision = 0;
    qint64 changedAt = 0;
    qint64 startedAt = 0;
    LabState state;
    ProjectionInput input;
    LabOperand operands[2];
    double radius_mm = 0;
    std::atomic<bool> abandoned{false};

    LabKernel kernel;
    LabPictures pictures;
    LabTimings timings;

    void checkpoint() const {
        if (abandoned) {
            throw Cancelled();
        }
    }
    [[nodiscard]] View view() const { return {state.azimuth_deg * kRadPerDeg, state.tilt_deg * kRadPerDeg}; }

    void computeKernel() {
        const KernelTables tables = buildKernelTables(state.kernel, input.lattice, view());
        kernel.tables = std::make_shared<const KernelTables>(tables);
        kernel.view = view();
        kernel.row = std::min(radialId(radius_mm, state.kernel.id_step_mm), tables.radialIds - 1);
        kernel.s_mm = (kernel.row + 0.5) * state.kernel.id_step_mm;
        kernel.values =
            std::make_shared<const Volume>(kernelVolume(tables, input.lattice.spacing_mm, kernel.row));
        kernel.moments = kernelMoments(tables, input.lattice.spacing_mm, view(), kernel.row);
        Lattice plane = input.lattice;
        plane.size[2] = 1;
        plane.origin_mm.z = 0;
        auto ids = std::make_shared<Volume>(plane);
        std::transform(tables.ids.begin(), tables.ids.end(), ids->data.begin(),
                       [](std::int32_t id) { return static_cast<float>(id); });
        ids->units = Text::tr("kernel id").toStdString();
        kernel.ids = ids;
    }

    void computePictures(ViewProjections& projections) {
        for (std::size_t side = 0; side < 2; ++side) {
            checkpoint();
            const LabOperand& operand = operands[side];
            const Projecting how{operand.kind, operand.engine, operand.strategy,
                                 operand.preset.empty() ? state.kernel : KernelSpec::find(operand.preset)};
            auto result = projections.project(how, input, view(), [this] { checkpoint(); });
            if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
                pictures.whyNot[side] = QString::fromStdString(unsupported->why);
                continue;
            }
            auto& projection = std::get<Projection>(result);
            pictures.where[side] = QString::fromStdString(projection.where);
            pictures.prepare_ms[side] = projection.prepare_ms;
            pictures.project_ms[side] = projection.project_ms;
            pictures.volume[side] = std::make_shared<const Volume>(std::move(projection.volume));
        }
        checkpoint();
        if (pictures.volume[0] != nullptr) {
            const auto& data = pictures.volume[0]->data;
            pictures.peak = static_cast<double>(*std::max_element(data.begin(), data.end()));
        }
        if (pictures.volume[0] != nullptr && pictures.volume[1] != nullptr) {
            pictures.figures = compareVolumes(*pictures.volume[0], *pictures.volume[1]);
            pictures.difference =
                std::make_shared<const Volume>(differenceOf(*pictures.volume[0], *pictures.volume[1]));
        }
        checkpoint();
        projectMips();
    }

    void projectMips() {
        const std::shared_ptr<const Volume> columns[] = {pictures.volume[0], pictures.volume[1],
                                                         pictures.difference};
        for (std::size_t column = 0; column < 3; ++column) {
            for (std::size_t plane = 0; columns[column] != nullptr && plane < 3; ++plane) {
                const int axis =
                    viz::planeAxes(static_cast<Plane>(plane), viz::Orientation::Radiological).normal;
                const viz::LayerRange all{0, input.lattice.size[static_cast<std::size_t>(axis)] - 1};
                pictures.mip[column][plane] =
                    viz::slabOf(*columns[column], axis, all,
                                column == 2 ? viz::SlabMode::Strongest : viz::SlabMode::Largest);
            }
        }
    }

    void computeTimings(ViewProjections& projections, const EngineRegistry& engines) {
        const auto still = [this] { checkpoint(); };
        timings.rows = projections.timeAll(state.kernel, input, view(), kTimedRuns, still);
        const LabOperand& a = operands[0];
        const std::string engine = a.engine == kDefinition ? "auto" : a.engine;
        const auto error = projections.adjointError(
            {ProjectionKind::Forward, engine, a.engine == kDefinition ? "" : a.strategy, state.kernel},
            input.lattice, view(), 1, still);
        if (const auto* value = std::get_if<double>(&error)) {
            timings.adjointError = *value;
            timings.device = QString::fromStdString(engines.choose(engine)->device().name);
        }
    }
};

KernelLab::KernelLab(const EngineRegistry& engines, Threading threading, QObject* parent)
    : QObject(parent),
      engines_(engines),
      coalescer_(new Coalescer([this] { pump(); }, this)),
      worker_(threading) {
    EngineOptions options;
    options.background = true;
    options.measurePlans = false;  // a plan serves one kernel's padding; searching takes longer than it saves
    projections_ = std::make_shared<ViewProjections>(engines_, options);
    state_.kernel = originKernel_ = KernelSpec::preset("variant1");
    state_.kernel.name.clear();
    originKernel_.name.clear();
    origin_ = "variant1";
    operands_[1].kind = ProjectionKind::Back;
    input_.lattice = Lattice::centred({144, 144, 48}, {4.0, 4.0, 4.0});
    state_.points = firstPoints(input_.lattice);
    selectPoint(0);
    clock_.start();
    patience_.setSingleShot(true);
    connect(&patience_, &QTimer::timeout, this, &KernelLab::giveUpWhenOld);
}

KernelLab::~KernelLab() {
    if (job_ != nullptr) {
        job_->abandoned = true;
    }
}

void KernelLab::setActive(bool active) {
    active_ = active;
    if (active) {
        coalescer_->touch();
    }
}

void KernelLab::setLattice(const Lattice& lattice) {
    if (lattice == input_.lattice) {
        return;
    }
    input_.lattice = lattice;
    input_.image = nullptr;
    state_.points = firstPoints(lattice);
    selectedPoint_ = -1;
    selectPoint(0);
    undo_.clear();
    redo_.clear();
    timings_.reset();
    touch();
}

void KernelLab::touch() {
    ++revision_;
    if (!changePending_) {
        changePending_ = true;
        changedAt_ = clock_.nsecsElapsed();
    }
    if (measuringNow_) {
        job_->abandoned = true;  // times of another state are of no use
    }
    measureWanted_ = false;
    timings_.reset();
    Q_EMIT edited();
    coalescer_->touch();
}

// ---- undo ----

void KernelLab::remember(bool merge) {
    if (!(merge && merging_)) {
        undo_.push_back(state_);
        if (undo_.size() > kUndoSteps) {
            undo_.erase(undo_.begin());
        }
        redo_.clear();
    }
    merging_ = merge;
}

void KernelLab::replace(const LabState& state) {
    state_ = state;
    merging_ = false;
    selectedKnot_ = std::clamp(selectedKnot_, 0, static_cast<int>(knots().size()) - 1);
    selectedPoint_ = std::min(selectedPoint_, static_cast<int>(state_.points.size()) - 1);
    touch();
}

void KernelLab::undo() {
    if (canUndo()) {
        redo_.push_back(state_);
        const LabState state = undo_.back();
        undo_.pop_back();
        replace(state);
    }
}

void KernelLab::redo() {
    if (canRedo()) {
        undo_.push_back(state_);
        const LabState state = redo_.back();
        redo_.pop_back();
        replace(state);
    }
}

// ---- the kernel ----

void KernelLab::setKernel(KernelSpec kernel, bool merge) {
    kernel.name.clear();
    kernel.validate();
    if (kernel.toJson() == state_.kernel.toJson()) {
        return;
    }
    remember(merge);
    if (!kernel.measured.empty()) {
        measured_ = kernel.measured;
    }
    state_.kernel = std::move(kernel);
    selectedKnot_ = std::clamp(selectedKnot_, 0, static_cast<int>(knots().size()) - 1);
    touch();
}

void KernelLab::usePreset(const std::string& nameOrFile) {
    KernelSpec kernel = KernelSpec::find(nameOrFile);
    kernel.name.clear();
    variant_.clear();
    setKernel(kernel);
    originKernel_ = kernel;
    origin_ = QString::fromStdString(nameOrFile).section('/', -1);
    Q_EMIT edited();
}

void KernelLab::startFrom(KernelSpec kernel, const QString& name) {
    setKernel(kernel);
    kernel.name.clear();
    originKernel_ = kernel;
    origin_ = name;
    undo_.clear();
    redo_.clear();
    Q_EMIT edited();
}

bool KernelLab::changedSinceOrigin() const {
    KernelSpec origin = originKernel_;
    origin.name.clear();
    KernelSpec mine = state_.kernel;
    mine.name.clear();
    return origin.toJson() != mine.toJson();
}

KernelLab::Spread KernelLab::spread() const {
    return !state_.kernel.measured.empty()    ? Spread::Measured
           : state_.kernel.radial.invariant() ? Spread::Invariant
                                              : Spread::Variant;
}

void KernelLab::setSpread(Spread spread) {
    if (spread == this->spread()) {
        return;
    }
    KernelSpec kernel = state_.kernel;
    if (spread == Spread::Measured) {
        if (measured_.empty()) {
            throw WrongUse(tr("no measured kernel was loaded: load a JSON file that measure-kernel wrote")
                               .toStdString());
        }
        kernel.measured = measured_;
        setKernel(kernel);
        return;
    }
    kernel.measured.clear();
    if (spread == Spread::Invariant) {
        variant_ = knots();
        const double width = kernel.radial.at(0);
        kernel.radial = RadialWidth{};
        kernel.radial.knots = {{0.0, width}};
    } else if (kernel.radial.invariant()) {
        const double width = kernel.radial.at(0);
        kernel.radial = RadialWidth{};
        kernel.radial.knots = variant_.size() > 1
                                  ? variant_
                                  : std::vector<std::pair<double, double>>{{0.0, width}, {288.0, 2 * width}};
    }
    setKernel(kernel);
}

void KernelLab::setAsymmetric(bool on) {
    KernelSpec kernel = state_.kernel;
    if (on && !kernel.asymmetry) {
        kernel.asymmetry = Asymmetry{};
    } else if (!on) {
        kernel.asymmetry.reset();
    }
    setKernel(kernel);
}

// ---- widths ----

double KernelLab::largestRadius() const {
    const Lattice& l = input_.lattice;
    const double x = std::abs(l.origin_mm.x);
    const double y = std::abs(l.origin_mm.y);
    return std::hypot(x, y);
}

std::vector<std::pair<double, double>> KernelLab::knots() const {
    if (!state_.kernel.measured.empty()) {
        std::vector<std::pair<double, double>> widths;
        for (const MeasuredProfile& profile : state_.kernel.measured) {
            widths.emplace_back(profile.s_mm, measuredFwhm(profile));
        }
        return widths;
    }
    const RadialWidth& radial = state_.kernel.radial;
    if (radial.slope == 0 && radial.quadratic_mm == 0) {
        return radial.knots;
    }
    // A formula: points that stand for it, and replace it as soon as one of them is moved.
    const double end = std::ceil(largestRadius());
    const int count = radial.quadratic_mm == 0 && radial.knots.size() == 1 ? 2 : kFormulaKnots;
    std::vector<std::pair<double, double>> widths;
    for (int i = 0; i < count; ++i) {
        const double s = end * i / (count - 1);
        widths.emplace_back(s, radial.at(s));
    }
    return widths;
}

void KernelLab::moveKnot(int index, double s_mm, double fwhm_mm, bool merge) {
    auto line = knots();
    if (spread() == Spread::Measured || index < 0 || index >= static_cast<int>(line.size())) {
        return;
    }
    const auto i = static_cast<std::size_t>(index);
    const double low = i == 0 ? 0 : line[i - 1].first + kLeastGap_mm;
    const double high = i == 0                ? 0
                        : i + 1 < line.size() ? line[i + 1].first - kLeastGap_mm
                                              : std::max(line[i].first, std::ceil(largestRadius()));
    line[i].first = std::clamp(s_mm, low, std::max(low, high));
    line[i].second = std::clamp(fwhm_mm, kLeastWidth_mm, kMostWidth_mm);
    KernelSpec kernel = state_.kernel;
    kernel.radial = RadialWidth{};
    kernel.radial.knots = line;
    selectedKnot_ = index;
    setKernel(kernel, merge);
}

int KernelLab::addKnot(double s_mm, double fwhm_mm) {
    auto line = knots();
    const bool taken = std::any_of(line.begin(), line.end(),
                                   [&](const auto& k) { return std::abs(k.first - s_mm) < kLeastGap_mm; });
    if (spread() == Spread::Measured || taken || !(s_mm > 0)) {
        return -1;
    }
    const auto at = std::find_if(line.begin(), line.end(), [&](const auto& k) { return k.first > s_mm; });
    const auto index = static_cast<int>(at - line.begin());
    line.insert(at, {s_mm, std::clamp(fwhm_mm, kLeastWidth_mm, kMostWidth_mm)});
    KernelSpec kernel = state_.kernel;
    kernel.radial = RadialWidth{};
    kernel.radial.knots = line;
    setKernel(kernel);
    selectKnot(index);
    return index;
}

void KernelLab::removeKnot(int index) {
    auto line = knots();
    if (spread() == Spread::Measured || index < 1 || index >= static_cast<int>(line.size())) {
        return;  // the width at the centre stays
    }
    line.erase(line.begin() + index);
    KernelSpec kernel = state_.kernel;
    kernel.radial = RadialWidth{};
    kernel.radial.knots = line;
    setKernel(kernel);
}

void KernelLab::selectKnot(int index) {
    const int last = static_cast<int>(knots().size()) - 1;
    if (std::clamp(index, 0, last) != selectedKnot_) {
        selectedKnot_ = std::clamp(index, 0, last);
        touch();  // the kernel's picture is that of the selected radius
    }
}

void KernelLab::setNumber(const std::string& key, double value, bool merge) {
    KernelSpec kernel = state_.kernel;
    const auto asymmetry = [&]() -> Asymmetry& {
        if (!kernel.asymmetry) {
            throw WrongUse(tr("lab %1: the kernel is symmetric; make it asymmetric first")
                               .arg(QString::fromStdString(key))
                               .toStdString());
        }
        return *kernel.asymmetry;
    };
    if (key == "tof") {
        kernel.tof_ps = value;
    } else if (key == "axial") {
        kernel.axial_mm = value;
    } else if (key == "cutoff") {
        kernel.cutoff = value;
    } else if (key == "step") {
        kernel.id_step_mm = value;
    } else if (key == "ratio") {
        asymmetry().ratio = value;
    } else if (key == "shift") {
        asymmetry().shift = value;
    } else if (key == "weight") {
        asymmetry().weight = value;
    } else {
        throw WrongUse("no number '" + key + "' in a kernel");
    }
    setKernel(kernel, merge);
}

double KernelLab::number(const std::string& key) const {
    const KernelSpec& kernel = state_.kernel;
    const Asymmetry asymmetry = kernel.asymmetry.value_or(Asymmetry{1, 0, 1});
    return key == "tof"      ? kernel.tof_ps
           : key == "axial"  ? kernel.axial_mm
           : key == "cutoff" ? kernel.cutoff
           : key == "step"   ? kernel.id_step_mm
           : key == "ratio"  ? asymmetry.ratio
           : key == "shift"  ? asymmetry.shift
                             : asymmetry.weight;
}

// ---- view and points ----

void KernelLab::setAzimuth(double degrees, bool merge) {
    double wrapped = std::fmod(degrees, 180.0);
    wrapped += wrapped < 0 ? 180.0 : 0.0;
    if (wrapped != state_.azimuth_deg) {
        remember(merge);
        state_.azimuth_deg = wrapped;
        touch();
    }
}

void KernelLab::setTilt(double degrees, bool merge) {
    const double clamped = std::clamp(degrees, -kMostTilt_deg, kMostTilt_deg);
    if (clamped != state_.tilt_deg) {
        remember(merge);
        state_.tilt_deg = clamped;
        touch();
    }
}

View KernelLab::view() const {
    return {state_.azimuth_deg * kRadPerDeg, state_.tilt_deg * kRadPerDeg};
}

int KernelLab::addPoint(Vec3 at) {
    const VoxelIndex v = nearestVoxel(input_.lattice, at);
    const Vec3 centre = input_.lattice.centre(v[0], v[1], v[2]);
    for (std::size_t i = 0; i < state_.points.size(); ++i) {
        if (samePlace(state_.points[i], centre)) {
            selectPoint(static_cast<int>(i));
            return static_cast<int>(i);
        }
    }
    remember(false);
    state_.points.push_back(centre);
    cursor_ = centre;
    selectedPoint_ = static_cast<int>(state_.points.size()) - 1;
    touch();
    return selectedPoint_;
}

void KernelLab::movePoint(int index, Vec3 to, bool merge) {
    if (index < 0 || index >= static_cast<int>(state_.points.size())) {
        return;
    }
    const VoxelIndex v = nearestVoxel(input_.lattice, to);
    const Vec3 centre = input_.lattice.centre(v[0], v[1], v[2]);
    if (!samePlace(centre, state_.points[static_cast<std::size_t>(index)])) {
        remember(merge);
        state_.points[static_cast<std::size_t>(index)] = centre;
        selectedPoint_ = index;
        cursor_ = centre;
        touch();
    }
}

void KernelLab::removePoint(int index) {
    if (index >= 0 && index < static_cast<int>(state_.points.size())) {
        remember(false);
        state_.points.erase(state_.points.begin() + index);
        selectedPoint_ = std::min(selectedPoint_, static_cast<int>(state_.points.size()) - 1);
        touch();
    }
}

void KernelLab::clearPoints() {
    if (!state_.points.empty()) {
        remember(false);
        state_.points.clear();
        selectedPoint_ = -1;
        touch();
    }
}

void KernelLab::selectPoint(int index) {
    const int clamped = std::clamp(index, -1, static_cast<int>(state_.points.size()) - 1);
    if (clamped >= 0) {
        cursor_ = state_.points[static_cast<std::size_t>(clamped)];
    }
    if (clamped != selectedPoint_) {
        selectedPoint_ = clamped;
        Q_EMIT edited();
    }
}

void KernelLab::setCursor(Vec3 at) {
    const VoxelIndex v = nearestVoxel(input_.lattice, at);
    const Vec3 centre = input_.lattice.centre(v[0], v[1], v[2]);
    if (!samePlace(centre, cursor_)) {
        cursor_ = centre;
        Q_EMIT edited();
    }
}

double KernelLab::radiusOf(Vec3 point) const {
    return std::abs(radialDistance(point, view().axes().r));
}

// ---- what is compared ----

void KernelLab::setOperand(int side, const LabOperand& operand) {
    if (!operand.preset.empty()) {
        static_cast<void>(KernelSpec::find(operand.preset));
    }
    if (operand.engine != "auto" && operand.engine != kDefinition) {
        static_cast<void>(engines_.find(operand.engine));
    }
    if (!(operand == operands_[side])) {
        operands_[side] = operand;
        touch();
    }
}

void KernelLab::setImage(std::shared_ptr<const Volume> image) {
    if (image != input_.image) {
        input_.image = std::move(image);
        touch();
    }
}

void KernelLab::measure() {
    measureWanted_ = true;
    coalescer_->touch();
    Q_EMIT edited();
}

// ---- settings by name ----

QStringList KernelLab::keys() {
    return {"kernel",   "tof",    "axial",  "cutoff",  "step", "ratio",  "shift", "weight", "family",
            "symmetry", "widths", "select", "azimuth", "tilt", "points", "a",     "b"};
}

void KernelLab::set(const QString& key, const QString& value) {
    if (key == "kernel") {
        usePreset(value.toStdString());
    } else if (key == "family") {
        const QStringList names{"invariant", "variant", "measured"};
        if (!names.contains(value)) {
            throw WrongUse("lab family='" + value.toStdString() + "': invariant, variant or measured");
        }
        setSpread(static_cast<Spread>(names.indexOf(value)));
    } else if (key == "symmetry") {
        if (value != "symmetric" && value != "asymmetric") {
            throw WrongUse("lab symmetry='" + value.toStdString() + "': symmetric or asymmetric");
        }
        setAsymmetric(value == "asymmetric");
    } else if (key == "widths") {
        KernelSpec kernel = state_.kernel;
        kernel.measured.clear();
        kernel.radial = RadialWidth{};
        kernel.radial.knots.clear();
        for (const QString& pair : value.split(';')) {
            const auto v = numbersOf(key, pair, ':');
            if (v.size() != 2) {
                throw WrongUse("lab widths='" + value.toStdString() +
                               "': |s|:FWHM pairs with ; between them");
            }
            kernel.radial.knots.emplace_back(v[0], v[1]);
        }
        setKernel(kernel);
    } else if (key == "select") {
        selectKnot(static_cast<int>(numberOf(key, value)) - 1);
    } else if (key == "azimuth") {
        setAzimuth(numberOf(key, value));
    } else if (key == "tilt") {
        setTilt(numberOf(key, value));
    } else if (key == "points") {
        std::vector<Vec3> points;
        for (const QString& triple : value.split(';', Qt::SkipEmptyParts)) {
            const auto v = numbersOf(key, triple, ',');
            if (v.size() != 3) {
                throw WrongUse("lab points='" + value.toStdString() + "': x,y,z triples with ; between them");
            }
            points.push_back({v[0], v[1], v[2]});
        }
        clearPoints();
        for (const Vec3& p : points) {
            addPoint(p);
        }
        selectPoint(0);
    } else if (key == "a" || key == "b") {
        setOperand(key == "a" ? 0 : 1, LabOperand::fromText(value));
    } else if (keys().contains(key)) {
        setNumber(key.toStdString(), numberOf(key, value));
    } else {
        throw WrongUse("no lab setting '" + key.toStdString() + "'; there are " +
                       keys().join(", ").toStdString());
    }
}

// ---- sessions ----

QJsonObject KernelLab::toJson() const {
    QJsonArray points;
    for (const Vec3& p : state_.points) {
        points.append(QJsonArray{p.x, p.y, p.z});
    }
    return {{"kernel", QString::fromStdString(state_.kernel.toJson())},
            {"origin", origin_},
            {"origin_kernel", QString::fromStdString(originKernel_.toJson())},
            {"azimuth_deg", state_.azimuth_deg},
            {"tilt_deg", state_.tilt_deg},
            {"points_mm", points},
            {"selected_width", selectedKnot_},
            {"selected_point", selectedPoint_},
            {"a", operands_[0].text()},
            {"b", operands_[1].text()}};
}

void KernelLab::fromJson(const QJsonObject& saved) {
    try {
        const KernelSpec kernel = KernelSpec::fromJson(saved["kernel"].toString().toStdString(), "session");
        const KernelSpec from =
            KernelSpec::fromJson(saved["origin_kernel"].toString().toStdString(), "session");
        startFrom(from, saved["origin"].toString(origin_));
        setKernel(kernel);
        setOperand(0, LabOperand::fromText(saved["a"].toString()));
        setOperand(1, LabOperand::fromText(saved["b"].toString()));
    } catch (const Error&) {
        // Of another version, or a preset that is gone: the rest may still be of use.
    }
    setAzimuth(saved["azimuth_deg"].toDouble(state_.azimuth_deg));
    setTilt(saved["tilt_deg"].toDouble(state_.tilt_deg));
    if (saved["points_mm"].isArray()) {
        clearPoints();
        for (const auto& value : saved["points_mm"].toArray()) {
            const QJsonArray p = value.toArray();
            if (p.size() == 3) {
                static_cast<void>(addPoint({p[0].toDouble(), p[1].toDouble(), p[2].toDouble()}));
            }
        }
    }
    selectKnot(saved["selected_width"].toInt(selectedKnot_));
    selectPoint(saved["selected_point"].toInt(selectedPoint_));
    undo_.clear();
    redo_.clear();
    Q_EMIT edited();
}

// ---- computing ----

bool KernelLab::busy() const {
    return active_ && (picturesRevision_ != revision_ || measureWanted_);
}

void KernelLab::giveUpWhenOld() {
    if (job_ != nullptr && worker_.busy() && job_->revision != revision_) {
        job_->abandoned = true;
    }
}

void KernelLab::pump() {
    if (!active_) {
        return;
    }
    if (worker_.busy()) {
        if (job_->revision != revision_ && !job_->abandoned) {
            const qint64 age = (clock_.nsecsElapsed() - job_->startedAt) / 1000000;
            patience_.start(static_cast<int>(std::max<qint64>(0, kPatience_ms - age)));
        }
        return;
    }
    if (job_ != nullptr && kernelRevision_ == job_->revision && picturesRevision_ < kernelRevision_ &&
        !job_->abandoned) {
        startPictures();  // also for a state that is no longer the newest: else a long drag shows none
    } else if (kernelRevision_ != revision_) {
        startKernel();
    } else if (measureWanted_) {
        startMeasuring();
    }
}

void KernelLab::startKernel() {
    job_ = std::make_shared<Job>();
    job_->revision = revision_;
    job_->changedAt = changePending_ ? changedAt_ : clock_.nsecsElapsed();
    changePending_ = false;
    job_->startedAt = clock_.nsecsElapsed();
    job_->state = state_;
    job_->input = input_;
    job_->input.points.clear();
    for (const Vec3& p : state_.points) {
        job_->input.points.push_back(nearestVoxel(input_.lattice, p));
    }
    job_->operands[0] = operands_[0];
    job_->operands[1] = operands_[1];
    const auto line = knots();
    job_->radius_mm = line[static_cast<std::size_t>(selectedKnot_)].first;
    ++jobsStarted_;
    worker_.start([job = job_] { job->computeKernel(); },
                  [this, job = job_](const std::exception_ptr& fault) {
                      kernelRevision_ = job->revision;
                      if (fault == nullptr) {
                          fault_.clear();
                          kernelShown_ = std::make_shared<const LabKernel>(job->kernel);
                          kernelLatency_ = static_cast<double>(clock_.nsecsElapsed() - job->changedAt) * 1e-6;
                      } else {
                          fault_ = sentence(fault);
                          picturesRevision_ = job->revision;  // nothing can be projected
                          picturesShown_.reset();
                      }
                      Q_EMIT computed();
                      pump();
                  });
}

void KernelLab::startPictures() {
    job_->startedAt = clock_.nsecsElapsed();
    worker_.start([job = job_, projections = projections_] { job->computePictures(*projections); },
                  [this, job = job_](const std::exception_ptr& fault) {
                      patience_.stop();
                      picturesRevision_ = job->revision;
                      if (fault == nullptr) {
                          picturesShown_ = std::make_shared<const LabPictures>(job->pictures);
                          picturesLatency_ =
                              static_cast<double>(clock_.nsecsElapsed() - job->changedAt) * 1e-6;
                      } else if (isCancelled(fault)) {
                          ++jobsAbandoned_;
                      } else {
                          fault_ = sentence(fault);
                          picturesShown_.reset();
                      }
                      Q_EMIT computed();
                      pump();
                  });
    if (worker_.busy()) {
        pump();  // starts the patience of a job that was out of date from the start
    }
}

void KernelLab::startMeasuring() {
    measuringNow_ = true;
    worker_.start([job = job_, projections = projections_,
                   &engines = engines_] { job->computeTimings(*projections, engines); },
                  [this, job = job_](const std::exception_ptr& fault) {
                      if (fault == nullptr) {
                          timings_ = std::make_shared<const LabTimings>(job->timings);
                          measureWanted_ = false;
                      } else if (!isCancelled(fault)) {
                          fault_ = sentence(fault);
                          measureWanted_ = false;
                      }
                      job->abandoned = false;
                      Q_EMIT computed();
                      pump();
                  });
}

}  // namespace tof::ui
