// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "recon/base/lattice.h"
#include "recon/ranks/communicator.h"
#include "recon/seam/space.h"

namespace tof {

/// The planes of an image that a rank keeps: its own, and as many of its neighbours' on both sides as a
/// projection reaches (the halo). Every rank has at least one plane of its own.
class AxialSlab {
  public:
    /// The slab of rank `rank` of `size`, for an image of `whole`. Throws WrongUse for more ranks than
    /// planes.
    AxialSlab(const Lattice& whole, int reach, int rank, int size);

    [[nodiscard]] const Lattice& whole() const { return whole_; }
    /// Own planes and halo: where the rank's image lies.
    [[nodiscard]] Lattice lattice() const;
    [[nodiscard]] int reach() const { return reach_; }
    [[nodiscard]] int ranks() const { return size_; }
    /// Voxels of `whole` before the slab, and of the slab with its halo.
    [[nodiscard]] std::size_t offset() const { return voxels(kept(rank_).first); }
    [[nodiscard]] std::size_t size() const { return voxels(kept(rank_).count()); }
    /// Own planes within the slab.
    [[nodiscard]] std::size_t ownOffset() const { return voxels(own(rank_).first - kept(rank_).first); }
    [[nodiscard]] std::size_t ownSize() const { return voxels(own(rank_).count()); }
    /// First plane of the slab in the whole image, and how many it has.
    [[nodiscard]] int firstPlane() const { return kept(rank_).first; }
    [[nodiscard]] int planes() const { return kept(rank_).count(); }

    /// What is sent of an array of the slab to others and what is received of theirs, for its halo to become
    /// what the neighbours have as their own.
    [[nodiscard]] SpacePeers::Halo halo(MutableView slab) const;
    /// Has it done; by `peers` where there are any.
    void refreshHalo(Communicator& ranks, Space& space, SpacePeers* peers, MutableView slab) const;
    /// The whole image on the first rank, from everybody's own planes; nothing elsewhere.
    [[nodiscard]] std::vector<float> gather(Communicator& ranks, const std::vector<float>& slab) const;
    /// Gathers arrays of peers: `whole` of the first rank, which is returned; nothing elsewhere.
    [[nodiscard]] ConstView gather(Space& space, SpacePeers& peers, ConstView slab, MutableView whole) const;

  private:
    struct Planes {
        int first = 0;
        int end = 0;
        [[nodiscard]] int count() const { return end > first ? end - first : 0; }
    };
    [[nodiscard]] Planes own(int rank) const;
    [[nodiscard]] Planes kept(int rank) const;
    /// Planes that `from` has as its own and `to` in its halo.
    [[nodiscard]] Planes lent(int from, int to) const;
    [[nodiscard]] std::size_t voxels(int planes) const {
        return static_cast<std::size_t>(planes) * static_cast<std::size_t>(whole_.size[0]) *
               static_cast<std::size_t>(whole_.size[1]);
    }

    Lattice whole_;
    int reach_;
    int rank_;
    int size_;
};

}  // namespace tof
