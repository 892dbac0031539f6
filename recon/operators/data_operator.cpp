// SPDX-License-Identifier: Apache-2.0
#include "recon/operators/data_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"

namespace tof {

DataOperator::DataOperator(std::shared_ptr<const Measurement> data, RunSettings settings,
                           const EngineRegistry& engines, std::function<void()> watch)
    : data_(std::move(data)), settings_(std::move(settings)), watch_(std::move(watch)) {
    settings_.keepKernel(data_->system());
    options_ = settings_.engineOptions();
    engine_ = data_->modelsAtOnce() ? engines.choose(settings_.engine, data_->model(settings_), options_)
                                    : engines.choose(settings_.engine);
    data_->prepare(settings_, {*engine_, options_, [this](const std::string&, double) { watch_(); }});
    const SystemModel model = data_->model(settings_);
    placed_.space = engine_->makeSpace(options_);
    placed_.bytesFree = placed_.space->bytesFree();
    EngineOptions heeding = options_;
    heeding.heed = watch_;
    projector_ = requireProjector(*engine_, model, placed_.space, heeding);
    watch_();
    std::size_t largest = 0;
    for (std::size_t part = 0; part < parts(); ++part) {
        largest = std::max(largest, dataSize(part));
    }
    scratch_ = space().allocate(largest);
    attenuated_ = space().allocate(projector_->attenuates() ? imageSize() : 0);
    // Left for images and data of the caller: three images and all data.
    const std::size_t reserve = sizeof(float) * (3 * imageSize() + largest * parts());
    source_ = data_->source(settings_, {*engine_, options_, placed_, reserve, nullptr});
    order_ = data_->order(settings_.seed);
}

std::string DataOperator::engine() const {
    return fmt::format("{}, {}", engine_->name(), engine_->device().name);
}

std::size_t DataOperator::dataSize(std::span<const std::size_t> parts) const {
    return std::accumulate(parts.begin(), parts.end(), std::size_t{0}, [this](std::size_t sum, auto part) {
        if (part >= this->parts()) {
            throw WrongUse("part {} is none of the {} parts of these data; the first is 0", part,
                           this->parts());
        }
        return sum + dataSize(part);
    });
}

void DataOperator::requireImage(ConstView x) const {
    if (x.size != imageSize()) {
        throw WrongUse("an image of these data has {} voxels, not {}", imageSize(), x.size);
    }
}

void DataOperator::requireData(std::span<const std::size_t> parts, ConstView p) const {
    const std::size_t size = dataSize(parts);
    if (p.size != size) {
        throw WrongUse("these {} parts of the data have {} values, not {}", parts.size(), size, p.size);
    }
}

ConstView DataOperator::seen(const PartData& part, ConstView x) {
    if (part.att.empty()) {
        return x;
    }
    space().multiply(part.att, x, attenuated_.view());
    return attenuated_.view();
}

template <typename Visit>
void DataOperator::forEach(std::span<const std::size_t> parts, Factors factors, const Visit& visit) {
    const Heeding heeding(space(), watch_);
    std::size_t first = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        watch_();
        // Without factors nothing is asked of the source, which may have to stream it.
        visit(parts[i], factors == Factors::Applied ? source_->part(parts[i]) : PartData(), first);
        if (factors == Factors::Applied && i + 1 < parts.size() && source_->streamed(parts[i + 1])) {
            source_->prefetch(parts[i + 1]);
        }
        first += dataSize(parts[i]);
    }
}

void DataOperator::forward(std::span<const std::size_t> parts, ConstView x, MutableView p, Factors factors) {
    requireImage(x);
    requireData(parts, p);
    forEach(parts, factors, [&](std::size_t index, const PartData& part, std::size_t first) {
        const MutableView own = p.part(first, dataSize(index));
        projector_->forward(index, seen(part, x), own);
        if (!part.mult.empty()) {
            space().multiply(part.mult, own, own);
        }
    });
}

void DataOperator::back(std::span<const std::size_t> parts, ConstView p, MutableView x, Factors factors) {
    requireImage(x);
    requireData(parts, p);
    if (parts.empty()) {
        space().fill(x, 0.0F);
    }
    forEach(parts, factors, [&](std::size_t index, const PartData& part, std::size_t first) {
        ConstView from = p.part(first, dataSize(index));
        if (!part.mult.empty()) {
            const MutableView weighted = scratch_.view().part(0, dataSize(index));
            space().multiply(part.mult, from, weighted);
            from = weighted;
        }
        projector_->backAttenuated(index, part.att, from, x, first == 0 ? Write::Overwrite : Write::Add);
    });
}

void DataOperator::counts(std::span<const std::size_t> parts, MutableView y) {
    requireData(parts, y);
    forEach(parts, Factors::Applied, [&](std::size_t index, const PartData& part, std::size_t first) {
        space().copy(part.y, y.part(first, dataSize(index)));
    });
}

void DataOperator::background(std::span<const std::size_t> parts, MutableView add) {
    requireData(parts, add);
    forEach(parts, Factors::Applied, [&](std::size_t index, const PartData& part, std::size_t first) {
        const MutableView own = add.part(first, dataSize(index));
        if (part.add.empty()) {
            space().fill(own, 0.0F);
        } else {
            space().copy(part.add, own);
        }
    });
}

void DataOperator::sensitivity(std::span<const std::size_t> parts, MutableView s) {
    requireImage(s);
    static_cast<void>(dataSize(parts));
    if (const ConstView known = source_->knownSensitivity(parts); !known.empty()) {
        space().copy(known, s);
        return;
    }
    if (parts.empty()) {
        space().fill(s, 0.0F);
        return;
    }
    watch_();
    const Heeding heeding(space(), watch_);
    backMult(*projector_, *source_, parts, scratch_.view(), {}, s);
}

void DataOperator::gradient(std::span<const std::size_t> parts, ConstView x, MutableView out) {
    requireImage(x);
    requireImage(out);
    static_cast<void>(dataSize(parts));
    const Discrepancy kind = listMode() ? Discrepancy::Ratio : Discrepancy::RatioMinusOne;
    space().fill(out, 0.0F);
    forEach(parts, Factors::Applied, [&](std::size_t index, const PartData& part, std::size_t) {
        projector_->backDiscrepancy(index, part, kind, seen(part, x), scratch_.view(), out, Write::Add);
    });
    space().stageEnd();
    if (listMode()) {
        Array s = space().allocate(imageSize());
        sensitivity(parts, s.view());
        space().addScaled(s.view(), -1.0F, out);
    }
}

double DataOperator::logLikelihood(std::span<const std::size_t> parts, ConstView x) {
    requireImage(x);
    static_cast<void>(dataSize(parts));
    double value = 0;
    forEach(parts, Factors::Applied, [&](std::size_t index, const PartData& part, std::size_t) {
        const MutableView p = scratch_.view().part(0, dataSize(index));
        projector_->forward(index, seen(part, x), p);
        value += projector_->logLikelihood(
            part, p, listMode() ? Projector::Expected::LeftOut : Projector::Expected::Subtracted);
    });
    if (listMode()) {
        Array expected = space().allocate(imageSize());
        sensitivity(parts, expected.view());
        space().multiply(expected.view(), x, expected.view());
        value -= space().sum(expected.view());
    }
    return value;
}

void DataOperator::start(MutableView x) {
    requireImage(x);
    const DataScale& known = scale();
    space().fillSeen(known.sensitivity, known.floor, static_cast<float>(known.unit), x);
}

const DataScale& DataOperator::scale() {
    if (sensitivity_.size() == 0) {
        sensitivity_ = space().allocate(imageSize());
        sensitivity(order_, sensitivity_.view());
        Array seen = space().allocate(imageSize());
        scale_ = dataScale(*projector_, *source_, sensitivity_.view(), seen.view());
    }
    return scale_;
}

UpdateContext DataOperator::context(const AlgorithmSettings& settings) {
    return {*projector_, *source_, space(), data_->lattice(), settings, 1, {}};
}

DataPrior::DataPrior(DataOperator& data, const AlgorithmSettings& settings)
    : data_(data),
      settings_(settings),
      penalised_((requireUsable(settings_), data.context(settings_))),
      scratch_(data.space().allocate(data.imageSize())) {
    penalised_.prepare(data.scale());
}

double DataPrior::value(ConstView x) {
    requireObjective();
    data_.requireImage(x);
    return penalised_.value(x, scratch_.view());
}

void DataPrior::gradient(ConstView x, MutableView out) {
    data_.requireImage(x);
    penalised_.add(PenaltyPart::Gradient, x, 1, out, Write::Overwrite);
}

void DataPrior::requireObjective() const {
    if (settings_.prior->kind == PriorKind::OneStepLate) {
        throw WrongUse("prior '{}' has a gradient alone: it is that of no function", settings_.prior->name);
    }
}

void DataPrior::curvature(ConstView x, MutableView out) {
    requireObjective();
    data_.requireImage(x);
    penalised_.add(PenaltyPart::Curvature, x, 1, out, Write::Overwrite);
}

void DataPrior::product(ConstView x, ConstView vector, MutableView out) {
    requireObjective();
    data_.requireImage(x);
    data_.requireImage(vector);
    penalised_.add(PenaltyPart::Product, x, 1, out, Write::Overwrite, vector);
}

}  // namespace tof
