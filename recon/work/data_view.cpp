// SPDX-License-Identifier: Apache-2.0
#include "recon/work/data_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::pair<DataQuantity, const char*> kNames[] = {
    {DataQuantity::Counts, "counts"},     {DataQuantity::Expected, "expected"},
    {DataQuantity::Residual, "residual"}, {DataQuantity::Weighted, "weighted"},
    {DataQuantity::Mult, "mult"},         {DataQuantity::Add, "add"}};

const float* viewOf(const HistoData& data, std::size_t view, const std::vector<float>& array) {
    if (view >= data.views.size()) {
        throw WrongUse(fmt::format("view {}: the data have {} views", view, data.views.size()));
    }
    return array.empty() ? nullptr : array.data() + view * data.voxels();
}

double percentile999(const std::vector<float>& values) {
    if (values.empty()) {
        return 0;
    }
    std::vector<float> sizes(values.size());
    std::transform(values.begin(), values.end(), sizes.begin(), [](float v) { return std::abs(v); });
    const auto at =
        sizes.begin() + static_cast<std::ptrdiff_t>(0.999 * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), at, sizes.end());
    return static_cast<double>(*at);
}

}  // namespace

std::string quantityName(DataQuantity quantity) {
    const auto* const found = std::find_if(std::begin(kNames), std::end(kNames),
                                           [&](const auto& entry) { return entry.first == quantity; });
    return found->second;
}

DataQuantity quantityFromName(const std::string& name) {
    for (const auto& [quantity, text] : kNames) {
        if (name == text) {
            return quantity;
        }
    }
    throw WrongUse(fmt::format(
        "no data quantity '{}'; there are counts, expected, residual, weighted, mult and add", name));
}

bool needsExpectation(DataQuantity quantity) {
    return quantity == DataQuantity::Expected || quantity == DataQuantity::Residual ||
           quantity == DataQuantity::Weighted;
}

Volume dataView(const HistoData& data, std::size_t view, DataQuantity quantity) {
    if (needsExpectation(quantity)) {
        throw WrongUse(quantityName(quantity) + " needs an image to compare the data with");
    }
    const std::vector<float>& array = quantity == DataQuantity::Counts ? data.counts
                                      : quantity == DataQuantity::Mult ? data.mult
                                                                       : data.add;
    const float* const values = viewOf(data, view, array);
    Volume volume;
    volume.lattice = data.lattice;
    volume.units = quantity == DataQuantity::Counts ? "events/voxel"
                   : quantity == DataQuantity::Mult ? "probability"
                                                    : "counts/voxel";
    if (values != nullptr) {
        volume.data.assign(values, values + data.voxels());
    } else {
        volume.data.assign(data.voxels(), quantity == DataQuantity::Mult ? 1.0F : 0.0F);
    }
    return volume;
}

Volume expectedView(const HistoData& data, std::size_t view, const Volume& image, const RunSettings& settings,
                    const EngineRegistry& engines) {
    if (!(image.lattice == data.lattice)) {
        throw WrongUse(
            fmt::format("the image is {} and the data are {}: only an image on the data's lattice "
                        "can be compared with them",
                        image.lattice.text(), data.lattice.text()));
    }
    const float* const mult = viewOf(data, view, data.mult);
    const float* const add = viewOf(data, view, data.add);
    const std::shared_ptr<const Engine> engine = engines.choose(settings.engine);
    EngineOptions options = settings.engineOptions();
    options.background = true;
    options.measurePlans = false;  // one projection is not worth the search
    const std::shared_ptr<Space> space = engine->makeSpace(options);
    const auto projector = requireProjector(
        *engine, DirectModel{data.lattice, {data.views[view]}, settings.kernel()}, space, options);
    Array x = space->allocate(data.voxels());
    Array p = space->allocate(data.voxels());
    space->upload(image.data, x.view());
    projector->forward(0, x.view(), p.view());
    Volume expected;
    expected.lattice = data.lattice;
    expected.units = "events/voxel";
    expected.data.resize(data.voxels());
    space->download(p.view(), expected.data);
    for (std::size_t i = 0; i < expected.data.size(); ++i) {
        expected.data[i] =
            (mult != nullptr ? mult[i] : 1.0F) * expected.data[i] + (add != nullptr ? add[i] : 0.0F);
    }
    return expected;
}

Volume comparedView(const HistoData& data, std::size_t view, const Volume& expected, DataQuantity quantity) {
    return comparedCounts(dataView(data, view, DataQuantity::Counts), expected, quantity);
}

Volume comparedCounts(const Volume& counts, const Volume& expected, DataQuantity quantity) {
    Volume out = expected;
    if (quantity == DataQuantity::Expected) {
        return out;
    }
    const bool weighted = quantity == DataQuantity::Weighted;
    for (std::size_t i = 0; i < out.data.size(); ++i) {
        const float e = expected.data[i];
        const float difference = counts.data[i] - e;
        out.data[i] = !weighted ? difference : e > 0 ? difference / std::sqrt(e) : 0.0F;
    }
    if (weighted) {
        out.units = "SD";
    }
    return out;
}

ViewFit fitOfView(const HistoData& data, std::size_t view, const Volume& expected, const Volume& shown) {
    return fitOfCounts(dataView(data, view, DataQuantity::Counts), expected, shown);
}

ViewFit fitOfCounts(const Volume& counts, const Volume& expected, const Volume& shown) {
    ViewFit fit;
    fit.expected = std::accumulate(expected.data.begin(), expected.data.end(), 0.0);
    fit.counts = std::accumulate(counts.data.begin(), counts.data.end(), 0.0);
    const double least = 0.01 * fit.expected / static_cast<double>(counts.data.size());
    double sum = 0;
    std::size_t n = 0;
    for (std::size_t i = 0; i < expected.data.size(); ++i) {
        const auto e = static_cast<double>(expected.data[i]);
        if (e > least) {
            const double d = static_cast<double>(counts.data[i]) - e;
            sum += d * d / e;
            ++n;
        }
    }
    fit.chiSquare = n > 0 ? sum / static_cast<double>(n) : 0;
    fit.percentile999 = percentile999(shown.data);
    return fit;
}

std::vector<double> viewTotals(const HistoData& data) {
    std::vector<double> totals;
    totals.reserve(data.views.size());
    for (std::size_t v = 0; v < data.views.size(); ++v) {
        const float* const counts = viewOf(data, v, data.counts);
        totals.push_back(std::accumulate(counts, counts + data.voxels(), 0.0));
    }
    return totals;
}

}  // namespace tof
