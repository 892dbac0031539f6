// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "recon/ranks/axial_slab.h"
#include "recon/ranks/communicator.h"
#include "recon/seam/data_source.h"
#include "recon/seam/projector.h"

namespace tof {

/// What a rank does of one part of the data.
struct RankPiece {
    std::vector<std::size_t> projected;  ///< parts of the rank's own projector, in the order of their data
    std::optional<std::size_t> data;     ///< part of the rank's own source; none: the rank has none of it
    /// The part is with one rank alone; else ranks have pieces of it, and agree on what belongs to all of it.
    bool whole = false;
};

/// The ranks' spaces as peers, where each is on a device of its own that can be one; else null. Called by
/// all.
[[nodiscard]] std::unique_ptr<SpacePeers> peersOf(Communicator& ranks, Space& space);

/// How a reconstruction is divided among ranks.
struct RankDivision {
    std::vector<RankPiece> pieces;  ///< by part of the whole data; `whole` is the same on all ranks
    /// Ranks keep a slab of the image each; else all of it.
    std::optional<AxialSlab> slab;
};

/// A rank's projector, as that of the whole data: parts are the whole's, images are the rank's (its slab, or
/// all of it). complete() makes what the ranks projected back into one image: a sum over ranks, or halos.
class RankedProjector : public Projector {
  public:
    /// `local` projects the rank's own data. References outlive this. `heed` is asked while it does, on the
    /// host: once that throws Cancelled the rank projects nothing any more and has left(), but goes on
    /// meeting the others, so that all can agree to end.
    RankedProjector(std::unique_ptr<Projector> local, const RankDivision& division, Communicator& ranks,
                    std::function<void()> heed = {});

    /// Whether this rank is to end; then images and data are undefined.
    [[nodiscard]] bool left() const { return left_; }
    [[nodiscard]] Projector& local() { return *local_; }
    [[nodiscard]] Space& space() override { return local_->space(); }
    [[nodiscard]] std::size_t imageSize() const override { return local_->imageSize(); }
    [[nodiscard]] std::size_t parts() const override { return division_.pieces.size(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const override;
    [[nodiscard]] std::size_t memoryBytes() const override {
        return local_->memoryBytes() + whole_.size() * sizeof(float);
    }
    [[nodiscard]] std::string note() const override { return local_->note(); }
    [[nodiscard]] bool attenuates() const override { return local_->attenuates(); }
    [[nodiscard]] bool addsInShares() const override { return false; }
    [[nodiscard]] bool recordable() const override { return false; }
    [[nodiscard]] std::size_t blocksAtOnce(std::size_t blocks, double seconds) override;

    void forward(std::size_t part, ConstView x, MutableView p) override;
    void back(std::size_t part, ConstView p, MutableView x, Write write) override;
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override;
    void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView seen,
                         MutableView scratch, MutableView out, Write write) override;
    void complete(MutableView image) override;
    void refresh(MutableView image) override;
    [[nodiscard]] double logLikelihood(const PartData& data, MutableView p, Expected expected) override;
    [[nodiscard]] double ofAll(double mine) override { return ranks_.sum(mine); }
    [[nodiscard]] double counts(const PartData& data) override;
    [[nodiscard]] bool makesWhole() const override { return !division_.slab || peers_ != nullptr; }
    [[nodiscard]] ConstView whole(ConstView image) override;
    [[nodiscard]] double sum(ConstView image) override;
    [[nodiscard]] float maximum(ConstView image) override;

  private:
    /// The discrepancy of data of which other ranks have other pieces, `whole` in all, where they are no
    /// peers.
    void discrepancyOnHost(const PartData& data, Discrepancy kind, double whole, MutableView p);
    /// Calls visit(part of the local projector, its data, how to write) for the pieces of a part.
    template <typename Visit>
    void forEachPiece(std::size_t part, MutableView p, Write write, const Visit& visit);
    /// Calls project() unless the rank has left, heeding.
    template <typename Project>
    void heeding(const Project& project);
    /// Own data of a part: all of it, or those of own planes.
    [[nodiscard]] ConstView own(ConstView data) const;

    std::unique_ptr<Projector> local_;
    const RankDivision& division_;
    Communicator& ranks_;
    std::function<void()> heed_;
    bool left_ = false;
    std::unique_ptr<SpacePeers> peers_;  ///< null: images go through host memory
    std::vector<float> staged_;          ///< on its way between ranks, where the space is not the host's
    Array whole_;                        ///< the whole image of slabs of peers, on the first rank
    std::vector<double> wholeSize_;      ///< by part: data of all ranks; 0 where the part is whole
};

/// A rank's source, as that of the whole data.
class RankedSource : public DataSource {
  public:
    RankedSource(std::shared_ptr<DataSource> local, const RankDivision& division, Communicator& ranks);

    [[nodiscard]] std::size_t parts() const override { return division_.pieces.size(); }
    [[nodiscard]] bool resident() const override { return local_->resident(); }
    [[nodiscard]] bool listMode() const override { return local_->listMode(); }
    [[nodiscard]] PartData part(std::size_t index) override;
    [[nodiscard]] bool streamed(std::size_t index) const override;
    void prefetch(std::size_t index) override;
    [[nodiscard]] SensitivityWeights sensitivityWeights(std::size_t index) override;
    /// List-mode alone has it, whose source knows the parts of the whole.
    [[nodiscard]] ConstView knownSensitivity(std::span<const std::size_t> parts) override;
    [[nodiscard]] double totalCounts() const override { return totalCounts_; }
    [[nodiscard]] double totalAdd() const override { return totalAdd_; }

  private:
    std::shared_ptr<DataSource> local_;
    const RankDivision& division_;
    double totalCounts_ = 0;
    double totalAdd_ = 0;
};

}  // namespace tof
