// SPDX-License-Identifier: Apache-2.0
// How fast a card projects events of an object, forward and back over every event, as libparallelproj 2 was
// measured (docs/measurements/lines.md): resident data, no transfers, medians of 5, sorting and paths left
// out. Parts are those of usualPartSize(), or as many as are asked for. "update": every part's image is begun
// anew, as OSEM with a subset for each part does; "sum": parts add to one image, as MLEM does. usage:
// list_speed [STRATEGY[,STRATEGY] [LATTICE [MILLIONS[,MILLIONS] [PARTS]]]]   LATTICE: a row's name, or all
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/cuda_engine.h"
#include "gpu/published/published.h"
#include "recon/base/constants.h"
#include "recon/base/parallel.h"
#include "recon/base/percentile.h"
#include "recon/bench/stopwatch.h"
#include "recon/seam/projector.h"
#include "recon/systems/lines/line_model.h"

namespace {

using namespace tof;

/// A scanner with its lattice, and what libparallelproj 2 reached there on an H100 (G events/s).
struct Row {
    const char* name;
    std::array<int, 3> size;
    double voxel_mm;
    RingScanner scanner;
    TofBins tof;
    double object_mm;  ///< radius of the cylinder that events come from
    double peer;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {"144", {144, 144, 48}, 4.0, {"small", 48, 576, 400, 4.0}, {41, 170, 400, 3}, 175, 0.476},
        {"215", {215, 215, 71}, 2.78, {"ge-dmi", 36, 544, 380, 5.5}, {29, 169, 385, 3}, 150, 0.350},
        {"440", {440, 440, 644}, 1.65, {"long", 322, 760, 400, 3.3}, {59, 97, 228, 3}, 150, 0.288}};
    return all;
}

/// A point of the object: nine in ten of a cylinder along the whole scanner, the others of six spheres.
Vec3 emission(const Row& row, std::mt19937& random) {
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double half_mm = 0.5 * row.scanner.rings * row.scanner.ringSpacing_mm;
    const double turn = 2 * kPi * uniform();
    if (random() % 10 != 0) {
        const double r = row.object_mm * std::sqrt(uniform());
        return {r * std::cos(turn), r * std::sin(turn), half_mm * (2 * uniform() - 1)};
    }
    constexpr double kAcross_mm[6] = {10, 13, 17, 22, 28, 37};
    const auto sphere = static_cast<std::uint32_t>(random() % 6);
    const double r = 0.5 * kAcross_mm[sphere] * std::cbrt(uniform());
    const double z = 2 * uniform() - 1;
    const double flat = std::sqrt(1 - z * z);
    const double at = kPi / 3 * sphere;
    return {0.5 * row.object_mm * std::cos(at) + r * flat * std::cos(turn),
            0.5 * row.object_mm * std::sin(at) + r * flat * std::sin(turn), r * z};
}

/// Adds an event whose photons leave `from`; false where they pass the scanner's ends by.
bool record(const Row& row, Vec3 from, std::mt19937& random, std::size_t at, LineEvents& events) {
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double phi = kPi * uniform();
    const double cosine = 2 * uniform() - 1;
    const double flat = std::sqrt(1 - cosine * cosine);
    const double ux = std::cos(phi);
    const double uy = std::sin(phi);
    const double along = from.x * ux + from.y * uy;
    const double beyond = from.x * from.x + from.y * from.y - row.scanner.radius_mm * row.scanner.radius_mm;
    const double root = std::sqrt(along * along - beyond);
    std::uint32_t crystals[2];
    double ways[2];
    for (const int end : {0, 1}) {
        const double way = (end == 0 ? -along - root : -along + root);
        const double z = from.z + way * cosine / flat;
        const long ring = std::lround(z / row.scanner.ringSpacing_mm + 0.5 * (row.scanner.rings - 1));
        if (!(ring >= 0 && ring < row.scanner.rings)) {
            return false;
        }
        const double turns = std::atan2(from.y + way * uy, from.x + way * ux) / (2 * kPi) + 1;
        const auto place = static_cast<std::uint32_t>(std::lround(turns * row.scanner.crystalsPerRing));
        const auto perRing = static_cast<std::uint32_t>(row.scanner.crystalsPerRing);
        crystals[end] = static_cast<std::uint32_t>(ring) * perRing + place % perRing;
        ways[end] = way / flat;
    }
    std::normal_distribution<double> blur(0, row.tof.fwhm_ps / kFwhmPerSigma);
    events.pairs[at] = {crystals[0], crystals[1]};
    events.dt_ps[at] = static_cast<float>(-0.5 * (ways[0] + ways[1]) / kMmPerPs + blur(random));
    return true;
}

std::shared_ptr<LineEvents> eventsOf(const Row& row, std::size_t count, const ThreadPool& pool) {
    constexpr std::size_t kGrain = std::size_t{1} << 16U;
    auto events = std::make_shared<LineEvents>();
    events->points = ringPoints(row.scanner);
    events->tof = row.tof;
    events->pairs.resize(count);
    events->dt_ps.resize(count);
    pool.forRange(count, kGrain, [&](std::size_t begin, std::size_t end) {
        std::mt19937 random(7 + static_cast<std::uint32_t>(begin / kGrain));
        for (std::size_t i = begin; i < end;) {
            i += record(row, emission(row, random), random, i, *events) ? 1 : 0;
        }
    });
    return events;
}

std::vector<float> uneven(std::size_t n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = 0.5F + static_cast<float>(i * 2654435761U % 1024U) / 1024.0F;
    }
    return values;
}

class Measured {
  public:
    Measured(const Engine& engine, const Row& row, std::shared_ptr<const LineEvents> events,
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
        space_->upload(uneven(projector_->imageSize()), image_.view());
        space_->upload(uneven(projector_->dataSize(0)), values_.view());
    }

    void print(const Row& row, const std::string& strategy) {
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

std::vector<std::string> listed(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ',');) {
        all.push_back(one);
    }
    return all;
}

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
        for (const Row& row : rows()) {
            if (lattice != "all" && lattice.find(row.name) == std::string::npos) {
                continue;
            }
            for (const std::string& millions : listed(given(3, "20"))) {
                const auto count = static_cast<std::size_t>(1e6 * std::atof(millions.c_str()));
                const std::shared_ptr<LineEvents> events = eventsOf(row, count, ThreadPool());
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
