// SPDX-License-Identifier: Apache-2.0
// Tables and figures of the papers, made again with this program's own parts.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/experiment/check.h"
#include "recon/metrics/picture_data.h"
#include "recon/metrics/roi.h"
#include "recon/seam/engine.h"

namespace tof {

/// How much work an experiment may be: seconds on small lattices (tests), less than half a minute on two
/// cores, or what the paper did.
enum class ExperimentSize { Tiny, Quick, Full };

struct ExperimentContext {
    const EngineRegistry& engines;
    ExperimentSize size = ExperimentSize::Quick;
    std::string engine = "cpu";  ///< what reconstructs and is timed
    int threads = 0;             ///< 0 takes every core
    /// Gets what is being done and the share of the whole that is done; may throw Cancelled.
    std::function<void(const std::string& what, double done)> progress;
    /// The user's own data instead of the papers': a file, or a name of the experiment's namedData; empty:
    /// none.
    std::string dataFile{};
    std::uint64_t events =
        0;  ///< events of simulated scans of the full size instead of the paper's; 0: the paper's
    /// What an experiment leaves to the next of the same run that needs it, too, by name; null: nothing.
    std::shared_ptr<std::map<std::string, std::any>> kept{};

    /// What `make` gives, made once where things are kept.
    template <typename Result, typename Make>
    [[nodiscard]] std::shared_ptr<const Result> once(const std::string& name, const Make& make) const {
        if (!kept) {
            return std::make_shared<const Result>(make());
        }
        std::any& place = (*kept)[name];
        if (!place.has_value()) {
            place = std::make_shared<const Result>(make());
        }
        return std::any_cast<std::shared_ptr<const Result>>(place);
    }

    /// The one of three that fits the size.
    template <typename T>
    [[nodiscard]] T pick(T tiny, T quick, T full) const {
        return size == ExperimentSize::Tiny ? tiny : size == ExperimentSize::Quick ? quick : full;
    }
};

/// Stands for a number that could not be had.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
/// For conditions: "144 x 144 x 48 voxels of 4 mm".
[[nodiscard]] std::string latticeText(const Lattice& lattice);

/// A number beside the paper's. kMissing: `remark` says why.
struct Comparison {
    std::string quantity;
    std::string unit;
    std::string paper;  ///< as printed there; empty: not given
    double ours = 0;
    std::string remark;
};

/// Rows of a table that a program reads on; every row as long as `columns`.
struct DataTable {
    using Cell = std::variant<std::string, double>;
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
};

/// A file beside the report: what it shows. Who writes the report draws it.
struct ExperimentPicture {
    std::string file;     ///< name without the experiment's: "transverse.png", "curves.svg"
    std::string caption;  ///< one sentence
    ShownPicture shown{};
};

/// An image that was made, to be looked at as a run.
struct ExperimentImage {
    std::string name;  ///< "space, variant1"
    std::shared_ptr<const Volume> volume;
};

/// Where and with what a report was made.
struct Provenance {
    std::string date;     ///< UTC, "2026-11-23 01:20"; empty: not known
    std::string version;  ///< version of this program
    std::string machine;  ///< processor and threads
    /// Every engine: its name, and its device or why it is not there.
    std::vector<std::pair<std::string, std::string>> engines;
    std::string size;  ///< "quick", "full"
    double seconds = 0;
};
/// What is true now, here. The engines that are there are loaded.
[[nodiscard]] Provenance provenanceHere(const EngineRegistry& engines);

struct ExperimentReport {
    std::string conditions;  ///< lattice, counts, engine: one sentence
    std::vector<Comparison> comparisons;
    DataTable data;
    std::vector<ExperimentPicture> pictures;
    std::vector<std::string> notes{};  ///< one sentence each
    std::vector<Check> checks{};
    std::vector<std::uint64_t> seeds{};  ///< seeds of random numbers that were drawn
    std::vector<ExperimentImage> images{};
    std::string skipped{};  ///< why nothing was run; empty: it was
    Provenance made{};

    /// Failed where a check failed; skipped where nothing was run or looked at.
    [[nodiscard]] Verdict verdict() const { return skipped.empty() ? verdictOf(checks) : Verdict::Skipped; }
};

/// One experiment: what it is of, and what makes it.
struct Experiment {
    std::string name;
    std::string source;  ///< "paper 000, Fig. 5"
    std::string about;   ///< one sentence without a full stop
    std::string quick;   ///< what the quick size does
    std::string full;    ///< what the full size does
    ExperimentReport (*run)(const ExperimentContext& context);
    std::string needs{};    ///< engine that it cannot do without; empty: none
    std::string ownData{};  ///< what data of the user's own it takes; empty: none
    /// Names that stand for such data besides files, the usual one first; null: there are none.
    std::vector<std::string> (*namedData)() = nullptr;
};

/// Why an engine cannot be had, as a sentence's part; empty where it is there.
[[nodiscard]] std::string whyMissing(const ExperimentContext& context, const std::string& engine);

/// A cell of a report's table by its row and the name of its column; kMissing where it is no number.
[[nodiscard]] double cellOf(const ExperimentReport& report, std::size_t row, const std::string& column);

}  // namespace tof
