// SPDX-License-Identifier: Apache-2.0
#include "recon/work/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/forms/form/list_scanner.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/arriving_events.h"
#include "recon/work/live_counts.h"
#include "recon/work/reconstruct.h"

namespace tof {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

/// One iteration, which ends at once when the list does.
class LiveListener : public JobListener {
  public:
    explicit LiveListener(const FollowListener& listener) : listener_(listener) {}
    void checkpoint() override {
        if (listener_.enough()) {
            throw Cancelled();
        }
    }

  private:
    const FollowListener& listener_;
};

/// Images of counts that grow, each from the one before.
class LiveImages {
  public:
    LiveImages(const RunSettings& settings, const EngineRegistry& engines, const FollowListener& listener)
        : engines_(engines), listener_(listener), sensitivities_(std::make_shared<SensitivityCache>()) {
        request_.settings = settings;
        request_.settings.iterations = 1;
        request_.settings.stop = 0;
        request_.priority = Priority::Background;  // counting goes first
        request_.sensitivities = sensitivities_;
        request_.placedData = hold_;
    }

    /// Throws Cancelled where the listener has enough.
    [[nodiscard]] std::shared_ptr<const Volume> make(LiveCounts& live) {
        const auto counts = static_cast<double>(live.data()->kept);
        place(live, counts);
        live.forgetPlaces();
        request_.startImage = image_ == nullptr || counts_ == 0 ? nullptr : scaled(counts / counts_);
        image_ = reconstruct(request_, engines_, listener_).image;
        counts_ = counts;
        return image_;
    }

  private:
    /// The counts stay where the engine has put them, and what came is added there. Where subsets go by
    /// counts they are placed anew once they are twice as many.
    void place(const LiveCounts& live, double counts) {
        const bool other = goesByCounts(request_.settings.algorithm()) && counts > 2 * countsPlaced_;
        if (request_.data == nullptr || other) {
            request_.data = std::make_shared<const HistoMeasurement>(live.data());
            countsPlaced_ = counts;
            return;
        }
        hold_->change([&live](DataSource& source) {
            return source.addCounts(live.added(), 1.0F) && source.addCounts(live.removed(), -1.0F);
        });
    }

    /// The image before, as bright as the counts are many by now.
    [[nodiscard]] std::shared_ptr<const Volume> scaled(double factor) const {
        auto image = std::make_shared<Volume>(*image_);
        std::transform(image->data.begin(), image->data.end(), image->data.begin(),
                       [factor](float value) { return static_cast<float>(factor * value); });
        return image;
    }

    const EngineRegistry& engines_;
    LiveListener listener_;
    std::shared_ptr<SensitivityCache> sensitivities_;
    std::shared_ptr<DataHold> hold_ = std::make_shared<DataHold>();
    ReconstructRequest request_;
    std::shared_ptr<const Volume> image_;
    double counts_ = 0;        ///< that it was made of
    double countsPlaced_ = 0;  ///< when the data were placed
};

FollowRequest withFactorsAtPoints(FollowRequest request) {
    request.bin.atPoints = true;
    return request;
}

/// A list from its first event to its last.
class Following {
  public:
    Following(const FollowRequest& request, const RunSettings& settings, const EngineRegistry& engines,
              WorkProgress& progress, FollowListener& listener)
        : request_(withFactorsAtPoints(request)),
          engines_(engines),
          settings_(settings),
          progress_(progress),
          listener_(listener),
          file_(recognise(request.bin.input)),
          decoder_(file_.recordDecoder({false, request.bin.scanner})),
          scanner_(decoder_->scan(), file_, request.bin.scanner),
          pool_(settings.threads),
          images_(scanner_.used(), request_.bin, pool_, progress),
          live_(request.last_s, settings.threads),
          arriving_(*decoder_, request.until_s) {}

    [[nodiscard]] Followed run() {
        sayWhatIsLeftOut();
        images_.tell([this](const DepositedBatch& batch) { counted(batch); });
        arriving_.start([this](const EventList& block, std::uint64_t first,
                               Clock::time_point seen) { take(block, first, seen); },
                        [this] { return listener_.enough(); });
        prepareViews();
        LiveImages images(settings_, engines_, listener_);
        while (!arriving_.ended()) {
            if (!live_.takeIn() || live_.data()->kept == 0) {
                constexpr std::chrono::milliseconds kPause{5};
                std::this_thread::sleep_for(kPause);
                continue;
            }
            std::shared_ptr<const Volume> image;
            try {
                image = images.make(live_);
            } catch (const Cancelled&) {
                break;  // the listener has enough
            }
            show(image);
        }
        return end();
    }

  private:
    void sayWhatIsLeftOut() const {
        if (const std::string note = decoder_->note(); !note.empty()) {
            progress_.note(Remark::Data, note);
        }
        if (decoder_->hasFactors()) {
            progress_.note(Remark::Data, request_.bin.input +
                                             ": the correction factors stored with the events are not used");
        }
        progress_.note(Remark::Data,
                       "counts that grow are corrected for efficiency and attenuation, not for randoms and "
                       "scatter; 'correct' finds these for a data file");
        if (!arriving_.fromPipe() && decoder_->announced() == 0 && request_.until_s == 0) {
            progress_.note(Remark::Data,
                           fmt::format("{}: its header does not say how many events will come, so "
                                       "it is followed until you end that",
                                       request_.bin.input));
        }
    }

    /// The factors: at their points for a file, and at every voxel for images.
    void prepareViews() {
        HistoData views = images_.factors(decoder_->scan());
        multGrid_ = views.multGrid;
        attGrid_ = views.attGrid;
        views.expandFactors(ThreadPool(settings_.threads));
        live_.setViews(std::move(views));
    }

    /// Called by the counting thread.
    void take(const EventList& block, std::uint64_t first, Clock::time_point seen) {
        block_ = {first + block.size(), block.time_ms.back(), seen};
        images_.add(block);
        const double waited = secondsSince(seen);
        double before = countLag_s_;
        while (before < waited && !countLag_s_.compare_exchange_weak(before, waited)) {
        }
    }
    void counted(const DepositedBatch& batch) {
        live_.arrived(batch, block_.events, block_.time_ms, block_.seen);
    }

    void show(const std::shared_ptr<const Volume>& image) {
        if (!request_.image.empty()) {
            static_cast<void>(writeVolume(request_.image, *image));
        }
        const double now = secondsSince(began_);
        // The counting thread adds a block to its number after it has handed it over.
        const std::uint64_t counted = std::max(arriving_.events(), live_.events());
        const FollowNews news{++shown_,
                              counted,
                              live_.events(),
                              now,
                              static_cast<double>(counted - countedBefore_) / std::max(now - before_, 1e-9),
                              countLag_s_.exchange(0),
                              secondsSince(live_.oldest())};
        before_ = now;
        countedBefore_ = counted;
        listener_.imageMade(news, image);
    }

    [[nodiscard]] Followed end() {
        Followed followed;
        followed.end = arriving_.wait();
        followed.events = arriving_.events();
        followed.leftBytes = arriving_.leftBytes();
        followed.images = shown_;
        if (followed.events == 0) {
            throw BadInput("{}: ended before its first event; there is nothing to reconstruct",
                           decoder_->recordsFile());
        }
        HistoData views = live_.release();
        followed.data = images_.takeCounts(decoder_->scan());
        if (!request_.counts.empty()) {
            followed.data.multGrid = std::move(multGrid_);
            followed.data.attGrid = std::move(attGrid_);
            writeData(request_.counts, followed.data);
            followed.data.multGrid = nullptr;
            followed.data.attGrid = nullptr;
        }
        followed.data.mult = std::move(views.mult);
        followed.data.att = std::move(views.att);
        followed.data.hash = dataHash(followed.data);
        return followed;
    }

    /// The block that is being counted; the counting thread's.
    struct Block {
        std::uint64_t events = 0;  ///< number behind its last event
        std::uint32_t time_ms = 0;
        Clock::time_point seen;
    };

    const FollowRequest request_;
    const EngineRegistry& engines_;
    const RunSettings& settings_;
    WorkProgress& progress_;
    FollowListener& listener_;
    RecognisedFile file_;
    std::unique_ptr<const RecordDecoder> decoder_;
    ListScanner scanner_;
    ThreadPool pool_;
    PartwiseHistoImages images_;
    LiveCounts live_;
    Block block_;
    std::shared_ptr<const FactorGrid> multGrid_;
    std::shared_ptr<const FactorGrid> attGrid_;
    std::atomic<double> countLag_s_ = 0;
    Clock::time_point began_ = Clock::now();
    double before_ = 0;
    std::uint64_t countedBefore_ = 0;
    int shown_ = 0;
    ArrivingEvents arriving_;  ///< last: its thread ends before what it uses goes
};

}  // namespace

Followed follow(const FollowRequest& request, const RunSettings& settings, const EngineRegistry& engines,
                WorkProgress& progress, FollowListener& listener) {
    if (request.bin.trilinear || request.bin.timed() || request.bin.times != Times::AsStated) {
        throw WrongUse(
            "a list that grows is counted into the nearest voxels as it states its events; leave "
            "out spreading, frames, gates, motion and changed times, or bin it when it is whole");
    }
    return Following(request, settings, engines, progress, listener).run();
}

std::string endText(const FollowRequest& request, const Followed& followed) {
    const std::string left =
        followed.leftBytes == 0
            ? ""
            : fmt::format(", and {} bytes of a record that never became whole are left out",
                          followed.leftBytes);
    const auto text = [&](const std::string& why) {
        return fmt::format("{}: {} after {} events{}", request.bin.input, why, followed.events, left);
    };
    switch (followed.end) {
        case FollowEnd::Announced: return text("all events that it announces came, it ended");
        case FollowEnd::Closed: return text("its pipe was closed");
        case FollowEnd::Quiet: return text(fmt::format("did not grow for {:g} s, it ended", request.until_s));
        case FollowEnd::Asked: break;
    }
    return text("was followed until you ended it,");
}

}  // namespace tof
