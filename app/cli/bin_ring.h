// SPDX-License-Identifier: Apache-2.0
// `bin --to sinogram|lors`: list-mode as data of lines of response.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/events.h"

namespace tof {

/// What attenuates: a volume in 1/cm that was named, "none", or else the phantom a list was simulated from.
struct Attenuation {
    std::string named;  ///< --mu
    std::string input;  ///< for messages
    Lattice lattice;    ///< that a phantom is drawn on
    /// In 1/mm.
    [[nodiscard]] std::optional<Volume> find(const std::string& phantom, Console& console) const;
};

struct LineForm {
    std::string input;
    std::string output;
    bool lines = false;       ///< lines of response instead of sinograms
    std::string rings;        ///< ring scanner, or empty: the list's own
    std::string geometry;     ///< what the crystals are numbered by, where the data only name it
    std::string corrections;  ///< file to take mult and add from, or empty
    bool randoms = true;      ///< ECAT8: estimate them from the delayeds
    int segments = 0;         ///< ECAT8: only the first; 0: all
    bool partial = false;     ///< ECAT8: read a truncated file as far as it goes
    Lattice lattice;
    bool latticeGiven = false;  ///< else what fits the sampling, where the list says it
};

/// Throws as the command does.
void binForLines(const LineForm& form, const EventList& events, const Attenuation& mu, const ThreadPool& pool,
                 Console& console);
void binHistogram(const LineForm& form, const Attenuation& mu, const ThreadPool& pool, Console& console);
void binEcat8(const LineForm& form, const Attenuation& mu, const ThreadPool& pool, Console& console);

/// Runs work(progress) with a bar.
template <typename Result, typename Work>
Result withBar(Console& console, const char* label, const Work& work) {
    ProgressBar bar(console, label);
    return work(std::function<void(double)>([&](double fraction) {
        throwIfInterrupted();
        bar.update(fraction);
    }));
}

}  // namespace tof
