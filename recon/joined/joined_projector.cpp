// SPDX-License-Identifier: Apache-2.0
#include "recon/joined/joined_projector.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tof {

WarpsInSpace::WarpsInSpace(const Engine& engine, std::shared_ptr<Space> space, int threads)
    : space_(std::move(space)), pool_(threads) {
    const auto* const theirs = space_->hostMemory() ? nullptr : engine.offers<WarpsImages>();
    there_ = theirs != nullptr ? theirs->warps(space_) : nullptr;
}

void WarpsInSpace::apply(const Warp& warp, ConstView x, MutableView y) {
    if (there_ != nullptr) {
        there_->apply(warp, x, y);
        return;
    }
    const float* image = x.data;
    if (!space_->hostMemory()) {
        image_.resize(x.size);
        space_->download(x, image_);
        image = image_.data();
    }
    if (&warp != last_ || !std::equal(lastImage_.begin(), lastImage_.end(), image, image + x.size)) {
        last_ = &warp;
        lastImage_.assign(image, image + x.size);
        lastSeen_.resize(y.size);
        warp.apply(image, lastSeen_.data(), pool_);
    }
    space_->upload(lastSeen_, y);
    space_->finish();  // before anybody writes to what is on its way
}

void WarpsInSpace::transpose(const Warp& warp, ConstView y, MutableView x, Write write) {
    if (there_ != nullptr) {
        there_->transpose(warp, y, x, write);
        return;
    }
    if (space_->hostMemory()) {
        warp.transpose(y.data, x.data, write, pool_, room_);
        return;
    }
    image_.resize(x.size);
    seen_.resize(y.size);
    space_->download(y, seen_);
    if (write == Write::Add) {
        space_->download(x, image_);
    }
    warp.transpose(seen_.data(), image_.data(), write, pool_, room_);
    space_->upload(image_, x);
    space_->finish();
}

JoinedProjector::JoinedProjector(std::vector<JoinedPiece> pieces, const Engine& engine,
                                 std::shared_ptr<Space> space, int threads, std::shared_ptr<const void> owner)
    : warps_(engine, std::move(space), threads), pieces_(std::move(pieces)), owner_(std::move(owner)) {
    std::size_t largest = 0;
    bool attenuates = false;
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
        for (std::size_t part = 0; part < pieces_[piece].projector->parts(); ++part) {
            places_.push_back({piece, part});
        }
        largest = std::max(largest, pieces_[piece].warp->toSize());
        attenuates = attenuates || !pieces_[piece].att.empty();
    }
    seen_ = warps_.space().allocate(largest);
    att_ = warps_.space().allocate(attenuates && !warps_.space().hostMemory() ? largest : 0);
}

std::size_t JoinedProjector::dataSize(std::size_t part) const {
    const Place& place = places_[part];
    return pieces_[place.piece].projector->dataSize(place.part);
}

std::size_t JoinedProjector::memoryBytes() const {
    std::size_t bytes = (seen_.size() + att_.size()) * sizeof(float);
    std::set<const void*> counted;
    for (const JoinedPiece& piece : pieces_) {
        bytes += counted.insert(piece.projector.get()).second ? piece.projector->memoryBytes() : 0;
        bytes += counted.insert(piece.warp.get()).second ? piece.warp->memoryBytes() : 0;
    }
    return bytes;
}

void JoinedProjector::attenuate(const JoinedPiece& piece, std::size_t part) {
    if (piece.att.empty()) {
        return;
    }
    const MutableView image = seen(piece);
    const std::span<const float> own = piece.att.subspan(part * image.size, image.size);
    if (space().hostMemory()) {
        space().multiply({own.data(), own.size()}, image, image);
        return;
    }
    const MutableView there = att_.view().part(0, image.size);
    space().upload(own, there);
    space().multiply(there, image, image);
}

void JoinedProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const Place place = places_[part];
    const JoinedPiece& piece = pieces_[place.piece];
    warps_.apply(*piece.warp, x, seen(piece));
    attenuate(piece, place.part);
    piece.projector->forward(place.part, seen(piece), p);
}

void JoinedProjector::back(std::size_t part, ConstView p, MutableView x, Write write) {
    const Place place = places_[part];
    const JoinedPiece& piece = pieces_[place.piece];
    piece.projector->back(place.part, p, seen(piece), Write::Overwrite);
    attenuate(piece, place.part);
    warps_.transpose(*piece.warp, seen(piece), x, write);
}

}  // namespace tof
