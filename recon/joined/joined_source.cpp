// SPDX-License-Identifier: Apache-2.0
#include "recon/joined/joined_source.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tof {

namespace {

/// The counts of a frame in a part: a view of histo-images, or cells from `first` on of data whose frames are
/// one part.
void expandCounts(const FrameCounts& frame, std::size_t part, std::size_t first, std::span<float> counts) {
    if (frame.firsts.size() > 2) {
        frame.expandPart(part, counts);
        return;
    }
    std::fill(counts.begin(), counts.end(), 0.0F);
    for (const std::uint32_t cell : frame.voxels) {
        if (cell >= first && cell - first < counts.size()) {
            counts[cell - first] += 1.0F;
        }
    }
}

}  // namespace

JoinedSource::JoinedSource(std::vector<SourcePiece> pieces, const Engine& engine,
                           std::shared_ptr<Space> space, int threads, TotalsAre totals)
    : warps_(engine, std::move(space), threads), pieces_(std::move(pieces)), totals_(totals) {
    std::size_t largest = 0;
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
        std::size_t first = 0;
        for (std::size_t part = 0; part < pieces_[piece].source->parts(); ++part) {
            places_.push_back({piece, part, first});
            if (pieces_[piece].frames != nullptr) {
                const std::size_t size = pieces_[piece].source->part(part).y.size;
                first += size;
                largest = std::max(largest, size);
            }
        }
    }
    Space& there = warps_.space();
    const bool cut = std::any_of(pieces_.begin(), pieces_.end(),
                                 [](const SourcePiece& one) { return one.frames != nullptr; });
    const bool adds = cut && allAdd() > 0;
    counts_.resize(cut ? largest : 0);
    y_ = there.allocate(cut ? largest : 0);
    add_ = there.allocate(adds ? largest : 0);
    randoms_ = there.allocate(adds ? largest : 0);
    sensitivity_ = there.allocate(listMode() ? pieces_.front().warp->fromSize() : 0);
}

bool JoinedSource::resident() const {
    return std::all_of(pieces_.begin(), pieces_.end(), [](const SourcePiece& one) {
        return one.frames == nullptr && one.source->resident();
    });
}

PartData JoinedSource::part(std::size_t index) {
    const Place& place = places_[index];
    const SourcePiece& piece = pieces_[place.piece];
    PartData part = piece.source->part(place.part);
    part.att = {};  // it is the projector's
    if (piece.frames != nullptr) {
        takeFrame(piece, place, part);
    }
    return part;
}

void JoinedSource::takeFrame(const SourcePiece& piece, const Place& place, PartData& part) {
    Space& there = warps_.space();
    const std::size_t size = part.y.size;
    const std::span<float> counts = std::span(counts_).first(size);
    expandCounts(piece.frames->frames[piece.frame], place.part, place.first, counts);
    const MutableView y = y_.view().part(0, size);
    there.upload(counts, y);
    part.y = y;
    if (part.add.empty()) {
        return;
    }
    const MutableView add = add_.view().part(0, size);
    there.fill(add, 0.0F);
    there.addScaled(part.add, static_cast<float>(piece.frames->addShareOf(piece.frame)), add);
    if (const double more = piece.frames->moreRandomsOf(piece.frame); more != 0) {
        const MutableView randoms = randoms_.view().part(0, size);
        there.upload(std::span(*piece.frames->randoms).subspan(place.first, size), randoms);
        there.addScaled(randoms, static_cast<float>(more), add);
    }
    part.add = add;
}

SensitivityWeights JoinedSource::sensitivityWeights(std::size_t index) {
    const Place& place = places_[index];
    return {pieces_[place.piece].source->sensitivityWeights(place.part).mult, {}};
}

ConstView JoinedSource::knownSensitivity(std::span<const std::size_t> parts) {
    if (!listMode()) {
        return {};
    }
    Write write = Write::Overwrite;
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
        std::vector<std::size_t> own;
        for (const std::size_t part : parts) {
            if (places_[part].piece == piece) {
                own.push_back(places_[part].part);
            }
        }
        if (!own.empty()) {
            const ConstView known = pieces_[piece].source->knownSensitivity(own);
            warps_.transpose(*pieces_[piece].warp, known, sensitivity_.view(), write);
            write = Write::Add;
        }
    }
    return sensitivity_.view();
}

double JoinedSource::totalCounts() const {
    if (!saysTotals()) {
        return 0;
    }
    return std::accumulate(pieces_.begin(), pieces_.end(), 0.0, [](double sum, const SourcePiece& one) {
        return sum + (one.frames == nullptr ? one.source->totalCounts()
                                            : static_cast<double>(one.frames->frames[one.frame].kept));
    });
}

double JoinedSource::totalAdd() const {
    return saysTotals() ? allAdd() : 0.0;
}

double JoinedSource::allAdd() const {
    return std::accumulate(pieces_.begin(), pieces_.end(), 0.0, [](double sum, const SourcePiece& one) {
        if (one.frames == nullptr) {
            return sum + one.source->totalAdd();
        }
        const double randoms =
            one.frames->randoms == nullptr
                ? 0.0
                : std::accumulate(one.frames->randoms->begin(), one.frames->randoms->end(), 0.0);
        return sum + one.frames->addShareOf(one.frame) * one.source->totalAdd() +
               one.frames->moreRandomsOf(one.frame) * randoms;
    });
}

}  // namespace tof
