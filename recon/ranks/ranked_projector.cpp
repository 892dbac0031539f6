// SPDX-License-Identifier: Apache-2.0
#include "recon/ranks/ranked_projector.h"

#include <algorithm>
#include <set>

#include "recon/base/error.h"
#include "recon/seam/element_math.h"

namespace tof {

std::unique_ptr<SpacePeers> peersOf(Communicator& ranks, Space& space) {
    const std::vector<std::string> names = ranks.ofAll(space.peerName());
    const std::set<std::string> different(names.begin(), names.end());
    if (different.size() < names.size() || different.contains({})) {
        return nullptr;
    }
    const std::string key = ranks.ofFirst(ranks.first() ? space.peerKey() : std::string());
    return space.joinPeers(key, ranks.rank(), ranks.size());
}

RankedProjector::RankedProjector(std::unique_ptr<Projector> local, const RankDivision& division,
                                 Communicator& ranks, std::function<void()> heed)
    : local_(std::move(local)),
      division_(division),
      ranks_(ranks),
      heed_(std::move(heed)),
      peers_(peersOf(ranks, local_->space())) {
    for (std::size_t part = 0; part < parts(); ++part) {
        const std::size_t mine = division.slab ? division.slab->ownSize() : dataSize(part);
        wholeSize_.push_back(division.pieces[part].whole ? 0 : ranks.sum(static_cast<double>(mine)));
    }
    if (division.slab && peers_ != nullptr && ranks.first()) {
        whole_ = local_->space().allocate(division.slab->whole().voxels());
    }
}

std::size_t RankedProjector::dataSize(std::size_t part) const {
    std::size_t size = 0;
    for (const std::size_t piece : division_.pieces[part].projected) {
        size += local_->dataSize(piece);
    }
    return size;
}

template <typename Project>
void RankedProjector::heeding(const Project& project) {
    if (left_) {
        return;
    }
    const Heeding heeding(space(), heed_);
    try {
        project();
    } catch (const Cancelled&) {
        left_ = true;
    }
}

template <typename Visit>
void RankedProjector::forEachPiece(std::size_t part, MutableView p, Write write, const Visit& visit) {
    std::size_t begin = 0;
    for (const std::size_t piece : division_.pieces[part].projected) {
        const std::size_t size = local_->dataSize(piece);
        visit(piece, p.part(begin, size), write);
        write = Write::Add;
        begin += size;
    }
}

ConstView RankedProjector::own(ConstView data) const {
    const std::optional<AxialSlab>& slab = division_.slab;
    if (!slab || data.empty()) {
        return data;
    }
    return data.part(slab->ownOffset(), slab->ownSize());
}

void RankedProjector::forward(std::size_t part, ConstView x, MutableView p) {
    heeding([&] {
        forEachPiece(part, p, Write::Overwrite,
                     [&](std::size_t piece, MutableView data, Write) { local_->forward(piece, x, data); });
    });
}

void RankedProjector::back(std::size_t part, ConstView p, MutableView x, Write write) {
    backAttenuated(part, {}, p, x, write);
}

void RankedProjector::backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x,
                                     Write write) {
    if (division_.pieces[part].projected.empty() && write == Write::Overwrite) {
        space().fill(x, 0.0F);
    }
    const MutableView all{const_cast<float*>(p.data), p.size};  // NOLINT: read alone
    heeding([&] {
        forEachPiece(part, all, write, [&](std::size_t piece, MutableView data, Write how) {
            local_->backAttenuated(piece, att, data, x, how);
        });
    });
}

void RankedProjector::backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind,
                                      ConstView seen, MutableView scratch, MutableView out, Write write) {
    const RankPiece& piece = division_.pieces[part];
    if (piece.whole && piece.projected.size() == 1) {
        heeding(
            [&] { local_->backDiscrepancy(piece.projected.front(), data, kind, seen, scratch, out, write); });
        space().stageEnd();
        return;
    }
    if (piece.whole) {
        backAttenuated(part, {}, {}, out, write);
        return;
    }
    const MutableView p = scratch.part(0, dataSize(part));
    space().stage(Stage::Forward);
    forward(part, seen, p);
    space().stage(Stage::Discrepancy);
    const std::optional<AxialSlab>& slab = division_.slab;
    const MutableView mine = slab ? p.part(slab->ownOffset(), slab->ownSize()) : p;
    const PartData ownData{own(data.y), own(data.mult), own(data.add), {}};
    if (peers_ != nullptr) {
        SpacePeers::Halo halo = slab ? slab->halo(p) : SpacePeers::Halo{};
        halo.data = data;
        peers_->discrepancy(ownData, kind, wholeSize_[part], mine, halo);
    } else {
        discrepancyOnHost(ownData, kind, wholeSize_[part], mine);
        if (slab) {
            slab->refreshHalo(ranks_, space(), nullptr, p);
        }
    }
    space().stage(Stage::Back);
    backAttenuated(part, data.att, p, out, write);
    space().stageEnd();
}

void RankedProjector::discrepancyOnHost(const PartData& data, Discrepancy kind, double whole, MutableView p) {
    const double expected = ranks_.sum(p.size > 0 ? space().expect(data, p) : 0.0);
    if (p.size > 0) {
        space().discrepancyAbove(data, kind, expectedFloor(expected, whole), p);
    }
}

std::size_t RankedProjector::blocksAtOnce(std::size_t blocks, double seconds) {
    constexpr double kSeconds = 0.025;  // two groups may be on their way
    if (peers_ == nullptr) {
        return 1;  // each waits for the host
    }
    const double slowest = ranks_.maximum(seconds);  // a rank that waits for data makes all go one by one
    const double fit = slowest > 0 ? kSeconds / slowest * static_cast<double>(blocks) : 1.0;
    return static_cast<std::size_t>(std::clamp(fit, 1.0, static_cast<double>(blocks)));
}

void RankedProjector::complete(MutableView image) {
    Space& space = this->space();
    if (division_.slab) {
        division_.slab->refreshHalo(ranks_, space, peers_.get(), image);
        return;
    }
    if (peers_ != nullptr) {
        ranks_.barrier();  // a rank that has failed is heard before the devices wait for it
        peers_->sum(image);
        return;
    }
    if (space.hostMemory()) {
        ranks_.sum(std::span(image.data, image.size));
        return;
    }
    staged_.resize(image.size);
    space.download(image, staged_);
    ranks_.sum(staged_);
    space.upload(staged_, image);
}

void RankedProjector::refresh(MutableView image) {
    if (!division_.slab) {
        return;
    }
    if (division_.slab->reach() < 1) {
        throw WrongUse(
            "priors, kem, negml and aml need the planes beside a rank's own, and projections of these data "
            "need none; "
            "give every rank whole views (fewer ranks, or --subsets)");
    }
    division_.slab->refreshHalo(ranks_, space(), peers_.get(), image);
}

double RankedProjector::logLikelihood(const PartData& data, MutableView p, Expected expected) {
    const std::optional<AxialSlab>& slab = division_.slab;
    const MutableView mine = slab && p.size > 0 ? p.part(slab->ownOffset(), slab->ownSize()) : p;
    return mine.size == 0
               ? 0.0
               : Projector::logLikelihood({own(data.y), own(data.mult), own(data.add), {}}, mine, expected);
}

double RankedProjector::counts(const PartData& data) {
    return ranks_.sum(space().sum(own(data.y)));
}

ConstView RankedProjector::whole(ConstView image) {
    if (!division_.slab) {
        return ranks_.first() ? image : ConstView{};
    }
    ranks_.barrier();  // as complete()
    return division_.slab->gather(space(), *peers_, image, whole_.view());
}

double RankedProjector::sum(ConstView image) {
    const double mine = space().sum(own(image));
    return division_.slab ? ranks_.sum(mine) : mine;
}

float RankedProjector::maximum(ConstView image) {
    const float mine = space().maximum(own(image));
    return division_.slab ? static_cast<float>(ranks_.maximum(static_cast<double>(mine))) : mine;
}

RankedSource::RankedSource(std::shared_ptr<DataSource> local, const RankDivision& division,
                           Communicator& ranks)
    : local_(std::move(local)), division_(division) {
    totalCounts_ = local_->totalCounts();
    totalAdd_ = local_->totalAdd();
    if (!local_->listMode()) {  // that of a list knows the whole
        totalCounts_ = ranks.sum(totalCounts_);
        totalAdd_ = ranks.sum(totalAdd_);
    }
}

PartData RankedSource::part(std::size_t index) {
    const std::optional<std::size_t>& data = division_.pieces[index].data;
    return data ? local_->part(*data) : PartData{};
}

bool RankedSource::streamed(std::size_t index) const {
    const std::optional<std::size_t>& data = division_.pieces[index].data;
    return data && local_->streamed(*data);
}

void RankedSource::prefetch(std::size_t index) {
    if (const std::optional<std::size_t>& data = division_.pieces[index].data) {
        local_->prefetch(*data);
    }
}

SensitivityWeights RankedSource::sensitivityWeights(std::size_t index) {
    const std::optional<std::size_t>& data = division_.pieces[index].data;
    return data ? local_->sensitivityWeights(*data) : SensitivityWeights{};
}

ConstView RankedSource::knownSensitivity(std::span<const std::size_t> parts) {
    return local_->listMode() ? local_->knownSensitivity(parts) : ConstView{};
}

}  // namespace tof
