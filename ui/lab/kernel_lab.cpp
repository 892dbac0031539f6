// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/kernel_lab.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/error.h"
#include "recon/kernel/point_response.h"
#include "recon/systems/histo/histo_model.h"

namespace tof::ui {

namespace {

constexpr int kUndoSteps = 200;
constexpr double kMostTilt_deg = 60;

Vec3 nearestCentre(const Lattice& lattice, Vec3 at) {
    const VoxelIndex v = nearestVoxel(lattice, at);
    return lattice.centre(v[0], v[1], v[2]);
}

/// Point sources of the first look: spread over radius and height.
std::vector<Vec3> firstPoints(const Lattice& lattice) {
    const Vec3 shares[] = {{0.003, 0.003, 0.01},  {-0.108, 0.087, -0.12}, {0.08, -0.128, 0.09},
                           {-0.087, 0.219, 0.05}, {0.212, 0.1, -0.075},   {-0.19, -0.142, 0.135}};
    std::vector<Vec3> points;
    for (const Vec3& share : shares) {
        const Vec3 at{share.x * lattice.size[0] * lattice.spacing_mm[0],
                      share.y * lattice.size[1] * lattice.spacing_mm[1],
                      share.z * lattice.size[2] * lattice.spacing_mm[2]};
        points.push_back(nearestCentre(lattice, at));
    }
    return points;
}

bool samePlace(Vec3 a, Vec3 b) {
    return norm(a - b) < 1e-6;
}

// ---- the line of width against radius, which the lab edits point by point ----

constexpr double kLeastGap_mm = 1;  ///< between two points
constexpr double kLeastWidth_mm = 0.5;
constexpr double kMostWidth_mm = 200;
constexpr int kFormulaKnots = 5;

double usable(double fwhm_mm) {
    return std::clamp(fwhm_mm, kLeastWidth_mm, kMostWidth_mm);
}

/// The points of the kernel's line: its own, those of measured profiles, or points that stand for a formula
/// up to `farthest_mm` and replace it as soon as one of them is moved.
WidthLine widthLineOf(const KernelSpec& kernel, double farthest_mm) {
    WidthLine widths;
    if (!kernel.measured.empty()) {
        for (const MeasuredProfile& profile : kernel.measured) {
            widths.emplace_back(profile.s_mm, measuredFwhm(profile).value);
        }
        return widths;
    }
    if (const WidthKnots* const knots = kernel.radial.knots()) {
        return *knots;
    }
    const RadialWidth& radial = kernel.radial;
    if (radial.invariant()) {
        return {{0.0, radial.at(0)}};
    }
    const double end = std::ceil(farthest_mm);
    const int count = std::get<WidthFormula>(radial.form).quadratic_mm == 0 ? 2 : kFormulaKnots;
    for (int i = 0; i < count; ++i) {
        const double s = end * i / (count - 1);
        widths.emplace_back(s, radial.at(s));
    }
    return widths;
}

/// The kernel with this line for its width.
KernelSpec withWidthLine(KernelSpec kernel, WidthLine line) {
    kernel.radial.form = std::move(line);
    return kernel;
}

/// The line with a point moved: between its neighbours, the first one stays at |s| = 0, the last one within
/// `farthest_mm`.
WidthLine withKnotMoved(WidthLine line, std::size_t i, double s_mm, double fwhm_mm, double farthest_mm) {
    const double low = i == 0 ? 0 : line[i - 1].first + kLeastGap_mm;
    const double high = i == 0                ? 0
                        : i + 1 < line.size() ? line[i + 1].first - kLeastGap_mm
                                              : std::max(line[i].first, std::ceil(farthest_mm));
    line[i] = {std::clamp(s_mm, low, std::max(low, high)), usable(fwhm_mm)};
    return line;
}

/// The line with a point more, and where that is; nothing where one is there already, or at |s| <= 0.
std::optional<std::pair<WidthLine, int>> withKnotAdded(WidthLine line, double s_mm, double fwhm_mm) {
    const bool taken = std::any_of(line.begin(), line.end(),
                                   [&](const auto& k) { return std::abs(k.first - s_mm) < kLeastGap_mm; });
    if (taken || !(s_mm > 0)) {
        return std::nullopt;
    }
    const auto at = std::find_if(line.begin(), line.end(), [&](const auto& k) { return k.first > s_mm; });
    const auto index = static_cast<int>(at - line.begin());
    line.insert(at, {s_mm, usable(fwhm_mm)});
    return std::pair(std::move(line), index);
}

}  // namespace

KernelLab::KernelLab(const EngineRegistry& engines, Threading threading, QObject* parent)
    : QObject(parent),
      engines_(engines),
      runner_(engines, threading, {[this](LabJob& job) { describe(job); }, [this] { return dragging_; }}) {
    state_.kernel = originKernel_ = KernelSpec::preset("variant1");
    state_.kernel.name.clear();
    originKernel_.name.clear();
    origin_ = "variant1";
    operands_[1].kind = ProjectionKind::Back;
    input_.lattice = Lattice::centred({144, 144, 48}, {4.0, 4.0, 4.0});
    state_.points = firstPoints(input_.lattice);
    selectPoint(0);
    undo_.setUndoLimit(kUndoSteps);
    connect(&runner_, &LabRunner::computed, this, &KernelLab::computed);
}

KernelLab::~KernelLab() = default;

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
    touch();
}

void KernelLab::describe(LabJob& job) const {
    job.state = state_;
    job.input = input_;
    job.input.points.clear();
    for (const Vec3& p : state_.points) {
        job.input.points.push_back(nearestVoxel(input_.lattice, p));
    }
    job.operands[0] = operands_[0];
    job.operands[1] = operands_[1];
    job.library = library_;
    job.radius_mm = knots()[static_cast<std::size_t>(selectedKnot_)].first;
}

// ---- undo ----

/// A step holds the state on its other side: undone it is what comes after, done what was before.
class KernelLab::Step : public QUndoCommand {
  public:
    explicit Step(KernelLab& lab) : lab_(lab), other_(lab.state_) {}
    void undo() override { lab_.swapState(other_); }
    void redo() override {
        if (pushed_) {
            lab_.swapState(other_);
        }
        pushed_ = true;  // what is pushed is being done already
    }

  private:
    KernelLab& lab_;
    LabState other_;
    bool pushed_ = false;
};

void KernelLab::change(double& setting, double value, Edit edit) {
    if (value != setting) {
        remember(edit);
        setting = value;
        touch();
    }
}

void KernelLab::remember(Edit edit) {
    if (edit == Edit::Whole || !dragging_) {
        undo_.push(new Step(*this));
    }
    dragging_ = edit == Edit::Dragging;
}

void KernelLab::swapState(LabState& other) {
    std::swap(state_, other);
    dragging_ = false;
    selectedKnot_ = std::clamp(selectedKnot_, 0, static_cast<int>(knots().size()) - 1);
    selectedPoint_ = std::min(selectedPoint_, static_cast<int>(state_.points.size()) - 1);
    touch();
}

// ---- the kernel ----

void KernelLab::setKernel(KernelSpec kernel, Edit edit) {
    kernel.name.clear();
    kernel.validate();
    if (kernel == state_.kernel) {
        return;
    }
    remember(edit);
    if (!kernel.measured.empty()) {
        measured_ = kernel.measured;
    }
    state_.kernel = std::move(kernel);
    selectedKnot_ = std::clamp(selectedKnot_, 0, static_cast<int>(knots().size()) - 1);
    touch();
}

void KernelLab::usePreset(const std::string& nameOrFile) {
    KernelSpec kernel = library_.find(nameOrFile);
    kernel.name.clear();
    variant_.clear();
    setKernel(kernel);
    originKernel_ = kernel;
    origin_ = QString::fromStdString(nameOrFile).section('/', -1);
    Q_EMIT edited();
}

void KernelLab::setLibrary(const KernelLibrary& library) {
    library_ = library;
    readPresets();
    Q_EMIT edited();
}

const std::vector<std::string>& KernelLab::readPresets() {
    presets_ = KernelSpec::presetNames();
    for (const std::string& own : library_.ownNames()) {
        presets_.push_back(kPresetPrefix + own);
    }
    return presets_;
}

void KernelLab::setSurfacePercent(double percent) {
    const double clamped = std::clamp(percent, 1.0, 99.0);
    if (clamped != surfacePercent_) {
        surfacePercent_ = clamped;
        Q_EMIT edited();
    }
}

void KernelLab::startFrom(KernelSpec kernel, const QString& name) {
    setKernel(kernel);
    kernel.name.clear();
    originKernel_ = kernel;
    origin_ = name;
    undo_.clear();
    Q_EMIT edited();
}

void KernelLab::setSpread(Spread spread) {
    if (spread == this->spread()) {
        return;
    }
    KernelSpec kernel = state_.kernel;
    if (spread == Spread::Measured) {
        if (measured_.empty()) {
            throw WrongUse(
                tr("no measured kernel was loaded: load a JSON file with measured profiles").toStdString());
        }
        kernel.measured = measured_;
        setKernel(kernel);
        return;
    }
    kernel.measured.clear();
    if (spread == Spread::Invariant) {
        variant_ = knots();
        const double width = kernel.radial.at(0);
        kernel = withWidthLine(kernel, {{0.0, width}});
    } else if (kernel.radial.invariant()) {
        const double width = kernel.radial.at(0);
        kernel = withWidthLine(kernel,
                               variant_.size() > 1 ? variant_ : WidthLine{{0.0, width}, {288.0, 2 * width}});
    }
    setKernel(kernel);
}

// ---- widths ----

WidthLine KernelLab::knots() const {
    return widthLineOf(state_.kernel, largestRadius());
}

double KernelLab::largestRadius() const {
    return std::hypot(input_.lattice.origin_mm.x, input_.lattice.origin_mm.y);
}

void KernelLab::moveKnot(int index, double s_mm, double fwhm_mm, Edit edit) {
    const WidthLine line = knots();
    if (spread() == Spread::Measured || index < 0 || index >= static_cast<int>(line.size())) {
        return;
    }
    selectedKnot_ = index;
    setKernel(withWidthLine(state_.kernel, withKnotMoved(line, static_cast<std::size_t>(index), s_mm, fwhm_mm,
                                                         largestRadius())),
              edit);
}

int KernelLab::addKnot(double s_mm, double fwhm_mm) {
    const auto added = withKnotAdded(knots(), s_mm, fwhm_mm);
    if (spread() == Spread::Measured || !added) {
        return -1;
    }
    setKernel(withWidthLine(state_.kernel, added->first));
    selectKnot(added->second);
    return added->second;
}

void KernelLab::removeKnot(int index, Edit edit) {
    WidthLine line = knots();
    if (spread() == Spread::Measured || index < 1 || index >= static_cast<int>(line.size())) {
        return;  // the width at the centre stays
    }
    line.erase(line.begin() + index);
    setKernel(withWidthLine(state_.kernel, line), edit);
}

void KernelLab::selectKnot(int index) {
    const int last = static_cast<int>(knots().size()) - 1;
    if (std::clamp(index, 0, last) != selectedKnot_) {
        selectedKnot_ = std::clamp(index, 0, last);
        touch();  // the kernel's picture is that of the selected radius
    }
}

// ---- view and points ----

void KernelLab::setAzimuth(double degrees, Edit edit) {
    double wrapped = std::fmod(degrees, 180.0);
    wrapped += wrapped < 0 ? 180.0 : 0.0;
    change(state_.azimuth_deg, wrapped, edit);
}

void KernelLab::setTilt(double degrees, Edit edit) {
    change(state_.tilt_deg, std::clamp(degrees, -kMostTilt_deg, kMostTilt_deg), edit);
}

int KernelLab::addPoint(Vec3 at) {
    const Vec3 centre = nearestCentre(input_.lattice, at);
    const auto there = std::find_if(state_.points.begin(), state_.points.end(),
                                    [&](Vec3 p) { return samePlace(p, centre); });
    if (there != state_.points.end()) {
        selectPoint(static_cast<int>(there - state_.points.begin()));
        return selectedPoint_;
    }
    remember(Edit::Whole);
    state_.points.push_back(centre);
    cursor_ = centre;
    selectedPoint_ = static_cast<int>(state_.points.size()) - 1;
    touch();
    return selectedPoint_;
}

void KernelLab::movePoint(int index, Vec3 to, Edit edit) {
    if (index < 0 || index >= static_cast<int>(state_.points.size())) {
        return;
    }
    const Vec3 centre = nearestCentre(input_.lattice, to);
    if (!samePlace(centre, state_.points[static_cast<std::size_t>(index)])) {
        remember(edit);
        state_.points[static_cast<std::size_t>(index)] = centre;
        selectedPoint_ = index;
        cursor_ = centre;
        touch();
    }
}

void KernelLab::removePoint(int index) {
    if (index >= 0 && index < static_cast<int>(state_.points.size())) {
        remember(Edit::Whole);
        state_.points.erase(state_.points.begin() + index);
        selectedPoint_ = std::min(selectedPoint_, static_cast<int>(state_.points.size()) - 1);
        touch();
    }
}

void KernelLab::clearPoints() {
    if (!state_.points.empty()) {
        remember(Edit::Whole);
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
    const Vec3 centre = nearestCentre(input_.lattice, at);
    if (!samePlace(centre, cursor_)) {
        cursor_ = centre;
        Q_EMIT edited();
    }
}

// ---- what is compared ----

void KernelLab::forEachStrategy(
    const std::function<void(const std::string&, const std::string&, const std::string&)>& tell) const {
    for (const std::string& name : engines_.names()) {
        const auto found = engines_.find(name);
        if (const auto* unsupported = std::get_if<Unsupported>(&found)) {
            tell(name, "", unsupported->why);
            continue;
        }
        const auto& engine = std::get<std::shared_ptr<const Engine>>(found);
        for (const std::string& strategy : engine->strategyNames(DirectModel::kSystem)) {
            tell(name, strategy, "");
        }
    }
}

void KernelLab::setOperand(int side, const LabOperand& operand) {
    if (!operand.preset.empty()) {
        static_cast<void>(library_.find(operand.preset));
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

}  // namespace tof::ui
