// SPDX-License-Identifier: Apache-2.0
// Lists as NEMA NU 2 looks at them: a sinogram of parallel lines in every slice, by single-slice rebinning.
#pragma once

#include <cstddef>
#include <vector>

#include "recon/data/events.h"
#include "recon/nema/event_lines.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Bins of sinograms: evenly spaced, symmetrical about the axis and a height.
struct SinogramGrid {
    int slices = 1;
    int angles = 1;  ///< over [0, pi): the direction of the line
    int bins = 1;    ///< over the distances from the axis
    double slice_mm = 1;
    double bin_mm = 1;
    double middle_mm = 0;  ///< middle of the slices along z

    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(slices) * static_cast<std::size_t>(angles) *
               static_cast<std::size_t>(bins);
    }
    /// Middle of a slice, mm along z, and of a bin, mm.
    [[nodiscard]] double z_mm(int slice) const { return middle_mm + (slice + 0.5 - 0.5 * slices) * slice_mm; }
    /// The slice that holds a height; it may lie outside.
    [[nodiscard]] int sliceAt(double z_mm) const;
    /// The bin that holds a distance; it may lie outside.
    [[nodiscard]] int binAt(double s_mm) const;
    [[nodiscard]] double s_mm(int bin) const { return (bin + 0.5 - 0.5 * bins) * bin_mm; }

    /// Slices half as far apart as a scanner's rings, over its whole length and within `halfLength_mm`; bins
    /// within `radius_mm` of the axis. Throws WrongUse for a scanner whose crystals lie at one height.
    [[nodiscard]] static SinogramGrid of(const Scanner& scanner, int angles, double bin_mm, double radius_mm,
                                         double halfLength_mm = 1e9);
};

/// Counts [slice][angle][bin]. Not thread-safe.
///
/// An event is its line (EventLines) with an angle in [0, pi), in the slice that holds its height. A line
/// beyond the grid counts nowhere.
class SliceSinograms {
  public:
    SliceSinograms(const Scanner& scanner, const SinogramGrid& grid);

    void add(const EventList& events);
    /// Adds the counts of another one of the same bins.
    void add(const SliceSinograms& other);
    /// Adds to one bin, as if so many events had come.
    void count(int slice, int angle, int bin, double events) { counts_[at(slice, angle, bin)] += events; }

    [[nodiscard]] const SinogramGrid& grid() const { return grid_; }
    [[nodiscard]] double counts(int slice, int angle, int bin) const {
        return counts_[at(slice, angle, bin)];
    }
    [[nodiscard]] double total() const;
    /// Counts of every slice.
    [[nodiscard]] std::vector<double> bySlice() const;

  private:
    [[nodiscard]] std::size_t at(int slice, int angle, int bin) const {
        const int place = (slice * grid_.angles + angle) * grid_.bins + bin;
        return static_cast<std::size_t>(place);
    }

    SinogramGrid grid_;
    EventLines lines_;
    std::vector<double> counts_;
};

}  // namespace tof
