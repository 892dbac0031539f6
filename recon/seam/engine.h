// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "recon/base/instruction_set.h"
#include "recon/base/parallel.h"
#include "recon/seam/projector.h"
#include "recon/seam/system_model.h"

namespace tof {

/// Transform that a Fourier engine multiplies with: of the truncated sampled kernel, or the analytic
/// Gaussian's.
enum class Spectrum { Sampled, Analytic };

/// Zero padding of a Fourier engine: none (wraps round), as much as the kernel reaches, or a number of
/// voxels.
struct Padding {
    enum class Mode { Off, Auto, ByHand } mode = Mode::Auto;
    int voxels[3] = {0, 0, 0};  ///< added along x, y, z when by hand

    [[nodiscard]] bool operator==(const Padding&) const = default;
};

/// Choices that every engine understands or ignores.
struct EngineOptions {
    std::string strategy;                  ///< empty: the engine's default
    int threads = 0;                       ///< host engines: 0 takes every core
    Priority priority = Priority::Normal;  ///< host engines: of compute threads
    /// `column` on the host: its loops take nothing richer; none: what the processor has.
    std::optional<InstructionSet> mostInstructions{};
    Spectrum spectrum = Spectrum::Sampled;
    Padding padding;
    /// Fourier engines: largest error of a spatially variant kernel taken as a sum of invariant ones, as a
    /// share of its peak at each position.
    double kernelError = 2e-5;
    bool measurePlans = true;          ///< Fourier engines: search for the fastest plan (and keep it)
    std::size_t memoryLimitBytes = 0;  ///< 0: what the machine has
    int device = 0;                    ///< CUDA device index
    /// Called by the thread that makes a projector, while it does; what it throws passes, and no projector is
    /// made.
    std::function<void()> heed = [] {};
};

/// Why an engine cannot project a model: one sentence with the remedy.
struct Unsupported {
    std::string why;
};

using ProjectorOrWhyNot = std::variant<std::unique_ptr<Projector>, Unsupported>;

/// A way in which an engine projects.
struct Strategy {
    std::string name;        ///< as settings, options and files say it
    const char* about = "";  ///< what it does, one line without a full stop, marked by toTranslate()
};

/// What an engine says of the device it runs on, for `devices` and reports.
struct DeviceInfo {
    std::string name;                                             ///< "2 threads, AVX-512", "NVIDIA H200"
    std::vector<std::pair<std::string, std::string>> properties;  ///< in the order they are printed
};

/// Where projections are computed. Engines are immutable after construction and may be shared between
/// threads. What an engine does better than the host besides is an interface of the room that asks for it
/// (MakesSlices, SumsScatter, MakesPanelKernels, TellsKernels), which the engine's class has as a base.
class Engine {
  public:
    virtual ~Engine() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Strategies for the models of a system, the default first; empty for a system that it cannot project.
    [[nodiscard]] virtual std::vector<Strategy> strategies(const std::string& system) const = 0;
    [[nodiscard]] std::vector<std::string> strategyNames(const std::string& system) const;
    [[nodiscard]] virtual DeviceInfo device() const = 0;
    /// Devices of this machine that EngineOptions::device can name.
    [[nodiscard]] virtual int devices() const { return 1; }
    /// A new space with its threads or streams. Throws Unavailable when the device has gone.
    [[nodiscard]] virtual std::shared_ptr<Space> makeSpace(const EngineOptions& options) const = 0;
    /// A projector in `space`, which must come from this engine's makeSpace.
    [[nodiscard]] virtual ProjectorOrWhyNot makeProjector(const SystemModel& model,
                                                          std::shared_ptr<Space> space,
                                                          const EngineOptions& options) const = 0;
    /// Milliseconds that projecting a part takes, or so, the same on every call for the same machine; 0: not
    /// known. For `auto`.
    [[nodiscard]] virtual double projectionEstimate_ms(const SystemModel& /*model*/,
                                                       const EngineOptions& /*options*/) const {
        return 0;
    }
    /// The interface T when this engine has it, else null.
    template <class T>
    [[nodiscard]] const T* offers() const {
        return dynamic_cast<const T*>(this);
    }
};

/// The engines of this program. Filled once by app/ before anything runs, then read-only.
class EngineRegistry {
  public:
    /// A factory returns the engine, or throws Unavailable with the sentence why it is not there. It runs at
    /// the first find(), once.
    using Factory = std::function<std::shared_ptr<const Engine>()>;
    /// `rank`: what `auto` goes by, the highest first; 0: never taken unless it is named.
    void add(std::string name, Factory factory, int rank = 0);

    [[nodiscard]] std::vector<std::string> names() const;
    /// The engine, or why not. Throws WrongUse for a name nobody registered. Thread-safe.
    [[nodiscard]] std::variant<std::shared_ptr<const Engine>, Unsupported> find(
        const std::string& name) const;
    /// The engine, or throws Unavailable with the reason.
    [[nodiscard]] std::shared_ptr<const Engine> require(const std::string& name) const;
    /// `auto`: of those with a rank the highest that is there; any other name as require().
    [[nodiscard]] std::shared_ptr<const Engine> choose(const std::string& nameOrAuto) const;
    /// Chooses for a model. Among engines of the highest rank that are there `auto` takes the one added
    /// first, unless its projections take long and by another's estimate much less: then that one.
    [[nodiscard]] std::shared_ptr<const Engine> choose(const std::string& nameOrAuto,
                                                       const SystemModel& model,
                                                       const EngineOptions& options) const;

  private:
    struct Entry;
    /// The names with a rank, the highest first, those of one rank as they were added.
    [[nodiscard]] std::vector<std::shared_ptr<Entry>> ranked() const;
    /// The engine of an entry, made if it was not yet; null when it is not there.
    [[nodiscard]] static std::shared_ptr<const Engine> engineOf(Entry& entry);

    std::vector<std::shared_ptr<Entry>> entries_;
};

/// A projector, or throws Unavailable with the engine's sentence.
[[nodiscard]] std::unique_ptr<Projector> requireProjector(const Engine& engine, const SystemModel& model,
                                                          std::shared_ptr<Space> space,
                                                          const EngineOptions& options);

/// `image` projected to every part, all of one size and one after the other, in a space of its own.
/// `progress` gets the share done and may throw Cancelled. Throws Unavailable when the engine cannot project
/// the model.
[[nodiscard]] std::vector<float> forwardAll(
    const Engine& engine, const SystemModel& model, const EngineOptions& options,
    const std::vector<float>& image, const std::function<void(double)>& progress = [](double) {});

}  // namespace tof
