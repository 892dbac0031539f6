// SPDX-License-Identifier: Apache-2.0
#include "recon/ranks/axial_slab.h"

#include <algorithm>
#include <vector>

#include "recon/base/error.h"

namespace tof {

namespace {

/// By the ranks' own messages; arrays of a device go through host memory.
void exchangeOnHost(Communicator& ranks, Space& space, const std::vector<SpacePeers::Sent>& sent,
                    const std::vector<SpacePeers::Received>& received) {
    const bool direct = space.hostMemory();
    std::vector<std::vector<float>> staged;
    std::vector<Sent> leaving;
    for (const auto& [to, data] : sent) {
        const float* from = data.data;
        if (!direct) {
            space.download(data, staged.emplace_back(data.size));
            from = staged.back().data();
        }
        leaving.push_back({to, from, data.size * sizeof(float)});
    }
    std::vector<Received> arriving;
    for (const auto& [from, data] : received) {
        float* const to = direct ? data.data : staged.emplace_back(data.size).data();
        arriving.push_back({from, to, data.size * sizeof(float)});
    }
    ranks.exchange(leaving, arriving);
    for (std::size_t i = 0; !direct && i < received.size(); ++i) {
        space.upload({static_cast<const float*>(arriving[i].data), received[i].data.size}, received[i].data);
    }
}

}  // namespace

AxialSlab::AxialSlab(const Lattice& whole, int reach, int rank, int size)
    : whole_(whole), reach_(reach), rank_(rank), size_(size) {
    if (size > whole.size[2]) {
        throw WrongUse("{} ranks, but the image has {} planes to divide among them; start fewer ranks", size,
                       whole.size[2]);
    }
}

AxialSlab::Planes AxialSlab::own(int rank) const {
    const int planes = whole_.size[2];
    return {planes / size_ * rank + std::min(rank, planes % size_),
            planes / size_ * (rank + 1) + std::min(rank + 1, planes % size_)};
}

AxialSlab::Planes AxialSlab::kept(int rank) const {
    const Planes mine = own(rank);
    return {std::max(0, mine.first - reach_), std::min(whole_.size[2], mine.end + reach_)};
}

AxialSlab::Planes AxialSlab::lent(int from, int to) const {
    if (from == to) {
        return {};
    }
    const Planes has = own(from);
    const Planes wants = kept(to);
    return {std::max(has.first, wants.first), std::min(has.end, wants.end)};
}

Lattice AxialSlab::lattice() const {
    Lattice slab = whole_;
    slab.size[2] = planes();
    slab.origin_mm.z += firstPlane() * whole_.spacing_mm[2];
    return slab;
}

SpacePeers::Halo AxialSlab::halo(MutableView slab) const {
    const auto place = [&](const Planes& planes) {
        return slab.part(voxels(planes.first - firstPlane()), voxels(planes.count()));
    };
    SpacePeers::Halo halo;
    halo.p = slab;
    for (int other = 0; other < size_; ++other) {
        if (const Planes planes = lent(rank_, other); planes.count() > 0) {
            halo.sent.push_back({other, place(planes)});
        }
        if (const Planes planes = lent(other, rank_); planes.count() > 0) {
            halo.received.push_back({other, place(planes)});
        }
    }
    return halo;
}

void AxialSlab::refreshHalo(Communicator& ranks, Space& space, SpacePeers* peers, MutableView slab) const {
    const SpacePeers::Halo mine = halo(slab);
    if (peers != nullptr) {
        peers->exchange(mine.sent, mine.received);
    } else {
        exchangeOnHost(ranks, space, mine.sent, mine.received);
    }
}

std::vector<float> AxialSlab::gather(Communicator& ranks, const std::vector<float>& slab) const {
    std::vector<float> whole;
    std::vector<Sent> sent;
    std::vector<Received> received;
    if (rank_ == 0) {
        whole.resize(whole_.voxels());
        std::copy_n(slab.data() + ownOffset(), ownSize(), whole.data());
        for (int other = 1; other < size_; ++other) {
            const Planes planes = own(other);
            received.push_back(
                {other, whole.data() + voxels(planes.first), voxels(planes.count()) * sizeof(float)});
        }
    } else {
        sent.push_back({0, slab.data() + ownOffset(), ownSize() * sizeof(float)});
    }
    ranks.exchange(sent, received);
    return whole;
}

ConstView AxialSlab::gather(Space& space, SpacePeers& peers, ConstView slab, MutableView whole) const {
    const ConstView mine = slab.part(ownOffset(), ownSize());
    if (rank_ != 0) {
        const SpacePeers::Sent sent{0, mine};
        peers.exchange({&sent, 1}, {});
        return {};
    }
    space.copy(mine, whole.part(0, ownSize()));
    std::vector<SpacePeers::Received> received;
    for (int other = 1; other < size_; ++other) {
        const Planes planes = own(other);
        received.push_back({other, whole.part(voxels(planes.first), voxels(planes.count()))});
    }
    peers.exchange({}, received);
    return whole;
}

}  // namespace tof
