// SPDX-License-Identifier: Apache-2.0
// One view through one kernel by any engine: what the kernel lab and `tofscope-cli project` compare.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "recon/kernel/point_response.h"
#include "recon/seam/engine.h"

namespace tof {

/// Which of the two adjoint maps.
enum class ProjectionKind { Forward, Back };

/// Where a projection is computed besides the engines: "definition" evaluates the tables of docs/model.md
/// section 2 in double, for point sources alone.
inline constexpr const char* kDefinition = "definition";

/// One way of projecting.
struct Projecting {
    ProjectionKind kind = ProjectionKind::Forward;
    std::string engine = "auto";  ///< an engine's name, "auto", or kDefinition
    std::string strategy;         ///< empty: the engine's default
    KernelSpec kernel;
};

/// What is projected: single voxels of value 1, or an image.
struct ProjectionInput {
    Lattice lattice;
    std::vector<VoxelIndex> points;       ///< used when there is no image
    std::shared_ptr<const Volume> image;  ///< on `lattice`, or null
};

struct Projection {
    Volume volume;
    std::string where;      ///< "cpu, column", "definition"
    std::string note;       ///< Projector::note(); empty for the definition
    double prepare_ms = 0;  ///< tables and plans; 0 when they were kept from before
    double project_ms = 0;  ///< the projection alone; for point sources of the definition, with the tables
};

/// Median and spread of repeated projections of one strategy.
struct StrategyTiming {
    std::string engine;
    std::string strategy;
    ProjectionKind kind = ProjectionKind::Forward;
    double median_ms = 0;
    double min_ms = 0;
    int runs = 0;
    std::string note;    ///< Projector::note()
    std::string whyNot;  ///< empty, or why this strategy cannot project; then there are no times
};

/// Projects single views and keeps what can be used again: spaces, and the projectors used last. One thread
/// at a time.
class ViewProjections {
  public:
    /// `engines` outlives this. `options.strategy` is overridden by each request.
    ViewProjections(const EngineRegistry& engines, EngineOptions options);
    ~ViewProjections();
    ViewProjections(const ViewProjections&) = delete;
    ViewProjections& operator=(const ViewProjections&) = delete;

    /// `checkpoint` is called between the steps, and while plans are searched, and may throw Cancelled.
    using Checkpoint = std::function<void()>;

    /// The projection, or why it cannot be made. Throws BadInput for a kernel that has no tables.
    [[nodiscard]] std::variant<Projection, Unsupported> project(const Projecting& how,
                                                                const ProjectionInput& input, View view,
                                                                const Checkpoint& checkpoint);
    /// Times one way of projecting: once to warm up, then `runs` (>= 1) that count. The definition is timed
    /// with its tables. Or why it cannot project.
    [[nodiscard]] std::variant<StrategyTiming, Unsupported> time(const Projecting& how,
                                                                 const ProjectionInput& input, View view,
                                                                 int runs, const Checkpoint& checkpoint);
    /// Times every strategy of every engine that is registered, forward and back: one projection to warm up,
    /// then `runs` that count. Engines that are not there give a row with the reason.
    [[nodiscard]] std::vector<StrategyTiming> timeAll(const KernelSpec& kernel, const ProjectionInput& input,
                                                      View view, int runs, const Checkpoint& checkpoint);

    /// |<F x, y> - <x, F^T y>| / |<F x, y>| in double, for uniform random x and y in [0, 1) from `seed`.
    [[nodiscard]] std::variant<double, Unsupported> adjointError(const Projecting& how,
                                                                 const Lattice& lattice, View view,
                                                                 unsigned seed, const Checkpoint& checkpoint);

  private:
    struct Held;
    /// What a projector was made for.
    struct Key {
        std::string engine;
        std::string strategy;
        KernelSpec kernel;
        Lattice lattice;
        View view;
        [[nodiscard]] bool operator==(const Key&) const = default;
    };
    /// Uploads the input and gives what projects it, or why nothing does.
    [[nodiscard]] std::variant<std::shared_ptr<Held>, Unsupported> load(const Projecting& how,
                                                                        const ProjectionInput& input,
                                                                        View view,
                                                                        const Checkpoint& checkpoint);
    /// The projector for them, made when it is not held.
    [[nodiscard]] std::variant<std::shared_ptr<Held>, Unsupported> hold(const Projecting& how,
                                                                        const Lattice& lattice, View view,
                                                                        const Checkpoint& checkpoint);

    const EngineRegistry& engines_;
    EngineOptions options_;
    std::list<std::pair<Key, std::shared_ptr<Held>>> held_;  ///< newest first
    std::vector<std::pair<std::string, std::shared_ptr<Space>>> spaces_;
};

}  // namespace tof
