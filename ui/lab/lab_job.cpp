// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lab_job.h"

#include <algorithm>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "ui/kit/text.h"
#include "viz/slab.h"
#include "viz/slice_view.h"

namespace tof::ui {

namespace {

constexpr int kTimedRuns = 5;

}  // namespace

void LabJob::checkpoint() const {
    if (abandoned) {
        throw Cancelled();
    }
}

View LabJob::view() const {
    return {state.azimuth_deg * kRadPerDeg, state.tilt_deg * kRadPerDeg};
}

void LabJob::computeKernel() {
    checkpoint();
    auto outline = std::make_shared<const KernelOutline>(state.kernel, input.lattice, view());
    kernel.view = view();
    kernel.row = std::min(radialId(radius_mm, state.kernel.id_step_mm), outline->radialIds() - 1);
    kernel.s_mm = (kernel.row + 0.5) * state.kernel.id_step_mm;
    const std::vector<float> values = outline->row(kernel.row);
    const auto& spacing = input.lattice.spacing_mm;
    kernel.values = std::make_shared<const Volume>(kernelVolume(outline->taps(), values, spacing));
    kernel.moments = kernelMoments(outline->taps(), values, spacing, view());
    auto ids = std::make_shared<Volume>(kernelIdMap(outline->ids(), input.lattice));
    ids->units = Text::tr("kernel id").toStdString();
    kernel.ids = ids;
    kernel.outline = std::move(outline);
}

bool LabJob::computePreview() {
    std::array<QuickProjecting, 2> ways;
    for (std::size_t side = 0; side < 2; ++side) {
        const LabOperand& o = operands[side];
        ways[side].kind = o.kind;
        if (before == nullptr || before->whyNot[side].isEmpty()) {
            ways[side].kernel = o.preset.empty() ? kernel.outline
                                                 : std::make_shared<const KernelOutline>(
                                                       library.find(o.preset), input.lattice, view());
        }
    }
    const auto made = quickComparison(ways, input, [this] { checkpoint(); });
    if (!made) {
        return false;
    }
    take(*made);
    for (std::size_t side = 0; before != nullptr && side < 2; ++side) {
        pictures.where[side] = before->where[side];
        pictures.note[side] = before->note[side];
        pictures.whyNot[side] = before->whyNot[side];
        pictures.prepare_ms[side] = before->prepare_ms[side];
        pictures.project_ms[side] = before->project_ms[side];
    }
    pictures.preview = true;
    projectMips();
    previewed = true;
    return true;
}

void LabJob::computePictures(ViewProjections& projections) {
    const auto way = [this](const LabOperand& o) {
        return Projecting{o.kind, o.engine, o.strategy,
                          o.preset.empty() ? state.kernel : library.find(o.preset)};
    };
    take(compareProjections(projections, {way(operands[0]), way(operands[1])}, input, view(),
                            [this] { checkpoint(); }));
    checkpoint();
    projectMips();
}

void LabJob::take(const ProjectionComparison& made) {
    pictures = {};
    for (std::size_t side = 0; side < 2; ++side) {
        const ComparedProjection& from = made.sides[side];
        pictures.volume[side] = from.volume;
        pictures.where[side] = QString::fromStdString(from.where);
        pictures.note[side] = QString::fromStdString(from.note);
        pictures.whyNot[side] = QString::fromStdString(from.whyNot);
        pictures.prepare_ms[side] = from.prepare_ms;
        pictures.project_ms[side] = from.project_ms;
    }
    pictures.difference = made.difference;
    pictures.figures = made.figures;
    pictures.peak = made.peak;
}

void LabJob::projectMips() {
    const std::shared_ptr<const Volume> columns[] = {pictures.volume[0], pictures.volume[1],
                                                     pictures.difference};
    for (std::size_t column = 0; column < 3; ++column) {
        for (std::size_t plane = 0; columns[column] != nullptr && plane < 3; ++plane) {
            const int axis = viz::planeAxes(static_cast<Plane>(plane), viz::Orientation::Radiological).normal;
            const viz::LayerRange all{0, input.lattice.size[static_cast<std::size_t>(axis)] - 1};
            pictures.mip[column][plane] = viz::slabOf(
                *columns[column], axis, all, column == 2 ? viz::SlabMode::Strongest : viz::SlabMode::Largest);
        }
    }
}

void LabJob::computeTimings(ViewProjections& projections, const EngineRegistry& engines) {
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

}  // namespace tof::ui
