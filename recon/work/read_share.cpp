// SPDX-License-Identifier: Apache-2.0
#include "recon/work/read_share.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "recon/algorithm/reconstruction.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/histo_share.h"
#include "recon/work/read_measurement.h"

namespace tof {

namespace {

std::vector<float>& arrayOf(HistoData& data, HistoArray array) {
    switch (array) {
        case HistoArray::Mult: return data.mult;
        case HistoArray::Add: return data.add;
        case HistoArray::Att: return data.att;
        case HistoArray::Counts: break;
    }
    return data.counts;
}

/// Takes the hash of a data set whose views are with several ranks: its state goes from rank to rank.
class TravellingHash {
  public:
    TravellingHash(const HistoData& outline, Communicator& ranks)
        : hash_(hashOfViews(outline)), ranks_(ranks) {}

    void begin(std::size_t bytes) {
        goTo(0);
        hash_.begin(bytes);
    }
    /// `values` on rank `owner`.
    void more(int owner, std::span<const float> values) {
        goTo(owner);
        if (ranks_.rank() == owner) {
            hash_.more(values.data(), values.size_bytes());
        }
    }
    void end() {
        goTo(0);
        hash_.end();
    }
    [[nodiscard]] std::string text() {
        goTo(0);
        return ranks_.ofFirst(hashText(hash_));
    }

  private:
    void goTo(int rank) {
        if (rank == at_) {
            return;
        }
        std::vector<Sent> sent;
        std::vector<Received> received;
        if (ranks_.rank() == at_) {
            sent.push_back({rank, &hash_, sizeof(hash_)});
        } else if (ranks_.rank() == rank) {
            received.push_back({at_, &hash_, sizeof(hash_)});
        }
        ranks_.exchange(sent, received);
        at_ = rank;
    }

    ContentHash hash_;
    Communicator& ranks_;
    int at_ = 0;  ///< who has what is known so far
};

/// Histo-images of which this rank has its share; as a whole but for the arrays.
class SharedHisto : public HistoMeasurement {
  public:
    SharedHisto(HistoData outline, RankShare share)
        : HistoMeasurement(std::move(outline)), share_(std::move(share)) {}
    [[nodiscard]] RankShare share(const RankRequest& /*request*/) const override { return share_; }

  private:
    RankShare share_;
};

/// Views that stay whole: each is read by the rank that keeps it.
void readViews(const HistoViews& file, HistoArray array, const std::vector<int>& owners, Communicator& ranks,
               TravellingHash& hash, std::vector<float>& mine) {
    const std::size_t voxels = file.outline().voxels();
    for (std::size_t view = 0; view < owners.size(); ++view) {
        if (owners[view] == ranks.rank()) {
            mine.resize(mine.size() + voxels);
            file.read(array, view, std::span(mine).last(voxels));
        }
    }
    std::size_t next = 0;
    for (std::size_t view = 0; view < owners.size(); ++view) {
        const bool own = owners[view] == ranks.rank();
        hash.more(owners[view], own ? std::span<const float>(mine).subspan(voxels * next, voxels)
                                    : std::span<const float>());
        next += own ? 1 : 0;
    }
}

/// Planes of every view: the ranks read a view each at a time, and give every other its planes.
void readPlanes(const HistoViews& file, HistoArray array, const AxialSlab& slab, Communicator& ranks,
                TravellingHash& hash, std::vector<float>& mine) {
    const HistoData& outline = file.outline();
    const std::size_t views = outline.views.size();
    const auto size = static_cast<std::size_t>(ranks.size());
    std::vector<float> whole(outline.voxels());
    mine.resize(views * slab.size());
    for (std::size_t first = 0; first < views; first += size) {
        const std::size_t here = first + static_cast<std::size_t>(ranks.rank());
        if (here < views) {
            file.read(array, here, whole);
        }
        std::vector<Sent> sent;
        std::vector<Received> received;
        for (std::size_t k = 0; k < size && first + k < views; ++k) {
            const int owner = static_cast<int>(k);
            hash.more(owner, whole);
            received.push_back({owner, mine.data() + (first + k) * slab.size(), slab.size() * sizeof(float)});
        }
        for (int other = 0; here < views && other < ranks.size(); ++other) {
            const AxialSlab theirs(slab.whole(), slab.reach(), other, ranks.size());
            sent.push_back({other, whole.data() + theirs.offset(), theirs.size() * sizeof(float)});
        }
        ranks.exchange(sent, received);
    }
}

std::shared_ptr<const Measurement> readHisto(const std::string& path, const RunSettings& settings,
                                             Communicator& ranks) {
    const HistoViews file(path);
    HistoData outline = file.outline();
    const std::vector<std::size_t> order = geometricOrder(outline.views, settings.seed);
    const auto blocks = makeBlocks(settings.algorithm(), order);
    const RankRequest request{ranks.rank(), ranks.size(), blocks, settings};
    HistoShare share = histoShare(outline, request);
    const std::vector<int> owners = ownersOfParts(request);
    TravellingHash hash(outline, ranks);
    for (const HistoArray array : kHistoArrays) {
        if (!file.has(array)) {
            if (array != HistoArray::Att) {
                hash.begin(0);
                hash.end();
            }
            continue;
        }
        hash.begin(outline.views.size() * outline.voxels() * sizeof(float));
        std::vector<float>& mine = arrayOf(share.own, array);
        if (share.division.slab) {
            readPlanes(file, array, *share.division.slab, ranks, hash, mine);
        } else {
            readViews(file, array, owners, ranks, hash, mine);
        }
        hash.end();
    }
    outline.hash = hash.text();
    share.own.hash = outline.hash;
    leaveOutHalo(share);
    return std::make_shared<SharedHisto>(std::move(outline), shareOf(std::move(share)));
}

}  // namespace

std::shared_ptr<const Measurement> readMeasurementOfRank(const std::string& path, const RunSettings& settings,
                                                         Communicator& ranks, std::string& note) {
    if (ranks.alone()) {
        return readMeasurement(path, note);
    }
    const RecognisedFile file = recognise(path);
    const bool views =
        file.kind() == FileKind::Data && file.isOwn() && systemOfData(path) == DirectModel::kSystem;
    if (ranks.ofFirst(views ? "views" : "other") == "views") {
        note.clear();
        return readHisto(path, settings, ranks);
    }
    return readMeasurement(path, note);
}

}  // namespace tof
