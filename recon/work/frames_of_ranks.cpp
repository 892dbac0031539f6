// SPDX-License-Identifier: Apache-2.0
#include "recon/work/frames_of_ranks.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "recon/work/agreed_listener.h"

namespace tof {

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
