// SPDX-License-Identifier: Apache-2.0
#include "recon/work/read_share.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "recon/algorithm/reconstruction.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/ranks/on_first.h"
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

/// The hashes of an array's views on the first rank, from those that each rank has of its own views; nothing
/// elsewhere.
std::vector<std::uint64_t> hashesOfAll(Communicator& ranks, std::vector<std::uint64_t> own,
                                       const std::vector<int>& owners) {
    gatherOnFirst(ranks, own);
    if (!ranks.first()) {
        return {};
    }
    std::vector<std::uint64_t> all(owners.size());
    auto next = own.begin();
    for (int rank = 0; rank < ranks.size(); ++rank) {
        for (std::size_t view = 0; view < owners.size(); ++view) {
            if (owners[view] == rank) {
                all[view] = *next++;
            }
        }
    }
    return all;
}

/// Histo-images of which this rank has its share; as a whole but for the arrays.
class SharedHisto : public HistoMeasurement {
  public:
    SharedHisto(HistoData outline, RankShare share)
        : HistoMeasurement(std::move(outline)), share_(std::move(share)) {}
    [[nodiscard]] RankShare share(const RankRequest& /*request*/) const override { return share_; }

  private:
    RankShare share_;
};

/// Views that stay whole: each is read by the rank that keeps it. The hashes are of own views. `heed` is
/// asked before each view; a rank that is told to end leaves, and the others hear of it when they meet.
std::vector<std::uint64_t> readViews(const HistoViews& file, HistoArray array, const std::vector<int>& owners,
                                     const Communicator& ranks, std::vector<float>& mine,
                                     const std::function<void()>& heed) {
    const std::size_t voxels = file.outline().voxels();
    for (std::size_t view = 0; view < owners.size(); ++view) {
        if (owners[view] == ranks.rank()) {
            heed();
            mine.resize(mine.size() + voxels);
            file.read(array, view, std::span(mine).last(voxels));
        }
    }
    return hashesOfViews(mine, voxels);
}

/// Planes of every view: the ranks read a view each at a time, and give every other its planes. The hashes
/// are of the views that this rank has read.
std::vector<std::uint64_t> readPlanes(const HistoViews& file, HistoArray array, const AxialSlab& slab,
                                      Communicator& ranks, std::vector<float>& mine,
                                      const std::function<void()>& heed) {
    const HistoData& outline = file.outline();
    const std::size_t views = outline.views.size();
    const auto size = static_cast<std::size_t>(ranks.size());
    std::vector<std::uint64_t> hashes;
    std::vector<float> whole(outline.voxels());
    mine.resize(views * slab.size());
    for (std::size_t first = 0; first < views; first += size) {
        const std::size_t here = first + static_cast<std::size_t>(ranks.rank());
        heed();
        if (here < views) {
            file.read(array, here, whole);
            hashes.push_back(hashesOfViews(whole, whole.size()).front());
        }
        std::vector<Sent> sent;
        std::vector<Received> received;
        for (std::size_t k = 0; k < size && first + k < views; ++k) {
            received.push_back(
                {static_cast<int>(k), mine.data() + (first + k) * slab.size(), slab.size() * sizeof(float)});
        }
        for (int other = 0; here < views && other < ranks.size(); ++other) {
            const AxialSlab theirs(slab.whole(), slab.reach(), other, ranks.size());
            sent.push_back({other, whole.data() + theirs.offset(), theirs.size() * sizeof(float)});
        }
        ranks.exchange(sent, received);
    }
    return hashes;
}

/// The rank that reads each of `views` in readPlanes().
std::vector<int> readersInTurn(std::size_t views, int ranks) {
    std::vector<int> readers(views);
    for (std::size_t view = 0; view < views; ++view) {
        readers[view] = static_cast<int>(view % static_cast<std::size_t>(ranks));
    }
    return readers;
}

std::shared_ptr<const Measurement> readHisto(const std::string& path, RunSettings settings,
                                             Communicator& ranks, std::string& note,
                                             const std::function<void()>& heed) {
    const HistoViews file(path);
    HistoData outline = file.outline();
    if (outline.frames != nullptr) {  // each rank makes frames of all views
        return readMeasurement(path, note, heed);
    }
    const std::vector<std::size_t> order = geometricOrder(outline.views, settings.seed);
    settings.subsets = subsetsOfRun(settings.algorithm(), static_cast<double>(outline.kept),
                                    outline.lattice.voxels(), order.size());
    const auto blocks = makeBlocks(settings.algorithm(), order);
    const RankRequest request{ranks.rank(), ranks.size(), blocks, settings};
    HistoShare share = histoShare(outline, request);
    const std::optional<AxialSlab>& slab = share.division.slab;
    const std::vector<int> owners =
        slab ? readersInTurn(outline.views.size(), ranks.size()) : ownersOfParts(request);
    ContentHash hash = hashOfViews(outline);
    for (const HistoArray array : kHistoArrays) {
        if (!file.has(array)) {
            if (array != HistoArray::Att) {
                hash.add(std::vector<std::uint64_t>());
            }
            continue;
        }
        std::vector<float>& mine = arrayOf(share.own, array);
        std::vector<std::uint64_t> own = slab ? readPlanes(file, array, *slab, ranks, mine, heed)
                                              : readViews(file, array, owners, ranks, mine, heed);
        hash.add(hashesOfAll(ranks, std::move(own), owners));
    }
    outline.hash = ranks.ofFirst(hash.text());
    share.own.hash = outline.hash;
    leaveOutHalo(share);
    return std::make_shared<SharedHisto>(std::move(outline), shareOf(std::move(share)));
}

}  // namespace

std::shared_ptr<const Measurement> readMeasurementOfRank(const std::string& path, const RunSettings& settings,
                                                         Communicator& ranks, std::string& note,
                                                         std::function<void()> heed) {
    if (ranks.alone()) {
        return readMeasurement(path, note, std::move(heed));
    }
    const RecognisedFile file = recognise(path);
    const bool views =
        file.kind() == FileKind::Data && file.isOwn() && systemOfData(path) == DirectModel::kSystem;
    if (ranks.ofFirst(views ? "views" : "other") == "views") {
        note.clear();
        return readHisto(
            path, settings, ranks, note, heed ? heed : [] {});
    }
    return readMeasurement(path, note, std::move(heed));
}

}  // namespace tof
