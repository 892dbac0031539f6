// SPDX-License-Identifier: Apache-2.0
#include "recon/sources/line_histogram.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::size_t kLinesPerPart = std::size_t{1} << 20U;  // more need more parts
constexpr std::size_t kFewLines = 1024;                       // per part; fewer are not worth one
// Divisible by the usual numbers of subsets and ranks; fewer are multiples of 4, more of these.
constexpr std::size_t kParts = 48;

std::size_t partsFor(std::size_t lines) {
    if (lines > kParts * kLinesPerPart) {
        return (lines + kParts * kLinesPerPart - 1) / (kParts * kLinesPerPart) * kParts;
    }
    return std::clamp<std::size_t>(lines / kFewLines / 4 * 4, 1, kParts);
}

std::size_t partSizeFor(std::size_t lines) {
    if (lines == 0) {
        throw BadInput("there are no lines of response that the scanner can have recorded");
    }
    const std::size_t parts = partsFor(lines);
    return (lines + parts - 1) / parts;
}

/// A permutation of the lines: shuffled, then ascending in every part, as neighbours in the file are often
/// neighbours in space.
std::vector<std::size_t> orderOf(std::size_t lines, std::size_t partSize) {
    std::vector<std::size_t> order(lines);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(lines);
    for (std::size_t i = lines; i > 1; --i) {
        std::swap(order[i - 1], order[random() % i]);
    }
    for (std::size_t first = 0; first < lines; first += partSize) {
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                  order.begin() + static_cast<std::ptrdiff_t>(std::min(first + partSize, lines)));
    }
    return order;
}

template <typename T>
std::vector<T> ordered(const std::vector<T>& values, const std::vector<std::size_t>& order, std::size_t size,
                       const T& filling) {
    std::vector<T> out;
    if (!values.empty()) {
        out.reserve(size);
        std::transform(order.begin(), order.end(), std::back_inserter(out),
                       [&](std::size_t i) { return values[i]; });
        out.resize(size, filling);
    }
    return out;
}

}  // namespace

LineHistogram lineHistogram(const LineEvents& lines, const std::vector<float>& counts,
                            const std::vector<float>& mult, const std::vector<float>& add) {
    const std::size_t count = lines.pairs.size();
    const std::size_t partSize = partSizeFor(count);
    const std::size_t size = partsFor(count) * partSize;
    const std::vector<std::size_t> order = orderOf(count, partSize);
    auto out = std::make_shared<LineEvents>();
    out->points = lines.points;
    out->tof = lines.tof;
    out->eventsPerPart = partSize;
    out->pairs = ordered(lines.pairs, order, size, lines.pairs.front());
    out->dt_ps = ordered(lines.dt_ps, order, size, 0.0F);
    const std::vector<float>& weights = mult.empty() ? std::vector<float>(count, 1.0F) : mult;
    return {std::move(out), ordered(counts, order, size, 0.0F), ordered(weights, order, size, 0.0F),
            ordered(add, order, size, 0.0F)};
}

std::size_t listedSize(std::size_t lines) {
    const std::size_t partSize = lines > 0 ? partSizeFor(lines) : 1;
    return (lines + partSize - 1) / partSize * partSize;
}

LineHistogram lineHistogramAsListed(LineEvents lines, std::vector<float> mult) {
    const std::size_t partSize = partSizeFor(lines.pairs.size());
    const std::size_t size = listedSize(lines.pairs.size());
    lines.pairs.resize(size, lines.pairs.front());
    mult.resize(size, 0.0F);
    lines.eventsPerPart = partSize;
    return {std::make_shared<const LineEvents>(std::move(lines)), {}, std::move(mult), {}};
}

PartedData partsOf(std::shared_ptr<const LineHistogram> histogram) {
    const LineHistogram& h = *histogram;
    return {h.counts, h.mult, h.add, h.lines->parts(), h.lines->eventsPerPart, std::move(histogram)};
}

}  // namespace tof
