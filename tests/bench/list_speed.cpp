// SPDX-License-Identifier: Apache-2.0
// How fast a card projects events of an object, forward and back over every event, as libparallelproj 2 was
// measured (docs/measurements/lines.md): resident data, no transfers, medians of 5, sorting and paths left
// out. Parts are those of usualPartSize(), or as many as are asked for. "update": every part's image is begun
// anew, as OSEM with a subset for each part does; "sum": parts add to one image, as MLEM does. usage:
// list_speed [STRATEGY[,STRATEGY] [LATTICE [MILLIONS[,MILLIONS] [PARTS]]]]   LATTICE: a row's name, or all
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/cuda_engine.h"
#include "gpu/published/published.h"
#include "recon/base/percentile.h"
#include "recon/bench/stopwatch.h"
#include "recon/seam/projector.h"
#include "recon/systems/lines/line_model.h"
#include "tests/bench/object_events.h"

namespace {

using namespace tof;

class Measured {
  public:
    Measured(const Engine& engine, const ObjectRow& row, std::shared_ptr<const LineEvents> events,
             const std::string& strategy)
        : count_(static_cast<double>(events->pairs.size())) {
        EngineOptions options;
        options.strategy = strategy;
        space_ = engine.makeSpace(options);
        LineModel model;
        model.lattice = Lattice::centred(row.size, {row.voxel_mm, row.voxel_mm, row.voxel_mm});
        model.lines = std::move(events);
        model.method = strategy == "joseph" ? RayMethod::Joseph : RayMethod::Siddon;
        const auto begin = std::chrono::steady_clock::now();
        projector_ = requireProjector(engine, model, space_, options);
        space_->finish();
        setUp_ = secondsSince(begin);
        image_ = space_->allocate(projector_->imageSize());
        result_ = space_->allocate(projector_->imageSize());
        data_ = space_->allocate(projector_->dataSize(0));
        values_ = space_->allocate(projector_->dataSize(0));
        space_->upload(unevenValues(projector_->imageSize()), image_.view());
        space_->upload(unevenValues(projector_->dataSize(0)), values_.view());
    }

    void print(const ObjectRow& row, const std::string& strategy) {
        const double forward = pass([&](std::size_t part) {
            projector_->forward(part, image_.view(), data_.view().part(0, projector_->dataSize(part)));
        });
        const auto values = [&](std::size_t part) {
            return values_.view().part(0, projector_->dataSize(part));
        };
        const double update = pass([&](std::size_t part) {
            projector_->back(part, values(part), result_.view(), Write::Overwrite);
        });
        const double sum = pass([&](std::size_t part) {
            projector_->back(part, values(part), result_.view(), part == 0 ? Write::Overwrite : Write::Add);
        });
        const double rate = 1e-6 * count_ / (forward + update);
        std::printf(
            "| %s | %s | %.0f M | %zu | %.2f | %.2f | %.2f | %.3f | %.3f | %.2f | %.2f s | %.0f MiB |\n",
            row.name, strategy.c_str(), 1e-6 * count_, projector_->parts(), forward, update, sum, rate,
            1e-6 * count_ / (forward + sum), rate / row.peer, setUp_,
            static_cast<double>(projector_->memoryBytes()) / 1048576.0);
        std::fflush(stdout);
    }

  private:
    /// ms over all parts, median of 5 after one that warms up.
    template <typename Work>
    double pass(const Work& work) {
        std::vector<double> times;
        for (int round = 0; round < 6; ++round) {
            space_->finish();
            const auto begin = std::chrono::steady_clock::now();
            for (std::size_t part = 0; part < projector_->parts(); ++part) {
                work(part);
            }
            space_->finish();
            times.push_back(1e3 * secondsSince(begin));
        }
        return median({times.begin() + 1, times.end()});
    }

    double count_;
    double setUp_ = 0;
    std::shared_ptr<Space> space_;
    std::unique_ptr<Projector> projector_;
    Array image_;
    Array result_;
    Array data_;
    Array values_;
};

}  // namespace

int main(int argc, char** argv) {
    const auto given = [&](int at, const char* usual) { return std::string(argc > at ? argv[at] : usual); };
    const std::string lattice = given(2, "all");
    const std::size_t parts = std::strtoull(given(4, "0").c_str(), nullptr, 10);
    std::puts(
        "| lattice | strategy | events | parts | forward, ms | update, ms | sum, ms | G events/s | summed | "
        "of libparallelproj | set-up | memory |");
    std::puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    try {
        const auto engine = loadCudaEngine(publishedStrategies());
        for (const ObjectRow& row : objectRows()) {
            if (lattice != "all" && lattice.find(row.name) == std::string::npos) {
                continue;
            }
            for (const std::string& millions : listed(given(3, "20"))) {
                const auto count = static_cast<std::size_t>(1e6 * std::atof(millions.c_str()));
                const std::shared_ptr<LineEvents> events = objectEvents(row, count, ThreadPool());
                events->eventsPerPart = parts > 0 ? (count + parts - 1) / parts : usualPartSize(count);
                for (const std::string& strategy : listed(given(1, "siddon,joseph"))) {
                    Measured(*engine, row, events, strategy).print(row, strategy);
                }
            }
        }
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        return 1;
    }
    return 0;
}
