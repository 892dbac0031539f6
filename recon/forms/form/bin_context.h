// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/forms/form/bin_request.h"
#include "recon/scanner/michelogram.h"

namespace tof {

/// One binning: what was asked for, who works on it and who it is for, with what all forms ask of these.
class BinContext {
  public:
    /// Keeps references.
    BinContext(const BinRequest& request, const ThreadPool& pool, WorkProgress& progress)
        : request_(request), pool_(pool), progress_(progress) {}

    [[nodiscard]] const BinRequest& request() const { return request_; }
    [[nodiscard]] const ThreadPool& pool() const { return pool_; }
    [[nodiscard]] WorkProgress& progress() const { return progress_; }
    [[nodiscard]] Communicator& ranks() const { return *request_.ranks; }
    /// Whether the data go to a file and nowhere else: nobody asks for their hash.
    [[nodiscard]] bool forFile() const { return request_.atPoints; }
    /// Whether this process has the data in the end.
    [[nodiscard]] bool first() const { return ranks().first(); }

    [[nodiscard]] Lattice lattice() const { return request_.lattice.value_or(usualLattice()); }
    /// True when the scanner that was named is rings; else it is the geometry that the list is read with.
    [[nodiscard]] bool namesRings() const;
    [[nodiscard]] std::string geometry() const { return namesRings() ? "" : request_.scanner; }
    /// Throws WrongUse where none were named.
    [[nodiscard]] std::shared_ptr<const Michelogram> rings() const;

    /// What attenuates, in 1/mm: what was named, or else the phantom a list was simulated from, whose parts
    /// are at most `spacing_mm` large. None in air.
    [[nodiscard]] std::optional<Volume> attenuation(
        const std::string& phantom, double spacing_mm = std::numeric_limits<double>::infinity()) const;

    /// Refuses a binning whose result, beside the list that is held already, does not fit what is free.
    void requireRoom(double bytes) const;
    /// Says what a file says or lacks; nothing where the sentence is empty.
    void note(const std::string& sentence) const;

  private:
    const BinRequest& request_;
    const ThreadPool& pool_;
    WorkProgress& progress_;
};

}  // namespace tof
