// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/panel_bench.h"

#include <cuda_runtime_api.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gpu/panel/cuda_panel_projector.h"
#include "gpu/published/published_projectors.h"
#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/base/percentile.h"
#include "recon/bench/stopwatch.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/panel/panel_model.h"
#include "tests/bench/device_time.h"
#include "tests/gpu/panel_fixtures.h"

namespace tof {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

double usedDeviceMiB() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "bench");
    return static_cast<double>(total - free) / 1048576.0;
}

double peakHostMiB() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// One part of both maps by definition, in double, on host threads.
class Definition {
  public:
    Definition(const PanelModel& model, std::size_t part, const ThreadPool& pool)
        : model_(model), part_(part), pool_(pool) {}

    /// Projects every `step`-th datum, in order.
    [[nodiscard]] std::vector<double> forward(const std::vector<float>& image, std::size_t step) const {
        std::vector<double> p((model_.parts->partSize + step - 1) / step);
        eachClass([&](const PanelClass& c, const PanelKernelRef& ref, std::size_t first) {
            const auto places = model_.matrix->placesOf(ref.kernel);
            const auto values = model_.matrix->valuesOf(ref.kernel);
            const auto lors = static_cast<std::size_t>(c.lors(model_.matrix->geometry));
            for (std::size_t i = 0; i < lors; ++i) {
                if ((first + i) % step != 0) {
                    continue;
                }
                const PanelLor lor = PanelLor::at(model_.matrix->geometry, c, static_cast<int>(i));
                double sum = 0;
                for (std::size_t e = 0; e < places.size(); ++e) {
                    sum += static_cast<double>(values[e]) *
                           static_cast<double>(image[fixtures::panelVoxel(model_, c, ref, lor, places[e])]);
                }
                p[(first + i) / step] = sum;
            }
        });
        return p;
    }

    /// Voxels of plane x, in the order of an image.
    [[nodiscard]] std::vector<double> back(const std::vector<float>& data, int plane) const {
        const Lattice& lattice = model_.lattice;
        const auto planes = static_cast<std::size_t>(lattice.size[0]);
        std::vector<std::vector<double>> sums(model_.parts->classes[part_].size());
        eachClass([&](const PanelClass& c, const PanelKernelRef& ref, std::size_t first) {
            const std::size_t slot = slotOf(c);
            sums[slot].resize(lattice.voxels() / planes);
            const auto places = model_.matrix->placesOf(ref.kernel);
            const auto values = model_.matrix->valuesOf(ref.kernel);
            for (int i = 0; i < c.lors(model_.matrix->geometry); ++i) {
                const PanelLor lor = PanelLor::at(model_.matrix->geometry, c, i);
                const auto datum = static_cast<double>(data[first + static_cast<std::size_t>(i)]);
                for (std::size_t e = 0; e < places.size(); ++e) {
                    if (PanelPlace::x(places[e]) == plane) {
                        sums[slot][fixtures::panelVoxel(model_, c, ref, lor, places[e]) / planes] +=
                            static_cast<double>(values[e]) * datum;
                    }
                }
            }
        });
        std::vector<double> total(lattice.voxels() / planes);
        for (const auto& sum : sums) {
            for (std::size_t v = 0; v < sum.size(); ++v) {
                total[v] += sum[v];
            }
        }
        return total;
    }

  private:
    [[nodiscard]] std::size_t slotOf(const PanelClass& c) const {
        const std::vector<int>& all = model_.parts->classes[part_];
        return static_cast<std::size_t>(std::find(all.begin(), all.end(), c.index(model_.matrix->geometry)) -
                                        all.begin());
    }
    template <typename Visit>
    void eachClass(const Visit& visit) const {
        const std::vector<int>& all = model_.parts->classes[part_];
        std::vector<std::size_t> first(all.size() + 1, 0);
        for (std::size_t slot = 0; slot < all.size(); ++slot) {
            const PanelClass c = PanelClass::at(model_.matrix->geometry, all[slot]);
            first[slot + 1] = first[slot] + static_cast<std::size_t>(c.lors(model_.matrix->geometry));
        }
        pool_.forRange(all.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t slot = begin; slot < end; ++slot) {
                visit(PanelClass::at(model_.matrix->geometry, all[slot]),
                      model_.matrix->ofClass[static_cast<std::size_t>(all[slot])], first[slot]);
            }
        });
    }

    const PanelModel& model_;
    std::size_t part_;
    const ThreadPool& pool_;
};

/// A strategy with its arrays.
class Contender {
  public:
    Contender(const Engine& engine, const PanelModel& model, const std::string& strategy, int threads)
        : space_(std::dynamic_pointer_cast<CudaSpace>(engine.makeSpace({}))) {
        const auto start = Clock::now();
        std::vector<PanelStrategyRow> rows = cudaPanelStrategies();
        const std::vector<PanelStrategyRow> published = publishedPanelStrategies(threads);
        rows.insert(rows.end(), published.begin(), published.end());
        auto made = makePanelProjector(rows, model, space_, strategy);
        if (const auto* why = std::get_if<Unsupported>(&made)) {
            throw Unavailable(why->why);
        }
        projector_ = std::move(std::get<std::unique_ptr<Projector>>(made));
        space_->finish();
        setup_s_ = secondsSince(start);
        image_ = space_->allocate(projector_->imageSize());
        data_ = space_->allocate(projector_->dataSize(0));
        out_ = space_->allocate(projector_->imageSize());
        space_->upload(fixtures::uniformData(image_.size(), 1, 0, 1), image_.view());
        space_->upload(fixtures::uniformData(data_.size(), 2, 0, 1), data_.view());
    }

    [[nodiscard]] Projector& projector() { return *projector_; }
    [[nodiscard]] const std::shared_ptr<CudaSpace>& space() const { return space_; }
    [[nodiscard]] double setup_s() const { return setup_s_; }

    /// Milliseconds of one map of one part.
    double time(std::size_t part, bool forward) {
        Array lines = space_->allocate(projector_->dataSize(part));
        return deviceMilliseconds(space_->stream(), [&] {
            if (forward) {
                projector_->forward(part, image_.view(), lines.view());
            } else {
                projector_->back(part, data_.view(), out_.view(), Write::Overwrite);
            }
        });
    }

    std::vector<float> forward(std::size_t part) {
        Array lines = space_->allocate(projector_->dataSize(part));
        projector_->forward(part, image_.view(), lines.view());
        return downloaded(lines);
    }
    std::vector<float> back(std::size_t part) {
        projector_->back(part, data_.view(), out_.view(), Write::Overwrite);
        return downloaded(out_);
    }

  private:
    std::vector<float> downloaded(Array& from) {
        std::vector<float> to(from.size());
        space_->download(from.view(), to);
        return to;
    }

    std::shared_ptr<CudaSpace> space_;
    std::unique_ptr<Projector> projector_;
    Array image_;
    Array data_;
    Array out_;
    double setup_s_ = 0;
};

double entriesOf(const PanelModel& model, std::size_t part) {
    double products = 0;
    for (const int number : model.parts->classes[part]) {
        const auto kernel = model.matrix->ofClass[static_cast<std::size_t>(number)].kernel;
        products += static_cast<double>(model.matrix->placesOf(kernel).size()) *
                    PanelClass::at(model.matrix->geometry, number).lors(model.matrix->geometry);
    }
    return products;
}

/// Times of `parts` parts in both directions, scaled to all by the products they hold.
json timed(Contender& contender, const PanelModel& model, const std::string& name, std::size_t parts,
           int rounds, const GpuCeilings& ceilings) {
    json row{{"name", name}, {"parts_timed", parts}};
    double all = 0;
    for (std::size_t part = 0; part < model.parts->parts(); ++part) {
        all += entriesOf(model, part);
    }
    std::printf("%-24s setup %.2f s, %.0f MiB |", name.c_str(), contender.setup_s(),
                static_cast<double>(contender.projector().memoryBytes()) / 1048576.0);
    for (const bool forward : {true, false}) {
        std::vector<double> totals;
        double products = 0;
        for (int round = parts > 2 ? -1 : 0; round < rounds; ++round) {
            double total = 0;
            products = 0;
            for (std::size_t i = 0; i < parts; ++i) {
                const std::size_t part = i * model.parts->parts() / parts;
                total += contender.time(part, forward);
                products += entriesOf(model, part);
            }
            if (round >= 0) {
                totals.push_back(total);
            }
        }
        const double whole_s = 1e-3 * median(totals) * all / products;
        const char* const direction = forward ? "forward" : "back";
        row[direction] = {{"ms_per_subset", 1e3 * whole_s / static_cast<double>(model.parts->parts())},
                          {"s_per_iteration", whole_s},
                          {"min_ms", *std::min_element(totals.begin(), totals.end())},
                          {"max_ms", *std::max_element(totals.begin(), totals.end())},
                          {"rounds", totals.size()},
                          {"mac_per_s", all / whole_s},
                          {"fraction_of_peak", all / whole_s / ceilings.fmaPerSecond}};
        std::printf(" %s %.3f ms per subset, %.4f s per iteration, %.2f TMAC/s, %.1f %% of peak;", direction,
                    1e3 * whole_s / static_cast<double>(model.parts->parts()), whole_s, all / whole_s / 1e12,
                    100 * all / whole_s / ceilings.fmaPerSecond);
    }
    std::printf("\n");
    std::fflush(stdout);
    row["setup_s"] = contender.setup_s();
    row["memory_mib"] = static_cast<double>(contender.projector().memoryBytes()) / 1048576.0;
    return row;
}

json osemOf(Contender& contender, const PanelModel& model, const std::string& name, int iterations) {
    const std::size_t parts = model.parts->parts();
    std::vector<float> counts;
    counts.reserve(parts * model.parts->partSize);
    float unit = 1e-30F;
    for (const float expected : contender.forward(0)) {
        unit = std::max(unit, 0.1F * expected);
    }
    std::uint32_t state = 3;
    for (std::size_t part = 0; part < parts; ++part) {
        for (const float expected : contender.forward(part)) {
            state = 1664525U * state + 1013904223U;
            // Whole counts with the right mean; many are zero.
            counts.push_back(std::floor(0.5F * expected / unit + static_cast<float>(state >> 8U) * 0x1p-24F));
        }
    }
    PartedData data;
    data.counts = counts;
    data.parts = parts;
    data.partSize = model.parts->partSize;
    SpaceHistoSource source(data, contender.space(), SIZE_MAX);
    AlgorithmSettings settings;
    settings.algorithm = &osem();
    settings.iterations = iterations;
    settings.subsets = static_cast<int>(parts);
    std::vector<std::size_t> order(parts);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Stopwatch control;
    const auto start = Clock::now();
    Reconstruction run(contender.projector(), source, model.lattice, settings, order, control);
    contender.space()->finish();
    const double sensitivity = secondsSince(start);
    run.run(control);
    json row{{"name", name}, {"sensitivities_s", sensitivity}};
    std::printf("OSEM %s: sensitivities %.3f s;", name.c_str(), sensitivity);
    for (const Iterate& it : control.iterates) {
        const double device = deviceSeconds(it);
        row["iterations"].push_back({{"wall_s", it.seconds}, {"device_s", device}});
        std::printf(" iteration %.3f s (device %.3f);", it.seconds, device);
    }
    for (std::size_t s = 0; s < kStages; ++s) {
        row["stages_s"][stageName(static_cast<Stage>(s))] = control.iterates.back().stageSeconds[s];
    }
    std::printf(" stages %s\n", row["stages_s"].dump().c_str());
    std::fflush(stdout);
    return row;
}

}  // namespace

json panelBench(const Engine& cuda, const GpuCeilings& ceilings, int crystalsY, int crystalsZ) {
    json out;
    PanelGeometry geometry;
    geometry.crystals = {crystalsY, crystalsZ};
    const ThreadPool pool;
    const auto start = Clock::now();
    PanelModel model;
    model.lattice = geometry.lattice();
    model.matrix = std::make_shared<const PanelMatrix>(
        buildPanelMatrix(geometry, {}, cuda.offers<MakesPanelKernels>()->panelKernels({})));
    const double building = secondsSince(start);
    model.parts = std::make_shared<const PanelParts>(panelParts(geometry, 1));
    double products = 0;
    for (std::size_t part = 0; part < model.parts->parts(); ++part) {
        products += entriesOf(model, part);
    }
    out["matrix"] = {{"crystals", {crystalsY, crystalsZ}},
                     {"lors", geometry.lors()},
                     {"kernels", model.matrix->kernels.size()},
                     {"entries", model.matrix->values.size()},
                     {"entries_per_lor", products / static_cast<double>(geometry.lors())},
                     {"multiply_adds", products},
                     {"bytes", model.matrix->memoryBytes()},
                     {"building_s", building},
                     {"parts", model.parts->parts()},
                     {"part_size", model.parts->partSize}};
    std::printf("panel matrix: %s\n", out["matrix"].dump().c_str());
    {
        // A few kernels beside the host's.
        double worst = 0;
        const int count = static_cast<int>(model.matrix->kernels.size());
        for (int k = 0; k < count; k += std::max(1, count / 8)) {
            const PanelClass& which = model.matrix->kernels[static_cast<std::size_t>(k)];
            const PanelEntries host = keptEntries(geometry, {}, which, panelKernel(geometry, {}, which));
            worst = std::max(worst, std::abs(host.sum / model.matrix->sums[static_cast<std::size_t>(k)] - 1));
            worst = std::max(worst, std::abs(static_cast<double>(host.values.size()) /
                                                 static_cast<double>(model.matrix->valuesOf(k).size()) -
                                             1));
        }
        out["matrix"]["beside_host"] = worst;
        std::printf("sums and numbers of entries beside the host's: %.1e\n", worst);
    }
    const std::size_t parts = model.parts->parts();
    const Definition definition(model, 0, pool);
    const auto image = fixtures::uniformData(model.lattice.voxels(), 1, 0, 1);
    const auto data = fixtures::uniformData(model.parts->partSize, 2, 0, 1);
    constexpr std::size_t kStep = 97;
    const int plane = geometry.planes / 3;
    const auto exactForward = definition.forward(image, kStep);
    const auto exactBack = definition.back(data, plane);
    const auto checked = [&](Contender& contender, json& row) {
        const std::vector<float> p = contender.forward(0);
        const std::vector<float> x = contender.back(0);
        std::vector<float> some;
        for (std::size_t i = 0; i < p.size(); i += kStep) {
            some.push_back(p[i]);
        }
        std::vector<float> slice;
        for (std::size_t i = static_cast<std::size_t>(plane); i < x.size();
             i += static_cast<std::size_t>(geometry.planes)) {
            slice.push_back(x[i]);
        }
        const double one = fixtures::dotProduct(p, data);
        const double two = fixtures::dotProduct(x, image);
        row["error_forward"] = fixtures::relativeToMaximum(some, exactForward);
        row["error_back"] = fixtures::relativeToMaximum(slice, exactBack);
        row["adjoint"] = std::abs(one - two) / one;
        std::printf("    errors: forward %.1e, back %.1e, adjoint %.1e\n", row["error_forward"].get<double>(),
                    row["error_back"].get<double>(), row["adjoint"].get<double>());
        std::fflush(stdout);
    };
    {
        Contender panel(cuda, model, "panel", 128);
        json row = timed(panel, model, "panel", parts, 3, ceilings);
        row["multiply_adds_issued"] = panel.projector().multiplyAdds(0) / entriesOf(model, 0);
        checked(panel, row);
        row["same_bits"] = panel.forward(0) == panel.forward(0) && panel.back(0) == panel.back(0);
        row["osem"] = osemOf(panel, model, "panel", 4);
        row["device_mib"] = usedDeviceMiB();
        std::printf(
            "    same bits: %d; device memory in use %.0f MiB, host at most %.0f MiB; issued %.2f times "
            "the products\n",
            row["same_bits"].get<bool>() ? 1 : 0, row["device_mib"].get<double>(), peakHostMiB(),
            row["multiply_adds_issued"].get<double>());
        out["strategies"].push_back(row);
    }
    for (const char* const name : {"lor", "symmetric", "symmetric-shared"}) {
        Contender contender(cuda, model, name, 128);
        json row = timed(contender, model, name, std::min<std::size_t>(parts, 6), 3, ceilings);
        checked(contender, row);
        out["strategies"].push_back(row);
    }
    {
        Contender contender(cuda, model, "symmetric-shared", 1);
        out["strategies"].push_back(timed(contender, model, "symmetric-shared, 1 thread", 1, 1, ceilings));
    }
    out["peak_host_mib"] = peakHostMiB();
    return out;
}

}  // namespace tof
