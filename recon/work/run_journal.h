// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recon/io/bytes/record_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"

namespace tof {

/// What a run has made so far, beside its checkpoint: times and figures of its iterates, images of those that
/// are kept, images of frames. A killed program leaves what was there at its last save(); the run goes on
/// from that and ends in the file of an undisturbed one. Not thread-safe; a thread of its own writes what is
/// large.
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

    ~RunJournal();
    RunJournal(const RunJournal&) = delete;
    RunJournal& operator=(const RunJournal&) = delete;

    /// These wait for save(). `image` is null where an iterate is not kept.
    void add(const StoredIterate& iterate, const std::optional<Figures>& figures,
             std::shared_ptr<const Volume> image);
    void add(const RunFrame& frame, const Volume& image);
    /// Bytes that wait.
    [[nodiscard]] std::uint64_t waitingBytes() const;
    /// Begins to bring what waits to the disk while the run goes on, where it is large enough to take a
    /// while. The checkpoint at hand must be that of this run. Throws CannotWrite where an earlier time
    /// failed.
    void saveBeside();
    /// Brings to the disk what waits, but for the last record where that is the image of an iterate: the
    /// checkpoint that is written next has it, with its times and figures. Throws CannotWrite.
    void save();

  private:
    struct Waiting {
        std::string text;
        std::shared_ptr<const Volume> image;  ///< may be null
        bool ofIterate = false;

        [[nodiscard]] RecordView view() const {
            return {text, image != nullptr ? std::span<const float>(image->data) : std::span<const float>()};
        }
    };
    using Frames = std::vector<std::pair<RunFrame, std::uint64_t>>;

    [[nodiscard]] Frames::const_iterator placeOf(const RunFrame& frame) const {
        return std::find_if(frames_.begin(), frames_.end(),
                            [&](const auto& each) { return each.first == frame; });
    }
    void note(std::uint64_t at, const Record& record);
    /// What does not have to wait for more of what waits: all but an iterate's image that came last.
    [[nodiscard]] static std::size_t due(const std::vector<Waiting>& all);
    /// Lets the thread finish `most` of its records, and takes back what it has not written.
    void endBeside(std::size_t most);
    [[nodiscard]] std::shared_ptr<const Volume> volumeAt(std::uint64_t at) const;

    RecordFile file_;
    Lattice lattice_;
    std::uint64_t end_ = 0;
    std::vector<StoredIterate> iterates_;
    std::vector<Figures> figures_;
    std::map<int, std::uint64_t> images_;  ///< places of the iterates' images
    Frames frames_;                        ///< and of the frames'
    std::vector<Waiting> waiting_;
    std::vector<Waiting> writing_;       ///< what the thread has, before all that waits
    std::atomic<std::size_t> most_ = 0;  ///< how many of those it is to write
    std::size_t written_ = 0;            ///< and has written; the thread's, as end_, while it runs
    std::future<void> beside_;
};

/// Calls what writes a journal and its checkpoint. Where that throws and there is no checkpoint, the journal,
/// which no run goes on from, is removed; throws what `write` does.
void leavingNoJournalAlone(const std::string& checkpointFile, const std::function<void()>& write);

/// A checkpoint with the times and figures that its journal has. Throws BadInput as readCheckpoint().
[[nodiscard]] Checkpoint readWithJournal(const std::string& checkpointFile);

}  // namespace tof
