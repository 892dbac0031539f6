// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recon/io/bytes/record_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"

namespace tof {

/// What a run has made so far, beside its checkpoint: times and figures of its iterates, images of those that
/// are kept, images of frames. A killed program leaves what was there at its last save(); the run goes on
/// from that and ends in the file of an undisturbed one. Not thread-safe.
class RunJournal {
  public:
    /// Reads what is there, up to the iterate that a checkpoint is at; all of it where `last` is absent. At 0
    /// nothing of it is read, and the first save() writes over it.
    RunJournal(std::string path, const Lattice& lattice, std::optional<int> last = std::nullopt);

    [[nodiscard]] const std::vector<StoredIterate>& iterates() const { return iterates_; }
    /// Figures of those iterates that have some.
    [[nodiscard]] const std::vector<Figures>& figures() const { return figures_; }
    /// The image of an iterate; null where it was not kept.
    [[nodiscard]] std::shared_ptr<const Volume> imageOf(int iteration) const;
    [[nodiscard]] bool has(const RunFrame& frame) const { return placeOf(frame) != frames_.end(); }
    /// The image of a frame that is made alike; null where there is none.
    [[nodiscard]] std::shared_ptr<const Volume> imageOf(const RunFrame& frame) const;

    /// These wait for save(). `image` is null where an iterate is not kept.
    void add(const StoredIterate& iterate, const std::optional<Figures>& figures,
             const std::shared_ptr<const Volume>& image);
    void add(const RunFrame& frame, const Volume& image);
    /// Bytes that wait.
    [[nodiscard]] std::uint64_t waitingBytes() const { return waitingBytes_; }
    /// Brings to the disk what waits. Throws CannotWrite.
    void save();

  private:
    using Frames = std::vector<std::pair<RunFrame, std::uint64_t>>;

    [[nodiscard]] Frames::const_iterator placeOf(const RunFrame& frame) const {
        return std::find_if(frames_.begin(), frames_.end(),
                            [&](const auto& each) { return each.first == frame; });
    }
    void note(std::uint64_t at, const Record& record);
    void wait(Record record);
    [[nodiscard]] std::shared_ptr<const Volume> volumeAt(std::uint64_t at) const;

    RecordFile file_;
    Lattice lattice_;
    std::uint64_t end_ = 0;
    std::vector<StoredIterate> iterates_;
    std::vector<Figures> figures_;
    std::map<int, std::uint64_t> images_;  ///< places of the iterates' images
    Frames frames_;                        ///< and of the frames'
    std::vector<Record> waiting_;
    std::uint64_t waitingBytes_ = 0;
};

/// Calls what writes a journal and its checkpoint. Where that throws and there is no checkpoint, the journal,
/// which no run goes on from, is removed; throws what `write` does.
void leavingNoJournalAlone(const std::string& checkpointFile, const std::function<void()>& write);

/// A checkpoint with the times and figures that its journal has. Throws BadInput as readCheckpoint().
[[nodiscard]] Checkpoint readWithJournal(const std::string& checkpointFile);

}  // namespace tof
