// SPDX-License-Identifier: Apache-2.0
// A whole system in one file: its model, its data and an engine that projects it. Nothing of the product
// knows it.
#pragma once

#include <any>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/seam/host_space.h"
#include "recon/systems/measurement.h"
#include "recon/systems/system.h"
#include "tests/support/toy_system.h"

namespace tof::test {

/// A matrix written down: rows are data bins, columns are voxels.
struct ToyModel {
    static constexpr const char* kSystem = "toy";

    Lattice lattice;
    std::vector<std::vector<double>> matrix;
    std::size_t rowsPerPart = 1;
};

/// Counts of a ToyModel's bins; every part is a view of one voxel per bin.
class ToyMeasurement : public Measurement {
  public:
    ToyMeasurement(ToyModel model, std::vector<float> counts)
        : model_(std::move(model)), counts_(std::move(counts)) {}

    [[nodiscard]] std::string kind() const override { return "toy-counts"; }
    [[nodiscard]] std::string system() const override { return ToyModel::kSystem; }
    [[nodiscard]] const Lattice& lattice() const override { return model_.lattice; }
    [[nodiscard]] const std::string& hash() const override { return hash_; }
    [[nodiscard]] const std::string& phantom() const override { return phantom_; }
    [[nodiscard]] ScannerText scannerJson() const override { return R"({"kind":"toy"})"; }
    [[nodiscard]] double duration_s() const override { return 0; }
    [[nodiscard]] std::string units() const override { return kEmissionsPerVoxel; }
    [[nodiscard]] EventTally events() const override {
        return {std::accumulate(counts_.begin(), counts_.end(), 0.0), 0};
    }
    [[nodiscard]] std::size_t memoryBytes() const override { return counts_.size() * sizeof(float); }

    [[nodiscard]] std::vector<std::size_t> order(std::uint64_t seed) const override {
        return spreadOrder(parts(), seed);
    }
    [[nodiscard]] SystemModel model(const RunSettings& /*settings*/) const override { return model_; }
    [[nodiscard]] nlohmann::ordered_json describe(const RunSettings& /*settings*/) const override {
        return {{"toy_rows", model_.matrix.size()}};
    }
    [[nodiscard]] std::shared_ptr<DataSource> source(const RunSettings& settings,
                                                     const SourcePlace& place) const override {
        return sourceOfParts({counts_, {}, {}, parts(), model_.rowsPerPart, nullptr}, place,
                             sensitivityKey(*this, settings, place, hash_));
    }

    [[nodiscard]] ViewLayout layout() const override {
        ViewLayout layout;
        layout.axes[0].name = "part";
        layout.axes[1] = {"bin", {0}, {}, {}};
        for (std::size_t part = 0; part < parts(); ++part) {
            layout.axes[0].values.push_back(static_cast<double>(part));
            layout.views.emplace_back(part);
        }
        return layout;
    }
    [[nodiscard]] ViewSpace viewSpace() const override { return ViewSpace::Radial; }
    [[nodiscard]] std::vector<std::size_t> viewCounts() const override { return {parts()}; }
    [[nodiscard]] bool shows(DataQuantity quantity) const override {
        return quantity == DataQuantity::Counts;
    }
    [[nodiscard]] Volume view(std::size_t view, DataQuantity quantity) const override {
        requireMeasured(quantity);
        Volume volume(Lattice::centred({static_cast<int>(model_.rowsPerPart), 1, 1}, {1, 1, 1}));
        const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(view * model_.rowsPerPart);
        volume.data.assign(first, first + static_cast<std::ptrdiff_t>(model_.rowsPerPart));
        return volume;
    }
    [[nodiscard]] Volume expected(std::size_t /*view*/, const Volume& /*image*/,
                                  const RunSettings& /*settings*/,
                                  const EngineRegistry& /*engines*/) const override {
        throw WrongUse("the toy expects nothing");
    }
    [[nodiscard]] std::vector<double> viewTotals() const override {
        std::vector<double> totals(parts(), 0.0);
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            totals[i / model_.rowsPerPart] += static_cast<double>(counts_[i]);
        }
        return totals;
    }

  private:
    [[nodiscard]] std::size_t parts() const { return counts_.size() / model_.rowsPerPart; }

    ToyModel model_;
    std::vector<float> counts_;
    std::string hash_ = "70y";
    std::string phantom_;
};

/// A file "TOY" with as many counts as the matrix has rows, in parts of two rows.
class ToyFile : public FormatFile {
  public:
    explicit ToyFile(ToyModel model, std::string text) : model_(std::move(model)), text_(std::move(text)) {}
    [[nodiscard]] FileKind kind() const override { return FileKind::Data; }
    [[nodiscard]] std::any otherData() const override {
        std::istringstream in(text_.substr(4));
        return std::make_shared<ToyMeasurement>(
            model_, std::vector<float>(std::istream_iterator<float>(in), std::istream_iterator<float>()));
    }

  private:
    ToyModel model_;
    std::string text_;
};

/// The row of its format.
inline Format toyFormat(const ToyModel& model) {
    Format format;
    format.name = "toy";
    format.recognise = [model](const FileStart& start) -> std::unique_ptr<const FormatFile> {
        return start.bytes.starts_with("TOY ") ? std::make_unique<ToyFile>(model, start.bytes) : nullptr;
    };
    return format;
}

/// The row of the system.
inline System toySystem() {
    return {ToyModel::kSystem, "toy_rows",
            [](const FormatFile& file) {
                return file.otherData().type() == typeid(std::shared_ptr<ToyMeasurement>);
            },
            [](const FormatFile& file) -> std::shared_ptr<const Measurement> {
                return std::any_cast<std::shared_ptr<ToyMeasurement>>(file.otherData());
            },
            [](const RunSettings&) { return std::string("toy"); }};
}

/// Projects ToyModels, and nothing else, in host memory.
class ToyEngine : public Engine {
  public:
    [[nodiscard]] std::string name() const override { return "toy"; }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return system == ToyModel::kSystem ? std::vector<Strategy>{{"dense"}} : std::vector<Strategy>();
    }
    [[nodiscard]] DeviceInfo device() const override { return {"toy box", {}}; }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<HostSpace>(options.threads);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& /*options*/) const override {
        const auto* const toy = model.as<ToyModel>();
        if (toy == nullptr) {
            return Unsupported{"it projects toys only"};
        }
        return std::make_unique<ToyProjector>(toy->matrix, toy->rowsPerPart, std::move(space));
    }
};

}  // namespace tof::test
