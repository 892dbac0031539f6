// SPDX-License-Identifier: Apache-2.0
#include "recon/work/frames_of_ranks.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tof {

namespace {

/// Passes on what concerns one rank; all finish when the first one has said so between two frames.
class AgreedListener : public JobListener {
  public:
    AgreedListener(JobListener& listener, Communicator& ranks) : listener_(listener), ranks_(ranks) {}

    void checkpoint() override { listener_.checkpoint(); }
    [[nodiscard]] bool finishRequested() override { return finish_; }
    void notice(const std::string& sentence) override {
        if (ranks_.first()) {
            listener_.notice(sentence);
        }
    }
    void shareReady(const std::string& what, double share) override { listener_.shareReady(what, share); }

    /// Called by all ranks.
    void agree() { finish_ = ranks_.any(ranks_.first() && listener_.finishRequested()); }

  private:
    JobListener& listener_;
    Communicator& ranks_;
    bool finish_ = false;
};

}  // namespace

int makeFramesOnRanks(FrameRunRequest request, const Measurement& data, Projector& projector,
                      const std::shared_ptr<DataSource>& source, Communicator& ranks, JobListener& listener,
                      const std::function<void(int number, const Volume& image)>& made) {
    const std::vector<int> all = std::exchange(request.numbers, {});
    const auto size = static_cast<std::size_t>(ranks.size());
    for (auto i = static_cast<std::size_t>(ranks.rank()); i < all.size(); i += size) {
        request.numbers.push_back(all[i]);
    }
    AgreedListener agreed(listener, ranks);
    agreed.agree();
    std::size_t done = 0;
    const auto bring = [&](const Volume* mine) {  // the frames of a round to the first rank
        const std::size_t end = std::min(all.size(), done + size);
        if (!ranks.first()) {
            const Sent sent{0, mine != nullptr ? mine->data.data() : nullptr,
                            mine != nullptr ? mine->data.size() * sizeof(float) : 0};
            ranks.exchange({&sent, static_cast<std::size_t>(mine != nullptr)}, {});
        } else {
            made(all[done], *mine);
            std::vector<Volume> theirs(end - done - 1, *mine);
            std::vector<Received> received;
            for (std::size_t k = 0; k < theirs.size(); ++k) {
                std::vector<float>& values = theirs[k].data;
                received.push_back({static_cast<int>(k) + 1, values.data(), values.size() * sizeof(float)});
            }
            ranks.exchange({}, received);
            for (std::size_t k = 0; k < theirs.size(); ++k) {
                made(all[done + 1 + k], theirs[k]);
            }
        }
        done = end;
        agreed.agree();
    };
    makeFrames(request, data, projector, source, agreed,
               [&](int /*number*/, const Volume& image) { bring(&image); });
    while (done < all.size() && !agreed.finishRequested()) {
        bring(nullptr);  // of others, who have one more
    }
    return static_cast<int>(done);
}

}  // namespace tof
