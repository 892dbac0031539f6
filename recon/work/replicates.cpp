// SPDX-License-Identifier: Apache-2.0
#include "recon/work/replicates.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/other_counts.h"

namespace tof {

namespace {

/// Whether counts are whole numbers, as of events that were not spread.
bool areWhole(std::span<const float> counts) {
    return std::all_of(counts.begin(), counts.end(), [](float c) { return c == std::floor(c); });
}

/// Counts that are drawn about others.
class DrawnCounts {
  public:
    /// `counts` outlive this; they go `step` of the way, up to 1, to what is drawn.
    DrawnCounts(std::span<const float> counts, float step, const ReplicateRequest& request)
        : counts_(counts), step_(step), seed_(request.seed), pool_(request.threads), drawn_(counts.size()) {}

    [[nodiscard]] std::span<const float> draw(int replicate) {
        poissonInto(counts_, 1, seed_, RandomUse::Replicates, static_cast<std::uint32_t>(replicate), pool_,
                    drawn_);
        for (std::size_t i = 0; step_ < 1 && i < drawn_.size(); ++i) {
            drawn_[i] = counts_[i] + step_ * (drawn_[i] - counts_[i]);
        }
        return drawn_;
    }

  private:
    std::span<const float> counts_;
    float step_;
    std::uint64_t seed_;
    ThreadPool pool_;
    std::vector<float> drawn_;
};

/// Takes the iterates of one replicate; asks the listener whether to go on.
class ReplicateControl : public RunControl {
  public:
    ReplicateControl(JobListener& listener, Replicates& found,
                     const std::optional<FigureEvaluator>& evaluator)
        : listener_(listener), found_(found), evaluator_(evaluator) {}

    void checkpoint() override { listener_.checkpoint(); }
    void heed() override { listener_.checkpoint(); }
    void iterateDone(Iterate iterate) override { found_.add(iterate.iteration, *iterate.image, evaluator_); }

  private:
    JobListener& listener_;
    Replicates& found_;
    const std::optional<FigureEvaluator>& evaluator_;
};

/// Mean and `widening` times the standard deviation as JSON; null where fewer than two are numbers.
nlohmann::ordered_json band(const std::vector<double>& values, double widening) {
    const bool known = values.size() > 1 &&
                       std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (!known) {
        return nullptr;
    }
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return {{"mean", mean}, {"sd", widening * std::sqrt(squares / (n - 1))}};
}

}  // namespace

Replicates::Replicates(const Lattice& lattice, std::string units, int iterations, double widening)
    : lattice_(lattice),
      units_(std::move(units)),
      widening_(widening),
      rows_(static_cast<std::size_t>(iterations)) {}

void Replicates::add(int iteration, const Volume& image, const std::optional<FigureEvaluator>& evaluator) {
    Row& row = rows_.at(static_cast<std::size_t>(iteration - 1));
    if (row.count == 0) {
        row.mean.assign(image.data.size(), 0.0F);
        row.squares.assign(image.data.size(), 0.0F);
    }
    ++row.count;
    const float share = 1.0F / static_cast<float>(row.count);
    for (std::size_t i = 0; i < image.data.size(); ++i) {  // Welford's steps
        const float off = image.data[i] - row.mean[i];
        row.mean[i] += share * off;
        row.squares[i] += off * (image.data[i] - row.mean[i]);
    }
    if (evaluator) {
        row.figures.push_back(evaluator->evaluate(iteration, image.data.data()));
    }
}

int Replicates::count(int iteration) const {
    return rows_.at(static_cast<std::size_t>(iteration - 1)).count;
}

Volume Replicates::mean(int iteration) const {
    Volume volume(lattice_);
    volume.units = units_;
    if (count(iteration) > 0) {
        volume.data = rows_.at(static_cast<std::size_t>(iteration - 1)).mean;
    }
    return volume;
}

Volume Replicates::sd(int iteration) const {
    Volume volume(lattice_);
    volume.units = units_;
    const Row& row = rows_.at(static_cast<std::size_t>(iteration - 1));
    for (std::size_t i = 0; row.count > 1 && i < volume.data.size(); ++i) {
        volume.data[i] = static_cast<float>(widening_) *
                         std::sqrt(std::max(0.0F, row.squares[i]) / static_cast<float>(row.count - 1));
    }
    return volume;
}

std::string Replicates::bandsJson() const {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    int most = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::vector<Figures>& figures = rows_[i].figures;
        most = std::max(most, rows_[i].count);
        const auto bandOf = [&](const auto& read) {
            std::vector<double> values;
            std::transform(figures.begin(), figures.end(), std::back_inserter(values), read);
            return band(values, widening_);
        };
        nlohmann::ordered_json row{{"iteration", i + 1}};
        row["crc"] = bandOf([](const Figures& f) { return f.crc; });
        row["noise"] = bandOf([](const Figures& f) { return f.noise; });
        row["nsr"] = bandOf([](const Figures& f) { return f.nsr; });
        row["overshoot"] = bandOf([](const Figures& f) { return f.overshoot; });
        row["rois"] = nlohmann::ordered_json::array();
        for (std::size_t k = 0; !figures.empty() && k < figures.front().rois.size(); ++k) {
            row["rois"].push_back(
                {{"name", figures.front().rois[k].name},
                 {"mean", bandOf([k](const Figures& f) { return f.rois[k].statistics.mean; })}});
        }
        rows.push_back(std::move(row));
    }
    return jsonText(nlohmann::ordered_json{{"replicates", most}, {"iterations", std::move(rows)}});
}

void requireReplicable(const Measurement& data) {
    if (histoData(&data) == nullptr) {
        throw WrongUse("replicates are made of histo-images, not of {}; bin the list --to histo",
                       data.kind());
    }
}

Replicates makeReplicates(const ReplicateRequest& request, const Measurement& data, Projector& projector,
                          std::shared_ptr<DataSource> source, JobListener& listener) {
    requireReplicable(data);
    const std::shared_ptr<const HistoData> histo = histoData(&data);
    const float step = areWhole(histo->counts) ? kStepOfScan : 1;
    Replicates found(data.lattice(), request.units, request.algorithm.iterations, 1 / step);
    DrawnCounts drawn(histo->counts, step, request);
    OtherCounts replicated(std::move(source), projector.space(), histo->counts.size(), request.threads);
    ReplicateControl control(listener, found, request.evaluator);
    replicated.use(drawn.draw(1));
    Reconstruction reconstruction(projector, replicated, data.lattice(), request.algorithm, request.order,
                                  control);
    reconstruction.setUnits(request.units);
    for (int replicate = 1; replicate <= request.replicates; ++replicate) {
        if (replicate > 1) {
            replicated.use(drawn.draw(replicate));
            reconstruction.startUniform();
        }
        reconstruction.run(control);
        listener.shareReady("replicates", static_cast<double>(replicate) / request.replicates);
    }
    return found;
}

}  // namespace tof
