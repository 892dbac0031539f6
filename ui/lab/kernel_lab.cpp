// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/kernel_lab.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/kernel/kernel_edit.h"

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

void KernelLab::touch() {
    runner_.touch();
    Q_EMIT edited();
}

void KernelLab::endEdit() {
    dragging_ = false;
    runner_.settle();
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
    Q_EMIT edited();
}

void KernelLab::setOrigin(const QString& preset) {
    origin_ = preset;
    originKernel_ = state_.kernel;
    Q_EMIT edited();
}

QString KernelLab::originName() const {
    return origin_.startsWith(kPresetPrefix) ? origin_.section(':', 1) : origin_;
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

bool KernelLab::changedSinceOrigin() const {
    return originKernel_ != state_.kernel;
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

void KernelLab::setAsymmetric(bool on) {
    KernelSpec kernel = state_.kernel;
    setKernelSymmetry(kernel, on ? "asymmetric" : "symmetric");
    setKernel(kernel);
}

void KernelLab::setAveraged(bool on) {
    KernelSpec kernel = state_.kernel;
    setKernelSampling(kernel, on ? "voxel" : "centre");
    setKernel(kernel);
}

// ---- widths ----

double KernelLab::largestRadius() const {
    const Lattice& l = input_.lattice;
    const double x = std::abs(l.origin_mm.x);
    const double y = std::abs(l.origin_mm.y);
    return std::hypot(x, y);
}

WidthLine KernelLab::knots() const {
    return widthLineOf(state_.kernel, largestRadius());
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

void KernelLab::setNumber(const std::string& key, double value, Edit edit) {
    KernelSpec kernel = state_.kernel;
    setKernelNumber(kernel, key, value);
    setKernel(kernel, edit);
}

double KernelLab::number(const std::string& key) const {
    return kernelNumber(state_.kernel, key);
}

// ---- view and points ----

void KernelLab::setAzimuth(double degrees, Edit edit) {
    double wrapped = std::fmod(degrees, 180.0);
    wrapped += wrapped < 0 ? 180.0 : 0.0;
    if (wrapped != state_.azimuth_deg) {
        remember(edit);
        state_.azimuth_deg = wrapped;
        touch();
    }
}

void KernelLab::setTilt(double degrees, Edit edit) {
    const double clamped = std::clamp(degrees, -kMostTilt_deg, kMostTilt_deg);
    if (clamped != state_.tilt_deg) {
        remember(edit);
        state_.tilt_deg = clamped;
        touch();
    }
}

View KernelLab::view() const {
    return {state_.azimuth_deg * kRadPerDeg, state_.tilt_deg * kRadPerDeg};
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

double KernelLab::radiusOf(Vec3 point) const {
    return std::abs(radialDistance(point, view().axes().r));
}

// ---- what is compared ----

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

void KernelLab::measure() {
    runner_.measure();
    Q_EMIT edited();
}

}  // namespace tof::ui
