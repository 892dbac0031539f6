// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/quiet_run.h"

#include <algorithm>
#include <chrono>

#include "recon/work/reconstruct.h"

namespace tof {

namespace {

class QuietListener : public JobListener {
  public:
    QuietListener(const ExperimentContext& context, const Lattice& lattice, int slice, std::string what,
                  double from, double to, const std::vector<int>& keep)
        : context_(context),
          lattice_(lattice),
          slice_(slice),
          what_(std::move(what)),
          from_(from),
          to_(to),
          keep_(keep) {}

    void preparing(const std::string& what) override {
        checkpoint();
        const auto now = std::chrono::steady_clock::now();
        if (preparing_ == kTables) {
            kept.tables_s += std::chrono::duration<double>(now - since_).count();
        }
        preparing_ = what;
        since_ = now;
    }
    void checkpoint() override { context_.progress(what_, from_ + done_ * (to_ - from_)); }
    void progress(const RunProgress& progress) override {
        done_ = (progress.iteration - 1 +
                 static_cast<double>(progress.block) / static_cast<double>(progress.blocks)) /
                progress.iterations;
        checkpoint();
    }
    void figures(const Figures& figures) override { kept.figures.push_back(figures); }
    void iterateDone(Iterate iterate) override {
        kept.stages_s.push_back(iterate.stageSeconds);
        kept.seconds.push_back(iterate.seconds);
        if (std::find(keep_.begin(), keep_.end(), static_cast<int>(kept.seconds.size())) != keep_.end()) {
            kept.iterates.emplace(static_cast<int>(kept.seconds.size()), iterate.image);
        }
        if (slice_ >= 0) {
            Lattice flat = lattice_;
            flat.size[2] = 1;
            flat.origin_mm = lattice_.centre(0, 0, slice_);
            Volume picture(flat);
            const auto first = static_cast<std::ptrdiff_t>(lattice_.index(0, 0, slice_));
            std::copy_n(iterate.image->data.begin() + first, picture.data.size(), picture.data.begin());
            kept.slices.push_back(std::move(picture));
        }
    }

    QuietRun kept;

  private:
    static constexpr const char* kTables = "kernel tables";

    std::string preparing_;
    std::chrono::steady_clock::time_point since_;
    const ExperimentContext& context_;
    const Lattice& lattice_;
    int slice_;
    std::string what_;
    double from_;
    double to_;
    const std::vector<int>& keep_;
    double done_ = 0;
};

}  // namespace

double QuietRun::mean_s(Stage stage) const {
    double sum = 0;
    for (const std::vector<double>& stages : stages_s) {
        sum += stages[static_cast<std::size_t>(stage)];
    }
    return sum / static_cast<double>(stages_s.size());
}

QuietRun runQuietly(const ExperimentContext& context, const std::shared_ptr<const Measurement>& data,
                    RunSettings settings, const std::optional<RoiSet>& rois, int slice,
                    const std::string& what, double from, double to, const std::vector<int>& keep,
                    const std::shared_ptr<const Volume>& start) {
    settings.threads = context.threads;
    QuietListener listener(context, data->lattice(), slice, what, from, to, keep);
    ReconstructRequest request;
    request.data = data;
    request.settings = std::move(settings);
    request.rois = rois;
    request.startImage = start;
    const ReconstructResult result = reconstruct(request, context.engines, listener);
    listener.kept.engine = result.engine;
    listener.kept.image = result.image;
    return std::move(listener.kept);
}

RunSettings settingsOf(const std::string& algorithm, const std::string& engine, int iterations) {
    RunSettings settings;
    settings.set("algorithm", algorithm);
    settings.set("engine", engine);
    settings.iterations = iterations;
    return settings;
}

}  // namespace tof
