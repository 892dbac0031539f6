// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lab_job.h"

#include <QStringList>
#include <algorithm>

#include "recon/base/error.h"
#include "ui/kit/text.h"
#include "viz/slab.h"
#include "viz/slice_view.h"

namespace tof::ui {

namespace {

constexpr int kTimedRuns = 5;

}  // namespace

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
    if (parts[0] != "forward" && parts[0] != "back") {
        throw WrongUse("'" + text.toStdString() +
                       "': forward or back, then :ENGINE:STRATEGY:KERNEL as far as wanted");
    }
    LabOperand operand;
    operand.kind = parts[0] == "forward" ? ProjectionKind::Forward : ProjectionKind::Back;
    if (parts.size() > 1 && !parts[1].isEmpty()) {
        operand.engine = parts[1].toStdString();
    }
    operand.strategy = parts.value(2).toStdString();
    operand.preset = parts.mid(3).join(':').toStdString();
    return operand;
}

void LabJob::checkpoint() const {
    if (abandoned) {
        throw Cancelled();
    }
}

void LabJob::computeKernel() {
    checkpoint();
    auto outline = std::make_shared<const KernelOutline>(state.kernel, input.lattice, state.view());
    kernel.view = state.view();
    kernel.row = std::min(radialId(radius_mm, state.kernel.id_step_mm), outline->radialIds() - 1);
    kernel.s_mm = (kernel.row + 0.5) * state.kernel.id_step_mm;
    const std::vector<float> values = outline->row(kernel.row);
    const auto& spacing = input.lattice.spacing_mm;
    kernel.values = std::make_shared<const Volume>(kernelVolume(outline->taps(), values, spacing));
    kernel.moments = kernelMoments(outline->taps(), values, spacing, state.view());
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
        if (before == nullptr || before->sides[side].whyNot.empty()) {
            ways[side].kernel = o.preset.empty() ? kernel.outline
                                                 : std::make_shared<const KernelOutline>(
                                                       library.find(o.preset), input.lattice, state.view());
        }
    }
    const auto made = quickComparison(ways, input, [this] { checkpoint(); });
    if (!made) {
        return false;
    }
    show(*made);
    for (std::size_t side = 0; before != nullptr && side < 2; ++side) {
        auto volume = std::move(pictures.sides[side].volume);
        pictures.sides[side] = before->sides[side];
        pictures.sides[side].volume = std::move(volume);
    }
    pictures.preview = true;
    previewed = true;
    return true;
}

void LabJob::computePictures(ViewProjections& projections) {
    const auto way = [this](const LabOperand& o) {
        return Projecting{o.kind, o.engine, o.strategy,
                          o.preset.empty() ? state.kernel : library.find(o.preset)};
    };
    auto made = compareProjections(projections, {way(operands[0]), way(operands[1])}, input, state.view(),
                                   [this] { checkpoint(); });
    checkpoint();
    show(std::move(made));
}

void LabJob::show(ProjectionComparison made) {
    pictures = {std::move(made), {}, false};
    const std::shared_ptr<const Volume> columns[] = {pictures.sides[0].volume, pictures.sides[1].volume,
                                                     pictures.difference};
    for (std::size_t column = 0; column < 3; ++column) {
        for (std::size_t plane = 0; columns[column] != nullptr && plane < 3; ++plane) {
            const int axis = viz::planeAxes(static_cast<Plane>(plane), viz::Orientation::Radiological).normal;
            const viz::LayerRange all{0, input.lattice.size[static_cast<std::size_t>(axis)] - 1};
            pictures.mip[column][plane] =
                viz::slabOf(*columns[column], viz::Turn(), axis, all,
                            column == 2 ? viz::SlabMode::Strongest : viz::SlabMode::Largest);
        }
    }
}

void LabJob::computeTimings(ViewProjections& projections, const EngineRegistry& engines) {
    const auto still = [this] { checkpoint(); };
    timings.rows = projections.timeAll(state.kernel, input, state.view(), kTimedRuns, still);
    const LabOperand& a = operands[0];
    const std::string engine = a.engine == kDefinition ? "auto" : a.engine;
    const auto error = projections.adjointError(
        {ProjectionKind::Forward, engine, a.engine == kDefinition ? "" : a.strategy, state.kernel},
        input.lattice, state.view(), 1, still);
    if (const auto* value = std::get_if<double>(&error)) {
        timings.adjointError = *value;
        timings.device = QString::fromStdString(engines.choose(engine)->device().name);
    }
}

}  // namespace tof::ui
