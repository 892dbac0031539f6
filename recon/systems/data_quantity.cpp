// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/data_quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/percentile.h"

namespace tof {

namespace {

constexpr std::pair<DataQuantity, const char*> kNames[] = {{DataQuantity::Counts, "counts"},
                                                           {DataQuantity::Expected, "expected"},
                                                           {DataQuantity::Residual, "residual"},
                                                           {DataQuantity::Weighted, "weighted"},
                                                           {DataQuantity::Mult, "mult"},
                                                           {DataQuantity::Add, "add"},
                                                           {DataQuantity::Att, "att"}};

double percentile999(const std::vector<float>& values) {
    if (values.empty()) {
        return 0;
    }
    std::vector<float> sizes(values.size());
    std::transform(values.begin(), values.end(), sizes.begin(), [](float v) { return std::abs(v); });
    return static_cast<double>(percentile(sizes, 0.999));
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
        "no data quantity '{}'; there are counts, expected, residual, weighted, mult, add and att", name));
}

bool needsExpectation(DataQuantity quantity) {
    return quantity == DataQuantity::Expected || quantity == DataQuantity::Residual ||
           quantity == DataQuantity::Weighted;
}

void requireMeasured(DataQuantity quantity) {
    if (needsExpectation(quantity)) {
        throw WrongUse(quantityName(quantity) + " needs an image to compare the data with");
    }
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

}  // namespace tof
