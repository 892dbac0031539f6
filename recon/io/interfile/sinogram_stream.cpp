// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/sinogram_stream.h"

#include <algorithm>
#include <array>

namespace tof {

namespace {

/// Crystal pairs of every bin of one plane of one ring pair, [slot][radial].
std::vector<float> pairsAcross(const Michelogram& m) {
    MichelogramSpec flat = m.spec();
    flat.scanner.rings = 1;
    flat.segments = {{0, 0}};
    flat.tof = {};
    return pairMultiplicity(Michelogram(flat));
}

bool isPacked(const RandomFile& file) {
    constexpr std::array<std::byte, 2> kGzip{std::byte{0x1F}, std::byte{0x8B}};
    std::array<std::byte, 2> start{};
    if (file.size() >= start.size()) {
        file.read(0, start, "the values");
    }
    return start == kGzip;
}

}  // namespace

std::unique_ptr<SinogramStream> SinogramStream::open(const std::string& path,
                                                     const SinogramReadOptions& options) {
    OpenSinograms open(path, options);
    if (!open.layout.crystals.empty() || isPacked(RandomFile(open.stored.file))) {
        return nullptr;
    }
    open.scan(options, {});
    return std::unique_ptr<SinogramStream>(new SinogramStream(std::move(open)));
}

SinogramStream::SinogramStream(OpenSinograms open)
    : open_(std::move(open)), file_(open_.stored.file), places_(open_.michelogram().sinograms().size()) {
    const Michelogram& m = open_.michelogram();
    std::size_t before = 0;
    for (std::size_t first = 0, last = 0; first < places_.size(); first = last) {
        const int segment = m.sinograms()[first].segment;
        while (last < places_.size() && m.sinograms()[last].segment == segment) {
            ++last;
        }
        const auto skipped = static_cast<std::size_t>(open_.missing[static_cast<std::size_t>(segment)]);
        const std::size_t count = last - first - 2 * skipped;
        for (std::size_t i = 0; i < count; ++i) {
            places_[first + skipped + i] = {true, before, count,
                                            open_.layout.ringsReversed ? count - 1 - i : i};
        }
        before += count;
    }
    if (open_.weighs()) {
        across_ = pairsAcross(m);
    }
}

template <class Fill>
void SinogramStream::forPlanes(std::uint64_t first, std::span<float> out, const Fill& fill) const {
    const Michelogram& m = open_.michelogram();
    const auto width = static_cast<std::size_t>(m.radialBins() * m.timeBins());
    for (std::size_t done = 0; done < out.size(); done += width) {
        const std::size_t plane = (first + done) / width;
        fill(static_cast<int>(plane / places_.size()), plane % places_.size(), out.subspan(done, width));
    }
}

std::size_t SinogramStream::rowOf(const Place& place, int view, int timeBin) const {
    const Michelogram& m = open_.michelogram();
    const auto views = static_cast<std::size_t>(m.angles());
    const auto turn = static_cast<std::size_t>(view);
    const std::size_t inSegment =
        open_.layout.viewsOutside ? turn * place.of + place.at : place.at * views + turn;
    const auto bins = static_cast<std::size_t>(m.radialBins());
    const std::size_t ofTime = open_.storedBins() / bins / static_cast<std::size_t>(m.timeBins());
    const std::vector<int>& times = open_.layout.timeBins;
    const auto time =
        static_cast<std::size_t>(std::find(times.begin(), times.end(), timeBin) - times.begin());
    return (time * ofTime + place.before * views + inSegment) * bins;
}

void SinogramStream::counts(std::uint64_t first, std::span<float> out) const {
    const Michelogram& m = open_.michelogram();
    const StoredValues& stored = open_.stored;
    const std::size_t width = numberBytes(stored.type);
    std::vector<float> row(static_cast<std::size_t>(m.radialBins()));
    std::vector<std::byte> bytes(row.size() * width);
    const auto times = static_cast<std::size_t>(m.timeBins());
    forPlanes(first, out, [&](int slot, std::size_t plane, std::span<float> bins) {
        if (!places_[plane].there) {
            std::fill(bins.begin(), bins.end(), 0.0F);
            return;
        }
        for (std::size_t k = 0; k < times; ++k) {
            const std::size_t at = rowOf(places_[plane], m.angleOfSlot(slot), static_cast<int>(k));
            file_.read(stored.offset + at * width, bytes, "the values");
            decodeNumbers(bytes.data(), stored.type, stored.order, stored.slopes.front(), stored.intercept,
                          row);
            for (std::size_t bin = 0; bin < row.size(); ++bin) {
                bins[bin * times + k] = std::max(row[bin], 0.0F);
            }
        }
    });
}

void SinogramStream::mult(std::uint64_t first, std::span<float> out) const {
    const Michelogram& m = open_.michelogram();
    const auto times = static_cast<std::size_t>(m.timeBins());
    forPlanes(first, out, [&](int slot, std::size_t plane, std::span<float> bins) {
        const float pairs =
            !places_[plane].there ? 0 : static_cast<float>(open_.weighs() ? m.sinograms()[plane].pairs : 1);
        const std::size_t row = static_cast<std::size_t>(slot) * static_cast<std::size_t>(m.radialBins());
        for (std::size_t i = 0; i < bins.size(); ++i) {
            bins[i] = pairs * (open_.weighs() ? across_[row + i / times] : 1);
        }
    });
}

}  // namespace tof
