// SPDX-License-Identifier: Apache-2.0
// A list that grows: its events are counted as they come, and an image of those so far is made again and
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/request_row.h"
#include "recon/base/work_progress.h"
#include "recon/forms/form/bin_request.h"
#include "recon/seam/engine.h"
#include "recon/settings/settings.h"
#include "recon/work/follow_end.h"

namespace tof {

struct FollowRequest {
    BinRequest bin{};      ///< the list, and how it becomes histo-images; events are not spread over voxels
    double until_s = 0;    ///< the list has ended when nothing came for so long; 0: never for that reason
    double last_s = 0;     ///< images while it grows are those of the scan's last seconds; 0: of everything
    std::string image{};   ///< file that each of these images replaces, or empty
    std::string counts{};  ///< data file for the counts in the end, or empty
};

[[nodiscard]] const std::vector<RequestRow<FollowRequest>>& followRows();

/// Where following is when another image is there.
struct FollowNews {
    int image = 0;               ///< its number, from 1
    std::uint64_t counted = 0;   ///< events counted by now
    std::uint64_t shown = 0;     ///< first so many events of the list that the image knows of
    double seconds = 0;          ///< since following began
    double eventsPerSecond = 0;  ///< counted since the image before
    double countLag_s = 0;       ///< longest an event that came since then waited to be counted
    double imageLag_s = 0;       ///< longest one waited for this image
};

/// Whom following tells; calls come from the thread that follows.
class FollowListener {
  public:
    FollowListener() = default;
    virtual ~FollowListener() = default;
    FollowListener(const FollowListener&) = delete;
    FollowListener& operator=(const FollowListener&) = delete;

    /// An image of the counts so far.
    virtual void imageMade(const FollowNews& news, const std::shared_ptr<const Volume>& image) = 0;
    /// True once the list is to end with what has been counted; throws Cancelled where nothing is to come of
    /// it. Any thread may ask.
    [[nodiscard]] virtual bool enough() const = 0;
};

struct Followed {
    HistoData data;  ///< counts of all events with their factors, and a hash
    FollowEnd end = FollowEnd::Asked;
    std::uint64_t events = 0;   ///< that came
    std::size_t leftBytes = 0;  ///< behind the last whole record; they are no event
    int images = 0;             ///< made meanwhile
};

/// Follows the list of a request until it ends. `settings` make the images: an iteration each, from the image
/// before, whose sum is scaled to the counts. The data are those that binEvents() makes of the whole list, to
/// the bit, however its bytes came. Throws BadInput, also for a file that is shortened or replaced meanwhile,
/// WrongUse, Unavailable, and what `progress` and `listener` throw.
[[nodiscard]] Followed follow(const FollowRequest& request, const RunSettings& settings,
                              const EngineRegistry& engines, WorkProgress& progress,
                              FollowListener& listener);

/// How a list came to its end, one sentence.
[[nodiscard]] std::string endText(const FollowRequest& request, const Followed& followed);

}  // namespace tof
