// SPDX-License-Identifier: Apache-2.0
#include "app/cli/follow_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/console_progress.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/bin_rows.h"

namespace tof {

namespace {

/// A signal ends the list and not the work on it.
class FollowProgress : public ConsoleProgress {
  public:
    using ConsoleProgress::ConsoleProgress;
    void heed() override {}
};

class ConsoleFollower : public FollowListener {
  public:
    explicit ConsoleFollower(Console& console) : console_(console) {}

    void imageMade(const FollowNews& news, const std::shared_ptr<const Volume>& /*image*/) override {
        console_.note(fmt::format(
            "image {:4}  {:8.1f} s  {:11} events, {:9.0f}/s, counted within {:.3f} s; {:11} in the image "
            "within {:.3f} s",
            news.image, news.seconds, news.counted, news.eventsPerSecond, news.countLag_s, news.shown,
            news.imageLag_s));
    }
    [[nodiscard]] bool enough() const override {
        try {
            throwIfInterrupted();
        } catch (const Cancelled&) {
            return true;
        }
        return false;
    }

  private:
    Console& console_;
};

void setBinning(BinRequest& request, const std::string& key, const std::string& value) {
    const auto& rows = binRows();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.key == key; });
    row->write(request, value);
}

}  // namespace

void FollowOptions::describe(Arguments& arguments) {
    arguments.flag("follow", follow_,
                   "DATA is the header of a list that is still being written, to a file or a named pipe: its "
                   "events are counted into histo-images as they come, with an image of those so far again "
                   "and again; the run is made of all of them when it has ended");
    arguments.rows(boundRows(followRows(), request_));
}

void FollowOptions::check(const std::string& list) const {
    if (!follow_) {
        const std::vector<RequestRow<FollowRequest>>& rows = followRows();
        const FollowRequest usual;
        const auto given = std::find_if(
            rows.begin(), rows.end(), [&](const auto& row) { return row.read(request_) != row.read(usual); });
        if (given != rows.end()) {
            throw WrongUse("--{} goes with --follow; give both, or leave it out", given->key);
        }
        return;
    }
    for (const std::string& file : {request_.image, request_.counts}) {
        if (!file.empty()) {
            refuseSameFile(list, file);
            requireWritable(file);
        }
    }
}

std::shared_ptr<const Measurement> FollowOptions::follow(CommandContext& context, const std::string& list,
                                                         RunSettings& settings) {
    request_.bin.input = list;
    for (const char* const key : {"grid", "voxel"}) {
        if (const std::string value = settings.get(key); !value.empty()) {
            setBinning(request_.bin, key, value);
            settings.set(key, "");
        }
    }
    const InterruptsNoted signalsEndTheListAlone;
    FollowProgress progress(context.console);
    ConsoleFollower listener(context.console);
    Followed followed = tof::follow(request_, settings, context.engines, progress, listener);
    progress.done();
    context.console.note(endText(request_, followed));
    return std::make_shared<const HistoMeasurement>(std::move(followed.data));
}

}  // namespace tof
